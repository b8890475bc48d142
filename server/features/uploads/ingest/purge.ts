import { randomUUID } from 'node:crypto'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { type Records, resourceObject } from '../../../kernel/evidence/records.ts'
import { resourceById } from '../../../kernel/evidence/records.store.ts'

/** What purging needs of the upload protocol, which knows the last activity of an upload; app.ts supplies it. */
export interface StaleUploads {
  purgeable(reading: { wall: number; monotonic: number }): Promise<number[]>
  isPurgeable(tx: Tx, resourceId: number, reading: { wall: number; monotonic: number }): Promise<boolean>
  /** Deletes its rows, in the transaction; `discard` deletes the files. */
  forget(tx: Tx, resourceId: number): Promise<void>
  discard(resourceId: number): Promise<void>
}

interface Deps {
  db: Database
  ledger: Ledger
  records: Records
  uploads: StaleUploads
  clock: Clock
}

/**
 * Only never-completed resources are purged, 24 h after their last acknowledged block, never after a clock jump (decisions 6). The
 * resource ends as `Failed`; its record and the ledger entry stay. @returns how many.
 */
export async function purgeStale({ db, ledger, records, uploads, clock }: Deps): Promise<number> {
  const reading = { wall: clock.now(), monotonic: clock.monotonic() }
  let purged = 0
  for (const resourceId of await uploads.purgeable(reading)) {
    const call: Call = { actor: INTERNAL, source: 'station', correlationId: randomUUID() }
    const isPurged = await db.transaction(async (tx) => {
      const row = await resourceById(tx, resourceId)
      if (row === undefined || row.state !== 'None' || !(await uploads.isPurgeable(tx, resourceId, reading)))
        return false
      const reason = 'Never completed: no block arrived for 24 hours.'
      await uploads.forget(tx, resourceId)
      await records.failResource(tx, call, row, { reason, quarantinePath: null, sha256: null, length: null })
      await ledger.append(tx, call, {
        action: 'upload.purged',
        object: resourceObject(row),
        reason,
        detail: { evidenceId: String(row.evidence_id) },
      })
      return true
    })
    if (!isPurged) continue
    await uploads.discard(resourceId)
    purged += 1
  }
  return purged
}
