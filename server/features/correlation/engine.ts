/**
 * Which recording belongs to which call (decisions 8). Pure, and reckoned in whole milliseconds: of the same facts it always says the same,
 * in whatever order they came to be known. Nothing here knows of the database, of the time it is, or of who asks.
 */
import { DAY } from '../../../shared/correlation/rules.ts'
import { metresBetween, type Place } from '../../../shared/kernel/distance.ts'

const MINUTE = 60_000
/** The incident is widened by so much on each side. */
export const WIDENED = 2 * MINUTE
export const MOST_LINKS = 50

export interface Recording {
  readonly evidenceId: number
  readonly deviceId: string
  /** By true time, as far as it is known. `to` is at or after `from`. */
  readonly from: number
  readonly to: number
  /** What the camera's clock was put right by; null: nothing is known of it. */
  readonly offset: number | null
  /** The offset is right to this much either way. */
  readonly uncertainty: number | null
  /** Whether the device was active when it recorded. */
  readonly active: boolean
  /** Whose it is; `waits`: only by a change of the past that nobody else confirmed yet. */
  readonly officers: readonly { readonly principalId: number; readonly waits: boolean }[]
  readonly place: Place | null
  /** File names and marks. */
  readonly names: readonly string[]
}

export interface Incident {
  readonly caseId: number
  /** Null where the time is unknown. */
  readonly from: number | null
  readonly to: number | null
  readonly assigned: readonly number[]
  /** The number that people write down. */
  readonly number: string | null
  readonly place: Place | null
}

/** All rules but the first are off by default. */
export interface Rules {
  /** Metres; null: off. */
  readonly place: number | null
  readonly number: boolean
}
export const FIRST_RULE_ALONE: Rules = { place: null, number: false }

export type Rule = 'officer' | 'place' | 'number'
export type Confidence = 'High' | 'Medium' | 'Low'

export type CheckCode =
  | 'CaseHasTime'
  | 'DeviceActive'
  | 'Attributed'
  | 'AssociationConfirmed'
  | 'Assigned'
  | 'Overlap'
  | 'SamePlace'
  | 'NumberNamed'

/** One thing that was looked at: whether it holds, and by which facts. */
export interface Check {
  readonly code: CheckCode
  readonly holds: boolean
  readonly facts: Readonly<Record<string, number | string | boolean | null | readonly number[]>>
}

export interface Verdict {
  readonly caseId: number
  readonly evidenceId: number
  /** Null: it does not belong there. */
  readonly rule: Rule | null
  /** It would belong there, were the association confirmed. */
  readonly waits: boolean
  /** Of the recording and the widened incident. */
  readonly overlap: number
  readonly confidence: Confidence
  readonly checks: readonly Check[]
}

export interface Window {
  readonly from: number
  readonly to: number
  /** It would have been longer than a day. */
  readonly cut: boolean
}

/** The incident, widened. One that nobody ended yet is the moment of its start: what comes later is looked at when its end is told. */
export function windowOf({ from, to }: Pick<Incident, 'from' | 'to'>): Window | null {
  if (from === null) return null
  const start = from - WIDENED
  const end = Math.max(from, to ?? from) + WIDENED
  return { from: start, to: Math.min(end, start + DAY), cut: end - start > DAY }
}

/** Milliseconds in both; null where they do not meet. A recording of which only the start is known meets by that moment. */
function overlapOf(recording: Pick<Recording, 'from' | 'to'>, window: Pick<Window, 'from' | 'to'>): number | null {
  const from = Math.max(recording.from, window.from)
  const to = Math.min(recording.to, window.to)
  return to > from || (to === from && recording.from === recording.to) ? to - from : null
}

/** Numbers shorter than this are in every other file name. */
const LEAST_NUMBER = 4

/** Whether a name holds the number, and not as a part of a longer one. */
export function namesNumber(names: readonly string[], number: string): boolean {
  const wanted = number.trim().toLowerCase()
  if (wanted.length < LEAST_NUMBER) return false
  const inside = /[\p{L}\p{N}]/u
  return names.some((name) => {
    const text = name.toLowerCase()
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
      const [before, after] = [text[at - 1] ?? '', text[at + wanted.length] ?? '']
      if (!inside.test(before) && !inside.test(after)) return true
    }
    return false
  })
}

const NO_OVERLAP = { overlap: 0, confidence: 'Low', rule: null, waits: false } as const

/** Whether the recording belongs to the incident, and why or why not. */
export function judge(recording: Recording, incident: Incident, rules: Rules): Verdict {
  const ids = { caseId: incident.caseId, evidenceId: recording.evidenceId }
  const window = windowOf(incident)
  if (window === null) return { ...ids, ...NO_OVERLAP, checks: [{ code: 'CaseHasTime', holds: false, facts: {} }] }
  const overlap = overlapOf(recording, window)
  const assigned = new Set(incident.assigned)
  const both = recording.officers.filter(({ principalId }) => assigned.has(principalId))
  const given = both.some(({ waits }) => !waits)
  const checks: Check[] = [
    { code: 'CaseHasTime', holds: true, facts: { ...window, ended: incident.to !== null } },
    { code: 'DeviceActive', holds: recording.active, facts: { deviceId: recording.deviceId } },
    {
      code: 'Attributed',
      holds: recording.officers.length > 0,
      facts: { officers: recording.officers.map(({ principalId }) => principalId) },
    },
    { code: 'Assigned', holds: both.length > 0, facts: { officers: both.map(({ principalId }) => principalId) } },
    ...(both.length > 0 ? [{ code: 'AssociationConfirmed', holds: given, facts: {} } as const] : []),
    overlapCheck(recording, window, overlap),
  ]
  const near = placeCheck(recording, incident, rules)
  const named = numberCheck(recording, incident, rules)
  if (near !== null) checks.push(near)
  if (named !== null) checks.push(named)
  const meets = overlap !== null && recording.active
  const rule: Rule | null = !meets
    ? null
    : given
      ? 'officer'
      : near?.holds === true
        ? 'place'
        : named?.holds === true
          ? 'number'
          : null
  return {
    ...ids,
    rule,
    waits: meets && rule === null && both.length > 0,
    overlap: overlap ?? 0,
    confidence: confidenceOf(recording, incident, window, rule),
    checks,
  }
}

