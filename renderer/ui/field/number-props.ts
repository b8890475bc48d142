import type { FieldProps } from './frame.tsx'

export interface NumberFieldProps extends FieldProps {
  /** NaN while it is empty. */
  readonly value: number
  readonly onChange: (value: number) => void
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly step?: number | undefined
  readonly unit?: string | undefined
  readonly format?: Intl.NumberFormatOptions | undefined
}
