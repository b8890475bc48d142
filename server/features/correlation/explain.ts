/** Explains why a recording is in a case or not, evaluated at the time of the request. The caller checks permissions. */
import { DAY } from '../../../shared/correlation/rules.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { refusalsOf } from '../../kernel/evidence/attribution.store.ts'
import * as rows from './correlation.store.ts'
import {
  type ReviewReason,
  type Check,
  type Confidence,
  type Incident,
  judge,
  type Verdict,
  type Window,
  windowOf,
} from './engine.ts'
import { freshRecordings, incidentsFor, type KnownIncident, recordingsFor, rulesOf } from './facts.ts'
import { REVIEW_REASONS, checkWords, type Naming, verdictWords } from './explanation-text.ts'

export type PairState = 'Linked' | 'Confirmed' | 'Refused' | 'Review' | 'NotLinked'

type Fact = number | string | boolean | null | string[]

export interface Explanation {
  readonly caseId: number
  readonly evidenceId: number
  readonly state: PairState
  readonly rule: string | null
  /** Milliseconds, as the next two. */
  readonly overlap: number
  readonly offset: number | null
  readonly uncertainty: number | null
  readonly confidence: Confidence | null
  /** What keeps the engine from acting. */
  readonly because: ReviewReason | 'DeviceNotProved' | 'NotYet' | null
  readonly text: string
  readonly checks: readonly {
    readonly code: string
    readonly holds: boolean
    readonly text: string
    readonly facts: Readonly<Record<string, Fact>>
  }[]
}

export interface CaseExplanation {
  readonly window: Window | null
  readonly items: readonly Explanation[]
}

/** Milliseconds around a call in which its officers' other recordings are told of, with why they are not in it. */
const NEAR = DAY / 2
/** Of a busy day, the nearest. */
const MOST_TOLD = 500

const NOT_PROVED =
  'Nothing proves which camera recorded it: it was neither docked nor sent with a credential of the camera. Somebody has to link it.'
const NOT_YET =
  'It belongs there, and is linked as soon as the station gets to it, unless fifty other cases overlap it more.'

async function naming(from: Tx, verdicts: readonly Verdict[]): Promise<Naming> {
  const ids = verdicts.flatMap(({ checks }) =>
    checks.flatMap(({ facts }) => (facts['officers'] ?? []) as readonly number[]),
  )
  const names = await rows.officerNames(from, [...new Set(ids)])
  return { officer: (id) => names.get(id) ?? `user ${id}` }
}

/** What it was judged by, for pages that say it in their own words: people by name, and the call itself beside the widened one. */
function factsOf({ code, holds, facts }: Check, { from, to }: Incident, names: Naming): Record<string, Fact> {
  const named: Record<string, Fact> = {}
  for (const [name, value] of Object.entries(facts))
    named[name] = typeof value === 'object' && value !== null ? value.map((id) => names.officer(id)) : (value as Fact)
  return code === 'CaseHasTime' && holds ? { ...named, began: from, over: to } : named
}

/** @returns by evidence; nothing of what was never proved to be of a device */
async function explainAll(from: Tx, one: KnownIncident, evidenceIds: readonly number[]): Promise<Explanation[]> {
  const { incident, row, standing } = one
  const recordings = await recordingsFor(from, await freshRecordings(from, evidenceIds))
  const rules = await rulesOf(from, row.tenant_id)
  const verdicts = [...recordings.values()].map((recording) => ({
    recording,
    verdict: judge(recording, incident, rules),
  }))
  const names = await naming(
    from,
    verdicts.map(({ verdict }) => verdict),
  )
  const links = new Map(
    (await rows.automaticLinks(from, evidenceIds))
      .filter((link) => link.case_id === incident.caseId)
      .map((link) => [link.evidence_id, link.confirmed === 1]),
  )
  const refusals = new Map(
    (await refusalsOf(from, evidenceIds))
      .filter((refusal) => refusal.case_id === incident.caseId)
      .map((refusal) => [refusal.evidence_id, refusal.reason]),
  )
  const reviews = new Map(
    (await rows.openReviews(from, evidenceIds))
      .filter((review) => review.case_id === incident.caseId)
      .map((review) => [review.evidence_id, review.because as ReviewReason]),
  )
  return verdicts.map(({ recording, verdict }) => {
    const { evidenceId } = recording
    const state: PairState = links.has(evidenceId)
      ? links.get(evidenceId) === true
        ? 'Confirmed'
        : 'Linked'
      : refusals.has(evidenceId)
        ? 'Refused'
        : reviews.has(evidenceId)
          ? 'Review'
          : 'NotLinked'
    const because =
      reviews.get(evidenceId) ??
      (state === 'NotLinked' && verdict.rule !== null && standing === 'open' ? ('NotYet' as const) : null)
    const words = verdictWords(verdict, names)
    const more =
      state === 'Refused'
        ? `Somebody refused this link: ${refusals.get(evidenceId) ?? ''}`
        : because === 'NotYet'
          ? NOT_YET
          : because === null
            ? ''
            : REVIEW_REASONS[because]
    return {
      caseId: incident.caseId,
      evidenceId,
      state,
      rule: verdict.rule,
      overlap: verdict.overlap,
      offset: recording.offset,
      uncertainty: recording.uncertainty,
      confidence: verdict.rule === null ? null : verdict.confidence,
      because,
      text: [words, more].filter((text) => text !== '').join(' '),
      checks: verdict.checks.map((check: Check) => ({
        code: check.code,
        holds: check.holds,
        text: checkWords(check, names),
        facts: factsOf(check, incident, names),
      })),
    }
  })
}

const incidentOf = async (from: Tx, caseId: number): Promise<KnownIncident> => {
  const found = await incidentsFor(from, await rows.incidentsById(from, [caseId]))
  const one = found.get(caseId)
  if (one === undefined) throw new Error(`There is no case ${caseId}`)
  return one
}

/** Of one recording and one case. */
export async function explainPair(from: Tx, caseId: number, evidenceId: number): Promise<Explanation> {
  const [found] = await explainAll(from, await incidentOf(from, caseId), [evidenceId])
  return (
    found ?? {
      caseId,
      evidenceId,
      state: 'NotLinked',
      rule: null,
      overlap: 0,
      offset: null,
      uncertainty: null,
      confidence: null,
      because: 'DeviceNotProved',
      text: NOT_PROVED,
      checks: [{ code: 'DeviceProved', holds: false, text: NOT_PROVED, facts: {} }],
    }
  )
}

/** What the station linked to a case, what it asks about, and what else its officers recorded around it. */
export async function explainCase(from: Tx, caseId: number): Promise<CaseExplanation> {
  const one = await incidentOf(from, caseId)
  const window = windowOf(one.incident)
  const near =
    window === null
      ? []
      : await rows.recordingsBetween(
          from,
          { from: window.from - NEAR, to: window.to + NEAR, longest: DAY },
          one.incident.assigned,
        )
  const touched = await rows.touchedByCase(from, caseId)
  const ids = [...new Set([...touched, ...near])].slice(0, MOST_TOLD)
  const items = await explainAll(from, one, ids)
  return { window, items: items.toSorted((a, b) => a.evidenceId - b.evidenceId) }
}
