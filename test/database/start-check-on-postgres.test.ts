/** I3: a headquarters whose ledger is not as its nodes signed it is opened read-only, until somebody accepts it. */
// @module-tag merge
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { command, type Station, startStation, succeed, temporaryFolder } from '../support/station.ts'

let server: PostgresServer
const missing = await postgresMissing()
beforeAll(async () => {
  if (missing === null) server = await startPostgres()
}, 120_000)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterAll(() => server?.stop())

const WRAPPING = randomBytes(32).toString('base64url')
const running: Station[] = []
afterEach(async () => {
  for (const station of running.splice(0)) await station.kill()
})

const envOf = (database: string): Record<string, string> => ({
  SALLYPORT_DATABASE_URL: server.url(database),
  SALLYPORT_WRAPPING_KEY: WRAPPING,
  SALLYPORT_MIN_FREE_BYTES: '0',
})

async function started(data: string, database: string): Promise<Station> {
  const station = await startStation({ data, env: envOf(database), readyWithin: 90_000 })
  running.push(station)
  return station
}

/** Starts and stops, which signs a checkpoint. */
async function ran(data: string, database: string): Promise<void> {
  await stopped(await started(data, database))
}

async function stopped(station: Station): Promise<void> {
  await station.stop()
  running.splice(running.indexOf(station), 1)
}

const readyOf = async ({ url }: Station) => {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, text: await response.text() }
}

let made = 0
/** A headquarters that ran, and a copy of its database of before it ran once more. */
async function withOlderCopy(): Promise<{ data: string; now: string; older: string }> {
  const { dir, dispose } = await temporaryFolder('start-check')
  onTestFinished(dispose)
  const data = path.join(dir, 'node')
  const now = `now_${++made}`
  await server.create(now)
  await ran(data, now)
  await server.copy(now, `older_${made}`)
  await ran(data, now)
  return { data, now, older: `older_${made}` }
}

async function changed(database: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.url(database) })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

