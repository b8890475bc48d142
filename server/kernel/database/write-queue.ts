/**
 * The queue of transactions for the one writer. Requests go before background work, so that people do not wait for the many transactions
 * of cameras.
 */

export type WritePriority = 'request' | 'background'

export interface WriteQueue {
  /** Runs `work` alone. Work of the same priority runs in the order of the calls. @throws the error of `work` */
  run<T>(rank: WritePriority, work: () => Promise<T>): Promise<T>
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>
}

/** Requests that may run in a row before waiting background work, which so gets a ninth of the turns under any load. */
export const MOST_BEFORE_BACKGROUND = 8

/**
 * Requests go first, since people wait for them. A request waits for one background transaction at most: the running one.
 */
export function createWriteQueue(): WriteQueue {
  const waiting: Readonly<Record<WritePriority, (() => void)[]>> = { request: [], background: [] }
  const idleWaiters: (() => void)[] = []
  let busy = false
  let passedOver = 0

  const nextPriority = (): WritePriority => {
    if (waiting.request.length === 0) return 'background'
    if (waiting.background.length === 0) return 'request'
    return passedOver < MOST_BEFORE_BACKGROUND ? 'request' : 'background'
  }
  /** Passes the turn to the next in the queue directly, so that no later call can take it in between. */
  const startNext = (): void => {
    const rank = nextPriority()
    passedOver = rank === 'request' && waiting.background.length > 0 ? passedOver + 1 : 0
    const next = waiting[rank].shift()
    if (next !== undefined) return next()
    busy = false
    for (const rested of idleWaiters.splice(0)) rested()
  }

  return {
    run: async (rank, work) => {
      if (busy) await new Promise<void>((resolve) => waiting[rank].push(resolve))
      busy = true
      try {
        return await work()
      } finally {
        startNext()
      }
    },
    idle: async () => {
      if (busy) await new Promise<void>((resolve) => idleWaiters.push(resolve))
    },
  }
}
