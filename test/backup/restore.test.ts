/** A backup restores (promise D9): under load, elsewhere, with keys and without; nothing that is not whole looks so. */
// @module-tag merge
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../../server/config/settings.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { makeAuthority, makeCertificate } from '../../server/platform/certificates/authority.ts'
import { openKeys } from '../../server/platform/secrets/keys.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { openStation } from '../../server/index.ts'
import type { Json } from '../support/given.ts'
import { sha256Of } from '../support/given.ts'
import { scale } from '../support/scale.ts'
import { signAnew, strangersKey } from './forging.ts'
import { type BackupWorld, backupWorld, blobIn, fileOf, flip, snapshotsOf } from './world.ts'

const PASSPHRASE = 'nine ladders against the wall'
let world: BackupWorld
let target: string
beforeAll(async () => {
  world = await backupWorld()
  target = world.folder('drive')
})
afterAll(() => world?.given.close())

const reading = <T>(data: string, work: (db: ReturnType<typeof openRaw>) => T): T => {
  const db = openRaw(path.join(data, 'sallyport.db'), { readOnly: true })
  try {
    return work(db)
  } finally {
    db.close()
  }
}
const hashAt = (data: string, seq: number): string =>
  reading(data, (db) => db.prepare('SELECT lower(hex(hash)) FROM ledger WHERE seq = ?').pluck().get(seq)) as string
const countOf = (data: string, table: string, upTo = ''): number =>
  reading(data, (db) => db.prepare(`SELECT count(*) FROM ${table} ${upTo}`).pluck().get()) as number
const verified = async (data: string): Promise<Json> => {
  const settings = loadSettings({}, { data, reserveBytes: 0, minFreeBytes: 0, logLevel: 'silent' })
  const station = await openStation(settings)
  try {
    return await station.command(
      { command: 'verify', args: { fast: false }, user: 'tester' },
      () => {},
      new AbortController().signal,
    )
  } finally {
    await station.close()
  }
}

const ROUNDS = scale(1, 10)
describe(`D9 a snapshot made under load, restored elsewhere, ${ROUNDS} rounds`, () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round))('round %i', { timeout: 120_000 }, async (round) => {
    let on = true
    const acknowledged: { sha256: string; before: boolean }[] = []
    let made = false
    const load = Array.from({ length: 3 }, async (_, lane) => {
      for (let at = 0; on; at++) {
        const bytes = Buffer.from(`${round} ${lane} ${at} `.repeat(3000))
        const { sha256 } = await world.given.completed(bytes)
        acknowledged.push({ sha256, before: made })
      }
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    const before = acknowledged.map(({ sha256 }) => sha256)
    const snapshot = await world.backup(target)
    made = true
    on = false
    await Promise.all(load)
    const { manifest } = snapshot
    expect(manifest.blobs.damaged).toEqual([])
    expect(manifest.blobs.count).toBeGreaterThanOrEqual(world.blobs.length + before.length)

    const data = path.join(world.given.dir, `restored-${round}`)
    const report = await world.restore(target, data)
    expect(report).toMatchObject({ snapshot: snapshot.name, problems: [], entries: manifest.ledger.entries })
    // The same head as it stood at that moment, and the station itself goes on from the very same one.
    expect(hashAt(data, report.entries)).toBe(report.head)
    expect(hashAt(world.given.data, report.entries)).toBe(report.head)
    // What was restored, and the checkpoint over it.
    expect(countOf(data, 'ledger')).toBe(report.entries + 2)
    for (const [table, count] of Object.entries(manifest.counts as Record<string, number>))
      expect([table, countOf(data, table)]).toEqual([table, count])
    // Whatever was acknowledged before it was asked for is in it, byte for byte.
    for (const sha256 of [...world.blobs, ...before])
      expect(sha256Of(readFileSync(path.join(data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)))).toBe(
        sha256,
      )
    const all = await verified(data)
    expect(all.problems).toEqual([])
    expect(all.blobs).toBe(manifest.blobs.count)
    rmSync(data, { recursive: true })
  })
})

