import { useTranslation } from '../../client/translate.ts'
import { lazyField } from '../field/frame.tsx'
import styles from './date-time.module.css'
import type { DateTimeFieldProps } from './date-time-props.ts'
export type { DateTimeFieldProps } from './date-time-props.ts'

/** Day and time typed part by part or chosen from a month; arrows step each part. The zone stands at its end. Fetched where one is shown. */
export const DateTimeField = lazyField<DateTimeFieldProps>(() => import('./date-time-parts.tsx'))

export interface DateTimeRangeProps {
  readonly label: string
  readonly value: { readonly from: string | null; readonly to: string | null }
  readonly onChange: (value: { readonly from: string | null; readonly to: string | null }) => void
  readonly zone: string
  readonly precision?: 'day' | 'minute' | 'second' | undefined
  readonly error?: string | undefined
}

/** Two ends, each of which may be open. The caller says in `error` when the end is before the start. */
export function DateTimeRange({ label, value, onChange, zone, precision, error }: DateTimeRangeProps) {
  const { t } = useTranslation('ui')
  return (
    <div role="group" aria-label={label} className={styles['range']}>
      <DateTimeField
        label={t('from')}
        value={value.from}
        onChange={(from) => onChange({ ...value, from })}
        {...{ zone, precision }}
      />
      <DateTimeField
        label={t('to')}
        value={value.to}
        onChange={(to) => onChange({ ...value, to })}
        {...{ zone, precision, error }}
      />
    </div>
  )
}
