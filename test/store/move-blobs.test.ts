/** B6: blobs of one store are copied into another. Here both are folders; test/scale/b6-move.test.ts moves to an object store and back. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBlobStore } from '../../server/storage/folder/store.ts'
import { type BlobRow, createBlobMover } from '../../server/storage/move-blobs.ts'
import { sha256Of } from '../support/given.ts'
import { temporaryFolder } from '../support/station.ts'

const never = new AbortController().signal

async function given() {
  const { dir, dispose } = await temporaryFolder('move-blobs')
  const open = (name: string) => openBlobStore({ root: path.join(dir, name), workers: 1, now: Date.now })
  const [source, target] = [await open('source'), await open('target')]
  onTestFinished(async () => {
    await Promise.all([source.close(), target.close()])
    await dispose()
  })
  const add = async (store: typeof source, bytes: Buffer): Promise<BlobRow> => {
    const file = path.join(dir, 'file')
    writeFileSync(file, bytes)
    const placed = await store.place(await store.copyIn(file))
    await store.confirm(placed)
    return { sha256: placed.sha256, length: placed.length }
  }
  const rows: BlobRow[] = []
  for (const length of [0, 1, 70_000, 3_000_000]) rows.push(await add(source, randomBytes(length)))
  const listed = async function* (some = rows): AsyncGenerator<BlobRow> {
    yield* some.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
  }
  const copy = (mover = createBlobMover(source, target)) => mover.copy(listed(), never, () => {})
  const compare = (mayGo: (sha256: string) => boolean = () => false) =>
    createBlobMover(source, target).compare(listed(), async (sha256) => mayGo(sha256), never)
  return { dir, source, target, rows, add, copy, compare, listed }
}

const flip = (file: string): void => {
  const bytes = readFileSync(file)
  bytes[0] = (bytes[0] as number) ^ 1
  writeFileSync(file, bytes)
}

describe('B6 blobs are copied into another store', () => {
  it('each is there with its hash; the second run reads them and copies none', async () => {
    const { target, rows, copy, compare } = await given()
    expect(await copy()).toEqual({ copied: 4, copiedBytes: 3_070_001, present: 0 })
    for (const { sha256 } of rows) expect(sha256Of(readFileSync(target.pathOf(sha256)))).toBe(sha256)
    expect(await copy()).toEqual({ copied: 0, copiedBytes: 0, present: 4 })
    expect(await compare()).toEqual({ removed: 0 })
    expect(readdirSync(path.join(target.root, '.intents'))).toEqual([])
    expect(readdirSync(path.join(target.root, '.staging'))).toEqual([])
  })

  it('one mover takes only what came since', async () => {
    const { source, target, rows, add, copy } = await given()
    const mover = createBlobMover(source, target)
    await copy(mover)
    rows.push(await add(source, randomBytes(10)))
    expect(await copy(mover)).toEqual({ copied: 1, copiedBytes: 10, present: 0 })
  })

  it('a flipped byte at the new place is found, and the blob copied again', async () => {
    const { target, rows, copy } = await given()
    await copy()
    const { sha256 } = rows[2] as BlobRow
    flip(target.pathOf(sha256))
    expect(await copy()).toMatchObject({ copied: 1, present: 3 })
    expect(sha256Of(readFileSync(target.pathOf(sha256)))).toBe(sha256)
  })

  it('a flipped byte at the old place, and a blob that is gone, stop the move', async () => {
    const { source, target, rows, copy } = await given()
    const { sha256 } = rows[2] as BlobRow
    flip(source.pathOf(sha256))
    await expect(copy()).rejects.toMatchObject({ code: 'BlobDamaged', message: expect.stringContaining(sha256) })
    expect((await target.verifyBlob(sha256)).result).toBe('missing')
    rmSync(source.pathOf(sha256))
    await expect(copy()).rejects.toMatchObject({ code: 'BlobMissing' })
  })

  it('what is missing or shorter at the new place is found by the comparison', async () => {
    const { target, rows, copy, compare } = await given()
    await copy()
    writeFileSync(target.pathOf((rows[2] as BlobRow).sha256), 'short')
    await expect(compare()).rejects.toThrow(/is changed/)
    rmSync(target.pathOf((rows[2] as BlobRow).sha256))
    await expect(compare()).rejects.toThrow(/is missing/)
  })

  it('bytes without a row go when they were destroyed; others stop the move and stay', async () => {
    const { target, add, copy, compare } = await given()
    await copy()
    const { sha256 } = await add(target, randomBytes(50))
    await expect(compare()).rejects.toThrow(/not this station’s/)
    expect((await target.verifyBlob(sha256)).result).toBe('ok')
    expect(await compare((one) => one === sha256)).toEqual({ removed: 1 })
    expect((await target.verifyBlob(sha256)).result).toBe('missing')
  })

  it('quarantined bytes come under the same name, those without a hash too', async () => {
    const { source, target, rows } = await given()
    const put = await source.quarantine((rows[1] as BlobRow).sha256, 'looked wrong')
    const items = [
      { path: put.path, reason: 'looked wrong', sha256: put.sha256 },
      { path: '/elsewhere/unread-gone', reason: 'gone', sha256: null },
    ]
    const unread = path.join(source.root, '.quarantine', 'unread-1')
    writeFileSync(unread, 'what is this')
    items.push({ path: unread, reason: 'unread', sha256: null })
    const mover = createBlobMover(source, target)
    expect(await mover.copyQuarantine(items, never)).toEqual({ copied: 2, missing: 1 })
    expect(await mover.copyQuarantine(items, never)).toEqual({ copied: 0, missing: 1 })
    expect(readFileSync(path.join(target.root, '.quarantine', 'unread-1'), 'utf8')).toBe('what is this')
    await target.removeQuarantined(put.path)
    expect(await target.quarantined()).toEqual(['unread-1'])
  })
})
