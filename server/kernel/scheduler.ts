import type { Database } from './database/database.ts'
import type { Log } from '../platform/log/log.ts'

/** Periodic work of the station. */
export interface Task {
  readonly name: string
  readonly everyMs: number
  /**
   * Its work comes from changed rows alone: it runs `everyMs` after a commit that changed rows, and otherwise once a minute, in case a
   * commit was missed. A station where nothing happens does not look every half second whether something did.
   */
  readonly afterChanges?: boolean
  readonly run: () => Promise<unknown>
}

export interface Scheduler {
  /** Resolves when the running tasks have ended. */
  stop(): Promise<void>
}

const SAFETY_NET_MS = 60_000

/**
 * Starts the tasks. A task never runs twice at the same time. A failure is logged, and the task runs again at its next time.
 * @param db announces commits that changed rows
 */
export function startTasks(tasks: readonly Task[], log: Log, db: Pick<Database, 'onRowsChanged'>): Scheduler {
  let stopping = false
  const running = new Set<Promise<unknown>>()
  const timers: NodeJS.Timeout[] = []
  const runnerOf = (task: Task): (() => boolean) => {
    let busy = false
    return () => {
      if (busy || stopping) return false
      busy = true
      const work = task
        .run()
        .catch((error: unknown) => log.error({ err: error, task: task.name }, 'a task failed'))
        .finally(() => {
          busy = false
          running.delete(work)
        })
      running.add(work)
      return true
    }
  }
  const everySoOften = (run: () => boolean, millis: number): void => void timers.push(setInterval(run, millis).unref())
  for (const task of tasks) {
    const run = runnerOf(task)
    everySoOften(run, task.afterChanges === true ? SAFETY_NET_MS : task.everyMs)
    if (task.afterChanges === true) runAfterChanges(task, run)
  }

  /** What changes while the task runs may be missed by it: then it runs once more. */
  function runAfterChanges({ everyMs }: Task, run: () => boolean): void {
    let waiting = false
    const runSoon = (): void => {
      if (waiting || stopping) return
      waiting = true
      setTimeout(() => {
        waiting = false
        if (!run()) runSoon()
      }, everyMs).unref()
    }
    // What changed before the station's last end.
    runSoon()
    db.onRowsChanged(runSoon)
  }

  return {
    stop: async () => {
      stopping = true
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running)
    },
  }
}