describe('snapshots', () => {
  it('an incremental one copies only new blobs, and each has a ledger entry', async () => {
    const fresh = await world.take(Buffer.from('one more statement'))
    const { newBlobs, newBytes, name, manifest } = await world.backup(target)
    expect(newBytes).toBeGreaterThanOrEqual(18)
    expect(newBlobs).toBeLessThan(manifest.blobs.count)
    expect(existsSync(blobIn(target, fresh))).toBe(true)
    const again = await world.backup(target)
    expect([again.newBlobs, again.newBytes]).toEqual([0, 0])
    const entry = world.given.ledger().filter(({ action }) => action === 'backup.made')
    expect(entry.at(-2)).toMatchObject({ object: { name }, outcome: 'ok', sha256: manifest.database.sha256 })
    expect(entry.at(-1)?.actor).toMatchObject({ kind: 'cli', id: 'tester' })
  })

  it('the remains of a snapshot that was cut off are no snapshot, and the next one removes them', async () => {
    const folder = world.folder('unfinished')
    await world.backup(folder)
    const left = path.join(folder, 'snapshots', '.making-left')
    cpSync(path.join(folder, 'snapshots', snapshotsOf(folder)[0] as string), left, { recursive: true })
    mkdirSync(path.join(folder, 'blobs', '.staging'), { recursive: true })
    writeFileSync(path.join(folder, 'blobs', '.staging', 'copy-left'), 'half')
    await world.backup(folder)
    expect(existsSync(left)).toBe(false)
    expect(readdirSync(path.join(folder, 'blobs', '.staging'))).toEqual([])
    // Two of one day: the newer one stays.
    expect(snapshotsOf(folder)).toHaveLength(1)
  })

  it('a blob that the station itself has not whole is named, and the snapshot is made without it', async () => {
    const sha256 = await world.take(Buffer.from('soon damaged'))
    const place = path.join(world.given.data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
    const folder = world.folder('damaged')
    rmSync(place)
    const { manifest } = await world.backup(folder)
    expect(manifest.blobs.damaged).toEqual([sha256])
    writeFileSync(place, 'soon damaged')
    expect((await world.backup(folder)).manifest.blobs.damaged).toEqual([])
  })

  it.each([
    ['inside the station', () => path.join(world.given.data, 'fresh'), /inside the station’s own folders/],
    ['around the station', () => world.given.dir, /inside the station’s own folders/],
    [
      'of something else',
      () => {
        const folder = world.folder('holiday')
        writeFileSync(path.join(folder, 'photo.jpg'), 'sun')
        return folder
      },
      /Something else lies/,
    ],
    ['that is not there', () => path.join(world.given.dir, 'no-drive', 'snapshots'), /no such folder/],
    [
      'of another station',
      () => {
        const folder = world.folder('others')
        writeFileSync(path.join(folder, 'sallyport-backup.json'), '{"format":1,"origin":"sallyport.local/other"}')
        return folder
      },
      /another station’s/,
    ],
    ['that is a file', () => path.join(world.given.data, 'keys/signing.json'), /inside the station’s own folders/],
    ['of which a part is a file', () => path.join(fileOf(target, 'manifest.json'), 'x'), /cannot be read/],
    ['without its whole path', () => path.relative(process.cwd(), target), /whole path/],
  ])('a folder %s is refused', async (_what, folder, says) => {
    await expect(world.backup(folder())).rejects.toMatchObject({
      code: 'TargetUnusable',
      message: expect.stringMatching(says),
    })
  })

  it('S19: one is made or tried at a time', async () => {
    const [first, second] = await Promise.allSettled([
      world.backup(world.folder('first')),
      world.given.command('drill', { from: target, sample: 1 }),
    ])
    expect(first).toMatchObject({ status: 'fulfilled' })
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'BackupInProgress' } })
  })

  it('S19: a folder is read by its whole path, and missing files are named', async () => {
    const drilled = (from: string): Promise<unknown> => world.given.command('drill', { from, sample: 1 })
    await expect(drilled(path.relative(process.cwd(), target))).rejects.toThrow('whole path')
    await expect(drilled(world.folder('nothing'))).rejects.toMatchObject({ code: 'TargetUnusable' })
    await expect(
      world.restore(target, path.join(world.given.dir, 'never'), { snapshot: '20200101T000000000Z' }),
    ).rejects.toThrow('There is no snapshot 20200101T000000000Z in this folder')
  })
})

it('D9 the newest by its time is not taken where another snapshot has more of the ledger: a clock was wrong', async () => {
  const folder = world.folder('future')
  await world.backup(folder)
  const [first = ''] = snapshotsOf(folder)
  const future = '20360101T000000000Z'
  cpSync(path.join(folder, 'snapshots', first), path.join(folder, 'snapshots', future), { recursive: true })
  rmSync(path.join(folder, 'snapshots', first), { recursive: true })
  signAnew(folder, strangersKey(), (manifest) => {
    manifest.snapshot = future
  })
  await world.take(Buffer.from('after the clock was set'))
  await world.backup(folder)
  const [newest = ''] = snapshotsOf(folder).filter((name) => name !== future)
  const data = path.join(world.given.dir, 'from-the-future')
  await expect(world.restore(folder, data)).rejects.toMatchObject({
    code: 'TargetUnusable',
    message: expect.stringContaining(
      `The snapshot ${future} is the newest by its time, and ${newest} has more entries`,
    ),
  })
  expect(existsSync(data)).toBe(false)
  const report = await world.restore(folder, data, { snapshot: newest })
  expect([report.snapshot, report.problems]).toEqual([newest, []])
})

