import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import type { Association, Device } from '../queries.ts'
import { nameOf } from '../labels.ts'
import styles from './timeline.module.css'

interface TimelineProps {
  readonly associations: readonly Association[]
  readonly activity: Device['Activity']
  readonly now: number
}

/** A line of its own for each of so many; the table below has all. */
const MOST_LINES = 8
const HOUR = 3_600_000

/**
 * Whose it was, at a glance: a line for each officer over the time in which the device was active. The table below says the same in words,
 * so it is not read out.
 */
export function Timeline({ associations, activity, now }: TimelineProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const lines = [...Map.groupBy(associations, ({ Officer }) => Officer.PrincipalId).values()].slice(0, MOST_LINES)
  const { start, end } = spanOf(associations, now)
  const at = (time: number): number => (Math.min(Math.max(time, start), end) - start) / (end - start)
  const place = (from: string, to: string | null) => {
    const left = at(Date.parse(from))
    const right = at(to === null ? end : Date.parse(to))
    return { insetInlineStart: `${left * 100}%`, inlineSize: `${Math.max(right - left, 0.003) * 100}%` }
  }
  return (
    <div className={styles['timeline']} aria-hidden="true">
      {lines.map((ones) => (
        <div key={ones[0]?.AssociationId} className={styles['line']}>
          <bdi className={styles['lineName']}>{ones[0] === undefined ? '' : nameOf(ones[0].Officer, t)}</bdi>
          <div className={styles['track']}>
            {activity.map((one) => (
              <span key={one.FromUtc} className={styles['activeSpan']} style={place(one.FromUtc, one.ToUtc)} />
            ))}
            {ones.map((one) => (
              <span
                key={one.AssociationId}
                className={styles['span']}
                data-access={one.Access}
                style={place(one.FromUtc, one.ToUtc)}
              />
            ))}
            <span className={styles['nowLine']} style={{ insetInlineStart: `${at(now) * 100}%` }} />
          </div>
        </div>
      ))}
      <div className={styles['axis']}>
        <div className={styles['axisTrack']}>
          <span>{format.timeOrDay(new Date(start).toISOString())}</span>
          <span className={styles['axisNow']} style={{ insetInlineStart: `${at(now) * 100}%` }}>
            {t('now')}
          </span>
        </div>
      </div>
    </div>
  )
}

/** From the first of them, with room for what is to come. */
function spanOf(associations: readonly Association[], now: number): { start: number; end: number } {
  const starts = associations.map(({ FromUtc }) => Date.parse(FromUtc))
  const ends = associations.flatMap(({ ToUtc }) => (ToUtc === null ? [] : [Date.parse(ToUtc)]))
  const start = Math.min(...starts, now - HOUR)
  const last = Math.max(...ends, ...starts, now)
  return { start, end: last + Math.max((last - start) * 0.12, HOUR / 6) }
}
