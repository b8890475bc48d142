/**
 * Jobs of other nodes for the listeners of this one (docs/decisions/0024). A transaction that changes a job tells its id to all nodes; whoever
 * has listeners reads the row. How far a run is stands in its row at most once a second.
 */
import type { Log } from '../../platform/log/log.ts'
import type { Database, Tx } from '../database/database.ts'
import { type JobRow, jobsWithIds, runningJobs, tellNodes, writeProgress } from './jobs.store.ts'

/** What comes within this time is read together. */
const GATHER_MS = 200
/** Between two writings of how far the runs of this node are. */
export const PROGRESS_EVERY_MS = 1000
/** In one text: a notification of PostgreSQL has at most 8,000 bytes. */
const MOST_IDS = 400
const KIND = 'jobs'
/** In place of a node: this one has not told its own listeners. */
const NOBODY = '-'

/** @param teller the node that told its own listeners already; null: none did */
export async function tellOfJobs(tx: Tx, teller: string | null, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += MOST_IDS)
    await tellNodes(tx, `${KIND} ${teller ?? NOBODY} ${ids.slice(from, from + MOST_IDS).join(',')}`)
}

interface Hearing {
  readonly db: Pick<Database, 'read' | 'onTold'>
  readonly log: Log
  /** This node. */
  readonly node: string
  /** Without listeners nothing is read. */
  readonly isWatched: () => boolean
  readonly onChanged: (row: JobRow) => void
}

/** Tells the listeners of this node what other nodes tell of jobs. */
export function hearOfJobs({ db, log, node, isWatched, onChanged }: Hearing): void {
  const told = new Set<number>()
  /** Jobs that run elsewhere as far as listeners know. */
  const elsewhere = new Set<number>()
  let missed = false
  let soon = false
  const look = async (): Promise<void> => {
    soon = false
    const ids = new Set(told)
    told.clear()
    const all = missed
    missed = false
    if (!isWatched()) return elsewhere.clear()
    if (all) for (const id of [...elsewhere, ...(await runningJobs(db.read))]) ids.add(id)
    if (ids.size === 0) return
    for (const row of await jobsWithIds(db.read, ids)) {
      if (row.state === 'running' && row.node_id !== node) elsewhere.add(row.job_id)
      else elsewhere.delete(row.job_id)
      onChanged(row)
    }
  }
  db.onTold((text) => {
    const [kind, teller, ids = ''] = text?.split(' ') ?? [KIND]
    if (kind !== KIND || teller === node) return
    if (text === null) missed = true
    else for (const id of ids.split(',')) told.add(Number(id))
    if (soon) return
    soon = true
    setTimeout(() => {
      look().catch((error: unknown) => {
        missed = true
        log.warn({ err: error }, 'jobs of other nodes could not be read')
      })
    }, GATHER_MS).unref()
  })
}

interface Run {
  readonly row: Pick<JobRow, 'job_id' | 'run_number'>
  readonly progress: number | null
  readonly message: string
}

interface Writing {
  readonly db: Pick<Database, 'transaction'>
  readonly log: Log
  readonly node: string
  /** Whether this run is still under way here. */
  readonly isRunning: (run: Run) => boolean
}

/** Writes how far the runs of this node are, all that changed in one transaction. */
export function progressWriter({ db, log, node, isRunning }: Writing) {
  const changed = new Set<Run>()
  let timer: NodeJS.Timeout | null = null
  const write = async (): Promise<void> => {
    timer = null
    const runs = [...changed].filter(isRunning)
    changed.clear()
    if (runs.length === 0) return
    await db.transaction(async (tx) => {
      for (const run of runs) await writeProgress(tx, run.row, run)
      await tellOfJobs(
        tx,
        node,
        runs.map(({ row }) => row.job_id),
      )
    })
  }
  return {
    changed: (run: Run): void => {
      changed.add(run)
      timer ??= setTimeout(() => {
        write().catch((error: unknown) => log.warn({ err: error }, 'how far jobs are could not be written'))
      }, PROGRESS_EVERY_MS).unref()
    },
    stop: (): void => {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}
