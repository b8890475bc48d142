/** A station clears away among its blobs what its database does not know: never among those of another one (promises U1, D2). */
// @module-tag merge
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeStation } from '../../server/app/compose.ts'
import { loadSettings } from '../../server/config/settings.ts'
import { openStation } from '../../server/index.ts'
import { rememberFolder } from '../../server/platform/files/known-folder.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { makePlace, type Place, rows } from './world.ts'

let place: Place
let made = 0

interface Volumes {
  readonly data: string
  readonly blobs: string
}

/** As a command of the terminal does it, without the time that a process takes to start. */
async function command({ data, blobs }: Volumes, name: string, args: Record<string, unknown>): Promise<unknown> {
  const station = await openStation(
    loadSettings({}, { data, blobsDir: blobs, port: 0, reserveBytes: 65_536, minFreeBytes: 0, logLevel: 'silent' }),
  )
  try {
    return await station.command({ command: name, args, user: 'tester' }, () => {}, new AbortController().signal)
  } finally {
    await station.close()
  }
}
const refusal = (volumes: Volumes): Promise<unknown> => command(volumes, 'alarms', {}).catch((error: Error) => error)

/** Two volumes of a station with one file, a blob on its way and a block of an unfinished upload. */
function station(): Volumes {
  const folder = place.path(`station-${made++}`)
  cpSync(place.path('origin'), folder, { recursive: true })
  return { data: path.join(folder, 'data'), blobs: path.join(folder, 'blobs') }
}
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(path.relative(folder, entry.parentPath), entry.name))
    .sort()

beforeAll(async () => {
  place = makePlace('own-blobs')
  const volumes = { data: place.path('origin/data'), blobs: place.path('origin/blobs') }
  mkdirSync(volumes.data, { recursive: true })
  writeFileSync(place.path('film.txt'), 'film')
  await command(volumes, 'ingest', { paths: [place.path('film.txt')], case: null })
  // As after a power cut: an intent is back whose blob has its row, and blocks wait for their list.
  const [{ sha256 } = { sha256: '' }] = rows<{ sha256: string }>(volumes.data, 'SELECT sha256 FROM blobs')
  writeFileSync(path.join(volumes.blobs, '.intents', sha256), '')
  mkdirSync(path.join(volumes.blobs, '.staging/uploads/7'), { recursive: true })
  writeFileSync(path.join(volumes.blobs, '.staging/uploads/7/block'), 'block')
}, 60_000)
afterAll(() => place.remove())

describe('the folder of the blobs', () => {
  it.each(['marked', 'not marked yet'])('%s, is not taken by a new station in an empty data folder', async (how) => {
    const own = station()
    if (how !== 'marked') rmSync(path.join(own.blobs, '.station'))
    const before = filesOf(own.blobs)
    const away = `${own.data}-away`
    renameSync(own.data, away)
    mkdirSync(own.data)
    expect(await refusal(own)).toMatchObject({ name: 'NotOwnBlobs', message: expect.stringContaining('not mounted') })
    expect(filesOf(own.blobs)).toEqual(before)

    rmSync(own.data, { recursive: true })
    renameSync(away, own.data)
    expect(await command(own, 'verify', { fast: false })).toMatchObject({ problems: [] })
  })

  it('is not taken when its volume is mounted after a new station looked at the empty folder below it', async () => {
    const own = station()
    const before = filesOf(own.blobs)
    const below = place.path('below')
    mkdirSync(path.join(below, 'data'), { recursive: true })
    mkdirSync(path.join(below, 'blobs'))
    const fresh = await composeStation(
      {
        ...loadSettings(
          {},
          { data: path.join(below, 'data'), port: 0, reserveBytes: 65_536, minFreeBytes: 0, logLevel: 'silent' },
        ),
        dataFolder: await rememberFolder(path.join(below, 'data')),
        blobsDir: path.join(below, 'blobs'),
      },
      createLog('silent'),
      () => {},
    )
    renameSync(path.join(below, 'blobs'), path.join(below, 'blobs-away'))
    renameSync(own.blobs, path.join(below, 'blobs'))
    await expect(fresh.prepare()).rejects.toMatchObject({ name: 'NotOwnBlobs' })
    await fresh.stop()
    expect(filesOf(path.join(below, 'blobs'))).toEqual(before)
  })

  it('is not taken by another station that has a past', async () => {
    const [own, other] = [station(), station()]
    const stranger = { data: place.path('stranger/data'), blobs: place.path('stranger/blobs') }
    mkdirSync(stranger.data, { recursive: true })
    await command(stranger, 'ingest', { paths: [place.path('film.txt')], case: null })
    const before = filesOf(other.blobs)
    expect(await refusal({ data: stranger.data, blobs: other.blobs })).toMatchObject({ name: 'NotOwnBlobs' })
    expect(filesOf(other.blobs)).toEqual(before)
    expect(await refusal({ data: own.data, blobs: other.blobs })).not.toBeInstanceOf(Error)
  })

  it('that is empty where blobs should be ends the start, until a person states that they are lost', async () => {
    const own = station()
    renameSync(own.blobs, `${own.blobs}-away`)
    mkdirSync(own.blobs)
    expect(await refusal(own)).toMatchObject({ name: 'NotOwnBlobs', message: expect.stringContaining('is empty') })
    expect(filesOf(own.blobs)).toEqual([])
    mkdirSync(path.join(own.blobs, '.staging'))
    expect(await refusal(own)).not.toBeInstanceOf(Error)
    expect(await command(own, 'verify', { fast: false })).toMatchObject({ problems: [expect.anything()] })
  })

  it('of an older version is marked at the next start', async () => {
    const own = station()
    const marker = path.join(own.blobs, '.station')
    const mark = readFileSync(marker, 'utf8')
    rmSync(marker)
    expect(await refusal(own)).not.toBeInstanceOf(Error)
    expect(readFileSync(marker, 'utf8')).toBe(mark)
    expect(rows(own.data, "SELECT value FROM station WHERE name = 'origin'")).toEqual([{ value: mark }])
  })
})
