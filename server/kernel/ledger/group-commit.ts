import { AsyncLocalStorage } from 'node:async_hooks'

/** Too many entries wait for the disk. The request is answered 503, and the client tries again. */
export class LedgerBusy extends Error {
  override readonly name = 'LedgerBusy'
}

export interface GroupCommit<Item, Result> {
  add(item: Item): Promise<Result>
  /** Refuses further items; resolves when all others are committed. */
  stop(): Promise<void>
}

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

const MOST_WAITING = 20_000
const MOST_AT_ONCE = 1000

/**
 * Commits many items in one transaction. No timer delays an item: when the writer is free, all waiting items form the next group. A single
 * item waits only for its own commit, and under load groups grow with the duration of a commit.
 * @param commit opens the transaction, calls `take` once inside it, and returns one result for each taken item, in order
 */
export function groupCommit<Item, Result>(
  commit: (take: () => Item[]) => Promise<Result[]>,
  { mostWaiting = MOST_WAITING, mostAtOnce = MOST_AT_ONCE } = {},
): GroupCommit<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let running: Promise<void> | null = null
  let stopped = false
  // The group must not inherit the transaction in which its first item happened to be added.
  const outside = AsyncLocalStorage.snapshot()

  const commitGroup = async (): Promise<void> => {
    let taken: Waiting<Item, Result>[] | null = null
    const take = (): Item[] => {
      taken = waiting.slice(0, mostAtOnce)
      waiting = waiting.slice(mostAtOnce)
      return taken.map(({ item }) => item)
    }
    const settleEach = (settle: (waiter: Waiting<Item, Result>, index: number) => void): void => {
      // A transaction that did not begin took no items. Then all waiting items fail.
      const group = taken ?? waiting
      if (taken === null) waiting = []
      group.forEach(settle)
    }
    try {
      const results = await commit(take)
      settleEach((waiter, index) => waiter.resolve(results[index] as Result))
    } catch (error) {
      settleEach((waiter) => waiter.reject(error))
    }
  }
  const commitAll = async (): Promise<void> => {
    // Items of the same turn of the event loop go into one group.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      await commitGroup()
    }
    running = null
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(new Error('The ledger is closed'))
        if (waiting.length >= mostWaiting)
          return reject(new LedgerBusy(`${waiting.length} entries wait for the disk; try again later`))
        waiting.push({ item, resolve, reject })
        running ??= outside(commitAll)
      }),
    stop: async () => {
      stopped = true
      await running
    },
  }
}
