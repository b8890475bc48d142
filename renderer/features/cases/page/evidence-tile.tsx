import { iconOfEvidence, isPaper } from '../../../client/evidence-icons.ts'
import { STATUS_STATES, statusInCase, statusWord } from '../../../client/evidence-status.ts'
import { useTranslation } from '../../../client/translate.ts'
import { ClockCell } from '../../../ui/clocks/clocks.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { StateShape } from '../../../ui/state/state.tsx'
import { Thumb } from '../../../ui/table/cells.tsx'
import type { CaseEvidence } from '../queries.ts'
import { isOpenLink } from './evidence-columns.tsx'
import styles from './evidence.module.css'

/** Evidence of the case on a phone: its picture, name and time, and whether it is safe. */
export function EvidenceTile({ one }: { readonly one: CaseEvidence }) {
  const { t } = useTranslation('cases')
  const status = statusInCase(one)
  return (
    <>
      <span className={styles['picture']}>
        <Thumb
          large
          icon={iconOfEvidence(one.Type)}
          paper={one.Thumbnail === null && isPaper(one.Type)}
          working={one.Status === 'working'}
          thumb={one.Thumbnail ?? undefined}
        />
      </span>
      <span className={styles['caption']}>
        <span className={styles['name']}>
          <bdi className="truncated strong">{visible(one.DisplayName)}</bdi>
          {isOpenLink(one) ? (
            <StateShape state="waiting" label={t('linkOpen')} />
          ) : (
            <StateShape state={STATUS_STATES[status]} label={statusWord(status)} />
          )}
        </span>
        {one.Clock.CorrectedTimeUtc === null ? (
          <span className="muted small">{t('noTime')}</span>
        ) : (
          <ClockCell clock={one.Clock} wraps />
        )}
      </span>
    </>
  )
}
