// @module-tag merge
import { createHash } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Camera, identify, manifestsIn } from '../../server/features/docking/profiles/identify.ts'
import { cardOf } from '../../server/features/docking/profiles/card.ts'
import { recordingsOf, sidecarsIn } from '../../server/features/docking/profiles/recordings.ts'
import { shippedProfiles } from '../../server/features/docking/profiles/shipped.ts'
import { type CameraOptions, LAYOUTS, planCamera } from '../simulators/plan.ts'
import type { FoundFile, FoundFolder, WalkEntry } from '../../server/platform/files/walk.ts'
import { folderVolumes } from '../../server/platform/volumes/folders.ts'
import { createVolumeReading } from '../../server/platform/volumes/volume-reader.ts'
import { type Clips, makeClips, writeCard } from '../simulators/card.ts'
import { IMAGE_KINDS, imagesMissing, plugIn, pullAt, writeImage } from '../simulators/image.ts'
import type { Volume } from '../../server/platform/volumes/volumes.ts'
import { streamsOf } from './films.ts'
import { temporaryFolder } from '../support/station.ts'

const reading = createVolumeReading()
const profiles = shippedProfiles().sort((a, b) => b.rank - a.rank)
const NOW = Date.parse('2026-11-20T18:00:00Z')
const OPTIONS: CameraOptions = {
  layout: 'manifest',
  number: 1,
  seed: 'test',
  recordings: 3,
  parts: 2,
  bytes: 120_000,
  nowMs: NOW,
  clockAheadMs: 0,
  faults: [],
}

let clips: Clips
beforeAll(async () => {
  clips = await makeClips()
})

const place = async (): Promise<string> => {
  const { dir, dispose } = await temporaryFolder('cameras')
  onTestFinished(dispose)
  return dir
}

/** As a dock does it: list, read what speaks of the camera, identify, read what lies beside, put together. */
async function docked(volume: Volume) {
  const entries: (WalkEntry | FoundFolder)[] = []
  for await (const entry of reading.list(volume)) entries.push(entry)
  const card = cardOf(volume, entries)
  const read = new Map<string, Buffer>()
  for (const file of manifestsIn(profiles, card))
    read.set(file.key, await reading.readSmall(volume, file.found, 8 * 2 ** 20))
  const camera = identify(profiles, volume, card, read)
  if ('notACamera' in camera) return camera
  for (const file of sidecarsIn(camera.profile, card))
    read.set(file.key, await reading.readSmall(volume, file.found, 2 ** 20))
  return { camera: camera as Camera, card, contents: recordingsOf(camera, card, read, 'UTC') }
}

const sumOf = async (volume: Volume, file: FoundFile): Promise<string> =>
  createHash('sha256')
    .update(await reading.readSmall(volume, file, 64 * 2 ** 20))
    .digest('hex')

