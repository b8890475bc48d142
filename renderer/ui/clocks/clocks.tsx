import { useCallback } from 'react'
import { useTranslation } from '../../client/translate.ts'
import type { RecordedClockOut } from '../../../shared/evidence/recorded-clock.contract.ts'
import { useFormat } from '../format/use-format.tsx'
import { cx } from '../given.ts'
import { clockLines, type SayClock, type ShownClock, shownClock } from '../../../shared/evidence/clock-lines.ts'
import styles from './clocks.module.css'

export interface TwoClocksProps extends ShownClock {
  readonly precision?: 'second' | 'millisecond' | undefined
  readonly size?: 'normal' | 'large' | undefined
  /** Side by side in one line where there is no room for two. */
  readonly inline?: boolean | undefined
}

function useSay(): SayClock {
  const { t } = useTranslation('ui')
  return useCallback((word, values) => t(word, { ...values } as { time: string; offset: string }), [t])
}

/** Both times, always: the corrected one in ink, what the device wrote and how far it was off below it. */
export function TwoClocks({ precision = 'second', size = 'normal', inline = false, ...clock }: TwoClocksProps) {
  const say = useSay()
  const { main, below } = clockLines(clock, say, useFormat(), { precision })
  return (
    <span className={cx(styles['clocks'], styles[size], inline && styles['inline'])}>
      <span className={styles['main']}>{main}</span>
      <span className={styles['below']}>{below}</span>
    </span>
  )
}

/** The width of a column of clock cells, in rem: room for the recorded time, the offset and its uncertainty. */
export const CLOCK_COLUMN_WIDTH = 16.5

interface ClockCellProps {
  readonly clock: RecordedClockOut
  /** The second line takes two where there is no room for one: in a tile. */
  readonly wraps?: boolean
}

/** The same in a cell of a table, where nothing wraps: the whole of it on hover. */
export function ClockCell({ clock, wraps = false }: ClockCellProps) {
  const say = useSay()
  const format = useFormat()
  const shown = shownClock(clock)
  const { main, below } = clockLines(shown, say, format, { zone: false, short: true })
  const whole = clockLines(shown, say, format, { zone: false })
  return (
    <span
      className={cx(styles['clocks'], styles['cell'], wraps && styles['wraps'])}
      title={`${whole.main}\n${whole.below}`}
    >
      <span className={styles['main']}>{main}</span>
      <span className={styles['below']}>{below}</span>
    </span>
  )
}

export type ClockText = (clock: RecordedClockOut) => string

/** For copies, names and tooltips: both lines as one text. A copy is read away from the page, so it says its zone. */
export function useClockText(): ClockText {
  const say = useSay()
  const format = useFormat()
  return useCallback(
    (clock) => {
      const { main, below } = clockLines(shownClock(clock), say, format)
      return `${main} · ${below}`
    },
    [say, format],
  )
}
