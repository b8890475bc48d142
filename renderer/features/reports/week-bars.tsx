import { useTranslation } from '../../client/translate.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { dayText } from './labels.ts'
import type { Report } from './queries.ts'
import styles from './reports.module.css'

/** Bytes of each week from nought; the table below says the same. */
export function WeekBars({ rows }: { readonly rows: Report['Rows'] }) {
  const { t } = useTranslation('reports')
  const format = useFormat()
  const weeks = rows.map((row) => ({ from: String(row['from']), bytes: Number(row['bytes']) }))
  const most = Math.max(1, ...weeks.map(({ bytes }) => bytes))
  const last = weeks.at(-1)
  const first = weeks[0]
  if (first === undefined || last === undefined) return null
  return (
    <figure className={styles['chart']} aria-label={t('growthChart')}>
      <div className={styles['bars']} aria-hidden="true">
        {weeks.map(({ from, bytes }) => (
          <span key={from} title={`${dayText(from, format)}: ${format.bytes(bytes)}`}>
            <i style={{ blockSize: `${(bytes / most) * 100}%` }} />
          </span>
        ))}
      </div>
      <figcaption className={styles['ends']}>
        <span>{dayText(first.from, format)}</span>
        <span>
          {dayText(last.from, format)}: {format.bytes(last.bytes)}
        </span>
      </figcaption>
    </figure>
  )
}
