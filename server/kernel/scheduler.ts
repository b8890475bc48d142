import type { Database } from './database/database.ts'
import type { Log } from '../platform/log/log.ts'
import type { TaskLease } from './task-lease.ts'

/** Periodic work of the station. */
export interface Task {
  readonly name: string
  readonly everyMs: number
  /**
   * Where several nodes share a database. `one node`: what the task looks after belongs to all of them, such as rows and the blobs of a
   * common store. `every node`: it looks after this process or machine.
   */
  readonly runsOn: 'one node' | 'every node'
  /**
   * Its work comes from changed rows alone: it runs `everyMs` after a commit that changed rows, and otherwise once a minute, in case a
   * commit was missed. A station where nothing happens does not look every half second whether something did.
   */
  readonly afterChanges?: boolean
  /** @param signal aborted when another node runs the tasks now; for tasks that take long */
  readonly run: (signal: AbortSignal) => Promise<unknown>
}

export interface Scheduler {
  /** Resolves when the running tasks have ended. */
  stop(): Promise<void>
}

const SAFETY_NET_MS = 60_000
/** From this interval on the database knows when a task ran last, and nodes look this often whether it is due. */
const RECORDED_FROM_MS = 60_000
const NEVER = new AbortController().signal

/**
 * Starts the tasks. A task never runs twice at the same time. A failure is logged, and the task runs again at its next time.
 * @param db announces commits that changed rows @param lease null on a station, whose only node runs every task
 */
export function startTasks(
  tasks: readonly Task[],
  log: Log,
  db: Pick<Database, 'onRowsChanged'>,
  lease: TaskLease | null,
): Scheduler {
  let stopping = false
  const running = new Set<Promise<unknown>>()
  const timers: NodeJS.Timeout[] = []
  const runnerOf = (task: Task): (() => boolean) => {
    let busy = false
    return () => {
      if (busy || stopping) return false
      busy = true
      const work = (lease === null || task.runsOn === 'every node' ? task.run(NEVER) : runOnOneNode(task, lease))
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
    const everyMs = isRecorded(task, lease) ? RECORDED_FROM_MS : task.everyMs
    everySoOften(run, task.afterChanges === true ? SAFETY_NET_MS : everyMs)
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

const isRecorded = ({ runsOn, everyMs }: Task, lease: TaskLease | null): boolean =>
  lease !== null && runsOn === 'one node' && everyMs >= RECORDED_FROM_MS

async function runOnOneNode(task: Task, lease: TaskLease): Promise<unknown> {
  if (!lease.isHeld()) return
  if (isRecorded(task, lease) && !(await lease.beginRun(task.name, task.everyMs))) return
  return task.run(lease.signal())
}
