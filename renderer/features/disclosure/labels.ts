/** What is due to a recipient and since when, in words. Pure. */
import type { State } from '../../ui/state/state.tsx'
import type { Format } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { noonOf } from '../../../shared/kernel/days.ts'
import { type DueReason, RESTRICTIONS, type WhyNotSecond } from '../../../shared/disclosure/kinds.ts'
import type { Disclosure, Due, Proposal, Summary } from '../../client/disclosure/disclosure.ts'
import type { MessageKey, Translate } from '../../client/translate.ts'

export type Words = Translate<'disclosure'>

/** Names of evidence, by its id: what this person cannot view has none. */
export type Names = ReadonlyMap<string, string>

export const nameOf = (names: Names, id: string, t: Words): string => {
  const name = names.get(id)
  return name === undefined ? t('evidenceNo', { id }) : visible(name)
}

/** One change as a sentence. */
export function changeWords(
  { Reason, EvidenceId, ResourceId }: Due['Changes'][number],
  names: Names,
  t: Words,
): string {
  const name = nameOf(names, EvidenceId, t)
  switch (Reason) {
    case 'new':
      return t(ResourceId === null ? 'dueNew' : 'dueNewFile', { name })
    case 'changed':
      return t('dueChanged', { name })
    case 'ground-fell':
      return t('dueGroundFell', { name })
    case 'restricted':
      return t('dueRestricted', { name })
  }
}

const COUNTS = {
  new: 'countNew',
  changed: 'countChanged',
  'ground-fell': 'countGroundFell',
  restricted: 'countRestricted',
} as const satisfies Readonly<Record<DueReason, string>>

/** How many changes of each kind, where their names are not at hand. */
export const countWords = (changes: Due['Changes'], t: Words, format: Format): string =>
  [...Map.groupBy(changes, ({ Reason }) => Reason)]
    .map(([reason, some]) => t(COUNTS[reason], { count: some.length, shown: format.count(some.length) }))
    .join(', ')

export const isOver = (due: string | null, today: string): boolean => due !== null && due < today

/** By which day it was asked for. @param today as `2026-11-28` */
export function dayWords(
  due: string | null,
  today: string,
  t: Words,
  format: Format,
): { readonly state: State; readonly words: string } {
  if (due === null) return { state: 'waiting', words: t('dueNoDay') }
  const day = format.day(noonOf(due, format.zone))
  return isOver(due, today)
    ? { state: 'attention', words: t('dueOver', { day }) }
    : { state: 'waiting', words: t('dueDay', { day }) }
}

export const recipientWords = ({ Name, Organisation, Role }: Summary['Recipient'], t: Words): string =>
  [visible(Name), visible(Organisation), t(Role)].filter((part) => part !== '').join(', ')

export function stateOf(one: Summary, t: Words): { readonly state: State; readonly words: string } {
  if (one.SupersededBy !== null) return { state: 'sealed', words: t('stateReplaced', { no: one.SupersededBy }) }
  return one.Acknowledged === null
    ? { state: 'waiting', words: t('stateWaiting') }
    : { state: 'ok', words: t('stateAcknowledged') }
}

/** The station writes the kinds of restrictions as the ground of what rests on them. */
export function groundWords(
  { Restricted, Ground }: Pick<Disclosure['Withheld'][number], 'Restricted' | 'Ground'>,
  t: Words,
): string {
  const kinds = Ground.split(', ')
  const known = RESTRICTIONS.filter((kind) => kinds.includes(kind))
  return Restricted && known.length === kinds.length ? known.map((kind) => t(kind)).join(', ') : visible(Ground)
}

const WHY = {
  NotManage: 'proposalNeedsManage',
  NotAPerson: 'proposalNeedsManage',
  Requested: 'proposalIsYours',
  ControlsOther: 'proposalControls',
} as const satisfies Readonly<Record<WhyNotSecond, MessageKey<'disclosure'>>>

/** How it stands, for whoever looks at it. */
export function proposalState(one: Proposal, t: Words): { readonly state: State; readonly words: string } {
  switch (one.State) {
    case 'waiting':
      return one.WhyNot === null
        ? { state: 'attention', words: t('proposalForYou') }
        : { state: 'waiting', words: t(WHY[one.WhyNot]) }
    case 'approved':
      return { state: 'ok', words: t('proposalApproved', { name: visible(one.Decision?.By.Username ?? '') }) }
    case 'refused':
      return { state: 'attention', words: t('proposalRefused', { name: visible(one.Decision?.By.Username ?? '') }) }
    case 'withdrawn':
      return { state: 'sealed', words: t('proposalWithdrawn') }
    case 'given':
      return { state: 'ok', words: t('proposalGiven', { no: one.DisclosureNo ?? 0 }) }
  }
}
