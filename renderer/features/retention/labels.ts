/** What the station says about disposition, in words for people. Pure. */
import type { Translate } from '../../client/translate.ts'
import type { Format } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import type { State } from '../../ui/state/state.tsx'
import type { Item, Stay } from './queries.ts'

export type Words = Translate<'disposition'>

interface Who {
  readonly PrincipalId: string
  readonly Username: string
}

/** The station itself has the id 0. */
export const nameOf = ({ PrincipalId, Username }: Who, t: Words): string =>
  PrincipalId === '0' ? t('theStation') : visible(Username)

/** Whole years as years. */
export const spanWords = (days: number, t: Words): string =>
  days % 365 === 0 ? t('years', { count: days / 365 }) : t('days', { count: days })

export function ruleWords({ Rule, Case, RequestedBy }: Pick<Item, 'Rule' | 'Case' | 'RequestedBy'>, t: Words): string {
  const said = { name: visible(Rule.Name), time: spanWords(Rule.Days, t) }
  if (Rule.Kind === 'Deleted') return t('ruleDeleted', { who: nameOf(RequestedBy, t) })
  if (Rule.Kind === 'Sample') return t('ruleSample')
  if (Rule.Kind === 'Source') return t('ruleSource', said)
  return t(Case === null ? 'ruleCategoryPlain' : 'ruleCategory', said)
}

const HOUR = 3_600_000

/** Under two days in hours, beyond that in days; never less than one hour. */
export function leftWords(untilUtc: string, now: number, t: Words): string {
  const hours = Math.max(1, Math.ceil((Date.parse(untilUtc) - now) / HOUR))
  return hours < 49 ? t('hours', { count: hours }) : t('days', { count: Math.ceil(hours / 24) })
}

/** Where an item is: its state and the words for it. */
export function stageOf(item: Item, now: number, t: Words): { state: State; words: string } {
  if (item.Held === 'LinkWithdrawn') return { state: 'attention', words: t('suspended') }
  if (item.Held !== null) return { state: 'sealed', words: t('protected') }
  if (item.Stage === 'Waiting') return { state: 'waiting', words: t('ofTwo', { count: item.Approvals.length }) }
  const until = item.UntilUtc ?? item.DueUtc
  if (Date.parse(until) <= now) return { state: 'working', words: t('goesSoon') }
  const time = leftWords(until, now, t)
  return { state: 'waiting', words: t(item.Stage === 'CoolingOff' ? 'coolingLeft' : 'binLeft', { time }) }
}

const HOLDS = {
  CaseOpen: { state: 'waiting', words: 'holdCaseOpen' },
  Disclosed: { state: 'sealed', words: 'holdDisclosed' },
  CaseDeleted: { state: 'waiting', words: 'holdCaseDeleted' },
  CaseProtected: { state: 'sealed', words: 'holdCaseProtected' },
  Protected: { state: 'sealed', words: 'holdProtected' },
  LinkWithdrawn: { state: 'attention', words: 'holdLinkWithdrawn' },
  Kept: { state: 'waiting', words: 'holdKept' },
  Unfinished: { state: 'working', words: 'holdUnfinished' },
  NotDue: { state: 'waiting', words: 'holdNotDue' },
  NeverDue: { state: 'waiting', words: 'holdNeverDue' },
  OtherRule: { state: 'attention', words: 'holdOtherRule' },
} as const

export type HoldState = (typeof HOLDS)[keyof typeof HOLDS]['state']

export function holdWords({ Code, Ordinal, TimeUtc }: Stay['Holds'][number], t: Words, format: Format): string {
  const said = { case: Ordinal ?? '', day: TimeUtc === null ? '' : format.day(TimeUtc) }
  if (TimeUtc !== null && Code === 'Protected') return t('holdProtectedUntil', said)
  if (TimeUtc !== null && Code === 'CaseProtected') return t('holdCaseProtectedUntil', said)
  return t(HOLDS[Code].words, said)
}

/** Of several reasons the one that asks for somebody leads. */
export function worstHold(stay: Stay): HoldState {
  const states = stay.Holds.map(({ Code }) => HOLDS[Code].state)
  return (['attention', 'sealed', 'working', 'waiting'] as const).find((state) => states.includes(state)) ?? 'waiting'
}

export const titleOf = ({ Case }: Pick<Item, 'Case'>, t: Words): string =>
  Case === null ? t('noCase') : visible(Case.Title)

/** Why somebody cannot approve, as the words are called. */
export const WHY_NOT = {
  NotAPerson: 'whyNotAPerson',
  Requested: 'whyRequested',
  MadeByRequester: 'whyMadeByRequester',
  ApprovedAlready: 'whyApprovedAlready',
  MadeByApprover: 'whyMadeByApprover',
  ControlledFromCommandLine: 'whyControlledFromCommandLine',
  NewInPolicy: 'whyNewInPolicy',
  ClockJumped: 'whyClockJumped',
} as const
