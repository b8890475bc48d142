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

const OBJECTS = {
  evidence: 'objectEvidence',
  resource: 'objectResource',
  case: 'objectCase',
  user: 'objectUser',
  group: 'objectGroup',
  service: 'objectService',
  device: 'objectDevice',
} as const

/** What an entry of the ledger is about; a type that has no word is said as the ledger has it. */
export function objectWords({ Type, Id }: { readonly Type: string; readonly Id: string }, t: Words): string {
  const id = visible(Id)
  return Object.hasOwn(OBJECTS, Type) ? t(OBJECTS[Type as keyof typeof OBJECTS], { id }) : `${visible(Type)} ${id}`
}
