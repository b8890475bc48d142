/** What the ledger says that happened, in words for people: on the page of an evidence and on paper. Pure. */
import type { RestrictionKind } from '../disclosure/kinds.ts'
import { LEDGER_ACTIONS } from '../kernel/ledger-actions.ts'
import type { Action } from '../kernel/ledger-actions.ts'
import { kindOfRole, labelOf } from '../media/derivations.ts'

/** The words of the page of an evidence, by their keys, and how amounts are written. */
export interface ActWords {
  readonly say: (key: string, values?: Readonly<Record<string, string | number>>) => string
  readonly position: (seconds: number) => string
  readonly duration: (seconds: number) => string
  readonly bytes: (count: number) => string
  /** A text of somebody else, in which nothing is invisible. */
  readonly visible: (text: string) => string
}

export interface ActEntry {
  readonly Action: string
  readonly Outcome: string
  readonly Reason: string | null
  readonly Bytes: number | null
  readonly Object: { readonly Type: string; readonly Name: string }
  readonly Detail: Readonly<Record<string, unknown>> | null
}

type Joined<Name extends string> = Name extends `${infer Head}.${infer Rest}`
  ? `${Capitalize<Head>}${Joined<Rest>}`
  : Capitalize<Name>
/** `act` and the name of the action without dots. */
export type ActKey = `act${Joined<Action>}`

const isKnown = (action: string): action is Action => Object.hasOwn(LEDGER_ACTIONS, action)

export const actKey = (action: Action): ActKey =>
  `act${action
    .split('.')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('')}` as ActKey

const RESULTS = { matches: 'checkedMatches', changed: 'checkedChanged', missing: 'checkedMissing' } as const

const RESTRICTED = {
  'do-not-disclose': 'restrictedDoNotDisclose',
  privileged: 'restrictedPrivileged',
  sealed: 'restrictedSealed',
} as const satisfies Readonly<Record<RestrictionKind, string>>

const pick = <Table extends Readonly<Record<string, string>>>(table: Table, key: unknown): Table[keyof Table] | null =>
  typeof key === 'string' && Object.hasOwn(table, key) ? (table[key as keyof Table] as Table[keyof Table]) : null

/** What was done. An action that nobody put into words is called as the ledger calls it. */
export function wordsOfAct({ Action, Detail, Outcome }: ActEntry, { say, position }: ActWords): string {
  const detail = Detail ?? {}
  if (Action === 'resource.checked') {
    const result = pick(RESULTS, detail['result'])
    if (result !== null) return say(result)
  }
  if (Action === 'restriction.set' || Action === 'restriction.lifted') {
    const kind = pick(RESTRICTED, detail['kind'])
    if (kind !== null) return say('restrictionWhat', { act: say(actKey(Action)), kind: say(kind) })
  }
  const derived = kindOfRole(String(detail['role'] ?? detail['view']))
  if (derived !== null && Action === 'derivation.added') return say('derivedWhat', { what: say(labelOf(derived)) })
  if (derived !== null && Action === 'resource.previewed') return say('viewedWhat', { what: say(labelOf(derived)) })
  if (Action.startsWith('bookmark.') && isKnown(Action) && typeof detail['seconds'] === 'number')
    return say('bookmarkActAt', { act: say(actKey(Action)), position: position(detail['seconds']) })
  if (Action === 'still.taken' && typeof detail['seconds'] === 'number')
    return say('stillTakenAt', { position: position(detail['seconds']) })
  if (Action === 'clip.created' && typeof detail['from'] === 'number' && typeof detail['to'] === 'number')
    return say('clipCreatedRange', { from: position(detail['from']), to: position(detail['to']) })
  if (Action === 'clip.requested' && Array.isArray(detail['ranges']))
    return say('clipsAskedCount', { count: detail['ranges'].length })
  if (Action === 'custody.verified' && Outcome === 'failed') return say('custodyFoundBad')
  return isKnown(Action) ? say(actKey(Action)) : Action
}

/** The file it was done with, and the figure that tells most. */
export function detailOfAct(entry: ActEntry, { say, duration, bytes, visible }: ActWords): string {
  const { Bytes, Detail, Object: object, Reason, Outcome } = entry
  const seconds = (Detail ?? {})['seconds']
  const origin = (Detail ?? {})['origin']
  return [
    ...(entry.Action === 'evidence.imported' && typeof origin === 'string' ? [visible(origin)] : []),
    ...(object.Type === 'resource' && object.Name !== '' ? [visible(object.Name)] : []),
    ...(entry.Action === 'resource.played.ended' && typeof seconds === 'number' ? [duration(seconds)] : []),
    ...(Bytes !== null && Bytes > 0 ? [bytes(Bytes)] : []),
    ...(Outcome !== 'ok' ? [say(Outcome === 'denied' ? 'outcomeDenied' : 'outcomeFailed')] : []),
    ...(Reason === null ? [] : [visible(Reason)]),
  ].join(' · ')
}

/** Who acted: a person by name, everything else by what it is. @param named what the person is called today */
export function nameOfActor(
  { Actor }: { readonly Actor: { readonly Kind: string; readonly Name: string } },
  named: string,
  { say, visible }: Pick<ActWords, 'say' | 'visible'>,
): string {
  const name = visible(Actor.Name)
  if (Actor.Kind === 'internal' || Actor.Name === '') return say('station')
  if (Actor.Kind === 'cli') return say('actorCommandLine', { name: name.replace(/^cli:/, '') })
  if (Actor.Kind === 'service') return say('actorService', { name })
  if (Actor.Kind === 'anonymous') return say('actorAnonymous')
  return visible(named)
}
