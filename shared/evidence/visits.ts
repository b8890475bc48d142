/**
 * Reads that belong to one opening of an evidence by one person, as one line. Pure.
 *
 * The page and the printed report fold, and not the address of custody, for two reasons. A line is then made of entries whose hashes were
 * recomputed on this page, and the address keeps answering the ledger as it is, for exports and integrators. And a visit that a page of entries cuts needs nothing but the
 * next page: whether two entries belong together is said by these two alone, so older entries only ever add to what is there.
 */
import { isReadOfVisit } from '../kernel/custody-reads.ts'

/** As much of an entry as folding needs. */
export interface FoldedEntry {
  readonly Seq: number
  readonly TimeUtc: string
  readonly Action: string
  readonly Outcome: string
  readonly Actor: { readonly Kind: string; readonly Id: string }
  readonly Source: string
  readonly Object: { readonly Id: string; readonly Name: string }
  readonly CorrelationId: string
  readonly Detail: Readonly<Record<string, unknown>> | null
}

/** What was asked for by the player; the ledger keeps how long, and not which part was played. */
export interface Playback {
  readonly name: string
  /** From the first to the last bytes that were asked for; null: no end is in the ledger yet. */
  readonly seconds: number | null
}

export interface Act<E extends FoldedEntry> {
  readonly kind: 'act'
  readonly entry: E
}

export interface Visit<E extends FoldedEntry> {
  readonly kind: 'visit'
  /** Newest first, at least one. */
  readonly entries: readonly E[]
  /** ISO 8601, of the first and the last thing that was asked for. */
  readonly from: string
  readonly to: string
  readonly playbacks: readonly Playback[]
  /** False where entries that are not here yet may belong to it. */
  readonly whole: boolean
}

export type Line<E extends FoldedEntry> = Act<E> | Visit<E>

/** Reads of one person in one place that are further apart are two visits. */
export const VISIT_GAP_MS = 5 * 60_000

const STARTED = 'resource.played.started'
const ENDED = 'resource.played.ended'

const timeOf = ({ TimeUtc }: FoldedEntry): number => Date.parse(TimeUtc)
const isRead = (entry: FoldedEntry): boolean =>
  isReadOfVisit(entry.Action, entry.Outcome) && Number.isFinite(timeOf(entry))
const readerOf = ({ Actor, Source }: FoldedEntry): string => JSON.stringify([Actor.Kind, Actor.Id, Source])
/** Both entries of a playback carry the call that began it. */
const playbackOf = (entry: FoldedEntry): string =>
  JSON.stringify([readerOf(entry), entry.CorrelationId, entry.Object.Id])

/**
 * @param entries newest first, without a gap
 * @param more whether the ledger has older ones
 */
export function foldVisits<E extends FoldedEntry>(entries: readonly E[], more: boolean): readonly Line<E>[] {
  const oldest = entries.reduce((least, entry) => {
    const time = timeOf(entry)
    return Number.isFinite(time) ? Math.min(least, time) : least
  }, Number.POSITIVE_INFINITY)
  const members = new Map<object, E[]>()
  const groupOf = grouped(entries)
  for (const entry of entries) {
    const group = groupOf.get(entry)
    const own = group === undefined ? undefined : members.get(group)
    if (own !== undefined) own.push(entry)
    else if (group !== undefined) members.set(group, [entry])
  }
  const placed = new Set<object>()
  return entries.flatMap((entry): readonly Line<E>[] => {
    const group = groupOf.get(entry)
    if (group === undefined) return [{ kind: 'act', entry }]
    const own = members.get(group) ?? []
    // The end of a playback is written a minute or an hour later: the line stands where somebody last asked for something.
    const last = own.find(({ Action }) => Action !== ENDED) ?? own[0]
    if (placed.has(group) || entry !== last) return []
    placed.add(group)
    return [visitOf(own, more, oldest)]
  })
}

/** The same object for entries of one visit; nothing for an act. */
function grouped<E extends FoldedEntry>(entries: readonly E[]): ReadonlyMap<E, object> {
  const groupOf = new Map<E, object>()
  const started = new Map<string, object>()
  const latest = new Map<string, { readonly time: number; readonly group: object }>()
  const reads = entries.filter(isRead)
  // The end of a playback says nothing of when its person was there: it joins no neighbours.
  for (const entry of reads.filter(({ Action }) => Action !== ENDED)) {
    const reader = readerOf(entry)
    const time = timeOf(entry)
    const before = latest.get(reader)
    const group = before !== undefined && Math.abs(before.time - time) <= VISIT_GAP_MS ? before.group : {}
    latest.set(reader, { time, group })
    groupOf.set(entry, group)
    if (entry.Action === STARTED) started.set(playbackOf(entry), group)
  }
  for (const entry of reads.filter(({ Action }) => Action === ENDED)) {
    const key = playbackOf(entry)
    const group = started.get(key) ?? {}
    started.set(key, group)
    groupOf.set(entry, group)
  }
  return groupOf
}

function visitOf<E extends FoldedEntry>(entries: readonly E[], more: boolean, oldest: number): Visit<E> {
  const ends = new Map(
    entries.flatMap((entry) => (entry.Action === ENDED ? [[playbackOf(entry), secondsOf(entry)] as const] : [])),
  )
  const asked = entries.filter(({ Action }) => Action !== ENDED)
  const times = (asked.length === 0 ? entries : asked).flatMap((entry) => {
    const seconds = entry.Action === STARTED ? (ends.get(playbackOf(entry)) ?? 0) : 0
    return [timeOf(entry), timeOf(entry) + seconds * 1000]
  })
  const from = Math.min(...times)
  return {
    kind: 'visit',
    entries,
    from: new Date(from).toISOString(),
    to: new Date(Math.max(...times)).toISOString(),
    playbacks: (asked.length === 0 ? entries : asked.filter(({ Action }) => Action === STARTED))
      .map((entry) => ({ name: entry.Object.Name, seconds: ends.get(playbackOf(entry)) ?? null }))
      .reverse(),
    whole: !more || (asked.length > 0 && from - oldest > VISIT_GAP_MS),
  }
}

function secondsOf({ Detail }: FoldedEntry): number {
  const seconds = Detail?.['seconds']
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : 0
}
