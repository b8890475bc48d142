/**
 * Whether a call is covered by what an officer recorded. Pure, in whole milliseconds, and of the facts alone that it is given: whoever asks
 * gives those that the one who looks may know.
 */
import type { FootageReason, FootageState } from '../../../shared/calls-board/footage.ts'
import { DAY } from '../../../shared/correlation/rules.ts'

export interface Span {
  readonly from: number
  readonly to: number
}

/** Milliseconds of a covered call that may be missing in total, because nobody presses a button within the second. */
export const GRACE = 60_000

/** Of a camera that was the officer's during the call. */
export interface CameraFacts {
  /** Whether the device was active then: only of such a one recordings are anybody's. */
  readonly active: boolean
  /** Whether everything that lay on it after the call is here. */
  readonly docked: 'Since' | 'Now' | 'Pulled' | 'No'
  readonly failed: 'Docking' | 'Files' | null
}

export interface Facts {
  readonly from: number
  /** Null where the end is unknown. Then only the beginning counts. */
  readonly to: number | null
  /** What the officer recorded, by corrected time. */
  readonly spans: readonly Span[]
  /** Null where the caller may not see cameras. */
  readonly cameras: readonly CameraFacts[] | null
  /** There is a recording that would count, were its association confirmed; or had nobody said that it is not of this call. */
  readonly waits: boolean
  readonly refused: boolean
}

export interface Footage {
  readonly state: FootageState
  readonly reason: FootageReason
  /** Milliseconds; of a call without an end none. */
  readonly dispatched: number
  readonly covered: number
  /** Within the call, in order, none touching another. */
  readonly recorded: readonly Span[]
}

export function footageOf(facts: Facts): Footage {
  const { from } = facts
  const to = Math.min(Math.max(from, facts.to ?? from), from + DAY)
  const recorded = within(facts.spans, from, to)
  const covered = recorded.reduce((sum, span) => sum + span.to - span.from, 0)
  const figures = { dispatched: to - from, covered, recorded }
  if (recorded.length > 0 && to - from - covered <= GRACE) return { state: 'Covered', reason: 'Recorded', ...figures }
  const cameras = facts.cameras?.filter(({ active }) => active) ?? []
  const failed = cameras.find((one) => one.failed !== null)
  if (failed !== undefined)
    return {
      state: 'CameraFailed',
      reason: failed.failed === 'Docking' ? 'DockingFailed' : 'FilesFailed',
      ...figures,
    }
  if (recorded.length > 0) return { state: 'Partly', reason: lacking(recorded, from, to), ...figures }
  const away = cameras.find(({ docked }) => docked !== 'Since')
  if (away !== undefined) return { state: 'NotDocked', reason: AWAY[away.docked], ...figures }
  return { state: 'None', reason: nothing(facts, cameras.length), ...figures }
}

const AWAY = { Now: 'Docking', Pulled: 'PulledEarly', No: 'NotDockedSince', Since: 'NotDockedSince' } as const

function nothing({ cameras, waits, refused }: Facts, active: number): FootageReason {
  if (refused) return 'Refused'
  if (waits) return 'AssociationWaits'
  if (cameras === null) return 'CamerasNotTold'
  if (cameras.length === 0) return 'NoCamera'
  return active === 0 ? 'CameraInactive' : 'NotRecorded'
}

/** The longest missing part; the first of equal ones. */
function lacking(recorded: readonly Span[], from: number, to: number): FootageReason {
  const [first, last] = [recorded[0] as Span, recorded.at(-1) as Span]
  const late = first.from - from
  const early = to - last.to
  const pause = Math.max(0, ...recorded.slice(1).map((span, at) => span.from - (recorded[at] as Span).to))
  if (late >= early && late >= pause) return 'StartsLate'
  return early >= pause ? 'EndsEarly' : 'Interrupted'
}

/** The parts of these that lie within, joined where they meet. A call that is one moment is met by whatever ran then. */
export function within(spans: readonly Span[], from: number, to: number): Span[] {
  const joined: { from: number; to: number }[] = []
  const inside = spans
    .filter((span) =>
      to > from ? span.from < to && span.to > from && span.to > span.from : span.from <= from && span.to >= from,
    )
    .map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) }))
    .sort((a, b) => a.from - b.from || a.to - b.to)
  for (const span of inside) {
    const last = joined.at(-1)
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else joined.push(span)
  }
  return joined
}
