import { useTranslation } from '../../../client/translate.ts'
import { NumberField } from '../../../ui/field/number-field.tsx'
import { RadioGroup } from '../../../ui/field/radio-group.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { type ClockOffset, secondsOf } from './offset.ts'
import styles from './times.module.css'

/** By how much a clock was wrong, without the sign: *4 min*, *1 min 12 s*. */
export function useBy(): (offset: ClockOffset) => string {
  const format = useFormat()
  return (offset) => {
    const seconds = secondsOf(offset)
    return seconds > 0 && seconds % 60 === 0 && seconds < 3600
      ? `${format.count(seconds / 60)}\u00a0min`
      : format.duration(seconds)
  }
}

/** One offset for all: whether the clock was fast or slow is said in words, for a sign is easily taken for the other one. */
export function ClockOffsetFields({
  offset,
  onChange,
}: {
  readonly offset: ClockOffset
  readonly onChange: (offset: ClockOffset) => void
}) {
  const { t } = useTranslation('evidenceSuggestions')
  const by = useBy()(offset)
  const wrong = offset.was !== 'right'
  return (
    <div className={styles['clock']}>
      <RadioGroup
        label={t('timesClock')}
        description={t('timesClockHow')}
        inline
        value={offset.was}
        onChange={(was) => onChange({ ...offset, was })}
        options={[
          { id: 'right', label: t('timesClockRight') },
          { id: 'fast', label: t('timesClockFast') },
          { id: 'slow', label: t('timesClockSlow') },
        ]}
      />
      {wrong && (
        <div className={styles['by']}>
          <NumberField
            label={t('timesMinutes')}
            value={offset.minutes}
            onChange={(minutes) => onChange({ ...offset, minutes })}
            min={0}
            max={100_000}
            unit="min"
          />
          <NumberField
            label={t('timesSeconds')}
            value={offset.seconds}
            onChange={(seconds) => onChange({ ...offset, seconds })}
            min={0}
            max={59}
            unit="s"
          />
        </div>
      )}
      <p role="status" className={styles['words']}>
        {wrong && secondsOf(offset) > 0 ? t(offset.was === 'fast' ? 'timesEarlier' : 'timesLater', { by }) : ''}
      </p>
    </div>
  )
}