function overlapCheck(recording: Recording, window: Window, overlap: number | null): Check {
  const { from, to, offset, uncertainty } = recording
  const gap = overlap !== null ? 0 : to <= window.from ? window.from - to : from - window.to
  return {
    code: 'Overlap',
    holds: overlap !== null,
    facts: { from, to, offset, uncertainty, overlap: overlap ?? 0, gap, late: from >= window.to },
  }
}

function placeCheck({ place }: Recording, incident: Incident, rules: Rules): Check | null {
  if (rules.place === null || place === null || incident.place === null) return null
  const metres = Math.round(metresBetween(place, incident.place))
  return { code: 'SamePlace', holds: metres <= rules.place, facts: { metres, radius: rules.place } }
}

function numberCheck({ names }: Recording, { number }: Incident, rules: Rules): Check | null {
  if (!rules.number || number === null) return null
  return { code: 'NumberNamed', holds: namesNumber(names, number), facts: { number } }
}

/**
 * High: the camera's clock is known, the recording meets the incident itself, and would still meet the widened one were the clock off by
 * all of its uncertainty; the camera had one officer. Low: it meets by the widening alone, or may not meet at all.
 */
function confidenceOf(recording: Recording, incident: Incident, window: Window, rule: Rule | null): Confidence {
  const start = incident.from as number
  const plain = { from: start, to: Math.min(window.to, Math.max(start, incident.to ?? start)) }
  const meetsItself = recording.from <= plain.to && recording.to >= plain.from
  const margin = Math.min(recording.to - window.from, window.to - recording.from)
  const known = recording.offset !== null && recording.uncertainty !== null
  if (!meetsItself || (known && margin <= (recording.uncertainty as number))) return 'Low'
  if (!known || rule !== 'officer' || recording.officers.length > 1) return 'Medium'
  return 'High'
}

/** As many as an evidence may have: greatest overlap, then earliest start of the case, then the lower number of it. */
export function firstOf(fitting: readonly { verdict: Verdict; start: number }[], room: number): Set<number> {
  const sorted = fitting.toSorted(
    (one, other) =>
      other.verdict.overlap - one.verdict.overlap ||
      one.start - other.start ||
      one.verdict.caseId - other.verdict.caseId,
  )
  return new Set(sorted.slice(0, Math.max(0, room)).map(({ verdict }) => verdict.caseId))
}

/** How the case stands: the engine changes links of ordinary open ones alone. */
export type Standing = 'open' | 'closed' | 'protected' | 'deleted'

export interface Known {
  /** Automatic links as they are. */
  readonly linked: ReadonlyMap<number, { readonly confirmed: boolean }>
  readonly refused: ReadonlySet<number>
}

export type ReviewReason = 'CaseClosed' | 'CaseProtected' | 'Confirmed' | 'AssociationWaits'

export interface Plan {
  readonly link: readonly Verdict[]
  readonly withdraw: readonly Verdict[]
  /** Links that stay, as they are judged now. */
  readonly keep: readonly Verdict[]
  readonly review: readonly {
    readonly act: 'Link' | 'Withdraw'
    readonly because: ReviewReason
    readonly verdict: Verdict
  }[]
}

/** What is to be done about one recording. @param judged every case that it may belong to, and every one that it is linked to */
export function planOf(
  judged: readonly { readonly verdict: Verdict; readonly start: number; readonly standing: Standing }[],
  { linked, refused }: Known,
): Plan {
  const plan = {
    link: [] as Verdict[],
    withdraw: [] as Verdict[],
    keep: [] as Verdict[],
    review: [] as Plan['review'][number][],
  }
  /** Links that the engine does not touch: they take their place all the same. */
  const frozen = judged.filter(
    ({ verdict, standing }) =>
      linked.has(verdict.caseId) && (standing !== 'open' || linked.get(verdict.caseId)?.confirmed === true),
  )
  const free = judged.filter(
    ({ verdict, standing }) =>
      verdict.rule !== null &&
      standing === 'open' &&
      !refused.has(verdict.caseId) &&
      linked.get(verdict.caseId)?.confirmed !== true,
  )
  const chosen = firstOf(free, MOST_LINKS - frozen.length)
  for (const { verdict, standing } of judged) {
    const { caseId } = verdict
    const link = linked.get(caseId)
    if (standing === 'deleted') continue
    if (link === undefined) {
      if (refused.has(caseId)) continue
      if (chosen.has(caseId)) plan.link.push(verdict)
      else if (verdict.rule !== null && standing !== 'open')
        plan.review.push({ act: 'Link', because: standing === 'closed' ? 'CaseClosed' : 'CaseProtected', verdict })
      else if (verdict.waits) plan.review.push({ act: 'Link', because: 'AssociationWaits', verdict })
    } else if (standing === 'open' && !link.confirmed) {
      if (chosen.has(caseId)) plan.keep.push(verdict)
      else plan.withdraw.push(verdict)
    } else if (verdict.rule !== null) plan.keep.push(verdict)
    else
      plan.review.push({
        act: 'Withdraw',
        because: standing === 'closed' ? 'CaseClosed' : standing === 'protected' ? 'CaseProtected' : 'Confirmed',
        verdict,
      })
  }
  return plan
}
