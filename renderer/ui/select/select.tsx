import { type FieldProps, lazyField } from '../field/frame.tsx'
import type { IconName } from '../icon/icon.tsx'

const Field = lazyField<SelectProps<string>>(() => import('./select-field.tsx'))

export interface SelectOption<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly note?: string | undefined
  readonly icon?: IconName | undefined
  readonly why?: string | undefined
}

export interface SelectProps<Id extends string> extends FieldProps {
  readonly options: readonly SelectOption<Id>[]
  readonly value: Id | null
  readonly onChange: (value: Id) => void
  readonly placeholder?: string | undefined
}

/** One of a known few, up to some thirty; for more, or for what people type, ComboBox. Fetched where one is shown. */
export function Select<Id extends string>({ onChange, ...props }: SelectProps<Id>) {
  return <Field {...props} onChange={(value) => onChange(value as Id)} />
}
