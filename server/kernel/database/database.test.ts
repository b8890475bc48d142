import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase, PADDING } from './database.ts'
import { statement } from './kysely.ts'
import { openRaw } from './sqlite/raw.ts'
import { lockStation, StationBusy } from './sqlite/station-lock.ts'

describe('the database', () => {
  let folder: string
  let db: Database
  const set = (name: string, value: string) => ({ name, value })

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-db-'))
    db = await openDatabase({ file: join(folder, 'a.db') })
  })
  afterEach(async () => {
    await db.close()
    rmSync(folder, { recursive: true })
  })
  const all = () => db.read.selectFrom('station').selectAll().orderBy('name').execute()

  it('commits a transaction as a whole and rolls a failed one back as a whole', async () => {
    await db.transaction(async (tx) => {
      await tx.insertInto('station').values(set('a', '1')).execute()
      await tx.insertInto('station').values(set('b', '2')).execute()
    })
    const failing = db.transaction(async (tx) => {
      await tx.insertInto('station').values(set('c', '3')).execute()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await all()).toEqual([set('a', '1'), set('b', '2')])
  })

  it('compares and stores the values of compiled statements as they are', async () => {
    const store = statement((from, { name, value }: { name: string; value: string }) =>
      from.updateTable('station').set({ value }).where('name', '=', name),
    )
    const read = statement((from, { name, most }: { name: string; most: number }) =>
      from.selectFrom('station').select('value').where('name', '=', name).limit(sql<number>`${most}`),
    )
    await db.transaction(async (tx) => {
      await tx
        .insertInto('station')
        .values([set('007', ''), set('7', 'another')])
        .execute()
    })
    for (const value of ['0012', '-1', '= ?', ' limit ?', '1e3']) {
      await db.transaction((tx) => store(tx, { name: '007', value }))
      expect(await read(db.read, { name: '007', most: 5 })).toEqual([{ value }])
    }
    expect(await read(db.read, { name: '007', most: 0 })).toEqual([])
    expect(await read(db.read, { name: '7', most: 1 })).toEqual([{ value: 'another' }])
  })

  it('B6 refuses writes while it is to stay as it is, after those that had begun', async () => {
    const written = db.transaction((tx) => tx.insertInto('station').values(set('a', '1')).execute())
    let ended = false
    void written.then(() => (ended = true))
    await db.refuseWrites(() => new Error('moving'))
    expect(ended).toBe(true)
    const late = () => db.inBackground.transaction((tx) => tx.insertInto('station').values(set('b', '2')).execute())
    await expect(late()).rejects.toThrow('moving')
    expect(await all()).toEqual([set('a', '1')])
    await db.refuseWrites(null)
    await late()
    expect(await all()).toEqual([set('a', '1'), set('b', '2')])
  })

  it('shows one state to the reads of one turn, and a later state to those of the next', async () => {
    const other = openRaw(join(folder, 'a.db'))
    expect(await all()).toEqual([])
    other.exec("INSERT INTO station (name, value) VALUES ('a', '1')")
    expect(await all()).toEqual([])
    await new Promise((resolve) => setImmediate(resolve))
    expect(await all()).toEqual([set('a', '1')])
    other.close()
  })

  it('runs one transaction at a time', async () => {
    const order: string[] = []
    const one = async (name: string) =>
      db.transaction(async (tx) => {
        order.push(`begin ${name}`)
        await tx.selectFrom('station').selectAll().execute()
        await tx.insertInto('station').values(set(name, '')).execute()
        order.push(`end ${name}`)
      })
    await Promise.all([one('a'), one('b'), one('c')])
    expect(order).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c'])
  })

  it('L2: lets requests write before background work that waits', async () => {
    const order: string[] = []
    const one = (on: Database, name: string) =>
      on.transaction(async (tx) => {
        await tx.insertInto('station').values(set(name, '')).execute()
        order.push(name)
      })
    const cameras = ['camera 1', 'camera 2', 'camera 3'].map((name) => one(db.inBackground, name))
    await Promise.all([...cameras, one(db, 'page')])
    expect(order).toEqual(['camera 1', 'page', 'camera 2', 'camera 3'])
    expect(await all()).toHaveLength(4)
  })

  it('refuses a transaction inside a transaction instead of waiting for ever', async () => {
    await expect(db.transaction(() => db.transaction(async () => {}))).rejects.toThrow('inside a transaction')
    await expect(db.transaction(() => db.inBackground.transaction(async () => {}))).rejects.toThrow('inside a')
    await expect(db.inBackground.transaction(() => db.transaction(async () => {}))).rejects.toThrow('inside a')
  })

  it('answers concurrent statements with their own results, in the order of the calls', async () => {
    const names = Array.from({ length: 300 }, (_, index) => String(index).padStart(3, '0'))
    const counts = await db.transaction(async (tx) => {
      const counted = () => sql<{ n: number }>`SELECT count(*) AS n FROM station`.execute(tx)
      const both = await Promise.all(
        names.map(async (name) => {
          const added = tx.insertInto('station').values(set(name, '')).execute()
          const seen = counted()
          await added
          return (await seen).rows[0]?.n
        }),
      )
      return both
    })
    expect(counts).toEqual(names.map((_, index) => index + 1))
    expect((await all()).map(({ name }) => name)).toEqual(names)
  })

  it('of concurrent statements fails only the wrong one, and one with a parameter that cannot be sent', async () => {
    await db.transaction(async (tx) => {
      const outcomes = await Promise.allSettled(
        ['a', 'a', 'b'].map((name) => tx.insertInto('station').values(set(name, '')).execute()),
      )
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      const unsendable = tx.insertInto('station').values({ name: 'c', value: Symbol('no') as unknown as string })
      await expect(unsendable.execute()).rejects.toThrow()
      await tx.insertInto('station').values(set('d', '')).execute()
    })
    expect((await all()).map(({ name }) => name)).toEqual(['a', 'b', 'd'])
  })

  it('D7: refuses statements of a transaction that has ended', async () => {
    const late = async (tx: Parameters<Parameters<Database['transaction']>[0]>[0]) => {
      await tx.selectFrom('station').selectAll().execute()
      await tx.selectFrom('station').selectAll().execute()
      await tx.insertInto('station').values(set('late', '')).execute()
    }
    let straggler: Promise<void> | undefined
    const failing = db.transaction(async (tx) => {
      straggler = late(tx)
      await Promise.all([straggler, Promise.reject(new Error('no'))])
    })
    await expect(failing).rejects.toThrow('no')
    await expect(straggler).rejects.toThrow('has ended')
    expect(await all()).toEqual([])
  })

  it('reports a violated constraint by its code', async () => {
    await db.transaction((tx) => tx.insertInto('station').values(set('a', '1')).execute())
    await expect(
      db.transaction((tx) => tx.insertInto('station').values(set('a', '1')).execute()),
    ).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT_PRIMARYKEY',
    })
    await db.transaction((tx) => tx.insertInto('station').values(set('b', '2')).execute())
    expect(await all()).toHaveLength(2)
  })

  it('reads committed state only, on a connection that cannot write', async () => {
    await db.transaction(async (tx) => {
      await tx.insertInto('station').values(set('a', '1')).execute()
      expect(await all()).toEqual([])
    })
    await expect(db.read.insertInto('station').values(set('b', '2')).execute()).rejects.toMatchObject({
      code: 'SQLITE_READONLY',
    })
    const rows = await db.longRead(db.read.selectFrom('station').selectAll().compile())
    expect(rows).toEqual([set('a', '1')])
  })

  it('holds the rules of docs/guarantees.md on every connection', () => {
    for (const readOnly of [false, true]) {
      const raw = openRaw(join(folder, 'a.db'), { readOnly })
      const pragma = (name: string) => raw.pragma(name, { simple: true })
      expect(pragma('journal_mode')).toBe('wal')
      expect(pragma('synchronous')).toBe(2)
      expect(pragma('foreign_keys')).toBe(1)
      expect(pragma('busy_timeout')).toBe(5000)
      expect(pragma('trusted_schema')).toBe(0)
      expect(pragma('cell_size_check')).toBe(1)
      raw.close()
    }
  })

  it('keeps integers of 64 bits whole where they are compared', async () => {
    const rows = await sql<{
      more: number
    }>`select ${17_637_000_000_000_001n} > ${17_637_000_000_000_000n} as more`.execute(db.read)
    expect(rows.rows[0]?.more).toBe(1)
  })

  it('waits for running work before it closes', async () => {
    const slow = db.transaction(async (tx) => {
      for (let index = 0; index < 50; index++)
        await tx
          .insertInto('station')
          .values(set(String(index), ''))
          .execute()
    })
    await db.close()
    await slow
    db = await openDatabase({ file: join(folder, 'a.db') })
    expect(await all()).toHaveLength(50)
  })

  it('D6: reserves room inside its own files, so that a full disk fails no commit', async () => {
    await db.close()
    db = await openDatabase({ file: join(folder, 'a.db'), padding: PADDING })
    const sizes = () => ['a.db', 'a.db-wal'].map((name) => statSync(join(folder, name)).size)
    const before = sizes()
    expect(before[1]).toBeGreaterThan(PADDING)
    for (let index = 0; index < 1_000; index++) {
      await db.transaction((tx) =>
        tx
          .insertInto('station')
          .values(set(String(index), 'x'.repeat(2000)))
          .execute(),
      )
    }
    expect(sizes()).toEqual(before)
  })

  it('D2: creates a new database under a temporary name, and never replaces an existing file', async () => {
    expect(existsSync(join(folder, 'a.db.new'))).toBe(false)
    await db.transaction((tx) => tx.insertInto('station').values(set('a', '1')).execute())
    await db.close()
    // The state after a crash during the creation.
    writeFileSync(join(folder, 'a.db.new'), 'half')
    db = await openDatabase({ file: join(folder, 'a.db') })
    expect(await all()).toEqual([set('a', '1')])
    await db.close()
    rmSync(join(folder, 'a.db'))
    db = await openDatabase({ file: join(folder, 'a.db') })
    expect(await all()).toEqual([])
    expect(existsSync(join(folder, 'a.db.new'))).toBe(false)
  })

  it('D2: writes nothing after the folder was replaced by another one', async () => {
    const file = join(folder, 'b.db')
    const elsewhere = (): Promise<void> => Promise.reject(new Error('another folder'))
    await expect(openDatabase({ file, beforeWrite: elsewhere })).rejects.toThrow('another folder')
    const empty = openRaw(file, { readOnly: true })
    expect(empty.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(0)
    empty.close()
    let replaced = false
    const opened = await openDatabase({ file, beforeWrite: () => (replaced ? elsewhere() : Promise.resolve()) })
    replaced = true
    await expect(opened.transaction((tx) => tx.insertInto('station').values(set('a', '1')).execute())).rejects.toThrow(
      'another folder',
    )
    expect(await opened.read.selectFrom('station').selectAll().execute()).toEqual([])
    await opened.close()
  })

  it('gives the folder to one process', () => {
    const lock = lockStation(folder)
    expect(() => lockStation(folder)).toThrow(StationBusy)
    lock.release()
    lockStation(folder).release()
  })
})
