/** Puts evidence of a running station into the queue of disposition now, instead of in the quarter minute that it takes by itself. */
import { randomUUID } from 'node:crypto'
import { createLedger } from '../../../server/kernel/ledger/ledger.ts'
import { openTestDatabase } from '../../support/rows.ts'
import { createItems } from '../../../server/features/retention/disposition/items.ts'
import { systemClock } from '../../../server/platform/clock/clock.ts'
import { createLog } from '../../../server/platform/log/log.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import type { Given, Json } from '../../support/given.ts'

const LONG_AGO = '2020-01-01T00:00:00.000Z'

/**
 * As if it had come in long ago; its category has to say for how long it is kept.
 * @returns the items that they are in
 */
export async function makeDue(given: Given, evidenceIds: readonly string[]): Promise<string[]> {
  const db = await openTestDatabase({ file: given.file })
  const ids = evidenceIds.map(Number)
  const items = createItems({
    ledger: createLedger({ db, clock: systemClock, log: createLog('silent') }),
    clock: systemClock,
    times: { coolingMs: 1, binDays: 7, settleDays: 14 },
  })
  try {
    await db.transaction(async (tx) => {
      await tx.updateTable('evidence').set({ created_utc: LONG_AGO }).where('evidence_id', 'in', ids).execute()
      await items.sort(tx, { actor: INTERNAL, source: 'station', correlationId: randomUUID() }, ids)
    })
    const rows = await db.read
      .selectFrom('disposition_files')
      .select('item_id')
      .distinct()
      .where('evidence_id', 'in', ids)
      .where('state', '=', 'in')
      .orderBy('item_id')
      .execute()
    return rows.map((row) => String(row.item_id))
  } finally {
    await db.close()
  }
}

/** A category of so many days, made by an administrator. */
export const categoryOf = (given: Given, token: string, RetentionDays: number): Promise<Json> =>
  given.expecting(
    201,
    given.call('POST', '/api/v1/category/station', { token, body: { Name: `Kept ${randomUUID()}`, RetentionDays } }),
  )
