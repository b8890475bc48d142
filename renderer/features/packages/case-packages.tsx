import { Link } from '@tanstack/react-router'
import { liveOf } from '../../client/packages/packages.ts'
import { useTranslation } from '../../client/translate.ts'
import { IconButton } from '../../ui/button/button.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { PackageRow } from './package-row.tsx'
import styles from './packages.module.css'
import { usePackages } from './queries.ts'

/** In the column of a case; the page of packages has the others. */
const SHOWN = 3
/** One more says that there are others. */
const ASKED = SHOWN + 1

/** The packages of a case, for those who can download it. */
export function CasePackages({ caseId, onMake }: { readonly caseId: string; readonly onMake: () => void }) {
  const { t } = useTranslation('packages')
  const format = useFormat()
  const { rows, more, error, retry, jobs } = usePackages(caseId, ASKED)
  const isWhole = rows !== null && !more && rows.length <= SHOWN
  return (
    <section className={styles['panel']} aria-labelledby="case-packages">
      <header className={styles['panelHead']}>
        <h2 id="case-packages" className={styles['panelTitle']}>
          {t('packages')}{' '}
          {isWhole && rows.length > 0 && <span className={styles['count']}>{format.count(rows.length)}</span>}
        </h2>
        <IconButton icon="plus" size="small" label={t('makeDots')} onPress={onMake} />
      </header>
      {rows === null &&
        (error === null ? <Skeleton lines={2} /> : <Problem error={error} title={t('notListed')} onRetry={retry} />)}
      {rows?.length === 0 && <p className={styles['none']}>{t('noneOfCase')}</p>}
      {rows !== null && rows.length > 0 && (
        <ul>
          {rows.slice(0, SHOWN).map((row) => (
            <PackageRow key={row.PackageId} one={liveOf(row, jobs.get(row.PackageId))} inCase />
          ))}
        </ul>
      )}
      {rows !== null && rows.length > 0 && !isWhole && (
        <Link to="/packages" search={{ case: caseId }} className={styles['link']}>
          {t('allOfCase')}
        </Link>
      )}
    </section>
  )
}
