import { lazyField } from '../field/frame.tsx'
import type { ComboBoxProps } from './combobox-props.ts'
export type { ComboBoxProps } from './combobox-props.ts'

export const fetchComboBox = () => import('./combobox-field.tsx')

/** One of many, found by typing. Arrows move, Enter chooses, Esc closes. Fetched where one is shown. */
export const ComboBox = lazyField<ComboBoxProps>(fetchComboBox)
