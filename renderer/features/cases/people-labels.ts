import { keptFor } from '../../client/categories.ts'
import type { Translate } from '../../client/translate.ts'

export type Words = Translate<'cases'>

export type { Who } from '../../client/principals.ts'

/** How long a category keeps what is in it: whole years as years. */
export function keptWords(days: number | null, t: Words): string {
  return keptFor(days, t)
}
