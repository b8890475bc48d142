import type { FieldProps } from '../field/frame.tsx'
import type { IconName } from '../icon/icon.tsx'

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
