// @module-tag merge
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { loadSettings } from '../../../server/config/settings.ts'
import type { StoredEntry } from '../../../server/kernel/ledger/format.ts'
import { storedEntry } from '../../../server/kernel/ledger/format.ts'
import { newestSchema } from '../../../server/kernel/database/migrate.ts'
import { openRaw } from '../../../server/kernel/database/sqlite/raw.ts'
import { startServer } from '../../../server/index.ts'
import { type Given, givenStation, type Json, OS_USER } from '../../support/given.ts'
import { temporaryFolder } from '../../support/station.ts'
import { eventually, makeWorld, resourcePath, type World } from './acts.ts'

/** I1: what the command line does and what the station does by itself is in the ledger. */
let world: World
let given: Given
beforeAll(async () => {
  world = await makeWorld()
  given = world.given
})
afterAll(() => given?.close())
const withId = (correlationId: string): StoredEntry[] => world.withId(correlationId)

it('I1 an answer given again for the same Idempotency-Key', async () => {
  const ask = () =>
    given.call('POST', `${given.documents}/evidence`, { body: { Name: 'asked twice' }, key: 'asked-twice' })
  const first = await ask()
  const again = await ask()
  expect([again.status, again.json]).toEqual([201, first.json])
  expect(withId(first.correlationId).map(({ action }) => action)).toContain('evidence.created')
  expect(withId(again.correlationId).map(({ action, outcome }) => [action, outcome])).toEqual([
    ['answer.repeated', 'ok'],
  ])
})

describe('I1 the command line', () => {
  const CLI = { kind: 'cli', id: OS_USER, name: `cli:${OS_USER}`, role: null }
  const after = async (
    name: string,
    args: Record<string, unknown>,
  ): Promise<{ result: Json; entries: StoredEntry[] }> => {
    const seq = given.ledger().at(-1)?.seq ?? 0
    const result = await given.command(name, args)
    return { result, entries: given.ledger(seq).filter(({ actor }) => actor.kind === 'cli') }
  }
  const told = (entries: StoredEntry[]) =>
    entries.map(({ action, object, outcome, source }) => [action, object.name, outcome, source])

  it('users, groups and integrations', async () => {
    const user = await after('user.create', {
      username: 'officer.2',
      password: 'a long enough pass phrase',
      group: 'Night shift',
      policies: [],
      guest: false,
    })
    expect(told(user.entries)).toEqual([
      ['group.created', 'Night shift', 'ok', 'cli'],
      ['user.created', 'officer.2', 'ok', 'cli'],
    ])
    expect(user.entries.map(({ actor }) => actor)).toEqual([CLI, CLI])
    const service = await after('integration.create', { name: 'second', policies: [], group: null, baseUrl: given.url })
    expect(told(service.entries)).toEqual([['service.created', 'second', 'ok', 'cli']])
    expect(JSON.stringify(service.entries)).not.toContain(service.result.connection.APIKey)
    const first = given.ledger().filter(({ actor }) => actor.kind === 'cli')
    expect(told(first).slice(0, 2)).toEqual([
      ['user.created', 'sergeant', 'ok', 'cli'],
      ['service.created', 'uploader', 'ok', 'cli'],
    ])
  })

  it('taking in and verifying', async () => {
    const folder = path.join(given.dir, 'card')
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'note.bin'), randomUUID())
    const ingest = await after('ingest', { paths: [folder], case: null })
    expect(ingest.entries.map(({ action }) => action)).toEqual([
      'evidence.created',
      'resource.created',
      'resource.completed',
      'evidence.completed',
    ])
    expect(new Set(ingest.entries.map(({ correlationId }) => correlationId)).size).toBe(1)
    const again = await after('ingest', { paths: [folder], case: null })
    expect([again.result.alreadyHere.length, again.entries]).toEqual([1, []])
    const verify = await after('verify', { fast: true })
    expect(verify.result.problems).toEqual([])
    expect(told(verify.entries)).toEqual([['ledger.verified', '', 'ok', 'cli']])
  })

  it('verifying what stations forwarded, also where none did', async () => {
    const { result, entries } = await after('stations.verify', {})
    expect(result).toEqual([])
    expect(entries).toEqual([
      expect.objectContaining({
        action: 'forwarding.custodyVerified',
        actor: CLI,
        source: 'cli',
        object: { type: 'station', id: '1', name: '' },
        outcome: 'ok',
        reason: null,
        detail: { stations: 0, branches: 0, problems: 0 },
      }),
    ])
  })
})

