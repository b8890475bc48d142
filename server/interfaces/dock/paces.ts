/** How fast each camera is being copied, by what the wall saw lately. An estimate, and nothing is decided by it. */
export interface Paces {
  /** Bytes a second; null until it can be told. */
  of(sessionId: number, bytesDone: number): number | null
  /** Keeps only these. */
  forget(sessions: readonly number[]): void
}

/** Long enough that a camera which waits for its turn between two files does not seem to stand still. */
const WINDOW_MS = 60_000
const APART_MS = 900
const LEAST_MS = 900

/** @param ticks monotonic milliseconds */
export function createPaces(ticks: () => number): Paces {
  const seen = new Map<number, { readonly at: number; readonly bytes: number }[]>()
  return {
    of: (sessionId, bytes) => {
      const at = ticks()
      // Fewer bytes than before: a file is read again, and what was seen until then says nothing.
      const points = (seen.get(sessionId) ?? []).filter((point) => at - point.at <= WINDOW_MS && point.bytes <= bytes)
      const last = points.at(-1)
      if (last === undefined || at - last.at > APART_MS) points.push({ at, bytes })
      seen.set(sessionId, points)
      const first = points[0]
      if (first === undefined || at - first.at < LEAST_MS) return null
      return (bytes - first.bytes) / ((at - first.at) / 1000)
    },
    forget: (sessions) => {
      for (const id of seen.keys()) if (!sessions.includes(id)) seen.delete(id)
    },
  }
}
