/** B6: a station moves from SQLite and a folder to PostgreSQL and an object store, and back; killed, resumed, with wrong bytes on the way. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { storedEntry } from '../../server/kernel/ledger/format.ts'
import { type Entry, putBlock, putList } from '../support/blob-client.ts'
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts'
import { WRAPPING_KEY } from '../support/postgres-given.ts'
import { type Given, givenStation, type Json, sha256Of } from '../support/given.ts'
import { startAt, type Started } from '../support/moving.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { programOf } from '../support/program.ts'
import {
  missingForS3,
  S3_REGION,
  type S3Server,
  STARTING,
  startS3Server,
  useS3Credentials,
} from '../support/s3-server.ts'
import { NODE } from '../support/station.ts'

const missing = missingForS3() ?? (await postgresMissing())
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const documents = '/documentstore/api/v1/tenant/station'
const FILES = 24
/** Blocks of an upload that is completed at the new home. */
const UNDER_WAY = ['blocks that ', 'were acknow', 'ledged']
/** Long enough for a move on a busy machine. */
const LONG = 600_000

describe.skipIf(missing !== null)(missing ?? 'B6: a station that moves', () => {
  let s3: S3Server
  let postgres: PostgresServer
  let proxy: FaultyProxy
  let given: Given
  let bucket = ''
  let databaseUrl = ''
  let blobUrl = ''
  const kept = new Map<string, { evidenceId: string; resourceId: string; bytes: Buffer }>()
  let open: Json

  beforeAll(async () => {
    useS3Credentials()
    ;[s3, postgres] = await Promise.all([startS3Server(), startPostgres()])
    proxy = await startFaultyProxy(s3.endpoint)
    bucket = await s3.bucket()
    databaseUrl = await postgres.create('headquarters')
    blobUrl = `s3://${bucket}/hq?endpoint=${proxy.endpoint}&region=${S3_REGION}&pathStyle=true`
    given = await givenStation({ fresh: true, settings: { wrappingKey: WRAPPING_KEY } })
    for (let at = 0; at < FILES; at++) {
      const bytes = at === 0 ? Buffer.alloc(0) : randomBytes(1000 + at * 40_000)
      const { evidenceId, resourceId, sha256 } = await given.completed(bytes, { name: `clip ${at}.bin` })
      kept.set(sha256, { evidenceId, resourceId, bytes })
    }
    // An upload that is under way, and bytes in quarantine.
    const { EvidenceId } = await given.evidence({ Name: 'Under way' })
    open = { EvidenceId, ...(await given.resource(EvidenceId)) }
    for (const [at, text] of UNDER_WAY.entries())
      expect((await putBlock(open.UploadUri, `part-0000${at}`, Buffer.from(text))).status).toBe(201)
    const list = UNDER_WAY.map((_, at): Entry => ['Latest', `part-0000${at}`])
    expect((await putList(open.UploadUri, list)).status).toBe(201)
  }, STARTING)
  afterAll(async () => {
    await given?.close()
    await proxy?.close()
    await postgres?.stop()
    await s3?.close()
  })

  const asked = async (text: string): Promise<Json[]> => {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
  const move = (): { child: ChildProcess; said: () => string; ended: Promise<number | null> } => {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(SALLYPORT_|VITEST)/.test(name))
    const child = spawn(
      NODE,
      [
        programOf('server/bin/sallyport.ts'),
        'move',
        '--database',
        databaseUrl,
        '--blobs',
        blobUrl,
        '--data',
        given.data,
      ],
      {
        cwd: ROOT,
        env: {
          ...Object.fromEntries(inherited),
          SALLYPORT_WRAPPING_KEY: WRAPPING_KEY,
          SALLYPORT_MIN_FREE_BYTES: '0',
          SALLYPORT_RESERVE_BYTES: '65536',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
    return { child, said: () => text, ended: new Promise((resolve) => child.once('close', resolve)) }
  }
  /** Kills the move as soon as `when` holds. @returns whether it came to that before the move ended */
  const killWhen = async (when: (said: string) => boolean | Promise<boolean>): Promise<boolean> => {
    const { child, said, ended } = move()
    let over = false
    void ended.then(() => (over = true))
    while (!over && !(await when(said()))) await sleep(2)
    const killed = !over
    child.kill('SIGKILL')
    await ended
    return killed
  }
  const oldMark = (): string | undefined => {
    const db = openRaw(given.file, { readOnly: true })
    try {
      return db.prepare("SELECT value FROM station WHERE name = 'moved'").pluck().get() as string | undefined
    } finally {
      db.close()
    }
  }
  const objects = async (): Promise<Map<string, string>> => {
    const found = new Map<string, string>()
    const page = await s3.client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'hq/blobs/' }))
    for (const { Key = '' } of page.Contents ?? []) {
      const { Body } = await s3.client.send(new GetObjectCommand({ Bucket: bucket, Key }))
      found.set(path.basename(Key), sha256Of((await Body?.transformToByteArray()) ?? new Uint8Array()))
    }
    return found
  }
  const files = (): Map<string, string> => {
    const folder = path.join(given.data, 'blobs')
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\/[0-9a-f]{64}$/.test(`/${name}`) && !name.startsWith('.'),
    )
    return new Map(names.map((name) => [path.basename(name), sha256Of(readFileSync(path.join(folder, name)))]))
  }
  const wholeAt = async (station: Started): Promise<void> => {
    for (const { evidenceId, resourceId, bytes } of kept.values()) {
      const content = await station.call('GET', `${documents}/evidence/${evidenceId}/resource/${resourceId}/content`)
      expect(content.status).toBe(200)
      expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true)
    }
    expect((await station.command('verify', { fast: false, checkpoints: null })).problems).toEqual([])
  }

  it('wrong bytes on the way stop the move, and the station goes on where it is', { timeout: LONG }, async () => {
    proxy.always('flip request')
    const failed = await given.command('move', { database: databaseUrl, blobs: blobUrl }).then(
      () => 'moved',
      (error: Error) => error.message,
    )
    proxy.always(null)
    expect(failed).not.toBe('moved')
    expect(oldMark()).toBeUndefined()
    // Nothing counts as moved, and the station takes evidence.
    const bytes = randomBytes(5000)
    const { evidenceId, resourceId, sha256 } = await given.completed(bytes, { name: 'after.bin' })
    kept.set(sha256, { evidenceId, resourceId, bytes })
    await given.stop()
  })

  it('killed at several moments it goes on, and nothing counts before the end', { timeout: LONG }, async () => {
    // In the middle of the blobs.
    expect(await killWhen(async () => (await objects()).size >= 5)).toBe(true)
    expect(oldMark()).toBeUndefined()
    const before = await objects()
    for (const [name, hash] of before) expect(hash).toBe(name)
    await expect(startAt(given, { databaseUrl, blobUrl })).rejects.toThrow(/move has not ended/)
    const old = await startAt(given, {})
    expect((await old.call('POST', `${documents}/evidence`, { Name: 'between two moves' })).status).toBe(201)
    await old.close()
    // While rows are copied: the server has taken back what was written.
    const copying = async (): Promise<boolean> =>
      (
        await asked(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'INSERT INTO "%' AND datname = 'headquarters'`,
        )
      )[0].n > 0
    expect(await killWhen(copying)).toBe(true)
    const [{ there }] = await asked("SELECT to_regclass('ledger') IS NOT NULL AS there")
    if (there === true) expect(await asked('SELECT seq FROM ledger LIMIT 1')).toEqual([])
    expect(oldMark()).toBeUndefined()
    // Between the mark of the old home and the entry of the new one.
    expect(await killWhen(() => oldMark() !== undefined)).toBe(true)
    await expect(startAt(given, { databaseUrl, blobUrl })).rejects.toThrow(/move has not ended|Run "move" again/)
    const left = await startAt(given, {})
    expect((await left.call('POST', `${documents}/evidence`, { Name: 'late' })).status).toBe(503)
    await left.close()
    const { ended, said } = move()
    expect([await ended, said()]).toEqual([0, expect.stringContaining('The station moved to the database postgres://')])
  })

  it('both sides have the same rows and bytes, and one entry says that it moved', { timeout: LONG }, async () => {
    const mark = JSON.parse(oldMark() ?? '{}')
    const db = openRaw(given.file, { readOnly: true })
    try {
      db.defaultSafeIntegers(true)
      const tables = db
        .prepare(
          "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
        )
        .pluck()
        .all() as string[]
      expect(tables.length).toBeGreaterThan(80)
      // Reads and sessions of the old home after its move are its own. Its keys lie in files, and its blocks in parts of files.
      const itsOwn = new Set([
        'upload_blocks',
        'ledger',
        'station',
        'used_assertions',
        'token_families',
        'refresh_tokens',
        'wrapped_keys',
      ])
      for (const table of tables.filter((name) => !itsOwn.has(name))) {
        const mine = hashes(db.prepare(`SELECT * FROM "${table}"`).all() as Record<string, unknown>[])
        expect([table, hashes(await rowsOf(databaseUrl, table))]).toEqual([table, mine])
      }
      const entries = db.prepare('SELECT * FROM ledger WHERE seq <= ?').all(mark.entries) as Record<string, unknown>[]
      const there = await rowsOf(databaseUrl, 'ledger')
      expect(hashes(there.filter(({ seq }) => BigInt(seq as bigint) <= BigInt(mark.entries)))).toEqual(hashes(entries))
      const moved = there
        .map(({ body }) => storedEntry(body as Uint8Array))
        .filter(({ action }) => action === 'station.moved')
      expect(moved.map(({ seq }) => seq)).toEqual([mark.entries + 1])
    } finally {
      db.close()
    }
    expect(await objects()).toEqual(files())
  })

  it('the new home goes on: bytes, an upload under way, new numbers', { timeout: LONG }, async () => {
    const station = await startAt(given, { databaseUrl, blobUrl })
    try {
      await wholeAt(station)
      const place = `${documents}/evidence/${open.EvidenceId}/resource/${open.ResourceId}/complete`
      expect((await station.call('POST', place, {})).status).toBe(200)
      const bytes = Buffer.from(UNDER_WAY.join(''))
      kept.set(sha256Of(bytes), { evidenceId: open.EvidenceId, resourceId: open.ResourceId, bytes })
      const [{ most }] = await asked('SELECT max(evidence_id)::int AS most FROM evidence')
      const made = await station.call('POST', `${documents}/evidence`, { Name: 'new' })
      expect(Number((await made.json()).EvidenceId)).toBe(most + 1)
    } finally {
      await station.close()
    }
    // With the blobs of the old home it takes nothing.
    const wrong = await startAt(given, { databaseUrl })
    expect((await wrong.call('POST', `${documents}/evidence`, { Name: 'late' })).status).toBe(503)
    await wrong.close()
  })

  it('the old home verifies as it was and takes no writes', { timeout: LONG }, async () => {
    const old = await startAt(given, {})
    try {
      expect(old.advice.join(' ')).toContain('This station moved on')
      expect((await old.call('POST', `${documents}/evidence`, { Name: 'late' })).status).toBe(503)
      expect((await old.command('verify', { fast: false, checkpoints: null })).problems).toEqual([])
    } finally {
      await old.close()
    }
  })

  it('and back: a flipped byte is found, what is there is not copied again, what is damaged is', {
    timeout: LONG,
  }, async () => {
    // One file of the old home is damaged, and one is gone.
    const [damaged, gone] = [...files().keys()].slice(3, 5) as [string, string]
    const placed = (sha256: string): string =>
      path.join(given.data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
    const bytes = readFileSync(placed(damaged))
    bytes[0] = (bytes[0] as number) ^ 1
    writeFileSync(placed(damaged), bytes)
    rmSync(placed(gone))
    const station = await startAt(given, { databaseUrl, blobUrl })
    try {
      proxy.always('flip answer')
      await expect(station.command('move', { database: 'sqlite', blobs: 'folder' })).rejects.toThrow()
      proxy.always(null)
      expect((await station.call('POST', `${documents}/evidence`, { Name: 'goes on' })).status).toBe(201)
      const report = await station.command('move', { database: 'sqlite', blobs: 'folder' })
      // The damaged one, the one that was gone, and the upload that was completed there; a try with wrong bytes copied none.
      expect(report.copied.blobs).toBe(3)
      expect(report.copied.present).toBe(kept.size - 3)
      expect((await station.call('POST', `${documents}/evidence`, { Name: 'late' })).status).toBe(503)
    } finally {
      proxy.always(null)
      await station.close()
    }
    expect(files()).toEqual(await objects())
    const back = await startAt(given, {})
    try {
      await wholeAt(back)
      expect((await back.call('POST', `${documents}/evidence`, { Name: 'home' })).status).toBe(201)
    } finally {
      await back.close()
    }
    const left = await startAt(given, { databaseUrl, blobUrl })
    try {
      expect((await left.call('POST', `${documents}/evidence`, { Name: 'late' })).status).toBe(503)
      await wholeAt(left)
    } finally {
      await left.close()
    }
  })
})

/** Read past the program, whole numbers as they are. */
async function rowsOf(url: string, table: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({
    connectionString: url,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === 20 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format as 'text'),
    },
  })
  await client.connect()
  try {
    return (await client.query(`SELECT * FROM "${table}"`)).rows
  } finally {
    await client.end()
  }
}

const hashes = (rows: readonly Record<string, unknown>[]): string[] =>
  rows
    .map((row) =>
      Object.entries(row)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(
          ([name, value]) =>
            `${name}=${value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)}`,
        )
        .join('\n'),
    )
    .map((text) => createHash('sha256').update(text).digest('hex'))
    .toSorted()
