/** The findings of the engine as English text: why a recording is in a case or not. Pages write their own text from the codes. */
import type { ReviewReason, Check, Confidence, Verdict } from './engine.ts'

export interface Naming {
  /** How people call an officer. */
  readonly officer: (principalId: number) => string
}

const SECOND = 1000

/** `1 h 2 min 3 s`; the whole seconds of it. */
export function lengthOf(millis: number): string {
  const seconds = Math.round(Math.abs(millis) / SECOND)
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const
  return (
    parts
      .filter(([count]) => count > 0)
      .map(([count, unit]) => `${count} ${unit}`)
      .join(' ') || '0 s'
  )
}

/** By the station's clock, UTC; whole seconds. */
export const momentOf = (millis: number): string =>
  `${new Date(millis).toISOString().slice(0, 19).replace('T', ' ')} UTC`

const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? 'nobody') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`

/** @returns one sentence for each thing that was looked at */
export function checkWords({ code, holds, facts }: Check, { officer }: Naming): string {
  const number = (name: string): number => Number(facts[name])
  const officers = listed(((facts['officers'] ?? []) as readonly number[]).map(officer))
  switch (code) {
    case 'CaseHasTime':
      if (!holds) return 'The case does not say when it began, so no recording can be compared with it.'
      return (
        `The call, with two minutes on each side, is ${momentOf(number('from'))} to ${momentOf(number('to'))}.` +
        (facts['ended'] === true ? '' : ' It has no end yet, so only its beginning is looked at.') +
        (facts['cut'] === true ? ' It is longer than a day; only the first 24 hours are looked at.' : '')
      )
    case 'DeviceActive':
      return holds ? 'The camera was active when it recorded.' : 'The camera was not active when it recorded.'
    case 'Attributed':
      return holds
        ? `The camera was ${officers}'s when it recorded.`
        : 'The camera was nobody’s when it recorded: no association covers that moment.'
    case 'Assigned':
      return holds ? `${officers} was assigned to the call.` : 'Nobody who had the camera was assigned to the call.'
    case 'AssociationConfirmed':
      return holds
        ? 'The association of camera and officer stands.'
        : 'The association of camera and officer was made afterwards and waits for a second person to confirm it.'
    case 'Overlap':
      return `${overlapWords(holds, number)} ${clockWords(facts)}`
    case 'SamePlace':
      return holds
        ? `It was recorded ${number('metres')} m from the call, within ${number('radius')} m.`
        : `It was recorded ${number('metres')} m from the call, further than ${number('radius')} m.`
    case 'NumberNamed':
      return holds
        ? `A file name or a mark holds the number of the call, ${String(facts['number'])}.`
        : `No file name and no mark holds the number of the call, ${String(facts['number'])}.`
  }
}

function overlapWords(holds: boolean, number: (name: string) => number): string {
  const span = `The recording is ${momentOf(number('from'))} to ${momentOf(number('to'))}`
  if (holds) return `${span}: ${lengthOf(number('overlap'))} of it lie within.`
  const how = number('gap') === 0 ? 'right' : lengthOf(number('gap'))
  return `${span}: it ${Number(number('late')) ? 'begins' : 'ends'} ${how} ${Number(number('late')) ? 'after that' : 'before that'}.`
}

function clockWords(facts: Check['facts']): string {
  const offset = facts['offset'] as number | null
  const uncertainty = facts['uncertainty'] as number | null
  if (offset === null) return 'What the camera’s clock showed is not known; its times are taken as they are.'
  const known = uncertainty === null ? 'how exactly is not known' : `right to ${lengthOf(uncertainty)} either way`
  if (Math.abs(offset) < SECOND) return `The camera’s clock was right (${known}).`
  return `The camera’s clock was ${lengthOf(offset)} ${offset > 0 ? 'slow' : 'fast'} and was put right (${known}).`
}

const CONFIDENCE: Readonly<Record<Confidence, string>> = { High: 'high', Medium: 'medium', Low: 'low' }

/** The whole of it in a few sentences: why it belongs there, or what stands against it. */
export function verdictWords(verdict: Verdict, naming: Naming): string {
  const { checks, rule, confidence } = verdict
  if (rule !== null) {
    const applied = checks.filter(({ holds, code }) => holds && code !== 'DeviceActive')
    return `${applied.map((check) => checkWords(check, naming)).join(' ')} Confidence: ${CONFIDENCE[confidence]}.`
  }
  const against = checks.filter(({ holds }) => !holds)
  return against.map((check) => checkWords(check, naming)).join(' ')
}

export const REVIEW_REASONS: Readonly<Record<ReviewReason, string>> = {
  CaseClosed: 'The case is closed; the station changes nothing in it by itself.',
  CaseProtected: 'The case is protected; the station changes nothing in it by itself.',
  Confirmed: 'Somebody confirmed this link; the station does not take it away by itself.',
  AssociationWaits:
    'The association of camera and officer was made afterwards and waits for a second person to confirm it.',
}
