// @module-tag merge
import { randomBytes, randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { openBlobStore } from '../../server/storage/folder/store.ts'
import type { BlobStore } from '../../server/storage/store.ts'
import { chosenSlices } from '../../server/storage/workers/copy-resumable.ts'
import { type Json, sha256Of } from '../support/given.ts'
import { patience } from '../support/scale.ts'
import { temporaryFolder } from '../support/station.ts'
import { iso, Shelf } from './shelf.ts'
import { dockWorld } from './world.ts'

const MIB = 1024 * 1024
const BEGAN = new Date('2026-11-21T08:00:00Z')

describe('a copy that was cut off', () => {
  let store: BlobStore
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let card: string
  afterEach(async () => {
    await store?.close()
    await folder?.dispose()
  })
  const begin = async (bytes: Buffer): Promise<void> => {
    folder = await temporaryFolder('carry')
    mkdirSync(path.join(folder.dir, 'blobs'))
    store = await openBlobStore({ root: path.join(folder.dir, 'blobs'), now: Date.now, workers: 1 })
    card = path.join(folder.dir, 'film.mp4')
    lay(bytes)
  }
  const lay = (bytes: Buffer): void => {
    writeFileSync(card, bytes)
    utimesSync(card, BEGAN, BEGAN)
  }
  const carried = (): string => path.join(store.root, '.staging', 'carried')
  const parts = (): string[] => readdirSync(carried()).sort()
  const cutAt = async (bytes: number): Promise<void> => {
    const away = new AbortController()
    const onProgress = (done: number): void => {
      if (done >= bytes) away.abort(new Error('pulled'))
    }
    await expect(store.copyResumable(card, '7-1', { signal: away.signal, onProgress })).rejects.toThrow('pulled')
    // Its thread may have been given up on: what it wrote down counts, not when.
    for (let left = patience(200); left > 0 && !parts().includes('7-1.json'); left--) await pause(20)
    expect(parts()).toEqual(['7-1.json', expect.stringMatching(/^7-1~[0-9a-f-]{36}$/)])
  }

  it('resumes at the byte where it stopped, also after a restart of the station', async () => {
    const bytes = randomBytes(90 * MIB + 12_345)
    await begin(bytes)
    // Also while it is read back: then everything but the last bytes is there.
    const drawn = randomInt(8 * MIB, 150 * MIB)
    await cutAt(drawn)
    await store.close()
    store = await openBlobStore({ root: store.root, now: Date.now, workers: 1 })
    await store.recover(async () => false, [])
    const blob = await store.copyResumable(card, '7-1')
    expect(blob).toMatchObject({ sha256: sha256Of(bytes), length: bytes.length })
    expect([drawn, blob.resumedFrom % MIB, blob.resumedFrom >= Math.min(drawn, 90 * MIB) - 9 * MIB]).toEqual([
      drawn,
      0,
      true,
    ])
    expect(sha256Of(readFileSync(blob.path))).toBe(sha256Of(bytes))
    expect((await store.place(blob)).existed).toBe(false)
    expect(parts()).toEqual([])
  })

  it.each([
    ['with other bytes behind the same name, length and time', (bytes: Buffer) => (bytes[MIB + 5] = 0)],
    ['with a first byte of another file', (bytes: Buffer) => (bytes[0] = 0)],
    ['longer than it was', (bytes: Buffer) => Buffer.concat([bytes, randomBytes(9)])],
  ])('begins anew when its source comes back %s', async (_, change) => {
    const bytes = randomBytes(48 * MIB)
    bytes[0] = 1
    bytes[MIB + 5] = 1
    await begin(bytes)
    await cutAt(20 * MIB)
    const changed = change(bytes)
    const now = typeof changed === 'number' ? bytes : changed
    lay(now)
    const blob = await store.copyResumable(card, '7-1')
    expect(blob).toMatchObject({ sha256: sha256Of(now), resumedFrom: 0 })
  })

  it('starts over when the bytes on the disk do not have the noted hash', async () => {
    const bytes = randomBytes(48 * MIB)
    await begin(bytes)
    await cutAt(20 * MIB)
    const held = path.join(carried(), parts()[1] as string)
    writeFileSync(held, randomBytes(statSync(held).size))
    expect(await store.copyResumable(card, '7-1')).toMatchObject({ sha256: sha256Of(bytes), resumedFrom: 0 })
  })

  it('is discarded when no session waits for its source', async () => {
    await begin(randomBytes(48 * MIB))
    await cutAt(20 * MIB)
    await store.discardPartialCopies((key) => key.startsWith('7-'))
    expect(parts()).toHaveLength(2)
    await store.discardPartialCopies((key) => key.startsWith('8-'))
    expect(parts()).toEqual([])
  })

  it('is compared in the first, the last and evenly many slices between', () => {
    expect(chosenSlices(3)).toEqual([0, 1, 2])
    const chosen = chosenSlices(10_000)
    expect([chosen.length, chosen[0], chosen.at(-1), new Set(chosen).size]).toEqual([64, 0, 9999, 64])
  })
})

/** None before the first copy was begun. */
const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

describe('a camera that is pulled in the middle of a file', () => {
  let world: Awaited<ReturnType<typeof dockWorld>>
  afterEach(() => world?.close())

  /** Pulled when so many bytes were written. A machine that is through before the pull is seen gets a longer film. */
  const pulledAt = async (bytes: number): Promise<{ camera: Shelf; bay: string; film: Buffer; staging: string }> => {
    const staging = path.join(world.given.data, 'blobs', '.staging', 'carried')
    const sizes = (): number[] =>
      namesIn(staging).map((name) => statSync(path.join(staging, name), { throwIfNoEntry: false })?.size ?? 0)
    for (const size of [200, 600, 1200]) {
      const bay = `bay-${size}`
      const film = randomBytes(size * MIB)
      const camera = new Shelf(world.root, bay)
      const file = camera.file('media/long.bin', film)
      utimesSync(file, BEGAN, BEGAN)
      camera.manifest(`P${size}`, [{ startUtc: iso(BEGAN.getTime()), files: [{ path: 'media/long.bin' }] }])
      camera.plugIn()
      for (let left = patience(20_000); left > 0 && Math.max(0, ...sizes()) < bytes; left--) await pause(1)
      camera.pull()
      const rests = ['pulled', 'released']
      await world.until(
        async () => (await world.sessions()).some((one) => one.Bay === bay && rests.includes(one.State)),
        'an end',
      )
      await pause(100)
      if (namesIn(staging).some((name) => name.endsWith('.json'))) return { camera, bay, film, staging }
    }
    throw new Error('This machine copies faster than anybody pulls.')
  }

  it('resumes at the byte when it is reinserted, and is cleared only after the whole file was read once more', async () => {
    world = await dockWorld({ dockLanes: 1, dockClear: 'at-once' })
    const drawn = randomInt(2 * MIB, 60 * MIB)
    const { camera, bay, film, staging } = await pulledAt(drawn)
    camera.plugIn()
    const done = await world.reached(bay, 'released')
    expect(done).toMatchObject({ Rounds: 2, FilesDone: 1, Cleared: 1 })
    const receipt = (await world.get(`/session/${done.DockSessionId}/receipt/receipt.json`)).json
    const file = receipt.files.find((one: Json) => one.path === 'media/long.bin')
    expect(file).toMatchObject({ sha256: sha256Of(film), cleared: true })
    expect([drawn, file.resumedFrom % MIB, file.resumedFrom >= Math.floor(drawn / MIB) * MIB]).toEqual([drawn, 0, true])
    const completed = world.entries('resource.completed').find(({ sha256 }) => sha256 === file.sha256)
    expect(completed?.detail).toMatchObject({ resumedFrom: file.resumedFrom })
    expect(sha256Of(world.blob(file.sha256))).toBe(file.sha256)
    expect(namesIn(staging)).toEqual([])
  })

  it('I6 and keeps its file where a byte that was not compared is another one by then', async () => {
    world = await dockWorld({ dockLanes: 1, dockClear: 'at-once' })
    const { camera, bay, film, staging } = await pulledAt(90 * MIB)
    const [note = ''] = namesIn(staging).filter((name) => name.endsWith('.json'))
    const { held } = JSON.parse(readFileSync(path.join(staging, note), 'utf8'))
    const compared = new Set(chosenSlices(held / MIB))
    const slice = Array.from({ length: held / MIB }, (_, at) => at).find((at) => !compared.has(at)) as number
    film[slice * MIB + 7] = (film[slice * MIB + 7] as number) ^ 1
    utimesSync(camera.file('media/long.bin', film), BEGAN, BEGAN)
    camera.plugIn()
    const done = await world.reached(bay, 'released')
    expect(done).toMatchObject({ Rounds: 2, Cleared: 0 })
    const [file] = (await world.filesOf(done.DockSessionId)).filter((one) => one.Path === 'media/long.bin')
    expect(file).toMatchObject({
      Cleared: 'kept',
      KeptBecause: 'The file on the camera is not the one that was taken.',
    })
  })
})
