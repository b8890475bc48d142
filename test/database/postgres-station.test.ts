// @module-tag merge
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import pg from 'pg'
import { openPostgres } from '../../server/kernel/database/postgres/database.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { copyToSqlite } from '../../server/kernel/database/postgres/snapshot.ts'
import { type Given, givenStation, type Json, sha256Of } from '../support/given.ts'
import { programOf } from '../support/program.ts'
import { NODE } from '../support/station.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'

let server: PostgresServer
let given: Given
let url: string
const missing = await postgresMissing()
beforeAll(async () => {
  if (missing !== null) return
  server = await startPostgres()
  url = await server.create('station')
  given = await givenStation({ fresh: true, settings: { databaseUrl: url } })
}, 240_000)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterAll(async () => {
  await given?.close()
  await server?.stop()
})

const asked = async (text: string, values: unknown[] = []): Promise<Json[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

const verify = (): Promise<Json> => given.command('verify', { fast: false, checkpoints: null })

describe('a station on PostgreSQL', () => {
  it('takes in evidence, serves it, and verifies: entries, rows and bytes', async () => {
    const bytes = randomBytes(100_000)
    const { evidenceId, resourceId, sha256 } = await given.completed(bytes, { name: 'Überfall “Nord”.bin' })
    expect(sha256).toBe(sha256Of(bytes))
    const media = await given.call('GET', `${given.documents}/evidence/${evidenceId}/resource/${resourceId}/content`)
    expect([media.status, sha256Of(media.bytes)]).toEqual([200, sha256])
    await given.settled(evidenceId)
    expect(await verify()).toMatchObject({ problems: [], blobs: 1 })
  })

  it('B1 hashes rows as SQLite does: a copy in SQLite verifies against the same entries', async () => {
    const file = path.join(given.dir, 'copy.db')
    const copied = await copyToSqlite(url, file)
    const db = openRaw(file, { readOnly: true })
    try {
      expect(db.prepare('SELECT count(*) FROM ledger').pluck().get()).toBe(copied.get('ledger'))
      const [{ entries }] = await asked('SELECT count(*)::int AS entries FROM ledger')
      expect(copied.get('ledger')).toBeLessThanOrEqual(entries)
      expect(db.prepare('SELECT name FROM evidence').pluck().all()).toEqual(['Front desk'])
    } finally {
      db.close()
    }
  })

  it('S16: the review of past uses reads it from the command line, and leaves no copy', async () => {
    const copies = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('sallyport-review-'))
    const before = copies()
    const { stdout, stderr } = await promisify(execFile)(
      NODE,
      [programOf('server/bin/sallyport.ts'), 'access-review', '--json'],
      { env: { PATH: process.env['PATH'], TMPDIR: tmpdir(), SALLYPORT_DATABASE_URL: url } },
    )
    const { Reviewed, Unexplained, NotJudged } = JSON.parse(stdout) as Json
    expect([Unexplained, NotJudged, stderr]).toEqual([[], 0, expect.stringContaining('Copies the records')])
    expect(Reviewed).toBeGreaterThan(2)
    expect(copies()).toEqual(before)
  })

  it('I9 refuses every change of the ledger, its checkpoints and certificates, and to empty them', async () => {
    for (const table of ['ledger', 'checkpoints', 'certificates']) {
      await expect(asked(`TRUNCATE ${table} CASCADE`)).rejects.toThrow(/append-only/)
    }
    await expect(asked('UPDATE ledger SET object_id = object_id')).rejects.toThrow('the ledger is append-only')
    await expect(asked('DELETE FROM ledger')).rejects.toThrow('the ledger is append-only')
    await expect(asked('DELETE FROM checkpoints')).rejects.toThrow('checkpoints are append-only')
  })

  it('I3+ finds a row that was changed in the database', async () => {
    const [{ evidence_id: id }] = await asked('SELECT evidence_id FROM evidence ORDER BY evidence_id LIMIT 1')
    const change = (name: string): Promise<Json[]> =>
      // As somebody with the password of the database would: past the triggers that record changes.
      asked(`SET session_replication_role = replica; UPDATE evidence SET name = '${name}' WHERE evidence_id = ${id}`)
    await change('Something else')
    const found = await verify()
    expect(found.problems.map(({ what }: Json) => what)).toContainEqual(expect.stringMatching(/evidence/))
    await change('Front desk')
    expect((await verify()).problems).toEqual([])
  })

  it('no connection changes rows unrecorded', async () => {
    await expect(asked("UPDATE evidence SET name = 'x'")).rejects.toThrow(/row_changes/)
  })

  it('a second node is refused where blobs lie in a folder, and the first goes on', async () => {
    const prepare = (data: string): void =>
      cpSync(path.join(given.data, 'keys'), path.join(data, 'keys'), { recursive: true })
    await expect(givenStation({ prepare, settings: { databaseUrl: url } })).rejects.toThrow(
      /uses this database, and this node keeps its blobs in a folder, which other nodes do not reach/,
    )
    await given.evidence({ Name: 'Still here' })
  })

  it('a read whose request ended is stopped by the server, and the next reads go on', async () => {
    const db = await openPostgres({ url: await server.create('reads') })
    try {
      const ended = new AbortController()
      const long = sql`SELECT pg_sleep(60)`.compile(db.read)
      const read = db.longRead(long, ended.signal)
      setTimeout(() => ended.abort(new Error('gone')), 300)
      await expect(read).rejects.toThrow('gone')
      const running = async (): Promise<number> =>
        (await asked("SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(60)%'"))[0].n
      await expect.poll(running, { timeout: 10_000 }).toBe(0)
      expect(await db.longRead(sql<{ one: number }>`SELECT 1 AS one`.compile(db.read))).toEqual([{ one: 1 }])
    } finally {
      await db.close()
    }
  })

  it('makes no snapshot of its own, and says who does', async () => {
    await expect(given.command('backup', { to: path.join(given.dir, 'b'), passphrase: null })).rejects.toThrow(
      /back it up with the tools of the server/,
    )
  })

  it('D4 a commit whose answer is lost is settled by its id', async () => {
    // The server ends the session in the middle of whatever it does; the station connects again and goes on.
    const before = (await asked('SELECT count(*)::int AS n FROM evidence'))[0].n as number
    const made: Promise<{ status: number }>[] = []
    for (let round = 0; round < 10; round++) {
      for (let at = 0; at < 4; at++)
        made.push(
          given.call('POST', `${given.documents}/evidence`, {
            body: { Name: `cut ${round} ${at}` },
            key: `cut-${round}-${at}`,
          }),
        )
      await asked(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sallyport' AND datname = 'station'",
      )
    }
    const first = await Promise.all(made)
    // Whatever was not acknowledged is sent again with its key: each is there once.
    for (let round = 0; round < 10; round++)
      for (let at = 0; at < 4; at++)
        await given.expecting(
          201,
          given.call('POST', `${given.documents}/evidence`, {
            body: { Name: `cut ${round} ${at}` },
            key: `cut-${round}-${at}`,
          }),
        )
    expect(first.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(40)
    expect((await asked('SELECT count(*)::int AS n FROM evidence'))[0].n).toBe(before + 40)
    expect((await verify()).problems).toEqual([])
  })
})

describe('a database that cannot keep the promises', () => {
  const started = async (database: string): Promise<string> => {
    try {
      const station = await givenStation({ fresh: true, settings: { databaseUrl: server.url(database) } })
      await station.close()
      return 'started'
    } catch (error) {
      return (error as Error).message
    }
  }

  it('is refused with the reason: no server, foreign tables, another order of letters', async () => {
    expect(await started('nowhere')).toMatch(/cannot be reached: database "nowhere" does not exist/)
    const foreign = await server.create('foreign')
    const client = new pg.Client({ connectionString: foreign })
    await client.connect()
    await client.query('CREATE TABLE invoices (id int)')
    await client.query(`CREATE DATABASE sorted TEMPLATE template0 LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'`)
    await client.end()
    expect(await started('foreign')).toMatch(/none of them is Sallyport’s/)
    expect(await started('sorted')).toMatch(/LC_COLLATE 'C'/)
  })

  it('is refused where an acknowledged commit may be lost', async () => {
    await server.create('loose')
    const client = new pg.Client({ connectionString: server.url('postgres') })
    await client.connect()
    await client.query('ALTER DATABASE loose SET synchronous_commit = off')
    await client.end()
    expect(await started('loose')).toMatch(/synchronous_commit = off/)
  })
})
