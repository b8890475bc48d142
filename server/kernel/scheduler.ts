import type { Log } from '../platform/log/log.ts'

/** Something the station does by itself from time to time. */
export interface Task {
  readonly name: string
  readonly everyMs: number
  readonly run: () => Promise<unknown>
}

export interface Scheduler {
  /** Resolves when what runs has ended. */
  stop(): Promise<void>
}

/** Each task in turn with itself, never two of the same at once; a failing one is logged and tried again at its next time. */
export function startTasks(tasks: readonly Task[], log: Log): Scheduler {
  let stopping = false
  const running = new Set<Promise<unknown>>()
  const timers = tasks.map((task) => {
    let busy = false
    return setInterval(() => {
      if (busy || stopping) return
      busy = true
      const work = task
        .run()
        .catch((error: unknown) => log.error({ err: error, task: task.name }, 'a task failed'))
        .finally(() => {
          busy = false
          running.delete(work)
        })
      running.add(work)
    }, task.everyMs).unref()
  })
  return {
    stop: async () => {
      stopping = true
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running)
    },
  }
}