describe('I3: the start of a node on PostgreSQL', () => {
  it('finds an older copy of the database, writes nothing to it, and goes on once it is accepted', async () => {
    const { data, now, older } = await withOlderCopy()
    await ran(data, now)
    const station = await started(data, older)
    expect(await readyOf(station)).toMatchObject({ status: 503, text: expect.stringContaining('an older copy') })
    const before = await entriesOf(older)
    await stopped(station)
    expect(await entriesOf(older)).toBe(before)
    // A node that signed nothing has nothing to compare with; while it runs nothing is accepted.
    const { dir, dispose } = await temporaryFolder('other-node')
    onTestFinished(dispose)
    const other = await started(path.join(dir, 'node'), older)
    const accept = ['ledger', 'accept', '--reason', 'restored from the backup of yesterday']
    const refused = await command(accept, { data, env: envOf(older) })
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/These nodes use the database: .+ Stop them first/),
    ])
    await stopped(other)

    expect(await succeed(accept, { data, env: envOf(older) })).toMatch(/^Accepted with entry \d+/)
    const again = await started(data, older)
    expect((await readyOf(again)).status).toBe(200)
    await succeed(['verify'], { data, env: envOf(older) })
  }, 180_000)

  it('finds an entry that was changed below a checkpoint', async () => {
    const { data, now } = await withOlderCopy()
    await changed(
      now,
      'ALTER TABLE ledger DISABLE TRIGGER USER',
      "UPDATE ledger SET hash = decode(repeat('00', 32), 'hex') WHERE seq = (SELECT max(size) FROM checkpoints)",
      'ALTER TABLE ledger ENABLE TRIGGER USER',
    )
    const station = await started(data, now)
    expect(await readyOf(station)).toMatchObject({
      status: 503,
      text: expect.stringContaining('are not those that were signed'),
    })
    expect(station.logs()).toContain('not as it was left')
  }, 120_000)

  it('neither opens nor changes a database of an older program that is not as it was left', async () => {
    const { data, older } = await withOlderCopy()
    await changed(older, 'DELETE FROM schema_version WHERE version = (SELECT max(version) FROM schema_version)')
    await expect(started(data, older)).rejects.toThrow(/not as it was left.+an older copy/)
    const accepted = await command(['ledger', 'accept', '--reason', 'restored'], { data, env: envOf(older) })
    expect([accepted.code, accepted.stderr]).toEqual([1, expect.stringContaining('This cannot be accepted')])
  }, 120_000)

  it('finds a schema that somebody changed, writes nothing, and takes it back once it is accepted', async () => {
    const { data, now } = await withOlderCopy()
    await changed(
      now,
      'CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE principals SET enabled = 0; RETURN NULL; END $$',
      'CREATE TRIGGER planted AFTER INSERT ON ledger EXECUTE FUNCTION planted()',
      'CREATE OR REPLACE FUNCTION on_ledger_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
    )
    const before = await entriesOf(now)
    const station = await started(data, now)
    expect(await readyOf(station)).toMatchObject({
      status: 503,
      text: expect.stringMatching(
        /The trigger planted of the table ledger is not the station’s.+The function on_ledger_append_only\(\) is not as the station made it/,
      ),
    })
    const verified = await command(['verify', '--json'], { data, env: envOf(now) })
    expect(verified.code).toBe(1)
    const { problems } = JSON.parse(verified.stdout) as { problems: { kind: string; what: string }[] }
    expect(problems.map(({ kind, what }) => `${kind} ${what}`).toSorted()).toEqual([
      'schema function on_ledger_append_only()',
      'schema function planted()',
      'schema trigger planted',
    ])
    await stopped(station)
    expect(await entriesOf(now)).toBe(before)

    const accept = ['ledger', 'accept', '--reason', 'a trial of the administrator of the database']
    expect(await succeed(accept, { data, env: envOf(now) })).toMatch(/^Accepted with entry \d+/)
    expect((await readyOf(await started(data, now))).status).toBe(200)
    await succeed(['verify'], { data, env: envOf(now) })
    await expect(changed(now, 'UPDATE ledger SET hash = hash')).rejects.toThrow('append-only')
  }, 240_000)

  it('opens beside a table of somebody else read-only, and does not accept what it cannot take back', async () => {
    const { data, now } = await withOlderCopy()
    await changed(now, 'CREATE TABLE notes_of_mine (a int)')
    const station = await started(data, now)
    expect(await readyOf(station)).toMatchObject({
      status: 503,
      text: expect.stringContaining('The table notes_of_mine is not the station’s.'),
    })
    await stopped(station)
    const accepted = await command(['ledger', 'accept', '--reason', 'mine'], { data, env: envOf(now) })
    expect([accepted.code, accepted.stderr]).toEqual([
      1,
      expect.stringMatching(/This cannot be accepted.+Undo it in the database/s),
    ])
    await changed(now, 'DROP TABLE notes_of_mine')
    expect((await readyOf(await started(data, now))).status).toBe(200)
  }, 240_000)

  it('does not open without a table, nor where the triggers of every session are switched off', async () => {
    const { data, now, older } = await withOlderCopy()
    await changed(now, 'DROP TABLE search_exif CASCADE')
    await expect(started(data, now)).rejects.toThrow(/The table search_exif is missing/)
    await server.administer(`ALTER DATABASE "${older}" SET session_replication_role = replica`)
    await expect(started(data, older)).rejects.toThrow(/session_replication_role = replica/)
  }, 240_000)

  it('has nothing to say of one that is as it was left', async () => {
    const { data, now } = await withOlderCopy()
    expect((await readyOf(await started(data, now))).status).toBe(200)
  }, 120_000)
})

async function entriesOf(database: string): Promise<number> {
  const client = new pg.Client({ connectionString: server.url(database) })
  await client.connect()
  try {
    return (await client.query<{ n: number }>('SELECT count(*)::int AS n FROM ledger')).rows[0]?.n ?? 0
  } finally {
    await client.end()
  }
}
