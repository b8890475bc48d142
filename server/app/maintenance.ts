import type { Log } from '../platform/log/log.ts'

/** Something the station does by itself from time to time. */
export interface Chore {
  readonly name: string
  readonly everyMs: number
  readonly run: () => Promise<unknown>
}

export interface Maintenance {
  /** Resolves when what runs has ended. */
  stop(): Promise<void>
}

/** Each chore in turn with itself, never two of the same at once; a failing one is logged and tried again at its next time. */
export function startMaintenance(chores: readonly Chore[], log: Log): Maintenance {
  let stopping = false
  const running = new Set<Promise<unknown>>()
  const timers = chores.map((chore) => {
    let busy = false
    return setInterval(() => {
      if (busy || stopping) return
      busy = true
      const work = chore
        .run()
        .catch((error: unknown) => log.error({ err: error, chore: chore.name }, 'a chore failed'))
        .finally(() => {
          busy = false
          running.delete(work)
        })
      running.add(work)
    }, chore.everyMs).unref()
  })
  return {
    stop: async () => {
      stopping = true
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running)
    },
  }
}
