/** Who writes next. There is one writer, and a camera's forty statements must not stand before somebody's page forty times over. */

export type Rank = 'request' | 'background'

export interface Turns {
  /** Works when nobody else does, in order of coming within a rank. Whatever `work` throws is the caller's. */
  take<T>(rank: Rank, work: () => Promise<T>): Promise<T>
  /** Nobody works and nobody waits. */
  idle(): Promise<void>
}

/** Requests that may go, one after the other, before background work that waits; under any load it gets its ninth of the turns. */
export const MOST_BEFORE_BACKGROUND = 8

/**
 * Requests first, for a person waits for them. They find at most one piece of background work in their way: the one that is under way.
 */
export function createTurns(): Turns {
  const waiting: Readonly<Record<Rank, (() => void)[]>> = { request: [], background: [] }
  const resting: (() => void)[] = []
  let busy = false
  let passedOver = 0

  const nextRank = (): Rank => {
    if (waiting.request.length === 0) return 'background'
    if (waiting.background.length === 0) return 'request'
    return passedOver < MOST_BEFORE_BACKGROUND ? 'request' : 'background'
  }
  /** The turn goes from hand to hand, so that nobody slips in between. */
  const pass = (): void => {
    const rank = nextRank()
    passedOver = rank === 'request' && waiting.background.length > 0 ? passedOver + 1 : 0
    const next = waiting[rank].shift()
    if (next !== undefined) return next()
    busy = false
    for (const rested of resting.splice(0)) rested()
  }

  return {
    take: async (rank, work) => {
      if (busy) await new Promise<void>((resolve) => waiting[rank].push(resolve))
      busy = true
      try {
        return await work()
      } finally {
        pass()
      }
    },
    idle: async () => {
      if (busy) await new Promise<void>((resolve) => resting.push(resolve))
    },
  }
}
