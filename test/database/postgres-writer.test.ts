/**
 * The connection to PostgreSQL that writes, when a statement fails or is cancelled: what is answered as done is there, and the writer goes on.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import pg from 'pg'
import { openPostgres, type PostgresDatabase } from '../../server/kernel/database/postgres/database.ts'
import { WRITE_LOCK } from '../../server/kernel/database/postgres/writer.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { swallowUnit, writeUnit } from '../store/test-units.ts'

let server: PostgresServer
let db: PostgresDatabase
let other: pg.Client
const missing = await postgresMissing()
beforeAll(async () => {
  if (missing !== null) return
  server = await startPostgres()
  const url = await server.create('writer')
  db = await openPostgres({ url, units: new URL('../store/test-units.ts', import.meta.url) })
  other = new pg.Client({ connectionString: url })
  await other.connect()
}, 240_000)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterAll(async () => {
  await other?.end()
  await db?.close()
  await server?.stop()
})

const keys = async (): Promise<string[]> =>
  (await other.query<{ key: string }>('SELECT idempotency_key AS key FROM idempotency ORDER BY 1')).rows.map(
    ({ key }) => key,
  )

describe('the connection to PostgreSQL that writes', () => {
  it('B8 what every transaction says is prepared once a connection', async () => {
    await db.run(writeUnit, 'prepared', Date.now)
    const { rows } = await db.transaction((tx) =>
      sql<{
        statement: string
        runs: number
      }>`SELECT statement, generic_plans + custom_plans AS runs FROM pg_prepared_statements`.execute(tx),
    )
    for (const words of ['pg_advisory_xact_lock', 'INSERT INTO outcomes', 'FROM changes', 'UPDATE changes'])
      expect(
        rows.filter(({ statement }) => statement.includes(words)),
        words,
      ).toHaveLength(1)
    await other.query('DELETE FROM idempotency')
  })

  it('D7 a unit that goes on after a statement failed is undone, in the middle of a group and at its end', async () => {
    const all = Array.from({ length: 40 }, (_, at) => at)
    const isUndone = (at: number): boolean => at % 3 === 1
    // Some change rows, whose statement in the ledger fails too; others only read.
    const names = all.map((at) => (at % 6 === 1 ? '' : `unit ${at}`))
    const outcomes = await Promise.allSettled(
      all.map((at) => db.run(isUndone(at) ? swallowUnit : writeUnit, names[at] as string, Date.now)),
    )
    expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(all.map(isUndone))
    await expect(db.run(swallowUnit, 'alone', Date.now)).rejects.toThrow('aborted')
    expect(await keys()).toEqual(names.filter((_, at) => !isUndone(at)).toSorted())
    await other.query('DELETE FROM idempotency')
  })

  it('D1 a transaction that goes on after a statement failed is not answered as done, also when it changed no row', async () => {
    const swallowing = db.transaction(async (tx) => {
      await sql`SELECT 1 FROM nowhere`.execute(tx).catch(() => {})
      return 'done'
    })
    await expect(swallowing).rejects.toThrow('rolled back')
    expect(await db.transaction((tx) => sql`SELECT 1`.execute(tx).then(() => 'next'))).toBe('next')
  })

  it('D1 what was cancelled while it waited for the lock left nothing, and the next transaction is taken', async () => {
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${WRITE_LOCK})`)
    const waiting = db.run(writeUnit, 'cancelled', Date.now).then(
      () => 'written',
      (error: Error) => error.message,
    )
    for (let cancelled = 0; cancelled === 0; await new Promise((resolve) => setTimeout(resolve, 50)))
      cancelled = (
        await other.query(
          `SELECT pg_cancel_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = ${WRITE_LOCK} AND NOT granted`,
        )
      ).rows.length
    await other.query('COMMIT')
    expect(await waiting).toContain('cancel')
    await db.run(writeUnit, 'next', Date.now)
    expect(await keys()).toEqual(['next'])
  })
})
