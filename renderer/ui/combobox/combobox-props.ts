import type { FieldProps } from '../field/frame.tsx'
import type { SelectOption } from '../select/select-props.ts'

export interface ComboBoxProps extends FieldProps {
  readonly options: readonly SelectOption<string>[]
  /** Id of the option chosen; null while none is. */
  readonly value: string | null
  readonly onChange: (value: string | null) => void
  /** The words in the field; needed when options come from the station as one types. */
  readonly text?: string | undefined
  readonly onText?: ((text: string) => void) | undefined
  /** The options already fit the text: do not filter them again. */
  readonly filtered?: boolean | undefined
  /** What is typed counts even when no option has it. */
  readonly free?: boolean | undefined
  /** The list waits for a letter instead of opening with the focus. */
  readonly opensByTyping?: boolean | undefined
  readonly loading?: boolean | undefined
  readonly placeholder?: string | undefined
}
