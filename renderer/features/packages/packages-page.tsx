import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { liveOf } from '../../client/packages/packages.ts'
import { useIsMember } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { Chip } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Overview, OverviewHead } from '../../ui/layout/overview.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { PackageRow } from './package-row.tsx'
import styles from './packages.module.css'
import { usePackages } from './queries.ts'

const PAGE = 50

/** All packages that this person made or, of cases that they can download, may have. */
export function PackagesPage() {
  const { t } = useTranslation('packages')
  const member = useIsMember()
  return (
    <Overview title={t('packages')}>
      {member ? (
        <List />
      ) : (
        <>
          <OverviewHead title={t('packages')} lead={t('lead')} />
          <EmptyState title={t('notForGuests')}>{t('notForGuestsBody')}</EmptyState>
        </>
      )}
    </Overview>
  )
}

function List() {
  const { t } = useTranslation('packages')
  const navigate = useNavigate()
  const { case: caseId } = useSearch({ from: '/packages' })
  const { rows, more, busy, onMore, error, retry, jobs } = usePackages(caseId ?? null, PAGE)
  const ofCase = caseId === undefined ? undefined : (rows?.[0]?.Title ?? caseId)
  return (
    <>
      <OverviewHead
        title={t('packages')}
        lead={t('lead')}
        standing={
          ofCase !== undefined && (
            <Chip
              label={t('ofCase')}
              value={<bdi>{visible(ofCase)}</bdi>}
              onClear={() => void navigate({ to: '/packages', search: {} })}
            />
          )
        }
      />
      {error !== null && <Problem error={error} title={t('notListed')} onRetry={retry} />}
      {rows === null && error === null && <Skeleton lines={8} />}
      {rows?.length === 0 && <Nothing ofCase={caseId} />}
      {rows !== null && rows.length > 0 && (
        <ul className={styles['packages']}>
          {rows.map((row) => (
            <PackageRow key={row.PackageId} one={liveOf(row, jobs.get(row.PackageId))} inCase={false} />
          ))}
        </ul>
      )}
      {more && (
        <div>
          <Button busy={busy} onPress={onMore}>
            {t('showMore')}
          </Button>
        </div>
      )}
    </>
  )
}

function Nothing({ ofCase }: { readonly ofCase: string | undefined }) {
  const { t } = useTranslation('packages')
  return (
    <EmptyState
      title={t(ofCase === undefined ? 'none' : 'noneOfCasePage')}
      action={
        ofCase === undefined ? (
          <Link to="/cases">{t('toCases')}</Link>
        ) : (
          <Link to="/packages" search={{}}>
            {t('all')}
          </Link>
        )
      }
    >
      <p>{t('noneBody')}</p>
      <p className={styles['how']}>{t('noneHow')}</p>
    </EmptyState>
  )
}
