/** S19: what the store refuses before it removes, moves or writes anything, one question at a time. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSpaceGuard } from '../../server/storage/write-limits.ts'
import { INTENTS, intentOf, placeOf, QUARANTINE, STAGING } from '../../server/storage/layout.ts'
import { openStaging } from '../../server/storage/staging/staging.ts'
import { type FolderStore, openBlobStore } from '../../server/storage/folder/store.ts'
import type { PlacedBlob } from '../../server/storage/store.ts'
import { spaceOf } from '../../server/platform/files/space.ts'
import { sha256Of } from './conformance.ts'

let folder: string
let root: string
let store: FolderStore
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sallyport-refusals-'))
  root = path.join(folder, 'blobs')
  store = await openBlobStore({ root, now: Date.now })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const BYTES = Buffer.from('the only copy')
const SHA256 = sha256Of(BYTES)
const yes = async (): Promise<boolean> => true
const no = async (): Promise<boolean> => false
async function placed(): Promise<PlacedBlob> {
  const source = path.join(folder, 'source')
  writeFileSync(source, BYTES)
  return store.place(await store.copyIn(source))
}
const kept = async (): Promise<void> => store.confirm(await placed())
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string; name: string }) => error.code ?? error.name,
  )

describe('S19: a blob is removed', () => {
  it('never between its placing and the end of the transaction that places it', async () => {
    const blob = await placed()
    expect(await store.remove(SHA256, no)).toBe('busy')
    expect(existsSync(store.pathOf(SHA256))).toBe(true)
    await store.confirm(blob)
    expect(await store.remove(SHA256, no)).toBe('removed')
    expect(existsSync(store.pathOf(SHA256))).toBe(false)
  })

  it('never while a row knows it', async () => {
    await kept()
    expect(await store.remove(SHA256, yes)).toBe('kept')
    expect(existsSync(store.pathOf(SHA256))).toBe(true)
  })

  it('and is missing already counts as removed; a failure to remove is reported', async () => {
    expect(await store.remove(SHA256, no)).toBe('removed')
    mkdirSync(store.pathOf(SHA256), { recursive: true })
    expect(await codeOf(store.remove(SHA256, no))).not.toBe('done')
    mkdirSync(path.join(root, QUARANTINE, 'put'))
    expect(await codeOf(store.removeQuarantined('put'))).not.toBe('done')
    await store.removeQuarantined('never was')
  })

  it('and whether it is gone for good is unknown where its folder cannot be synced: nothing is written after that', async () => {
    await kept()
    const { inner } = placeOf(root, SHA256)
    // What is in it can be reached and removed; a folder that is synced is opened without following a link.
    renameSync(inner, path.join(folder, 'moved'))
    symlinkSync(path.join(folder, 'moved'), inner)
    expect(await codeOf(store.remove(SHA256, no))).toBe('IoUnknown')
    rmSync(inner)
    expect(await codeOf(store.remove(SHA256, no))).toBe('IoUnknown')
  })
})

describe('S19: a file among the blobs is put aside', () => {
  it('where no row knows it, and never otherwise', async () => {
    await kept()
    const place = store.pathOf(SHA256)
    expect(await store.setAside(place, yes, 'a stranger')).toBeNull()
    writeFileSync(intentOf(root, SHA256), '')
    expect(await store.setAside(place, no, 'a stranger')).toBeNull()
    rmSync(intentOf(root, SHA256))
    expect(existsSync(place)).toBe(true)
    expect((await store.setAside(place, no, 'a stranger'))?.sha256).toBe(SHA256)
    expect(existsSync(place)).toBe(false)
    // It went meanwhile.
    expect(await store.setAside(place, no, 'a stranger')).toBeNull()
    expect(await store.setAside(path.join(root, 'stranger.txt'), no, 'a stranger')).toBeNull()
  })

  it('a missing blob is reported as missing', async () => {
    expect(await codeOf(store.quarantine(SHA256, 'damaged'))).toBe('BlobMissing')
  })
})

describe('S19: the folder of the blobs', () => {
  const FOLDERS = [STAGING, INTENTS, QUARANTINE]
  /** A folder on another volume, in memory. */
  const elsewhere = (): string => mkdtempSync('/dev/shm/sallyport-refusals-')
  const otherVolume = existsSync('/dev/shm') && statfsSync('/dev/shm').type !== statfsSync(tmpdir()).type

  it('that lost one of its own folders is away', async () => {
    expect(await store.whyAway()).toBeNull()
    rmSync(path.join(root, INTENTS), { recursive: true })
    expect(await store.whyAway()).toMatch(/is not there/)
    writeFileSync(path.join(root, INTENTS), '')
    expect(await store.whyAway()).toMatch(/no folder any more/)
  })

  it.runIf(otherVolume)('that is another volume now is away, whatever lies in it', async () => {
    const other = elsewhere()
    for (const name of FOLDERS) mkdirSync(path.join(other, 'blobs', name), { recursive: true })
    const link = path.join(folder, 'mounted')
    symlinkSync(folder, link)
    const mounted = await openBlobStore({ root: path.join(link, 'blobs'), now: Date.now })
    expect(await mounted.whyAway()).toBeNull()
    rmSync(link)
    symlinkSync(other, link)
    expect(await mounted.whyAway()).toMatch(/Another volume/)
    // Asked for before and staged since: it is not placed among the blobs of that volume.
    writeFileSync(path.join(folder, 'film'), 'film')
    const staged = await mounted.copyIn(path.join(folder, 'film'))
    expect(await codeOf(mounted.place(staged))).toBe('StoreFailed')
    expect(readdirSync(path.join(other, 'blobs')).sort()).toEqual(FOLDERS.toSorted())
    expect(readdirSync(path.join(other, 'blobs', INTENTS))).toEqual([])
    await mounted.close()
    rmSync(other, { recursive: true })
  })

  it.runIf(otherVolume)('that is another volume now takes no uploads', async () => {
    const other = elsewhere()
    const link = path.join(folder, 'mounted')
    symlinkSync(folder, link)
    const staging = await openStaging({ root: path.join(link, 'uploads') })
    expect(await staging.ensure('1', 'a')).toEqual({ shared: false })
    rmSync(link)
    symlinkSync(other, link)
    await expect(staging.ensure('2', 'a')).rejects.toMatchObject({ name: 'StagingFailure', code: 'EXDEV' })
    expect(readdirSync(path.join(other, 'uploads', '2'))).toEqual([])
    await staging.close()
    rmSync(other, { recursive: true })
  })

  it.runIf(otherVolume)('with one of its own folders on another volume is not opened', async () => {
    const other = elsewhere()
    renameSync(path.join(root, QUARANTINE), path.join(folder, 'was'))
    symlinkSync(other, path.join(root, QUARANTINE))
    await expect(openBlobStore({ root, now: Date.now })).rejects.toThrow(/must lie on the volume/)
    rmSync(other, { recursive: true })
  })
})

