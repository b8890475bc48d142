/** What somebody did to a snapshot is found and named (promises I3, D9), by a trial and by restoring, and what is restored is whole or nothing. */
// @module-tag merge
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateKeyPairSync, sign } from 'node:crypto'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { signManifest } from '../../server/features/integrity/backup/manifest.ts'
import type { Json } from '../support/given.ts'
import { type BackupWorld, backupWorld, blobIn, fileOf, flip, snapshotsOf } from './world.ts'
import { sampled } from '../support/scale.ts'

let world: BackupWorld
let drive: string
let copies = 0
beforeAll(async () => {
  world = await backupWorld()
  drive = world.folder('drive')
  await world.backup(drive)
})
afterAll(() => world?.given.close())

const copied = (): string => {
  const folder = path.join(world.given.dir, `copy-${(copies += 1)}`)
  cpSync(drive, folder, { recursive: true })
  return folder
}
const drilled = async (from: string): Promise<string[]> =>
  ((await world.given.command('drill', { from, sample: 100 })) as Json).problems
/** As somebody who has a key of their own: the manifest fits what lies beside it, and is signed. */
function resign(folder: string, change: (manifest: Json) => void): void {
  const manifest = JSON.parse(readFileSync(fileOf(folder, 'manifest.json'), 'utf8'))
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url')
  change(manifest)
  manifest.publicKeys = [raw.toString('base64')]
  const { text, signature } = signManifest(manifest, {
    publicKey: raw,
    sign: (bytes) => sign(null, bytes, privateKey),
  })
  writeFileSync(fileOf(folder, 'manifest.json'), text)
  writeFileSync(fileOf(folder, 'manifest.sig'), signature)
}
const sumOf = (file: string): string => execFileSync('sha256sum', [file]).toString().slice(0, 64)

interface Kind {
  readonly name: string
  readonly tamper: (folder: string) => void
  /** What the trial names. */
  readonly named: RegExp
  /** The trial cannot even begin. */
  readonly refused?: boolean
  /** Restored too; the others take the same way there. */
  readonly restored?: boolean
}

