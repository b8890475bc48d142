import { lazyField } from './frame.tsx'
import type { NumberFieldProps } from './number-props.ts'
export type { NumberFieldProps } from './number-props.ts'

/** A number in the reader's own writing; arrows and the two buttons step, Page and Home/End go further. Fetched where one is shown. */
export const NumberField = lazyField<NumberFieldProps>(() => import('./number-parts.tsx'))
