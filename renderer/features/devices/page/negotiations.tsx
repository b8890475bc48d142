import { useTranslation } from '../../../client/translate.ts'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import type { Device, Negotiated } from '../queries.ts'
import styles from '../devices.module.css'
import { reasonOf, TRANSACTION } from '../labels.ts'

/** What it was offered and what became of that, the newest first. */
export function Negotiations({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  if (device.Negotiations.length === 0)
    return <EmptyState title={t('negotiationsNone')}>{t('negotiationsNoneBody')}</EmptyState>
  return (
    <div className={styles['stack']}>
      <p className="second">{t('negotiationsLead')}</p>
      <div className={styles['scroll']} tabIndex={0} role="region" aria-label={t('negotiations')}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{t('begun')}</th>
              <th scope="col">{t('outcome')}</th>
              <th scope="col">{t('ended')}</th>
              <th scope="col">{t('why')}</th>
            </tr>
          </thead>
          <tbody>
            {device.Negotiations.map((one) => (
              <Row key={one.TransactionId} one={one} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function Row({ one }: { readonly one: Negotiated }) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const [state, word] = TRANSACTION[one.State]
  return (
    <tr>
      <td>
        <span className={styles['two']}>
          {format.instant(one.CreatedUtc)}
          <span className="mono muted">{one.TransactionId}</span>
        </span>
      </td>
      <td>
        <StateMark state={state} small>
          {t(word)}
        </StateMark>
      </td>
      <td>
        {one.EndedUtc === null
          ? t('openUntil', { time: format.timeOfDay(one.ExpiresUtc) })
          : format.instant(one.EndedUtc)}
      </td>
      <td>
        <bdi className={styles['reason']}>
          {one.State === 'Rejected' ? reasonOf(one) || t('noReason') : t(WHY[one.State])}
        </bdi>
      </td>
    </tr>
  )
}

const WHY = {
  Open: 'whyOpen',
  Committed: 'whyCommitted',
  Superseded: 'whySuperseded',
  Expired: 'whyExpired',
} as const
