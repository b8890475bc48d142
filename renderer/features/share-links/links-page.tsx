import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import * as contract from '../../../shared/share-links/contract.ts'
import { call } from '../../client/api.ts'
import { useIsMember, useSession } from '../../client/session.tsx'
import { SHARE_LINKS, type ShareLink } from '../../client/share-links/share-links.ts'
import { useTranslation } from '../../client/translate.ts'
import { Chip } from '../../ui/badge/badge.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Overview, OverviewHead } from '../../ui/layout/overview.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { LinkRow } from './link-row.tsx'
import styles from './links.module.css'

/** While copies are made. */
const LOOKS_AGAIN_MS = 3_000

/** The links that this person made, or those that hold an evidence which they manage. */
export function LinksPage() {
  const { t } = useTranslation('shareLinks')
  const member = useIsMember()
  return (
    <Overview title={t('title')}>
      {member ? (
        <List />
      ) : (
        <>
          <OverviewHead title={t('title')} lead={t('lead')} />
          <EmptyState title={t('notForGuests')}>{t('notForGuestsBody')}</EmptyState>
        </>
      )}
    </Overview>
  )
}

function useLinks(evidence: string | undefined) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [...SHARE_LINKS, tenant, 'list', evidence ?? null],
    queryFn: async ({ signal }): Promise<readonly ShareLink[]> => {
      const params = { tenantId: tenant }
      const { Items } =
        evidence === undefined
          ? await call(contract.listShareLinks, { params, signal })
          : await call(contract.listEvidenceShareLinks, { params: { ...params, evidenceId: evidence }, signal })
      return Items
    },
    refetchInterval: ({ state }) =>
      state.data?.some(({ Copies }) => Copies.Making > 0) === true ? LOOKS_AGAIN_MS : false,
  })
}

function List() {
  const { t } = useTranslation('shareLinks')
  const navigate = useNavigate()
  const { evidence } = useSearch({ from: '/shared-links' })
  const { data, error, refetch } = useLinks(evidence)
  const name = data?.flatMap(({ Evidence }) => Evidence).find(({ EvidenceId }) => EvidenceId === evidence)?.Name
  return (
    <>
      <OverviewHead
        title={t('title')}
        lead={t(evidence === undefined ? 'lead' : 'leadOfEvidence')}
        standing={
          evidence !== undefined && (
            <Chip
              label={t('ofEvidence')}
              value={<bdi>{visible(name ?? evidence)}</bdi>}
              onClear={() => void navigate({ to: '/shared-links', search: {} })}
            />
          )
        }
      />
      {error !== null && <Problem error={error} title={t('notListed')} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={8} />}
      {data?.length === 0 && (
        <EmptyState title={t('none')} action={<Link to="/evidence">{t('toEvidence')}</Link>}>
          <p>{t('noneBody')}</p>
          <p>{t('noneHow')}</p>
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={styles['links']}>
          {data.map((link) => (
            <LinkRow key={link.LinkId} link={link} />
          ))}
        </ul>
      )}
    </>
  )
}
