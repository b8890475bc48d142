/** What the looks at the wall and the rows of the sessions say, as figures. Pure. */
import type { Look, SessionTimes } from './docking.ts'

export const round = (value: number, by = 100): number => Math.round(value * by) / by

export function spreadOf(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part: number): number | null =>
    sorted.length === 0 ? null : round(sorted[Math.floor((sorted.length - 1) * part)] as number)
  return { least: at(0), median: at(0.5), p95: at(0.95), most: at(1) }
}

/** Seconds of each camera's way; whoever was put in more than once counts from the last time. */
export function waysOf(sessions: readonly SessionTimes[], pluggedAt: ReadonlyMap<string, number>) {
  const between = (from: number | null | undefined, to: number | null): number[] =>
    from === null || from === undefined || to === null ? [] : [(to - from) / 1000]
  return {
    // What a later docking goes on with has its first byte already.
    toFirstByte: sessions
      .filter((one) => one.round === 1)
      .flatMap((one) => between(pluggedAt.get(one.bay), one.first_byte_at)),
    toCommitted: sessions.flatMap((one) => between(pluggedAt.get(one.bay), one.committed_at)),
    lastByteToSafe: sessions.flatMap((one) => between(one.last_byte_at, one.released_at)),
  }
}

/**
 * How even the cameras are while all of them are being copied: of the look at which that much of all bytes was through, the fewest bytes
 * of a camera against the most. Null where no look fell there.
 */
export function evenness(looks: readonly Look[], cameras: number, part: number) {
  for (const { tiles } of looks) {
    const all = tiles.reduce((sum, { Bytes }) => sum + Bytes, 0)
    const done = tiles.map(({ BytesDone }) => BytesDone)
    const through = done.reduce((sum, bytes) => sum + bytes, 0)
    if (tiles.length < cameras || all === 0 || through < all * part) continue
    const mean = through / done.length
    return {
      through: round(through / all),
      leastMiB: round(Math.min(...done) / 2 ** 20, 10),
      mostMiB: round(Math.max(...done) / 2 ** 20, 10),
      apartOfMean: round((Math.max(...done) - Math.min(...done)) / mean),
    }
  }
  return null
}

/** By how much the wall's *time left* was wrong, as a part of what was really left until the last byte, less than nothing where it said too little. The last five seconds do not count. */
export function timeLeftErrors(looks: readonly Look[], sessions: readonly SessionTimes[]): number[] {
  const ends = new Map(sessions.map((one) => [String(one.session_id), one.last_byte_at]))
  return looks.flatMap(({ at, tiles }) =>
    tiles.flatMap(({ DockSessionId, SecondsLeft }) => {
      const end = ends.get(DockSessionId) ?? null
      if (SecondsLeft === null || end === null) return []
      const left = (end - at) / 1000
      return left < 5 ? [] : [(SecondsLeft - left) / left]
    }),
  )
}

const WINDOW_MS = 10_000

/**
 * The same errors of another reckoning, on the same looks: all that is left on any camera until this one has nothing left, by what went
 * through on all cameras together in the last ten seconds. Lanes are dealt evenly, so that this is when it is through if no other comes.
 */
export function sharedErrors(looks: readonly Look[], sessions: readonly SessionTimes[]): number[] {
  const ends = new Map(sessions.map((one) => [String(one.session_id), one.last_byte_at]))
  let first = 0
  return looks.flatMap(({ at, tiles }) => {
    while ((looks[first] as Look).at < at - WINDOW_MS) first++
    const then = looks[first] as Look
    const before = new Map(then.tiles.map(({ DockSessionId, BytesDone }) => [DockSessionId, BytesDone]))
    const moved = tiles.reduce((sum, one) => sum + one.BytesDone - (before.get(one.DockSessionId) ?? one.BytesDone), 0)
    const pace = moved / ((at - then.at) / 1000)
    if (!(pace > 0) || at - then.at < 1000) return []
    const copying = tiles.filter(({ State }) => State === 'copying')
    return copying.flatMap(({ DockSessionId, Bytes, BytesDone }) => {
      const end = ends.get(DockSessionId) ?? null
      const left = end === null ? 0 : (end - at) / 1000
      if (left < 5) return []
      const own = Bytes - BytesDone
      const untilThen = copying.reduce((sum, one) => sum + Math.min(own, one.Bytes - one.BytesDone), 0)
      return [(untilThen / pace - left) / left]
    })
  })
}

/** Seconds for which the wall said of a camera that it waits for others, by camera. */
export function waited(looks: readonly Look[]): Map<string, number> {
  const seconds = new Map<string, number>()
  looks.forEach(({ at, tiles }, index) => {
    const next = looks[index + 1]
    if (next === undefined) return
    for (const { Bay, Waiting } of tiles) if (Waiting) seconds.set(Bay, (seconds.get(Bay) ?? 0) + (next.at - at) / 1000)
  })
  return seconds
}

/** Pairs of which the one that came later was through earlier. */
export function overtaken(sessions: readonly SessionTimes[], pluggedAt: ReadonlyMap<string, number>) {
  const done = sessions
    .flatMap(({ bay, committed_at }) =>
      committed_at === null ? [] : [{ came: pluggedAt.get(bay) ?? 0, went: committed_at }],
    )
    .sort((a, b) => a.came - b.came)
  let pairs = 0
  done.forEach((one, index) => {
    for (const later of done.slice(index + 1)) if (later.went < one.went) pairs++
  })
  return { pairs, of: (done.length * (done.length - 1)) / 2 }
}
