import { keptFor } from '../../client/categories.ts'
import type { Translate } from '../../client/translate.ts'
import { nameIn, type Who } from '../../client/principals.ts'
import { visible } from '../../ui/format/visible.ts'

export type Words = Translate<'administration'>

export type { Who } from '../../client/principals.ts'

export function nameOf(who: Who, t: Words): string {
  const name = nameIn(who, t('theStation'))
  return name === null ? t('somebody') : visible(name)
}

export const kindOf = (type: string | null, t: Words): string =>
  t(type === 'group' ? 'kindGroup' : type === 'service' ? 'kindService' : 'kindUser')

/** How long a category keeps what is in it: whole years as years. */
export function keptWords(days: number | null, t: Words): string {
  return keptFor(days, t)
}