describe('keys', () => {
  const secretsIn = (folder: string): string[] => {
    const keys = path.join(world.given.data, 'keys')
    const secrets = readdirSync(keys).flatMap((name) =>
      [...readFileSync(path.join(keys, name), 'utf8').matchAll(/"(?:d|key|secret|p|q)":"([\w-]{20,})"/g)].map(
        ([, text]) => text as string,
      ),
    )
    expect(secrets.length).toBeGreaterThan(3)
    const files = (readdirSync(folder, { recursive: true }) as string[]).map((name) => path.join(folder, name))
    return files.filter((file) => {
      const text = existsSync(file) && !readdirSyncSafe(file) ? readFileSync(file, 'latin1') : ''
      return secrets.some(
        (secret) => text.includes(secret) || text.includes(Buffer.from(secret, 'base64url').toString('latin1')),
      )
    })
  }
  const readdirSyncSafe = (file: string): boolean => {
    try {
      readdirSync(file)
      return true
    } catch {
      return false
    }
  }

  it('are in no ordinary snapshot; a station restored without them gets new ones, and is told what that means', async () => {
    const folder = world.folder('plain')
    await world.backup(folder)
    expect(secretsIn(folder)).toEqual([])
    expect(readdirSync(path.dirname(fileOf(folder, 'manifest.json'))).sort()).toEqual([
      'blobs.txt',
      'database.db',
      'manifest.json',
      'manifest.sig',
    ])
    const data = path.join(world.given.dir, 'rekeyed')
    const report = await world.restore(folder, data)
    expect(report.keys).toBe('new')
    expect(report.lost.join(' ')).toMatch(/signed by a new key/)
    // The checkpoints of before are still held against the keys that signed them.
    const all = await verified(data)
    expect(all.problems).toEqual([])
    expect(all.checkpoints).toBeGreaterThan(0)
    const before = JSON.parse(readFileSync(path.join(world.given.data, 'keys', 'signing.json'), 'utf8'))
    const after = JSON.parse(readFileSync(path.join(data, 'keys', 'signing.json'), 'utf8'))
    expect(after.current.x).not.toBe(before.current.x)
    expect(after.retired).toEqual([before.current.x])
  })

  it('wrapped by a passphrase they are restored as they were; a wrong one opens nothing and leaves nothing', async () => {
    const folder = world.folder('with-keys')
    // Those that a station makes when they are first needed: the key for encrypted uploads, and the CA of its LAN.
    await world.given.expecting(200, world.given.call('GET', '/keystore/api/v1/tenant/station/key'))
    const { lan } = await openKeys(path.join(world.given.data, 'keys'), { clock: systemClock, established: true })
    const reach = { names: ['desk.example'], networks: [] }
    const authority = await makeAuthority('the station of this test', reach, Date.now())
    const certificate = await makeCertificate(authority, ['desk.example'], Date.now())
    await lan.save({ authority: { ...authority, ...reach }, certificate })
    const { manifest } = await world.backup(folder, PASSPHRASE)
    expect(manifest.keys).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(secretsIn(folder)).toEqual([])
    const data = path.join(world.given.dir, 'with-keys-restored')
    await expect(world.restore(folder, data, { passphrase: 'nine ladders against the hall' })).rejects.toThrow(
      /does not open/,
    )
    expect(existsSync(data)).toBe(false)
    const report = await world.restore(folder, data, { passphrase: PASSPHRASE })
    expect([report.keys, report.lost]).toEqual(['restored', []])
    const names = readdirSync(path.join(world.given.data, 'keys'))
    expect(names).toEqual(expect.arrayContaining(['ca.json', 'tenant.json']))
    for (const name of names)
      expect(readFileSync(path.join(data, 'keys', name), 'utf8')).toBe(
        readFileSync(path.join(world.given.data, 'keys', name), 'utf8'),
      )
  })

  it('S19: that were changed in the snapshot refuse it, also where nobody opens them', async () => {
    const folder = world.folder('keys-changed')
    cpSync(world.folder('with-keys'), folder, { recursive: true })
    flip(fileOf(folder, 'keys.sealed'))
    for (const passphrase of [null, PASSPHRASE])
      await expect(world.restore(folder, path.join(world.given.dir, 'nowhere'), { passphrase })).rejects.toThrow(
        'keys.sealed was changed',
      )
  })

  it('a short passphrase is refused; one for a snapshot without keys is too', async () => {
    await expect(world.backup(world.folder('short'), 'short')).rejects.toMatchObject({ code: 'InvalidModel' })
    await expect(
      world.restore(world.folder('plain'), path.join(world.given.dir, 'nowhere'), { passphrase: PASSPHRASE }),
    ).rejects.toThrow(/no keys in this snapshot/)
  })
})

describe('where a station is restored', () => {
  it('only into an empty folder, and never into its own backup', async () => {
    const full = world.folder('full')
    writeFileSync(path.join(full, 'note.txt'), 'mine')
    await expect(world.restore(target, full)).rejects.toThrow(/is not empty/)
    expect(readdirSync(full)).toEqual(['note.txt'])
    await expect(world.restore(target, path.join(target, 'in'))).rejects.toThrow(/its own backup/)
    await expect(world.restore(world.given.dir, path.join(world.given.dir, 'x'))).rejects.toMatchObject({
      code: 'TargetUnusable',
    })
    await expect(world.restore(target, path.join(world.given.dir, 'x'), { snapshot: '../../x' })).rejects.toMatchObject(
      {
        code: 'TargetUnusable',
      },
    )
  })

  it('a restore that was killed leaves a folder in which no station opens', async () => {
    const half = world.folder('half')
    writeFileSync(path.join(half, 'restoring'), 'x')
    await expect(verified(half)).rejects.toThrow(/did not end/)
  })
})
