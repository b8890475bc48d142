/** Units of work for units.test.ts and test/database/statements-at-once.test.ts; the database's thread loads this module. */
import { sql } from 'kysely'
import { Fault } from '../../shared/kernel/errors.ts'
import type { Tx } from '../../server/kernel/database/database.ts'
import { does, listUnits, unit, type UnitList } from '../../server/kernel/database/units.ts'
import { createLedgerWriter } from '../../server/kernel/ledger/ledger-writer.ts'
import { ledgerUnits } from '../../server/kernel/ledger/ledger.units.ts'
import type { Clock } from '../../server/platform/clock/clock.ts'

/** Writes a row under this key and gives how many there are. */
export const writeUnit = unit<string, number>('test.write')
/** Writes a row, then refuses. */
export const refuseUnit = unit<string, never>('test.refuse')
/** Writes a row and ends the transaction, as SQLite does by itself when a disk fails. */
export const endUnit = unit<string, null>('test.end')
/** Sends statements at once, the first of which fails. */
export const atOnceUnit = unit<string, null>('test.atOnce')
/** Writes a row where it gets a key, and goes on when a later statement fails as if nothing had happened. */
export const swallowUnit = unit<string, null>('test.swallow')
/** Takes fifteen milliseconds of its thread, then writes a row. */
export const slowUnit = unit<string, null>('test.slow')
/** Keeps its transaction, and uses the one that the unit before it kept. */
export const keepUnit = unit<string, string>('test.keep')
export const timeUnit = unit<null, number>('test.time')
/** Changes a row that the ledger covers, and writes no entry. */
export const coveredUnit = unit<string, null>('test.covered')

const write = (tx: Tx, key: string) =>
  tx
    .insertInto('idempotency')
    .values({
      principal: 'test',
      operation: 'test',
      idempotency_key: key,
      body_hash: '',
      status: 200,
      answer: '',
      created_at: 0,
    })
    .execute()

/** As a unit that reads several facts in parallel, with a fault in one of them. */
export async function writeAtOnce(tx: Tx, key: string): Promise<void> {
  const failing = sql`SELECT 1 FROM nowhere`.execute(tx)
  await Promise.all([failing, ...['1', '2', '3'].map((one) => write(tx, `${key}${one}`))])
}

export function createUnits(clock: Clock): UnitList {
  const ledger = createLedgerWriter({ clock })
  let kept: Tx | null = null
  const bodies = listUnits(
    ...ledgerUnits(ledger),
    does(writeUnit, async (tx, key) => {
      await write(tx, key)
      const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM idempotency`.execute(tx)
      return rows[0]?.n ?? 0
    }),
    does(refuseUnit, async (tx, key): Promise<never> => {
      await write(tx, key)
      throw new Fault('Forbidden', 'The test refuses.', {
        reason: 'TestReason',
        details: [{ Path: 'A', Message: 'is wrong' }],
        headers: { 'X-Test': 'yes' },
        retryAfter: 3,
      })
    }),
    does(slowUnit, async (tx, key) => {
      for (const until = performance.now() + 15; performance.now() < until; );
      await write(tx, key)
      return null
    }),
    does(endUnit, async (tx, key) => {
      await write(tx, key)
      await sql`ROLLBACK`.execute(tx)
      return null
    }),
    does(keepUnit, async (tx, key) => {
      const before = kept
      kept = tx
      if (before === null) return 'kept'
      return write(before, key).then(
        () => 'written',
        (error: Error) => error.message,
      )
    }),
    does(atOnceUnit, async (tx, key) => {
      await writeAtOnce(tx, key)
      return null
    }),
    does(swallowUnit, async (tx, key) => {
      if (key !== '') await write(tx, key)
      await sql`SELECT 1 FROM nowhere`.execute(tx).catch(() => {})
      return null
    }),
    does(timeUnit, async () => clock.now()),
    does(coveredUnit, async (tx, name) => {
      await tx.insertInto('tenants').values({ tenant_id: name, name_key: name, created_utc: '' }).execute()
      return null
    }),
  )
  return { bodies, beforeEnd: ledger.stateRemainingChanges, chainEntries: ledger.chainEntries }
}