const KINDS: readonly Kind[] = [
  {
    name: 'a bit of the database',
    tamper: (f) => flip(fileOf(f, 'database.db')),
    named: /^database\.db was changed/,
    restored: true,
  },
  {
    name: 'the database cut short',
    tamper: (f) => truncateSync(fileOf(f, 'database.db'), 8192),
    named: /^database\.db was changed/,
  },
  {
    name: 'the database lengthened',
    tamper: (f) => appendFileSync(fileOf(f, 'database.db'), 'x'),
    named: /^database\.db was changed/,
  },
  {
    name: 'a bit of the list of blobs',
    tamper: (f) => flip(fileOf(f, 'blobs.txt')),
    named: /^blobs\.txt was changed/,
    restored: true,
  },
  {
    name: 'a line of the list taken out',
    tamper: (f) => {
      const [, ...rest] = readFileSync(fileOf(f, 'blobs.txt'), 'utf8').split('\n')
      writeFileSync(fileOf(f, 'blobs.txt'), rest.join('\n'))
    },
    named: /^blobs\.txt was changed/,
  },
  {
    name: 'a number in the manifest',
    tamper: (f) => {
      const file = fileOf(f, 'manifest.json')
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"count":(\d+)/, '"count":1'))
    },
    named: /manifest\.json is not what was signed/,
    refused: true,
    restored: true,
  },
  {
    name: 'the signature of something else',
    tamper: (f) => {
      const file = fileOf(f, 'manifest.sig')
      const [key, signature = ''] = readFileSync(file, 'utf8').trim().split(' ')
      writeFileSync(file, `${key} ${Buffer.from(signature, 'base64').reverse().toString('base64')}\n`)
    },
    named: /manifest\.json is not what was signed/,
    refused: true,
  },
  {
    name: 'an older snapshot under the name of a newer one',
    tamper: (f) =>
      renameSync(path.dirname(fileOf(f, 'manifest.json')), path.join(f, 'snapshots', '20991231T000000000Z')),
    named: /was renamed/,
    refused: true,
  },
  {
    name: 'an entry of the ledger edited, and everything signed anew with another key',
    tamper: (f) => {
      const file = fileOf(f, 'database.db')
      const db = openRaw(file)
      db.exec('DROP TRIGGER ledger_no_update')
      db.exec(
        `UPDATE ledger SET body = CAST(replace(CAST(body AS TEXT), '"outcome":"ok"', '"outcome":"no"') AS BLOB) WHERE seq = 4`,
      )
      db.pragma('journal_mode = delete')
      db.close()
      resign(f, (manifest) => {
        manifest.database.sha256 = sumOf(file)
        manifest.database.length = readFileSync(file).length
      })
    },
    named: /signed by another station/,
    restored: true,
  },
  {
    name: 'a blob and its row taken out, and everything signed anew with another key',
    tamper: (f) => {
      const file = fileOf(f, 'database.db')
      const gone = world.blobs[2] as string
      const db = openRaw(file)
      db.pragma('foreign_keys = 0')
      db.prepare('DELETE FROM blobs WHERE sha256 = ?').run(gone)
      db.pragma('journal_mode = delete')
      db.close()
      rmSync(blobIn(f, gone))
      const list = fileOf(f, 'blobs.txt')
      writeFileSync(list, readFileSync(list, 'utf8').replace(new RegExp(`^${gone} .*\n`, 'm'), ''))
      resign(f, (manifest) => {
        manifest.database.sha256 = sumOf(file)
        manifest.database.length = readFileSync(file).length
        manifest.blobs.list.sha256 = sumOf(list)
        manifest.blobs.count -= 1
        manifest.counts.blobs -= 1
      })
    },
    named: /signed by another station/,
  },
  {
    name: 'nothing changed but whose it is',
    tamper: (f) => resign(f, () => {}),
    named: /signed by another station/,
  },
]

/** Each on blobs of its own, so that one trial shows them all. */
const BLOB_KINDS: readonly (readonly [string, (folder: string, at: (index: number) => string) => readonly RegExp[]])[] =
  [
    [
      'a bit of a blob',
      (_, at) => {
        flip(at(0))
        return [new RegExp(`^Blob ${path.basename(at(0))} is not as it was`, 'm')]
      },
    ],
    [
      'a blob gone',
      (_, at) => {
        rmSync(at(1))
        return [new RegExp(`^Blob ${path.basename(at(1))} is missing in the backup`, 'm')]
      },
    ],
    [
      'a blob cut short',
      (_, at) => {
        truncateSync(at(2), 100)
        return [new RegExp(`^Blob ${path.basename(at(2))} has 100 bytes`, 'm')]
      },
    ],
    [
      'a blob lengthened',
      (_, at) => {
        appendFileSync(at(3), 'x')
        return [new RegExp(`^Blob ${path.basename(at(3))} has \\d+ bytes`, 'm')]
      },
    ],
    [
      'two blobs of one length swapped',
      (_, at) => {
        renameSync(at(4), `${at(4)}.x`)
        renameSync(at(5), at(4))
        renameSync(`${at(4)}.x`, at(5))
        return [4, 5].map((index) => new RegExp(`^Blob ${path.basename(at(index))} is not as it was`, 'm'))
      },
    ],
  ]

