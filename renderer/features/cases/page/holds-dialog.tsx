import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type CaseHolds, getCaseHolds } from '../../../../shared/reports/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Problem } from '../../../ui/problem/problem.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import type { Case } from '../queries.ts'
import styles from './holds.module.css'

/** What of a case is protected from deletion: by whom, since when, why and until when. */
export function HoldsDialog({ record, onClose }: { readonly record: Case; readonly onClose: () => void }) {
  const { t } = useTranslation('reports')
  const format = useFormat()
  const { tenant } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['case', 'holds', tenant, record.CaseId],
    queryFn: ({ signal }) => call(getCaseHolds, { params: { tenantId: tenant, caseId: record.CaseId }, signal }),
  })
  return (
    <Dialog
      title={`${t('holds')} · ${record.Ordinal}`}
      onClose={onClose}
      size="wide"
      actions={<Button onPress={onClose}>{t('done')}</Button>}
    >
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={4} />}
      {data !== undefined && data.Items.length === 0 && <p>{t('holdsNone')}</p>}
      {data !== undefined && data.Items.length > 0 && (
        <ul className={styles['holds']}>
          {data.Items.map((hold) => (
            <Hold key={`${hold.On} ${hold.Id}`} hold={hold} onClose={onClose} />
          ))}
        </ul>
      )}
      {data?.More === true && <p>{t('holdsMore', { most: format.count(data.Most) })}</p>}
    </Dialog>
  )
}

function Hold({ hold, onClose }: { readonly hold: CaseHolds['Items'][number]; readonly onClose: () => void }) {
  const { t } = useTranslation('reports')
  const format = useFormat()
  const { On, Id, Name, By, SinceUtc, Reason, UntilUtc, LedgerSeq } = hold
  return (
    <li className={styles['hold']}>
      <div className={styles['head']}>
        {On === 'Case' ? (
          <strong>{t('holdsCase')}</strong>
        ) : (
          <Link to="/evidence/$evidenceId" params={{ evidenceId: Id }} className={styles['link']} onClick={onClose}>
            <bdi>{visible(Name)}</bdi>
          </Link>
        )}
        <StateMark state="sealed" small>
          {UntilUtc === null ? t('holdsOpen') : t('holdsUntil', { day: format.day(UntilUtc) })}
        </StateMark>
      </div>
      <p>{Reason === null ? t('holdsNoReason') : <bdi>{visible(Reason)}</bdi>}</p>
      <p className={styles['second']}>
        {By === null || SinceUtc === null
          ? t('holdsUnknown')
          : t('holdsBy', { who: visible(By), time: format.instant(SinceUtc, { precision: 'minute', zone: true }) })}
        {LedgerSeq !== null && ` · ${t('holdsEntry', { seq: format.count(LedgerSeq) })}`}
      </p>
    </li>
  )
}