describe('S19: bytes are taken', () => {
  it('while the volume stays above its floor, counting those that are being written', async () => {
    const { free } = await spaceOf(root)
    const roomy = createSpaceGuard(root, Math.floor(free / 2))
    const most = Math.ceil(free * 0.4)
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = roomy(most, () => {
      begun.resolve()
      return ended.promise
    })
    await begun.promise
    expect(await codeOf(roomy(most, async () => {}))).toBe('NoSpace')
    ended.resolve()
    await first
    expect(await codeOf(roomy(most, async () => {}))).toBe('done')
    expect(await codeOf(createSpaceGuard(root, free * 2)(0, async () => {}))).toBe('NoSpace')
  })

  it('under a key that is no path', async () => {
    const source = path.join(folder, 'source')
    writeFileSync(source, BYTES)
    for (const key of ['../outside', 'a/b', '', 'x'.repeat(65), 'a~b'])
      await expect(store.copyResumable(source, key)).rejects.toThrow(/is no key/)
  })
})

describe('S19: a blob is read', () => {
  it('within its bytes', async () => {
    await kept()
    const blob = await store.open(SHA256)
    for (const [start, end] of [
      [0, Number.NaN],
      [Number.NaN, 1],
      [0, 1.5],
      [-1, 1],
      [0, BYTES.length],
      [3, 1],
    ] as const)
      expect(() => blob.stream(start, end), `${start} to ${end}`).toThrow(RangeError)
  })

  it('and another kind of entry in its place is not reported as missing', async () => {
    expect(await codeOf(store.open(SHA256))).toBe('BlobMissing')
    writeFileSync(path.dirname(placeOf(root, SHA256).inner), '')
    expect(await codeOf(store.open(SHA256))).not.toBe('BlobMissing')
  })

  it('beside rows that come in their order alone', async () => {
    await kept()
    const rows = async function* () {
      yield { sha256: 'f'.repeat(64), length: 1 }
      yield { sha256: SHA256, length: BYTES.length }
    }
    const compared = async (): Promise<void> => {
      for await (const _difference of store.compare({ rows: rows(), isKnown: no }));
    }
    await expect(compared()).rejects.toThrow(/ascending order/)
  })

  it('and a comparison that could not look at one ends with that, not as if all were well', async () => {
    const rows = async function* () {
      yield { sha256: SHA256, length: BYTES.length }
    }
    writeFileSync(path.dirname(placeOf(root, SHA256).inner), '')
    const compared = async (): Promise<void> => {
      for await (const _difference of store.compare({ rows: rows(), isKnown: no, read: false }));
    }
    expect(await codeOf(compared())).toBe('ENOTDIR')
  })
})
