import { lazyField } from '../field/frame.tsx'
import type { SelectProps } from './select-props.ts'
export type { SelectOption, SelectProps } from './select-props.ts'

const Field = lazyField<SelectProps<string>>(() => import('./select-field.tsx'))

/** One of a known few, up to some thirty; for more, or for what people type, ComboBox. Fetched where one is shown. */
export function Select<Id extends string>({ onChange, ...props }: SelectProps<Id>) {
  return <Field {...props} onChange={(value) => onChange(value as Id)} />
}
