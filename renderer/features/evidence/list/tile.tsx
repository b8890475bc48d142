import { useTranslation } from 'react-i18next'
import { STATUS_STATES } from '../../../client/evidence-status.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { StateShape } from '../../../ui/state/state.tsx'
import { extentOf, recordedOf, statusOf } from './columns.tsx'
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
        <span className={`${styles['lead']} truncated`}>{item.Name}</span>
        <span className={styles['line']}>
          <span className={`${styles['under']} truncated`}>{recordedOf(item, t, format)}</span>
          <StateShape state={STATUS_STATES[item.Summary.Status]} label={statusOf(item, format)} />
        </span>
      </span>
    </>
  )
}
