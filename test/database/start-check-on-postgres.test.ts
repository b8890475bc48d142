/** I3: a headquarters whose ledger is not as its nodes signed it is opened read-only, until somebody accepts it. */
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
  const station = await startStation({ data, env: envOf(database) })
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
  for (const statement of statements) await client.query(statement)
  await client.end()
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
