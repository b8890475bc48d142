/** Accounts as they are weeks after a station was set up, for tests that cannot wait: what the station records then is recorded now. */
import { randomUUID } from 'node:crypto'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { INTERNAL } from '../../shared/kernel/principal.ts'
import { openTestDatabase } from './rows.ts'

/** @param file the database @param settled which accounts are their owners' alone; all when not given */
export async function ageAccounts(file: string, settled?: readonly string[]): Promise<void> {
  const db = await openTestDatabase({ file })
  const ledger = createLedger({ db, clock: systemClock, log: createLog('silent') })
  try {
    await db.transaction(async (tx) => {
      await tx.updateTable('memberships').set({ since_at: 0 }).execute()
      await tx.updateTable('policy_members').set({ since_at: 0 }).execute()
      const users = await tx
        .selectFrom('principals')
        .select(['principal_id', 'name'])
        .where('kind', '=', 'user')
        .execute()
      for (const { principal_id: id, name } of users)
        if (settled?.includes(String(id)) !== false)
          await ledger.append(
            tx,
            { actor: INTERNAL, source: 'station', correlationId: randomUUID() },
            { action: 'account.controlEnded', object: { type: 'user', id: String(id), name } },
          )
    })
  } finally {
    await db.close()
  }
}