describe('I1 the station itself', () => {
  it('its seed, what it put right, its start, and at its end playbacks, counted strangers and a checkpoint', async () => {
    const play = await given.call('GET', `${resourcePath(given, world.exif)}/content?purpose=play`)
    expect(play.status).toBe(200)
    // Three more refusals of a source that has one already: counted, and told when the station ends at the latest.
    const first = await given.call('GET', `${given.documents}/evidence`, { token: null })
    expect(await eventually(world, first.correlationId)).toHaveLength(1)
    for (let count = 0; count < 3; count++) await given.call('GET', `${given.documents}/evidence`, { token: null })
    const all = given.ledger()
    // The rows that a new database comes with are taken into the ledger before the station starts.
    const taken = new Set(['rows.changed', 'system.rowsRecorded'])
    const acts = all.filter(({ action }) => !taken.has(action))
    const recorded = all
      .slice(
        0,
        all.findIndex(({ action }) => action === 'station.started'),
      )
      .filter(({ action }) => action === 'system.rowsRecorded')
    const about = (id: string, detail: unknown) =>
      expect.objectContaining({
        actor: { kind: 'internal', id: '0', name: 'internal', role: null },
        source: 'station',
        object: { type: 'rows', id, name: '' },
        outcome: 'ok',
        detail,
      })
    const { policies } = (acts[1] as StoredEntry).detail as unknown as { policies: unknown[] }
    expect(recorded).toEqual([
      about('part', { table: 'tenants', count: 1 }),
      about('part', { table: 'principals', count: 1 }),
      about('part', { table: 'policy_members', count: policies.length }),
      about('part', { table: 'station', count: 1 }),
      about('part', { table: 'lan', count: 1 }),
      about('all', { schema: newestSchema(), tables: expect.objectContaining({ lan: expect.any(String) }) }),
    ])
    expect(all.filter(({ action }) => action === 'system.rowsRecorded')).toEqual(recorded)
    expect(acts.slice(0, 5).map(({ action, outcome, actor }) => [action, outcome, actor.kind])).toEqual([
      ['tenant.created', 'ok', 'internal'],
      ['group.created', 'ok', 'internal'],
      ['system.recovered', 'ok', 'internal'],
      ['station.started', 'ok', 'internal'],
      ['checkpoint.signed', 'ok', 'internal'],
    ])
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(acts[3]?.detail).toMatchObject({ version, disclosureApproval: [] })
    await given.stop()
    const end = given.ledger(all.at(-1)?.seq)
    expect(withId(play.correlationId).map(({ action, bytes }) => [action, bytes])).toEqual([
      ['resource.played.started', null],
      ['resource.played.ended', play.bytes.length],
    ])
    expect(end.map(({ action }) => action)).toEqual([
      'resource.played.ended',
      'access.denied',
      'station.stopped',
      'checkpoint.signed',
    ])
    expect(end.find(({ action }) => action === 'access.denied')).toMatchObject({
      object: { type: 'source', id: '127.0.0.1', name: '' },
      outcome: 'denied',
      detail: { count: 3 },
    })
  })

  it('a local time sorted anew, after the station was set to another time zone', { timeout: 180_000 }, async () => {
    const home = await givenStation({ settings: { timeZone: 'Europe/Vienna' } })
    onTestFinished(home.close)
    const file = path.join(home.dir, 'local.jpg')
    execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=64x64:d=1', '-frames:v', '1', file])
    execFileSync('exiftool', ['-q', '-overwrite_original', '-n', '-DateTimeOriginal=2024:11:20 14:07:42', file])
    const { evidenceId } = await home.completed(readFileSync(file), { name: 'local.jpg' })
    await home.settled(evidenceId)
    const zone = () =>
      home.database((db) => db.prepare("SELECT value FROM station WHERE name = 'zone of local times'").pluck().get())
    await expect.poll(zone, { timeout: 60_000 }).toBe('Europe/Vienna')
    await home.stop()
    const before = home.ledger().at(-1)?.seq
    const moved = await startServer({ ...home.settings, timeZone: 'Asia/Tokyo' })
    const entriesNow = () => home.ledger(before).filter(({ object }) => object.type === 'evidence')
    try {
      await expect.poll(entriesNow, { timeout: 60_000 }).not.toEqual([])
    } finally {
      await moved.close()
    }
    expect(entriesNow()).toEqual([
      expect.objectContaining({
        action: 'evidence.filled',
        actor: { kind: 'internal', id: '0', name: 'internal', role: null },
        source: 'station',
        object: { type: 'evidence', id: evidenceId, name: 'Front desk' },
        outcome: 'ok',
        detail: { filled: ['LocalStartTime'], localTime: '2024-11-20T14:07:42', timeZone: 'Asia/Tokyo' },
      }),
    ])
  })

  it('that it takes no writes, also when the disk is full before it starts', async () => {
    const { dir, dispose } = await temporaryFolder('no-room')
    onTestFinished(dispose)
    const data = path.join(dir, 'data')
    // A floor that no disk has free.
    const settings = loadSettings(
      {},
      { data, port: 0, reserveBytes: 65_536, minFreeBytes: 2 ** 50, logLevel: 'silent' },
    )
    const station = await startServer(settings)
    const ready = await fetch(`${station.url}/readyz`)
    await station.close()
    const db = openRaw(path.join(data, 'sallyport.db'), { readOnly: true })
    const entries = (db.prepare('select body from ledger order by seq').pluck().all() as Uint8Array[]).map((body) =>
      storedEntry(body),
    )
    db.close()
    expect(ready.status).toBe(503)
    expect(entries.filter(({ action }) => action === 'station.readOnly')).toEqual([
      expect.objectContaining({
        outcome: 'ok',
        reason: expect.stringContaining('full'),
        detail: { readOnly: true },
        source: 'station',
      }),
    ])
  })

  it('every number of the ledger is there once, without a gap', () => {
    const seqs = given.ledger().map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  })
})
