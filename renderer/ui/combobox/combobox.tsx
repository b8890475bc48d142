import { lazyField } from '../field/frame.tsx'
import type { ComboBoxProps } from './combobox-field.tsx'

/** One of many, found by typing. Arrows move, Enter chooses, Esc closes. Fetched where one is shown. */
export const ComboBox = lazyField<ComboBoxProps>(() => import('./combobox-field.tsx'))

export type { ComboBoxProps }