describe(`I3 tampering with a backup is found, ${KINDS.length + BLOB_KINDS.length} kinds`, () => {
  it('an untouched one has no problem, and the trial has a ledger entry', async () => {
    expect(await drilled(copied())).toEqual([])
    expect(world.given.ledger().findLast(({ action }) => action === 'backup.drilled')).toMatchObject({
      outcome: 'ok',
      detail: { problems: [] },
    })
    expect(readdirSync(world.given.data).filter((name) => name.startsWith('.drill'))).toEqual([])
  })

  for (const { some, tags } of sampled(KINDS, 4))
    it.each(some)('$name', { tags }, async ({ tamper, named, refused, restored }) => {
      const folder = copied()
      tamper(folder)
      if (refused === true) await expect(drilled(folder)).rejects.toThrow(named)
      else {
        expect((await drilled(folder)).join('\n')).toMatch(new RegExp(named.source, 'm'))
        const entry = world.given.ledger().findLast(({ action }) => action === 'backup.drilled')
        expect(entry).toMatchObject({ outcome: 'failed', object: { name: snapshotsOf(folder).at(-1) } })
      }
      if (restored !== true) return
      const data = path.join(world.given.dir, `never-${copies}`)
      mkdirSync(data)
      await expect(world.restore(folder, data)).rejects.toThrow()
      expect(readdirSync(data)).toEqual([])
    })

  it(`blobs: ${BLOB_KINDS.map(([name]) => name).join(', ')}; restored all the same, they are left out and named`, async () => {
    const folder = copied()
    const at = (index: number): string => blobIn(folder, world.blobs[index] as string)
    const named = BLOB_KINDS.flatMap(([, tamper]) => tamper(folder, at))
    const found = (await drilled(folder)).join('\n')
    for (const pattern of named) expect(found).toMatch(pattern)
    expect(found.split('\n')).toHaveLength(named.length)

    const data = path.join(world.given.dir, 'partly')
    await expect(world.restore(folder, data)).rejects.toMatchObject({
      problems: expect.toSatisfy((all) => all.length === 6),
    })
    expect(readdirSync(data)).toEqual([])
    const { problems, blobs } = await world.restore(folder, data, { keepGoing: true })
    expect(problems.map((one) => /[0-9a-f]{64}/.exec(one)?.[0]).sort()).toEqual(world.blobs.slice(0, 6).sort())
    expect(problems).toContain(`Blob ${world.blobs[1]} is missing in the backup.`)
    expect(blobs).toBe(JSON.parse(readFileSync(fileOf(folder, 'manifest.json'), 'utf8')).blobs.count - 6)
    expect(existsSync(path.join(data, 'sallyport.db'))).toBe(true)
  })
})

/** Volumes of a few megabytes; only root makes them. */
const unable = process.getuid?.() === 0 ? null : 'only root mounts volumes'
describe.skipIf(unable !== null)(unable === null ? 'D9 a full disk' : `D9 a full disk (skipped: ${unable})`, () => {
  const small = (name: string, megabytes: number): string => {
    const mount = world.folder(name)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', mount])
    return mount
  }
  const away = (mount: string): void => void execFileSync('umount', [mount])

  it('a snapshot that does not fit leaves none, and earlier ones are as they were', async () => {
    const mount = small('small-drive', 8)
    try {
      await world.backup(mount)
      const before = snapshotsOf(mount)
      const large = await world.take(Buffer.alloc(9_000_000, 'a long interview '))
      await expect(world.backup(mount)).rejects.toThrow(/No snapshot was made; earlier ones are as they were/)
      expect(readdirSync(path.join(mount, 'snapshots'))).toEqual(before)
      expect(existsSync(blobIn(mount, large))).toBe(false)
      expect(readdirSync(path.join(mount, 'blobs', '.staging'))).toEqual([])
      expect(await drilled(mount)).toEqual([])
      expect(world.given.ledger().findLast(({ action }) => action === 'backup.failed')).toMatchObject({
        outcome: 'failed',
      })
    } finally {
      away(mount)
    }
  })

  it('a restore that does not fit leaves the folder empty', async () => {
    const folder = world.folder('large')
    await world.backup(folder)
    const mount = small('small-station', 8)
    try {
      await expect(world.restore(folder, mount)).rejects.toThrow()
      expect(readdirSync(mount)).toEqual([])
    } finally {
      away(mount)
    }
  })
})
