import { useTranslation } from 'react-i18next'
import { useFormat } from '../format/use-format.tsx'
import { cx } from '../given.ts'
import styles from './clocks.module.css'

export interface TwoClocksProps {
  /** The instant on the station's time, in ISO 8601; null when it is not known. */
  readonly corrected: string | null
  /** What the device wrote, in ISO 8601 and shown in the same zone; null when it has no clock. */
  readonly recorded: string | null
  /** Seconds added to the device's clock; null where no comparison was made. */
  readonly offset: number | null
  /** Plus or minus, in seconds. */
  readonly error?: number | null | undefined
  readonly estimated?: boolean | undefined
  readonly precision?: 'second' | 'millisecond' | undefined
  readonly size?: 'normal' | 'large' | undefined
  /** Side by side in one line where there is no room for two. */
  readonly inline?: boolean | undefined
}

/** Both times, always: the corrected one in ink, what the device wrote and how far it was off below it. */
export function TwoClocks({
  corrected,
  recorded,
  offset,
  error,
  estimated = false,
  precision = 'second',
  size = 'normal',
  inline = false,
}: TwoClocksProps) {
  const { t } = useTranslation('ui')
  const format = useFormat()
  const main = corrected ?? recorded
  const plusMinus = error === null || error === undefined ? '' : ` ±${format.duration(error)}`
  const below = [
    recorded === null
      ? t('noClock')
      : t('recordedAt', { time: format.instant(recorded, { precision, date: differs(format, corrected, recorded) }) }),
    ...(offset === null || recorded === null
      ? recorded === null
        ? []
        : [t('notCompared')]
      : offset === 0
        ? [`${t('clockRight')}${plusMinus}`]
        : [`${t(estimated ? 'correctedAbout' : 'correctedBy', { offset: format.offset(offset) })}${plusMinus}`]),
  ]
  return (
    <span className={cx(styles['clocks'], styles[size], inline && styles['inline'])}>
      <span className={styles['main']}>
        {main === null ? t('timeUnknown') : format.instant(main, { precision, zone: true })}
      </span>
      <span className={styles['below']}>{below.join(' · ')}</span>
    </span>
  )
}

/** The day is written again only where the two clocks stand on different days. */
function differs(format: ReturnType<typeof useFormat>, corrected: string | null, recorded: string): boolean {
  return corrected === null || format.day(corrected) !== format.day(recorded)
}
