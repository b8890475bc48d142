import { useTranslation } from '../../../client/translate.ts'
import { STATUS_STATES } from '../../../client/evidence-status.ts'
import { ClockCell } from '../../../ui/clocks/clocks.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { StateShape } from '../../../ui/state/state.tsx'
import { extentOf, statusOf } from './columns.tsx'
import styles from './list.module.css'
import { Thumb } from './thumb.tsx'
import type { Item } from './use-window.ts'

export function Tile({ item }: { readonly item: Item }) {
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  const extent = extentOf(item, t, format)
  return (
    <>
      <span className={styles['frame']}>
        <Thumb item={item} large />
        {extent !== '' && <span className={styles['length']}>{extent}</span>}
      </span>
      <span className={styles['caption']}>
        <span className={styles['line']}>
          <span className={`${styles['lead']} truncated`}>{visible(item.DisplayName)}</span>
          <StateShape state={STATUS_STATES[item.Summary.Status]} label={statusOf(item, format)} />
        </span>
        {item.Clock.CorrectedTimeUtc === null ? (
          <span className={styles['under']}>{t('notRecorded')}</span>
        ) : (
          <ClockCell clock={item.Clock} wraps />
        )}
      </span>
    </>
  )
}
