import { AsyncLocalStorage } from 'node:async_hooks'

/** Too many entries wait for the disk. The caller answers 503 and the client tries again. */
export class LedgerBusy extends Error {
  override readonly name = 'LedgerBusy'
}

export interface GroupCommit<Item, Result> {
  add(item: Item): Promise<Result>
  /** Resolves when nothing waits any more; further items are refused. */
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
 * Many items, one transaction. No timer holds an item back: whatever has come by the time the writer is free goes with it, so a lone
 * item waits for nothing but its own commit, and under load the groups grow with the time that a commit takes.
 * @param commit opens the transaction, calls `take` once inside it, and gives one result for each item taken, in order.
 */
export function groupCommit<Item, Result>(
  commit: (take: () => Item[]) => Promise<Result[]>,
  { mostWaiting = MOST_WAITING, mostAtOnce = MOST_AT_ONCE } = {},
): GroupCommit<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let running: Promise<void> | null = null
  let stopped = false
  // The group belongs to nobody in particular: it must not inherit the transaction in which somebody happened to add the first item.
  const outside = AsyncLocalStorage.snapshot()

  const one = async (): Promise<void> => {
    let taken: Waiting<Item, Result>[] | null = null
    const take = (): Item[] => {
      taken = waiting.slice(0, mostAtOnce)
      waiting = waiting.slice(mostAtOnce)
      return taken.map(({ item }) => item)
    }
    const settle = (how: (one: Waiting<Item, Result>, index: number) => void): void => {
      // A transaction that never began took nothing: then everybody who waited learns of it.
      const concerned = taken ?? waiting
      if (taken === null) waiting = []
      concerned.forEach(how)
    }
    try {
      const results = await commit(take)
      settle((one, index) => one.resolve(results[index] as Result))
    } catch (error) {
      settle((one) => one.reject(error))
    }
  }
  const run = async (): Promise<void> => {
    // What is asked for in the same turn of the event loop belongs together.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      await one()
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
        running ??= outside(run)
      }),
    stop: async () => {
      stopped = true
      await running
    },
  }
}