describe('simulated cameras', () => {
  it.each(LAYOUTS)('%s: written, found, identified, and its recordings are what was planned', async (layout) => {
    const root = await place()
    // Ninety seconds ahead, as cameras are.
    const planned = planCamera({ ...OPTIONS, layout, clockAheadMs: 90_000 })
    const { sums } = await writeCard(planned, root, clips)
    const [volume] = await folderVolumes(root).list()
    const dock = await docked(volume as Volume)
    if ('notACamera' in dock) throw new Error(dock.notACamera)
    const { camera, contents, card } = dock
    expect(camera.profile.id).toBe(layout)
    // DCIM says nothing of parts: each file is a recording.
    expect(contents.recordings.map(({ parts }) => parts.length)).toEqual(
      layout === 'dcim' ? [1, 1, 1, 1, 1, 1] : [2, 2, 2],
    )
    expect(contents.foreign).toEqual([])
    expect(contents.problems).toEqual([])
    expect(contents.recordings.flatMap(({ problems }) => problems)).toEqual([])
    if (layout === 'manifest') {
      expect(camera.serial).toBe(planned.serial)
      expect(contents.clock?.cameraMs).toBe(NOW + 90_000)
    }
    if (layout === 'minute-recorder') {
      expect(contents.recordings.map(({ cameraBehindMs }) => cameraBehindMs)).toEqual([-90_000, -90_000, -90_000])
      expect(contents.recordings[0]?.track.length).toBe(12)
    }
    if (layout !== 'dcim') expect(contents.recordings.every(({ start }) => start !== null)).toBe(true)
    const films = card.files.filter(({ path: at }) => sums.has(at))
    const found = await Promise.all(films.map(({ found: file }) => sumOf(volume as Volume, file)))
    expect(found).toEqual(films.map(({ path: at }) => sums.get(at)))
    expect(new Set(found).size).toBe(6)
    // Real films, padding or not.
    expect(await streamsOf(films[0]?.found.path as string)).toBe('2')
  })

  it('a hundred of them, none like another', { timeout: 120_000 }, async () => {
    const root = await place()
    const serials = new Set<string>()
    for (let number = 1; number <= 100; number++) {
      const planned = planCamera({ ...OPTIONS, number, recordings: 1, parts: 1, bytes: 0 })
      await writeCard(planned, root, clips)
      serials.add(planned.serial)
    }
    expect(serials.size).toBe(100)
    const volumes = await folderVolumes(root).list()
    expect(new Set(volumes.map(({ id }) => id)).size).toBe(100)
    const films = await Promise.all(volumes.map(({ root: at }) => readFile(path.join(at, 'media/r0001-1.mp4'))))
    expect(new Set(films.map((film) => createHash('sha256').update(film).digest('hex'))).size).toBe(100)
  })

  it('corrupt: one file is not what the manifest says; lying: the serial number is its neighbour’s', async () => {
    const root = await place()
    await writeCard(planCamera({ ...OPTIONS, faults: ['corrupt', 'lying-serial'] }), root, clips)
    const [volume] = await folderVolumes(root).list()
    const dock = await docked(volume as Volume)
    if ('notACamera' in dock) throw new Error(dock.notACamera)
    expect(dock.camera.serial).toBe(planCamera({ ...OPTIONS, number: 2 }).serial)
    const wrong: string[] = []
    for (const { parts, claimedSha256 } of dock.contents.recordings)
      for (const part of parts)
        if ((await sumOf(volume as Volume, part.found)) !== claimedSha256.get(part.key)) wrong.push(part.path)
    expect(wrong).toHaveLength(1)
  })
})

describe.each(IMAGE_KINDS)('simulated cards of %s', async (kind) => {
  const missing = await imagesMissing(kind)
  const plugged = async (spare: number, bytes = 120_000) => {
    const folder = await place()
    const dock = path.join(folder, 'dock')
    await mkdir(dock)
    const planned = planCamera({ ...OPTIONS, bytes })
    const image = await writeImage(planned, folder, clips, { kind, spare })
    const card = await plugIn(image, kind, path.join(dock, planned.name))
    onTestFinished(() => card.release().catch(() => {}))
    const [volume] = await folderVolumes(dock).list()
    return { card, volume: volume as Volume, planned }
  }

  it.skipIf(missing !== null)(
    'a camera of its own filesystem is taken like a folder; what was cleared is gone',
    async () => {
      const { volume, planned } = await plugged(8 * 2 ** 20)
      const dock = await docked(volume)
      if ('notACamera' in dock) throw new Error(dock.notACamera)
      expect(dock.camera.serial).toBe(planned.serial)
      expect(dock.contents.recordings.map(({ parts }) => parts.length)).toEqual([2, 2, 2])
      const [film] = dock.contents.recordings[0]?.parts ?? []
      await reading.remove(volume, (film as NonNullable<typeof film>).found)
      await expect(stat((film as NonNullable<typeof film>).found.path)).rejects.toThrow('ENOENT')
      await reading.put(volume, 'config.json', Buffer.from('{"a":1}'))
      await reading.put(volume, 'config.json', Buffer.from('{"a":2}'))
      expect(await readFile(path.join(volume.root, 'config.json'), 'utf8')).toBe('{"a":2}')
    },
  )

  it.skipIf(missing !== null)(
    'pulled at a byte: it is gone when so much has been read',
    { timeout: 60_000 },
    async () => {
      const { card, volume } = await plugged(8 * 2 ** 20, 3 * 2 ** 20)
      const stop = new AbortController()
      const pulling = pullAt(card, 4 * 2 ** 20, stop.signal)
      const dock = await docked(volume)
      if ('notACamera' in dock) throw new Error(dock.notACamera)
      const films = dock.contents.recordings.flatMap(({ parts }) => parts)
      const outcomes: string[] = []
      for (const { found } of films)
        outcomes.push(
          await sumOf(volume, found).then(
            () => 'read',
            (error: { code: string }) => error.code,
          ),
        )
      expect(await pulling).toBeGreaterThanOrEqual(4 * 2 ** 20)
      expect(outcomes[0]).toBe('read')
      expect(outcomes.at(-1)).not.toBe('read')
    },
  )
})
