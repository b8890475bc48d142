/** B6 on rows alone, and what a move refuses. Blobs, kills and wrong bytes are in test/scale/b6-move.test.ts. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { storedEntry } from '../../server/kernel/ledger/format.ts'
import { type Given, givenStation, type Json } from '../support/given.ts'
import { WRAPPING_KEY } from '../support/postgres-given.ts'
import { startAt, type Started } from '../support/moving.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'

const missing = await postgresMissing()
let server: PostgresServer
beforeAll(async () => {
  if (missing === null) server = await startPostgres()
})
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterAll(() => server?.stop())

const asked = async (url: string, text: string): Promise<Json[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
const verified = async (station: Started): Promise<Json> => {
  const { problems, entries } = await station.command('verify', { fast: false, checkpoints: null })
  expect(problems).toEqual([])
  return entries
}

describe('B6 a station moves between SQLite and PostgreSQL', () => {
  let given: Given
  let url: string
  const documents = '/documentstore/api/v1/tenant/station'
  let evidenceId = ''
  let head = { seq: 0, hash: '' }
  const listed = async (station: Started): Promise<Json> => {
    const reply = await station.call('GET', `${documents}/evidence`)
    expect(reply.status).toBe(200)
    return reply.json()
  }
  let before: Json

  beforeAll(async () => {
    if (missing !== null) return
    given = await givenStation({ settings: { wrappingKey: WRAPPING_KEY } })
    url = await server.create('moved')
    const bytes = randomBytes(20_000)
    evidenceId = (await given.completed(bytes, { name: 'Überfall “Nord”.bin' })).evidenceId
    await given.settled(evidenceId)
    before = await given.expecting(200, given.call('GET', `${documents}/evidence`))
  })
  afterAll(() => given?.close())

  it('a running station moves; from then on it can be read, and takes no writes', async () => {
    const report = await given.command('move', { database: url, blobs: null })
    head = { seq: report.entries, hash: report.head }
    expect(report).toMatchObject({ blobs: 'folder', copied: null })
    expect(report.rows.rows).toBeGreaterThan(head.seq)
    const refused = await given.call('POST', `${documents}/evidence`, { body: { Name: 'late' } })
    expect([refused.status, refused.text]).toEqual([503, expect.stringMatching(/ReadOnly.*moved on .*postgres:/s)])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const read = await given.call('GET', `${documents}/evidence/${evidenceId}`)
    expect(read.status).toBe(200)
    await expect(
      given.command('user.create', {
        username: 'x',
        password: 'a long enough pass phrase',
        group: null,
        policies: [],
        guest: false,
      }),
    ).rejects.toThrow(/moved on/)
    await given.stop()
  })

  it('so it is after a restart, with the reason; and it verifies as it was', async () => {
    const old = await startAt(given, {})
    try {
      expect(old.advice.join(' ')).toMatch(/takes no writes: This station moved on .*postgres:\/\/127/)
      const refused = await old.call('POST', `${documents}/evidence`, { Name: 'late' })
      expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('ReadOnly')])
      expect(await listed(old)).toEqual(before)
      const state = await (await old.call('GET', '/readyz')).json()
      expect(JSON.stringify(state)).toContain('This station moved on')
      await verified(old)
    } finally {
      await old.close()
    }
    const db = openRaw(given.file, { readOnly: true })
    try {
      const entry = db.prepare('SELECT lower(hex(hash)) FROM ledger WHERE seq = ?').pluck().get(head.seq)
      expect(entry).toBe(head.hash)
      const bodies = db.prepare('SELECT body FROM ledger').pluck().all() as Uint8Array[]
      expect(bodies.map((body) => storedEntry(body).action)).not.toContain('station.moved')
      const signed = db.prepare('SELECT max(size) FROM checkpoints').pluck().get() as number
      expect(signed).toBeLessThanOrEqual(head.seq)
    } finally {
      db.close()
    }
  })

  it('the new home has the entry behind the same head, the same rows and words, and goes on with new numbers', async () => {
    const [entry] = await asked(
      url,
      `SELECT convert_from(body, 'UTF8') AS body FROM ledger WHERE seq = ${head.seq + 1}`,
    )
    expect(JSON.parse(entry.body)).toMatchObject({
      action: 'station.moved',
      actor: { name: 'cli:tester' },
      detail: { from: { database: 'sqlite' }, entries: head.seq, head: head.hash },
    })
    const station = await startAt(given, { databaseUrl: url })
    try {
      expect(await listed(station)).toEqual(before)
      await verified(station)
      const found = await station.call('GET', `${documents}/evidence?search=uberfall`)
      const made = await station.call('POST', `${documents}/evidence`, { Name: 'At the new home' })
      expect([found.status, made.status]).toEqual([200, 201])
      expect(Number((await made.json()).EvidenceId)).toBe(Number(evidenceId) + 1)
    } finally {
      await station.close()
    }
  })

  it('the same move again changes nothing, and another one is refused', async () => {
    const old = await startAt(given, {})
    try {
      const rows = await asked(url, 'SELECT count(*)::int AS n FROM ledger')
      expect(await old.command('move', { database: url, blobs: null })).toMatchObject({ entries: head.seq })
      expect(await asked(url, 'SELECT count(*)::int AS n FROM ledger')).toEqual(rows)
      await expect(old.command('move', { database: server.url('elsewhere'), blobs: null })).rejects.toThrow(
        /moved on .* To move it on, run "move" there/,
      )
    } finally {
      await old.close()
    }
  })

  it('keys that the new home rotated since are left alone when the move is ended once more', async () => {
    const keysThere = 'SELECT name, version FROM wrapped_keys ORDER BY name'
    const station = await startAt(given, { databaseUrl: url })
    const carried = await asked(url, keysThere)
    await station.command('key.rotate-tenant', {})
    await station.close()
    const rotated = await asked(url, keysThere)
    expect(rotated).not.toEqual(carried)
    const old = await startAt(given, {})
    await old.command('move', { database: url, blobs: null }).finally(old.close)
    expect(await asked(url, keysThere)).toEqual(rotated)
  })

  it('is refused while another node uses its database, by its name, and goes on taking writes', async () => {
    const station = await startAt(given, { databaseUrl: url })
    try {
      await asked(
        url,
        `INSERT INTO nodes SELECT 'f00d', 'r00m', 'second', version, schema_version, address, blobs, started_at, seen_at + 60000, NULL, 0 FROM nodes LIMIT 1`,
      )
      await expect(station.command('move', { database: 'sqlite', blobs: null })).rejects.toThrow(
        /Other nodes use this database: second\. Stop all nodes but this one/,
      )
      const written = await station.call('POST', `${documents}/evidence`, { Name: 'Written after the refusal' })
      expect(written.status).toBe(201)
    } finally {
      await asked(url, "DELETE FROM nodes WHERE node_id = 'f00d'")
      await station.close()
    }
  })

  it('and back to SQLite, where its earlier home is set aside', async () => {
    const station = await startAt(given, { databaseUrl: url })
    const there = await listed(station)
    await station.command('move', { database: 'sqlite', blobs: null })
    expect((await station.call('POST', `${documents}/evidence`, { Name: 'late' })).status).toBe(503)
    await station.close()
    expect(readdirSync(given.data).filter((name) => name.startsWith('earlier-home-'))).toHaveLength(1)
    expect(existsSync(path.join(given.data, 'arriving'))).toBe(false)
    const back = await startAt(given, {})
    try {
      expect(await listed(back)).toEqual(there)
      await verified(back)
      const made = await back.call('POST', `${documents}/evidence`, { Name: 'Home again' })
      expect(Number((await made.json()).EvidenceId)).toBe(Number(evidenceId) + 3)
    } finally {
      await back.close()
    }
    // The home that was left takes nothing either.
    const left = await startAt(given, { databaseUrl: url })
    expect((await left.call('POST', `${documents}/evidence`, { Name: 'late' })).status).toBe(503)
    await verified(left)
    await left.close()
  })
})

describe('B6 a move is refused, and the station goes on', () => {
  let given: Given
  beforeAll(async () => {
    if (missing === null) given = await givenStation({ settings: { wrappingKey: WRAPPING_KEY } })
  })
  afterAll(() => given?.close())

  const refusal = async (database: string | null, blobs: string | null = null): Promise<string> => {
    const message = await given.command('move', { database, blobs }).then(
      () => 'moved',
      (error: Error) => error.message,
    )
    await given.evidence({ Name: 'Still here' })
    return message
  }

  it('for a place where it is already, and addresses that are none', async () => {
    expect(await refusal('sqlite')).toMatch(/there already/)
    expect(await refusal('mysql://x')).toMatch(/--database is/)
    expect(await refusal(null, 's3://UPPER')).toMatch(/--blobs is folder, or/)
  })

  it('for a database that cannot keep the promises, or is not there', async () => {
    expect(await refusal(server.url('nowhere'))).toMatch(/nowhere/)
    const foreign = await server.create('foreign')
    await asked(foreign, 'CREATE TABLE invoices (id int)')
    expect(await refusal(foreign)).toMatch(/none of them is Sallyport/)
    const loose = await server.create('loose')
    await asked(loose, 'ALTER DATABASE loose SET synchronous_commit = off')
    expect(await refusal(loose)).toMatch(/synchronous_commit = off/)
  })

  it('for a database with another station, and with one of a newer program', async () => {
    const url = await server.create('others')
    const other = await givenStation({ fresh: true, settings: { databaseUrl: url } })
    await other.close()
    expect(await refusal(url)).toMatch(/has the records of another station/)
    await asked(
      url,
      'UPDATE schema_version SET version = 9999 WHERE version = (SELECT max(version) FROM schema_version)',
    )
    expect(await refusal(url)).toMatch(/Use the newer program/)
  })

  it('for a folder with the blobs of another station, and one with blobs of nobody', async () => {
    const folder = path.join(given.dir, 'elsewhere')
    mkdirSync(path.join(folder, 'ab'), { recursive: true })
    const { openBlobTarget } = await import('../../server/app/move/blob-target.ts')
    const kernel = { settings: { data: given.dir, ownBlobsDir: folder }, origin: 'sallyport.local/0' }
    const open = (): Promise<unknown> =>
      openBlobTarget(kernel as never, { databaseUrl: null, blobUrl: null }, { mark: true })
    await expect(open()).rejects.toThrow(/nothing shows whose they are/)
    writeFileSync(path.join(folder, '.station'), 'sallyport.local/1')
    await expect(open()).rejects.toThrow(/the blobs of another station/)
  })
})
