import { type FieldProps, lazyField } from './frame.tsx'

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

/** A number in the reader's own writing; arrows and the two buttons step, Page and Home/End go further. Fetched where one is shown. */
export const NumberField = lazyField<NumberFieldProps>(() => import('./number-parts.tsx'))
