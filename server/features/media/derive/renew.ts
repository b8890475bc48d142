import type { Database } from '../../../kernel/database/database.ts'
import type { JobQueue } from '../../../kernel/jobs/queue.ts'
import { FACTS_VERSION } from '../../../kernel/evidence/model.ts'
import { inspectJob } from '../../../kernel/evidence/derivation-jobs.ts'
import { originalsAfter, rememberRenewed, renewedTo } from '../../../kernel/evidence/views.store.ts'

/** Looked at again at a time, so that what comes in today never waits long behind yesterday's. */
const AT_ONCE = 8
const ROWS = 500

export interface Renewal {
  /** One round: nothing while any other job is queued or runs. @returns how many originals it enqueued */
  run(): Promise<number>
}

/**
 * Brings the evidence of an older station up to date: originals whose facts are of an earlier version are inspected again, which makes
 * what was not made then. The end is remembered, so that the next start does not look for anything.
 */
export function createRenewal({
  db,
  jobs,
}: {
  db: Database
  jobs: Pick<JobQueue, 'enqueue' | 'kick' | 'list'>
}): Renewal {
  let after = 0
  let finished: boolean | null = null
  return {
    run: async () => {
      finished ??= (await renewedTo(db.read)) >= FACTS_VERSION
      if (finished || (await jobs.list({ states: ['queued', 'running'], count: 1 })).length > 0) return 0
      const due: number[] = []
      let more = true
      while (more && due.length < AT_ONCE) {
        const rows = await originalsAfter(db.read, after, ROWS)
        more = rows.length === ROWS
        for (const row of rows) {
          if (due.length === AT_ONCE) {
            more = true
            break
          }
          after = row.resource_id
          const looked = row.role === 'original' && row.state === 'UserCompleted' && row.sniffed_type !== null
          if (looked && row.version < FACTS_VERSION) due.push(row.resource_id)
        }
        // Reads are synchronous: others get their turn between stretches.
        await new Promise((resolve) => setImmediate(resolve))
      }
      const last = !more
      await db.transaction(async (tx) => {
        for (const id of due) await jobs.enqueue(tx, inspectJob(id))
        if (last) await rememberRenewed(tx, FACTS_VERSION)
      })
      finished = last
      if (due.length > 0) jobs.kick()
      return due.length
    },
  }
}
