import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRightsCache } from '../access/rights-cache.ts'
import { type Database, openDatabase, type Tx } from './database.ts'
import { directConnection, workerConnection } from './sqlite/connections.ts'
import { mayChangeRights, rightsVersion } from './rights-version.ts'

describe('the version of all rights', () => {
  let folder: string
  let db: Database
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-rights-'))
    db = await openDatabase({ file: join(folder, 'a.db') })
    await db.transaction(async (tx) => {
      await sql`INSERT INTO tenants (tenant_id, name_key, created_utc) VALUES ('s', 's', '')`.execute(tx)
      await sql`INSERT INTO principals (tenant_id, kind, name, name_key, k_id, created_utc, created_by) VALUES ('s', 'user', 'a', 'a', 'k', '', '')`.execute(
        tx,
      )
    })
  })
  afterEach(async () => {
    await db.close()
    rmSync(folder, { recursive: true })
  })
  const isEnabled = async (from: Tx): Promise<boolean> =>
    (await from.selectFrom('principals').select('enabled').executeTakeFirstOrThrow()).enabled === 1
  const setEnabled = (tx: Tx, enabled: boolean) =>
    tx
      .updateTable('principals')
      .set({ enabled: enabled ? 1 : 0 })
      .execute()
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  it('changes only with a transaction that may change a right', async () => {
    const before = db.rightsVersion()
    expect(before).not.toBeNull()
    await db.transaction((tx) => tx.insertInto('station').values({ name: 'a', value: '1' }).execute())
    await db.transaction((tx) => isEnabled(tx))
    expect(db.rightsVersion()).toBe(before)
    await db.transaction((tx) => setEnabled(tx, false))
    expect(db.rightsVersion()).not.toBe(before)
  })

  it('is null from the first such statement to the commit or rollback of its transaction', async () => {
    const before = db.rightsVersion()
    const failing = db.transaction(async (tx) => {
      expect(db.rightsVersion()).toBe(before)
      await setEnabled(tx, false)
      expect(db.rightsVersion()).toBeNull()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(db.rightsVersion()).not.toBeNull()
  })

  it('S1, U7: cached answers are not used after a right changed', async () => {
    const cache = createRightsCache<boolean>(db.rightsVersion)
    let asked = 0
    const ask = (from: Tx = db.read) =>
      cache('a', () => {
        asked++
        return isEnabled(from)
      })
    expect([await ask(), await ask(), asked]).toEqual([true, true, 1])
    await db.transaction(async (tx) => {
      await setEnabled(tx, false)
      // Only the transaction itself sees its change.
      expect([await ask(tx), await ask()]).toEqual([false, true])
    })
    expect([await ask(), await ask(), asked]).toEqual([false, false, 4])
  })

  it('S1, U7: answers read during a change are never cached', async () => {
    const cache = createRightsCache<boolean>(db.rightsVersion)
    for (let round = 0; round < 50; round++) {
      const enabled = round % 2 === 0
      let over = false
      const asking = async (): Promise<void> => {
        while (!over) {
          await cache('a', () => isEnabled(db.read))
          await turn()
        }
      }
      const askers = [asking(), asking()]
      await db.transaction((tx) => setEnabled(tx, enabled))
      over = true
      expect(await cache('a', () => isEnabled(db.read))).toBe(enabled)
      await Promise.all(askers)
    }
  })

  it('matches the state that the reads of the same turn see', async () => {
    const rights = rightsVersion()
    const writer = await workerConnection(join(folder, 'a.db'), { readOnly: false, rights })
    const reader = directConnection(join(folder, 'a.db'), rights)
    const cache = createRightsCache<unknown>(reader.rightsVersion)
    const ask = () => cache('a', async () => (await reader.run('SELECT enabled FROM principals', [])).rows[0])
    await turn()
    const changed = writer.run('UPDATE principals SET enabled = 0', [])
    const { promise, resolve } = Promise.withResolvers<unknown>()
    process.nextTick(() => {
      const until = performance.now() + 5_000
      while (rights.stable() === 0 && performance.now() < until);
      while (rights.stable() === null && performance.now() < until);
      resolve(ask())
    })
    // The reads of this turn see the state before the change, which the thread commits meanwhile.
    await reader.run('SELECT 1 FROM principals', [])
    expect(await promise).toEqual({ enabled: 1 })
    await changed
    expect([rights.stable(), await ask()]).toEqual([1, { enabled: 0 }])
    await reader.close()
    await writer.close()
  })

  it('is shared by all databases that are opened on the same file', async () => {
    const other = await openDatabase({ file: join(folder, 'a.db') })
    const before = db.rightsVersion()
    await other.transaction(async (tx) => {
      await setEnabled(tx, false)
      // The end of another connection's transaction does not affect this one.
      await sql`SELECT 1`.execute(db.read)
      expect(db.rightsVersion()).toBeNull()
    })
    expect(db.rightsVersion()).not.toBe(before)
    await other.close()
  })

  it('follows every table that a trigger or a cascade writes', async () => {
    const { rows: triggers } = await sql<{ name: string; tbl_name: string; sql: string }>`
      SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'`.execute(db.read)
    const writes = /(?:UPDATE(?: OR \w+)?|INTO|DELETE FROM)\s+"?(\w+)"?\s/gi
    const beyond = triggers
      .filter(({ tbl_name: table }) => !mayChangeRights(table))
      .filter(({ sql: text }) => [...text.matchAll(writes)].some(([, table]) => mayChangeRights(table as string)))
    // The time of the last sign-in is not a right.
    expect(beyond.map(({ name }) => name)).toEqual(['sessions_sign_in'])
    const { rows: cascades } = await sql<{ from: string; to: string }>`
      SELECT t.name AS "to", f."table" AS "from" FROM pragma_table_list t, pragma_foreign_key_list(t.name) f
      WHERE f.on_delete NOT IN ('NO ACTION', 'RESTRICT') OR f.on_update NOT IN ('NO ACTION', 'RESTRICT')`.execute(
      db.read,
    )
    expect(cascades.filter(({ from, to }) => mayChangeRights(to) && !mayChangeRights(from))).toEqual([])
    expect(cascades.length).toBeGreaterThan(3)
  })
})
