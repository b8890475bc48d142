import type { Log } from '../platform/log/log.ts'

/** Periodic work of the station. */
export interface Task {
  readonly name: string
  readonly everyMs: number
  readonly run: () => Promise<unknown>
}

export interface Scheduler {
  /** Resolves when the running tasks have ended. */
  stop(): Promise<void>
}

/** Starts the tasks. A task never runs twice at the same time. A failure is logged, and the task runs again at its next time. */
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
