import { useTranslation } from '../../../client/translate.ts'
import { MOST_RETENTION_DAYS } from '../../../../shared/retention/retention.ts'
import { RadioGroup } from '../../../ui/field/radio-group.tsx'
import { NumberField } from '../../../ui/field/number-field.tsx'

interface RetentionFieldProps {
  /** Whole days, at least 1; 0 while the number is missing; null: kept. */
  readonly days: number | null
  readonly onChange: (days: number | null) => void
  readonly wrong?: 'daysMissing' | undefined
}

/** Kept until somebody decides, or for so many days. */
export function RetentionField({ days, onChange, wrong }: RetentionFieldProps) {
  const { t } = useTranslation('administration')
  return (
    <>
      <RadioGroup
        label={t('retention')}
        value={days === null ? 'always' : 'days'}
        onChange={(choice) => onChange(choice === 'always' ? null : 0)}
        options={[
          { id: 'always', label: t('keptAlways'), description: t('keptAlwaysHow') },
          { id: 'days', label: t('keptFor'), description: t('keptForHow') },
        ]}
      />
      {days !== null && (
        <NumberField
          label={t('days')}
          min={1}
          max={MOST_RETENTION_DAYS}
          required
          value={days === 0 ? Number.NaN : days}
          onChange={(typed) => onChange(Number.isNaN(typed) ? 0 : typed)}
          error={wrong === undefined ? undefined : t(wrong)}
        />
      )}
    </>
  )
}
