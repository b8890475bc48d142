import { keptFor } from '../../client/categories.ts'
import type { Translate } from '../../client/translate.ts'
import { nameIn, type Who } from '../../client/principals.ts'
import { visible } from '../../ui/format/visible.ts'

export type Words = Translate<'cases'>

export type { Who } from '../../client/principals.ts'

export function nameOf(who: Who, t: Words): string {
  const name = nameIn(who, t('theStation'))
  return name === null ? t('somebody') : visible(name)
}

/** How long a category keeps what is in it: whole years as years. */
export function keptWords(days: number | null, t: Words): string {
  return keptFor(days, t)
}

/** Two letters for the round mark. */
export function marksOf(name: string): string {
  const parts = name.split(/[\s.,_-]+/).filter((part) => part !== '')
  const letters = [parts[0], parts.length > 1 ? parts.at(-1) : undefined].map((part) => [...(part ?? '')][0] ?? '')
  return letters.join('').toLocaleUpperCase()
}
