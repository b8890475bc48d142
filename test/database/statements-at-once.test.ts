/**
 * Statements of one transaction that come at once, of which one fails: the others are on their way when the work is over. On either database
 * nothing of them stays, and the writer goes on.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import path from 'node:path'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../server/kernel/database/database.ts'
import { openPostgres } from '../../server/kernel/database/postgres/database.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/station.ts'
import { atOnceUnit, writeAtOnce, writeUnit } from '../store/test-units.ts'

const UNITS = new URL('../store/test-units.ts', import.meta.url)
const missing = await postgresMissing()

describe.each(['sqlite', 'postgres'] as const)('B1 statements at once on %s', (dialect) => {
  let server: PostgresServer | null = null
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let db: Database
  const skips = dialect === 'postgres' && missing !== null
  beforeAll(async () => {
    folder = await temporaryFolder('at-once')
    if (skips) return
    if (dialect === 'sqlite') db = await openDatabase({ file: path.join(folder.dir, 'a.db'), units: UNITS })
    else {
      server = await startPostgres()
      db = await openPostgres({ url: await server.create('at_once'), units: UNITS })
    }
  }, 120_000)
  beforeEach(({ skip }) => skip(skips, missing ?? ''))
  afterAll(async () => {
    await db?.close()
    await server?.stop()
    await folder.dispose()
  })
  const keys = async (): Promise<string[]> =>
    (await db.read.selectFrom('idempotency').select('idempotency_key').orderBy('idempotency_key').execute()).map(
      (row) => row.idempotency_key,
    )

  it('nothing stays of a unit with a statement that failed, and units beside it are done', async () => {
    const before = await keys()
    const outcomes = await Promise.allSettled([
      db.run(writeUnit, 'before', Date.now),
      db.run(atOnceUnit, 'failed', Date.now),
      db.run(writeUnit, 'after', Date.now),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((outcomes[1] as PromiseRejectedResult).reason.message).toContain('nowhere')
    expect(await keys()).toEqual([...before, 'after', 'before'].toSorted())
  })

  it('nothing stays of a transaction with a statement that failed', async () => {
    const before = await keys()
    await expect(db.transaction((tx) => writeAtOnce(tx, 'lost'))).rejects.toThrow('nowhere')
    await db.transaction((tx) => sql`SELECT 1`.execute(tx))
    expect(await keys()).toEqual(before)
  })

  it('nothing is among no values, and everything is not among them', async () => {
    await db.run(writeUnit, 'there', Date.now)
    const rows = (operator: 'in' | 'not in') =>
      db.read
        .selectFrom('idempotency')
        .select('idempotency_key')
        .where('idempotency_key', '=', 'there')
        .where('status', operator, [])
        .execute()
    expect([await rows('in'), await rows('not in')]).toEqual([[], [{ idempotency_key: 'there' }]])
  })

  it('whoever closes it again finds it closed', async () => {
    await db.close()
    await db.close()
  })
})
