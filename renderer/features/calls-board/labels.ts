import type { Translate } from '../../client/translate.ts'
import { FOOTAGE_STATES } from '../../../shared/calls-board/footage.ts'
import type { IconName } from '../../ui/icon/icon.tsx'
import type { Format } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import type { State } from '../../ui/state/state.tsx'
import type { BoardCall, FootageState, NumberGap, Officer, Reason, ReasonRecording } from './queries.ts'

export type Words = Translate<'calls'>

export const STATES = FOOTAGE_STATES

/** Shape and colour of each; the word is `state…`. */
export const MARKS: Readonly<Record<FootageState, { readonly state: State; readonly icon: IconName }>> = {
  Covered: { state: 'ok', icon: 'ok' },
  Partly: { state: 'attention', icon: 'half' },
  None: { state: 'danger', icon: 'barred' },
  NotDocked: { state: 'waiting', icon: 'waiting' },
  CameraFailed: { state: 'danger', icon: 'danger' },
}

export const stateWords = (state: FootageState, t: Words): string => t(`state${state}`)

export const officerOf = (officer: Officer, format: Format): string => visible(format.person(officer))
export const officerInList = (officer: Officer, format: Format): string => visible(format.personInList(officer))

/** As it is called on a block: the last three signs of its number. */
export const shortNumber = ({ Number: number }: BoardCall): string => visible([...number.trim()].slice(-3).join(''))

export const callTime = (
  { FromUtc, ToUtc }: { readonly FromUtc: string; readonly ToUtc: string | null },
  t: Words,
  format: Format,
): string =>
  ToUtc === null
    ? t('untilOpen', { from: format.timeOfDay(FromUtc) })
    : t('untilEnd', { from: format.timeOfDay(FromUtc), to: format.timeOfDay(ToUtc) })

export function coveredWords(
  { CoveredSeconds, DispatchedSeconds }: { readonly CoveredSeconds: number; readonly DispatchedSeconds: number },
  t: Words,
  format: Format,
): string {
  if (CoveredSeconds === 0) return t('coveredNothing')
  return t('coveredOf', { covered: format.duration(CoveredSeconds), whole: format.duration(DispatchedSeconds) })
}

/** `91 %`; null where nobody was sent for any time. */
export const shareOf = (tally: {
  readonly CoveredSeconds: number
  readonly DispatchedSeconds: number
}): number | null => (tally.DispatchedSeconds === 0 ? null : tally.CoveredSeconds / tally.DispatchedSeconds)

export function missingWords({ Missing }: NumberGap, t: Words): string {
  const [first = '', last = ''] = [Missing[0], Missing.at(-1)]
  return Missing.length > 2
    ? t('missingMany', { first: visible(first), last: visible(last) })
    : t('missing', { count: Missing.length, numbers: visible(Missing.join(', ')) })
}

const length = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000

/** The one sentence that says why. */
export function reasonWords(reason: Reason, t: Words, format: Format): string {
  const { Reason: code, FromUtc, ToUtc, Recorded } = reason
  const [first, last] = [Recorded[0], Recorded.at(-1)]
  if (code === 'Recorded' && ToUtc === null) return t('whyRecordedOpen')
  if (code === 'StartsLate' && first !== undefined)
    return t('whyStartsLate', { length: format.duration(length(FromUtc, first.FromUtc)) })
  if (code === 'EndsEarly' && last !== undefined && ToUtc !== null)
    return t('whyEndsEarly', { length: format.duration(length(last.ToUtc, ToUtc)) })
  if (code === 'Interrupted') {
    const pauses = Recorded.slice(1).map(({ FromUtc: next }, at) => length(Recorded[at]?.ToUtc ?? next, next))
    return t('whyInterrupted', { length: format.duration(Math.max(0, ...pauses)) })
  }
  return t(`why${code}`, { length: '' })
}

const AGAINST: ReadonlySet<string> = new Set([
  'CaseHasTime',
  'DeviceActive',
  'Attributed',
  'Assigned',
  'AssociationConfirmed',
  'Overlap',
  'SamePlace',
  'NumberNamed',
  'DeviceProved',
] as const)
type Against =
  | 'CaseHasTime'
  | 'DeviceActive'
  | 'Attributed'
  | 'Assigned'
  | 'AssociationConfirmed'
  | 'Overlap'
  | 'SamePlace'
  | 'NumberNamed'
  | 'DeviceProved'
const isAgainst = (code: string): code is Against => AGAINST.has(code)

/** Why a recording does not cover the call of this officer. */
export function againstWords({ Against: codes, State: state, OwnOfficer }: ReasonRecording, t: Words): string {
  if (state === 'Refused') return t('againstRefused')
  const told = codes.filter(isAgainst).map((code) => t(`against${code}`))
  return told.length > 0 ? told.join(' ') : t(OwnOfficer ? 'againstOverlap' : 'againstOther')
}
