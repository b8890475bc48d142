/** How fast each camera is being copied, by what the wall saw in the last seconds. An estimate, and nothing is decided by it. */
export interface Paces {
  /** Bytes a second; null until it can be told. */
  of(sessionId: number, bytesDone: number): number | null
  /** Keeps only these. */
  forget(sessions: readonly number[]): void
}

const WINDOW_MS = 10_000
const LEAST_MS = 900

/** @param ticks monotonic milliseconds */
export function createPaces(ticks: () => number): Paces {
  const seen = new Map<number, { readonly at: number; readonly bytes: number }[]>()
  return {
    of: (sessionId, bytes) => {
      const at = ticks()
      const points = (seen.get(sessionId) ?? []).filter((point) => at - point.at <= WINDOW_MS && point.bytes <= bytes)
      if (points.length === 0 || at - (points.at(-1)?.at ?? 0) > 200) points.push({ at, bytes })
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
