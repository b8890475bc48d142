/** The axis of the timeline: from the first start to the last end, with round ticks. Pure. */
import type { z } from 'zod'
import type { EvidenceModel } from '../../../../shared/cases/case-links.contract.ts'

type CaseEvidence = z.output<typeof EvidenceModel>

/** One evidence on the axis. */
export interface Placed {
  readonly evidence: CaseEvidence
  /** Shares of the axis, 0 to 1. */
  readonly from: number
  /** null: only its start is known, a point. */
  readonly to: number | null
  /** Milliseconds since 1970, by the corrected time. */
  readonly starts: number
  readonly ends: number | null
}

/** Everything of one source. */
export interface Lane {
  /** `camera`: one camera. `single`: a recording of which no camera is known. `files`: points of which no camera is known. */
  readonly source: 'camera' | 'single' | 'files'
  /** Of the camera or the recording; null: the files have none. */
  readonly name: string | null
  readonly key: string
  readonly starts: number
  readonly ends: number
  readonly count: number
  /** Rows of bars under each other, so that none covers another. */
  readonly rows: readonly (readonly Placed[])[]
  /** Points; those that would cover each other are together. In order. */
  readonly points: readonly (readonly Placed[])[]
}

export interface Timeline {
  readonly start: number
  readonly end: number
  readonly lanes: readonly Lane[]
  /** Evidence without any time. */
  readonly timeless: number
  /** The incident; an end that is not known is null. */
  readonly incident: { readonly from: number; readonly to: number | null } | null
  readonly ticks: readonly { readonly at: number; readonly share: number }[]
}

const MINUTE = 60_000
/** What is between two ticks, in milliseconds. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 7200, 14_400, 43_200, 129_600, 525_600].map(
  (minutes) => minutes * MINUTE,
)
const MOST_TICKS = 8

const instant = (text: string | null): number | null => {
  const at = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? null : at
}

/** Milliseconds; null where its end is not known. */
function lengthOf({ StartTimeUtc, EndTimeUtc }: CaseEvidence): number | null {
  const [from, to] = [instant(StartTimeUtc), instant(EndTimeUtc)]
  return from === null || to === null ? null : to - from
}

/** @returns null where nothing has a time */
export function timelineOf(
  evidences: readonly CaseEvidence[],
  incident: { readonly OccurredOn: string | null; readonly EndedOn: string | null },
): Timeline | null {
  const timed = evidences.flatMap((evidence) => {
    const from = instant(evidence.Clock.CorrectedTimeUtc)
    const length = lengthOf(evidence)
    const to = from === null || length === null ? null : from + length
    return from === null ? [] : [{ evidence, from, to: to === null || to <= from ? null : to }]
  })
  if (timed.length === 0) return null
  const [occurred, ended] = [instant(incident.OccurredOn), instant(incident.EndedOn)]
  const moments = [...timed.flatMap(({ from, to }) => [from, to ?? from]), occurred, ended].filter(
    (at): at is number => at !== null,
  )
  const [first, last] = [Math.min(...moments), Math.max(...moments)]
  const room = Math.max((last - first) * 0.04, MINUTE)
  const [start, end] = [first - room, last + room]
  const share = (at: number): number => (at - start) / (end - start)
  return {
    start,
    end,
    lanes: lanesOf(
      timed
        .toSorted((one, other) => one.from - other.from)
        .map(({ evidence, from, to }) => ({
          evidence,
          from: share(from),
          to: to === null ? null : share(to),
          starts: from,
          ends: to,
        })),
    ),
    timeless: evidences.length - timed.length,
    incident: occurred === null ? null : { from: share(occurred), to: ended === null ? null : share(ended) },
    ticks: ticksOf(start, end).map((at) => ({ at, share: share(at) })),
  }
}

function ticksOf(start: number, end: number): readonly number[] {
  const step = STEPS.find((one) => (end - start) / one <= MOST_TICKS) ?? (end - start) / MOST_TICKS
  const ticks: number[] = []
  for (let at = Math.ceil(start / step) * step; at <= end; at += step) ticks.push(at)
  return ticks
}

/** Points nearer to each other than this share of the axis are shown as one: a mark with a number has this width at 800 px. */
const POINT_WIDTH = 0.06

const sourceOf = ({ evidence, to }: Placed): Pick<Lane, 'source' | 'name' | 'key'> => {
  if (evidence.Camera !== null) return { source: 'camera', name: evidence.Camera, key: `camera ${evidence.Camera}` }
  if (to === null) return { source: 'files', name: null, key: 'files' }
  return { source: 'single', name: evidence.DisplayName, key: `evidence ${evidence.EvidenceId}` }
}

/** @param placed by their start */
function lanesOf(placed: readonly Placed[]): readonly Lane[] {
  const bySource = Map.groupBy(placed, (one) => sourceOf(one).key)
  const lanes = [...bySource.values()].flatMap((own): Lane[] => {
    const [first] = own
    if (first === undefined) return []
    return [
      {
        ...sourceOf(first),
        starts: first.starts,
        ends: own.reduce((last, { starts, ends }) => Math.max(last, ends ?? starts), first.starts),
        count: own.length,
        rows: rowsOf(own.filter(({ to }) => to !== null)),
        points: clustersOf(own.filter(({ to }) => to === null)),
      },
    ]
  })
  // Recordings by their start, and below them what has no length and no camera.
  return [...lanes.filter(({ source }) => source !== 'files'), ...lanes.filter(({ source }) => source === 'files')]
}

/** Each bar in the first row that is free at its start. */
function rowsOf(bars: readonly Placed[]): readonly (readonly Placed[])[] {
  const rows: Placed[][] = []
  for (const bar of bars) {
    const free = rows.find((row) => (row.at(-1)?.to ?? 0) <= bar.from)
    if (free === undefined) rows.push([bar])
    else free.push(bar)
  }
  return rows
}

function clustersOf(points: readonly Placed[]): readonly (readonly Placed[])[] {
  const clusters: Placed[][] = []
  for (const point of points) {
    const last = clusters.at(-1)
    if (last?.[0] !== undefined && point.from - last[0].from < POINT_WIDTH) last.push(point)
    else clusters.push([point])
  }
  return clusters
}
