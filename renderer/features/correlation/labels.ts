/** What the engine looked at, in words for people. Pure. */
import type { Translate } from '../../client/translate.ts'
import type { Format } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import type { State } from '../../ui/state/state.tsx'
import type { Check, Pair } from './queries.ts'

export type Words = Translate<'correlation'>

const MILLIS = 1000
const numberIn = ({ Facts }: Check, name: string): number => Number(Facts[name])

export const checkOf = ({ Checks }: Pair, code: string): Check | undefined => Checks.find(({ Code }) => Code === code)

export function officersOf(check: Check | undefined, format: Format): string {
  const named = check?.Facts['officers']
  const names = Array.isArray(named) ? named.map(visible) : []
  return new Intl.ListFormat(format.locale, { type: 'conjunction' }).format(names)
}

/** One sentence for each thing that was looked at. What no words are known for is told as the station says it. */
export function checkWords(check: Check, t: Words, format: Format): string {
  const { Code, Holds } = check
  const who = officersOf(check, format)
  switch (Code) {
    case 'CaseHasTime':
      if (!Holds) return t('timeMissing')
      return [t('timeKnown'), ...(check.Facts['ended'] === true ? [] : [t('timeOpen')]), ...cutWords(check, t)].join(
        ' ',
      )
    case 'DeviceActive':
      return t(Holds ? 'active' : 'notActive')
    case 'Attributed':
      return Holds ? t('attributed', { who }) : t('notAttributed')
    case 'Assigned':
      return Holds ? t('assigned', { who }) : t('notAssigned')
    case 'AssociationConfirmed':
      return t(Holds ? 'associationStands' : 'associationWaits')
    case 'Overlap':
      return overlapWords(check, t, format)
    case 'SamePlace':
      return t(Holds ? 'near' : 'far', { metres: numberIn(check, 'metres'), radius: numberIn(check, 'radius') })
    case 'NumberNamed':
      return t(Holds ? 'named' : 'notNamed', { number: visible(String(check.Facts['number'])) })
    case 'DeviceProved':
      return t('notProved')
    default:
      return visible(check.Text)
  }
}

const cutWords = (check: Check, t: Words): string[] => (check.Facts['cut'] === true ? [t('timeCut')] : [])

function overlapWords(check: Check, t: Words, format: Format): string {
  if (check.Holds) return t('overlaps', { overlap: format.duration(numberIn(check, 'overlap') / MILLIS) })
  const gap = format.duration(numberIn(check, 'gap') / MILLIS)
  return t(check.Facts['late'] === true ? 'begins' : 'ends', { gap })
}

/** What the camera’s clock was put right by, and how sure that is. */
export function clockWords({ OffsetSeconds, UncertaintySeconds }: Pair, t: Words, format: Format): string {
  if (OffsetSeconds === null) return t('clockUnknown')
  const offset = format.offset(OffsetSeconds)
  return UncertaintySeconds === null
    ? t('clockPlain', { offset })
    : t('clockSure', { offset, error: format.duration(UncertaintySeconds) })
}

const BECAUSE = {
  CaseClosed: 'becauseClosed',
  CaseProtected: 'becauseProtected',
  Confirmed: 'becauseConfirmed',
  AssociationWaits: 'becauseAssociation',
  DeviceNotProved: 'notProved',
  NotYet: 'becauseNotYet',
} as const

export const becauseWords = (because: NonNullable<Pair['Because']>, t: Words): string => t(BECAUSE[because])

/** The one sentence that stands first. */
export function leadWords(pair: Pair, t: Words, format: Format): string {
  if (pair.State === 'Refused') return t('leadRefused')
  if (pair.Because !== null && pair.State !== 'Linked') return becauseWords(pair.Because, t)
  const overlap = format.duration(pair.OverlapSeconds)
  if (pair.Rule === 'officer') return t('leadOfficer', { overlap, who: officersOf(checkOf(pair, 'Assigned'), format) })
  if (pair.Rule === 'place')
    return t('leadPlace', { overlap, metres: Number(checkOf(pair, 'SamePlace')?.Facts['metres'] ?? 0) })
  if (pair.Rule === 'number') return t('leadNumber', { overlap })
  const against = pair.Checks.filter(({ Holds }) => !Holds)
  const [first] = against
  return first === undefined ? visible(pair.Text) : checkWords(first, t, format)
}

const STATES = {
  Linked: { state: 'waiting', words: 'stateLinked' },
  Confirmed: { state: 'ok', words: 'stateConfirmed' },
  Refused: { state: 'sealed', words: 'stateRefused' },
  Review: { state: 'attention', words: 'stateReview' },
  NotLinked: { state: 'waiting', words: 'stateNotLinked' },
} as const

export function stateOf({ State: state }: Pair, t: Words): { state: State; words: string } {
  const { state: shape, words } = STATES[state]
  return { state: shape, words: t(words) }
}

export const RULES = { officer: 'ruleOfficer', place: 'rulePlace', number: 'ruleNumber' } as const
export const CONFIDENCES = { High: 'high', Medium: 'medium', Low: 'low' } as const
