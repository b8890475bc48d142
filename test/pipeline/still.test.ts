import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeriver } from '../../server/features/media/derive/derive.ts'
import { BeyondEnd } from '../../server/features/media/derive/still.ts'
import type { Deriver, Source } from '../../server/features/media/derive/types.ts'
import { createMediaTools } from '../../server/platform/ffmpeg/media-tools.ts'
import { patience, scale } from '../support/scale.ts'
import { diskStaging, sha256Of, type StagedFile } from './disk-store.ts'
import { command, ffmpeg, temporaryFolder } from './tools.ts'

/**
 * A still is the frame that is on screen, and no neighbour of it: every frame of these films differs from the one before, positions are
 * drawn anywhere within a drawn frame, and what comes out is compared with the original's frame of that number as ffmpeg itself decodes it.
 */
interface Film {
  readonly file: string
  readonly input: string
  readonly args: readonly string[]
  /** Whether its last frames are reached without reading it from the start; not said where it is too short to tell. */
  readonly seeks?: boolean
}
const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '24', '-bf', '2']
const UNEVEN = ['-vf', "select='mod(n,3)',setpts='PTS+if(gt(N,20),0.7/TB,0)'", '-fps_mode', 'passthrough']
const source = (rate: string, seconds = 3) => `testsrc2=size=128x96:rate=${rate}:duration=${seconds}`
const FILMS: readonly Film[] = [
  ...['24', '25', '30000/1001', '30', '60'].map((rate) => ({
    file: `rate-${rate.replace('/', '-')}.mp4`,
    input: source(rate),
    args: [...H264, '-movflags', '+faststart'],
  })),
  { file: 'uneven.mp4', input: source('30'), args: [...UNEVEN, ...H264, '-movflags', '+faststart'] },
  { file: 'uneven.mkv', input: source('30'), args: [...UNEVEN, '-c:v', 'mpeg4', '-q:v', '3', '-g', '20'] },
  { file: 'copied.mkv', input: source('30000/1001'), args: H264 },
  { file: 'stream.ts', input: source('25'), args: H264 },
  {
    file: 'hevc.mp4',
    input: source('30'),
    args: ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-pix_fmt', 'yuv420p'],
  },
  { file: 'reordered.avi', input: source('25'), args: H264 },
  { file: 'motion.avi', input: source('15'), args: ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p'] },
  {
    file: 'program.mpg',
    input: source('25'),
    args: ['-c:v', 'mpeg2video', '-g', '12', '-bf', '2', '-q:v', '4', '-f', 'vob'],
  },
  { file: 'long.ts', input: source('25', 12), args: H264, seeks: true },
  { file: 'one-key.ts', input: source('25', 12), args: [...H264, '-g', '999', '-sc_threshold', '0'], seeks: false },
  { file: 'long.avi', input: source('25', 12), args: ['-c:v', 'mpeg4', '-q:v', '3', '-g', '20'], seeks: true },
  { file: 'long.flv', input: source('25', 12), args: H264, seeks: true },
  { file: 'long.mpg', input: source('25', 12), args: ['-c:v', 'mpeg2video', '-bf', '2', '-q:v', '4', '-f', 'vob'] },
  { file: 'bare.h264', input: source('25'), args: [...H264, '-f', 'h264'] },
]

let media = ''
let deriver: Deriver<StagedFile>
let remove: () => Promise<void>
beforeAll(async () => {
  const folder = await temporaryFolder('stills')
  remove = folder.remove
  media = join(folder.dir, 'media')
  await mkdir(media)
  const staging = join(folder.dir, 'staging')
  await mkdir(staging)
  deriver = createDeriver({ tools: createMediaTools(), store: diskStaging(staging), vendor: 'sallyport' })
})
afterAll(() => remove())

const make = async ({ file, input, args }: Film): Promise<Source> => {
  await ffmpeg(media, '-f', 'lavfi', '-i', input, ...args, file)
  return sourceOf(join(media, file), file)
}
const sourceOf = async (path: string, name: string): Promise<Source> => ({ path, sha256: await sha256Of(path), name })

/** Presentation times of every frame, seconds, by ffprobe's own reading. */
async function timesOf(path: string): Promise<number[]> {
  const args = [
    '-v',
    'error',
    '-select_streams',
    'v:0',
    '-show_entries',
    'frame=best_effort_timestamp_time',
    '-of',
    'csv=p=0',
    path,
  ]
  return (await command('ffprobe', args)).split('\n').flatMap((line) => {
    const time = Number.parseFloat(line)
    return Number.isNaN(time) ? [] : [time]
  })
}

/** The pixels of every frame of a film, or of a picture, as ffmpeg shows them. */
async function pixels(path: string): Promise<string[]> {
  const args = ['-v', 'error', '-i', path, '-vf', 'format=rgb24', '-fps_mode', 'passthrough', '-f', 'framemd5', '-']
  return (await command('ffmpeg', args)).split('\n').flatMap((line) => /^0,.*, ([0-9a-f]{32})$/.exec(line)?.[1] ?? [])
}

describe('a still is the frame on screen', () => {
  // Several at a time: most of what one takes is waiting for its sandboxes.
  test.concurrent.each(FILMS)('$file', { tags: ['merge'], timeout: patience(120_000) }, async (film) => {
    const original = await make(film)
    const copy = await deriver.derive('playable', original)
    const played = copy.staged === null ? original : await sourceOf(copy.staged.path, 'played.mp4')
    const times = await timesOf(played.path)
    const frames = await pixels(original.path)
    expect(frames).toHaveLength(times.length)
    // No frame looks like another one, so that a wrong one cannot pass.
    expect(new Set(frames).size).toBe(frames.length)
    expect(frames.length).toBeGreaterThan(20)
    await fc.assert(
      fc.asyncProperty(fc.nat(times.length - 2), fc.double({ min: 0, max: 0.9, noNaN: true }), async (n, part) => {
        const [begin, next] = [times[n] as number, times[n + 1] as number]
        const still = await deriver.deriveStill(original, played, begin + part * (next - begin))
        try {
          expect(await pixels(still.staged.path)).toEqual([frames[n]])
          expect(Math.abs(still.frameSeconds - begin)).toBeLessThan(0.0001)
          expect([still.width, still.height]).toEqual([128, 96])
          expect(still.derivation).toMatchObject({ Tool: 'ffmpeg', InputSha256: original.sha256 })
          if (n === times.length - 2 && film.seeks !== undefined)
            expect(still.derivation.Arguments.includes('-ss')).toBe(film.seeks)
        } finally {
          await still.dispose()
        }
      }),
      {
        numRuns: scale(4, 40),
        examples: [
          [0, 0],
          [times.length - 2, 0.9],
        ],
      },
    )
    await expect(deriver.deriveStill(original, played, (times.at(-1) as number) + 5)).rejects.toBeInstanceOf(BeyondEnd)
    await copy.dispose()
  })

  test('upright where the film is turned', async () => {
    const original = await make({
      file: 'upright.mp4',
      input: source('25'),
      args: [...H264, '-movflags', '+faststart'],
    })
    await ffmpeg(
      media,
      '-i',
      'upright.mp4',
      '-c',
      'copy',
      '-metadata:s:v',
      'rotate=90',
      '-movflags',
      '+faststart',
      'turned.mp4',
    )
    const turned = await sourceOf(join(media, 'turned.mp4'), 'turned.mp4')
    const still = await deriver.deriveStill(turned, turned, 1)
    expect([still.width, still.height]).toEqual([96, 128])
    const frames = await pixels(turned.path)
    expect(await pixels(still.staged.path)).toEqual([frames[25]])
    expect(frames[25]).not.toBe((await pixels(original.path))[25])
    await still.dispose()
  })

  test('a still with another time than asked for is not kept', async () => {
    const original = await make({ file: 'cheat.mp4', input: source('25'), args: [...H264, '-movflags', '+faststart'] })
    const real = createMediaTools()
    const late = {
      ...real,
      ffmpeg: (input: string, args: readonly string[], given: Parameters<typeof real.ffmpeg>[2]) =>
        real.ffmpeg(
          input,
          args.map((arg) => arg.replace(/gte\(t,([\d.]+)\)/, (_, at: string) => `gte(t,${Number(at) + 0.06})`)),
          given,
        ),
    }
    const folder = await temporaryFolder('stills-late')
    const other = createDeriver({ tools: late, store: diskStaging(folder.dir), vendor: 'sallyport' })
    await expect(other.deriveStill(original, original, 1)).rejects.toThrow(/does not give up this frame/)
    await folder.remove()
  })
})
