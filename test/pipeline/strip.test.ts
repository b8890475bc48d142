// @module-tag merge
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeriver } from '../../server/features/media/derive/derive.ts'
import type { Deriver, Source } from '../../server/features/media/derive/types.ts'
import { createMediaTools } from '../../server/platform/ffmpeg/media-tools.ts'
import { diskStaging, sha256Of, type StagedFile } from './disk-store.ts'
import { command, ffmpeg, temporaryFolder } from './tools.ts'

/** The strip under the pointer: every tile shows the middle of its stretch of time. The films' brightness is their time. */
let dir = ''
let deriver: Deriver<StagedFile>
let remove: () => Promise<void>
beforeAll(async () => {
  const folder = await temporaryFolder('strip')
  ;({ dir, remove } = folder)
  await mkdir(join(dir, 'staging'))
  deriver = createDeriver({ tools: createMediaTools(), store: diskStaging(join(dir, 'staging')), vendor: 'sallyport' })
})
afterAll(() => remove())

const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '10', '-pix_fmt', 'yuv420p', '-movflags', '+faststart']
/** Black at the start, brighter by 4 each second. */
const brightening = async (file: string, size: string, rate: number, seconds: number, ...args: string[]) => {
  const input = `color=c=black:s=${size}:r=${rate}:d=${seconds},format=gray,geq=lum='min(255,4*T)'`
  await ffmpeg(dir, '-f', 'lavfi', '-i', input, ...X264, ...args, file)
  return sourceOf(file)
}
const sourceOf = async (file: string): Promise<Source> => ({
  path: join(dir, file),
  sha256: await sha256Of(join(dir, file)),
  name: file,
})

interface Layout {
  readonly Columns: number
  readonly Rows: number
  readonly Count: number
  readonly TileWidth: number
  readonly TileHeight: number
  readonly IntervalSeconds: number
}

/** Size of the sheet, and the brightness in the middle of every tile. */
async function sheet(path: string, layout: Layout): Promise<{ size: number[]; tiles: number[] }> {
  const size = (await command('identify', ['-format', '%w %h', path])).split(' ').map(Number)
  const { Columns, Rows, Count } = layout
  const means = await command('convert-im6', [
    path,
    '-scale',
    `${Columns}x${Rows}!`,
    '-colorspace',
    'Gray',
    '-depth',
    '8',
    'txt:-',
  ])
  const tiles = [...means.matchAll(/gray\((\d+(?:\.\d+)?)(%?)\)/g)].map(([, value, percent]) =>
    percent === '%' ? Number(value) * 2.55 : Number(value),
  )
  return { size, tiles: tiles.slice(0, Count) }
}

/** Tiles must show times that follow each other; `slack` in seconds covers rounding, compression and, for key frames, their distance. */
function expectTimes(tiles: readonly number[], interval: number, slack: number): void {
  tiles.forEach((bright, at) => {
    const shown = bright / 4
    const middle = (at + 0.5) * interval
    expect([at, Math.abs(shown - middle) <= slack ? 'in time' : `shows ${shown}, not ${middle}`]).toEqual([
      at,
      'in time',
    ])
  })
}

describe('strip', () => {
  test('forty seconds: eighty tiles, evenly spaced', { timeout: 60_000 }, async () => {
    const film = await brightening('forty.mp4', '320x180', 10, 40)
    const strip = await deriver.derive('strip', film)
    const layout = strip.layout as unknown as Layout
    expect(layout).toEqual({ Columns: 10, Rows: 8, Count: 80, TileWidth: 160, TileHeight: 90, IntervalSeconds: 0.5 })
    const { size, tiles } = await sheet(strip.staged?.path ?? '', layout)
    expect(size).toEqual([1600, 720])
    expect(tiles).toHaveLength(80)
    expectTimes(tiles, 0.5, 0.8)
    expect(strip.mimeType).toBe('image/jpeg')
    expect(strip.derivation).toMatchObject({ Tool: 'ffmpeg', InputSha256: film.sha256 })
    expect(strip.derivation.Arguments).not.toContain('-skip_frame')
    expect(strip.derivation.Arguments.join(' ')).not.toContain(dir)
    await strip.dispose()
  })

  test('one second, upright: two tiles, no wider than the others and no taller than allowed', async () => {
    const film = await brightening('upright.mp4', '90x320', 10, 1)
    const strip = await deriver.derive('strip', film)
    expect(strip.layout).toEqual({
      Columns: 2,
      Rows: 1,
      Count: 2,
      TileWidth: 90,
      TileHeight: 320,
      IntervalSeconds: 0.5,
    })
    await strip.dispose()
  })

  test('a film turned by its container has upright tiles', async () => {
    await brightening('lying.mp4', '320x180', 10, 2)
    await ffmpeg(
      dir,
      '-i',
      'lying.mp4',
      '-c',
      'copy',
      '-metadata:s:v',
      'rotate=90',
      '-movflags',
      '+faststart',
      'standing.mp4',
    )
    const strip = await deriver.derive('strip', await sourceOf('standing.mp4'))
    expect(strip.layout).toMatchObject({ TileWidth: 160, TileHeight: 284 })
    await strip.dispose()
  })

  test('a long one: key frames alone, a hundred tiles', {
    timeout: 120_000,
  }, async () => {
    // 61 seconds of 1080p at 30: a picture in a second is all that differs, so that it is quick to make.
    const film = await brightening('long.mp4', '192x108', 1, 62)
    await ffmpeg(dir, '-i', film.name, '-vf', 'scale=1920:1080,fps=35', '-g', '35', ...X264, 'sparse.mp4')
    const sparse = await sourceOf('sparse.mp4')
    const strip = await deriver.derive('strip', sparse)
    expect(strip.derivation.Arguments).toContain('-skip_frame')
    const layout = strip.layout as unknown as Layout
    expect(layout).toMatchObject({ Columns: 10, Rows: 10, Count: 100 })
    const { tiles } = await sheet(strip.staged?.path ?? '', layout)
    expectTimes(tiles, layout.IntervalSeconds, 2.2)
    await strip.dispose()
  })

  test('a file without pictures has no strip', async () => {
    await ffmpeg(dir, '-f', 'lavfi', '-i', 'sine=d=1', '-c:a', 'aac', 'sound.m4a')
    await expect(deriver.derive('strip', await sourceOf('sound.m4a'))).rejects.toMatchObject({
      name: 'FinalFailure',
    })
  })
})
