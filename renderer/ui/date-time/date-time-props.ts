import type { FieldProps } from '../field/frame.tsx'

export interface DateTimeFieldProps extends FieldProps {
  /** ISO 8601 in UTC, or null while nothing is chosen. */
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  /** IANA name of the station's zone: what is typed is its wall clock. */
  readonly zone: string
  readonly precision?: 'day' | 'minute' | 'second' | undefined
  readonly min?: string | undefined
  readonly max?: string | undefined
}
