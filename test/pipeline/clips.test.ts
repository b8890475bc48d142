// @module-tag merge
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClipKind } from '../../shared/media/clips.contract.ts'
import { createDeriver } from '../../server/features/media/derive/derive.ts'
import { BeyondEnd } from '../../server/features/media/derive/still.ts'
import type { DerivedClip, Deriver, Source } from '../../server/features/media/derive/types.ts'
import { createMediaTools } from '../../server/platform/ffmpeg/media-tools.ts'
import { patience, scale } from '../support/scale.ts'
import { diskStaging, sha256Of, type StagedFile } from './disk-store.ts'
import { ffmpeg, temporaryFolder } from './tools.ts'

/**
 * R7: clips hold the frames that were chosen. Every frame of these films differs from every other one. Ranges are drawn at random; the frames
 * of a clip are compared with all frames of its film as ffmpeg decodes them from the first to the last.
 */
interface Film {
  readonly file: string
  readonly make: (dir: string, file: string) => Promise<unknown>
  /** Whether its stream can be cut. */
  readonly stream: boolean
  /** Turned by its container, degrees clockwise. */
  readonly turned?: number
}

const WIDTH = 128
const HEIGHT = 96
const SOUND = ['-f', 'lavfi', '-i', 'sine=d=6:sample_rate=44100']
const picture = (rate: string) => ['-f', 'lavfi', '-i', `testsrc2=size=${WIDTH}x${HEIGHT}:rate=${rate}:duration=6`]
const X264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '24']
const UNEVEN = ['-vf', "select='mod(n,3)',setpts='PTS+if(gt(N,40),0.7/TB,0)'", '-fps_mode', 'passthrough']
const HEVC = ['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
const plain =
  (...args: string[]) =>
  (dir: string, file: string) =>
    ffmpeg(dir, ...args, file)

const FILMS: readonly Film[] = [
  { file: 'b-frames.mp4', make: plain(...picture('25'), ...SOUND, ...X264, '-bf', '3', '-c:a', 'aac'), stream: true },
  {
    file: 'ntsc.mp4',
    make: plain(...picture('30000/1001'), ...X264, '-bf', '2', '-movflags', '+faststart'),
    stream: true,
  },
  { file: 'uneven.mp4', make: plain(...picture('30'), ...UNEVEN, ...X264, '-bf', '2'), stream: true },
  {
    file: 'uneven.mkv',
    make: plain(...picture('30'), ...SOUND, ...UNEVEN, '-c:v', 'mpeg4', '-q:v', '2', '-g', '20', '-c:a', 'libmp3lame'),
    stream: true,
  },
  {
    file: 'hevc.mp4',
    make: plain(...picture('30'), ...HEVC, '-x265-params', 'log-level=error:keyint=30:open-gop=0', '-tag:v', 'hvc1'),
    stream: true,
  },
  // Its key frames are followed by frames shown before them.
  {
    file: 'open-groups.mkv',
    make: plain(...picture('25'), ...HEVC, '-x265-params', 'log-level=error:keyint=30:open-gop=1'),
    stream: true,
  },
  {
    file: 'mpeg4.avi',
    make: plain(...picture('25'), '-c:v', 'mpeg4', '-q:v', '2', '-g', '20', '-bf', '2'),
    stream: false,
  },
  { file: 'stream.ts', make: plain(...picture('25'), ...SOUND, ...X264, '-bf', '2', '-c:a', 'aac'), stream: true },
  {
    file: 'late-sound.mp4',
    make: plain(...picture('25'), '-itsoffset', '1.3', ...SOUND, ...X264, '-bf', '2', '-c:a', 'aac', '-t', '6'),
    stream: true,
  },
  {
    file: 'fine-clock.mov',
    make: plain(...picture('24000/1001'), ...X264, '-video_track_timescale', '240000', '-c:a', 'pcm_s16le'),
    stream: true,
  },
  {
    file: 'turned.mp4',
    make: async (dir, file) => {
      await ffmpeg(dir, ...picture('25'), ...X264, '-bf', '2', '-movflags', '+faststart', file)
      await turn(join(dir, file))
    },
    stream: true,
    turned: 90,
  },
  {
    file: 'mpeg2.mpg',
    make: plain(...picture('25'), '-c:v', 'mpeg2video', '-g', '12', '-bf', '2', '-q:v', '2', '-f', 'vob'),
    stream: true,
  },
]

/** Writes a quarter turn into the track header of an MP4, as a camera held upright does. */
async function turn(path: string): Promise<void> {
  const bytes = await readFile(path)
  const at = bytes.indexOf('tkhd')
  const matrix = at + 4 + (bytes[at + 4] === 1 ? 52 : 40)
  const values = [0, 0x10000, 0, -0x10000, 0, 0, HEIGHT << 16, 0, 0x40000000]
  values.forEach((value, index) => bytes.writeInt32BE(value, matrix + index * 4))
  await writeFile(path, bytes)
}

let media = ''
let deriver: Deriver<StagedFile>
let remove: () => Promise<void>
beforeAll(async () => {
  const folder = await temporaryFolder('clips')
  remove = folder.remove
  media = join(folder.dir, 'media')
  await mkdir(media)
  const staging = join(folder.dir, 'staging')
  await mkdir(staging)
  deriver = createDeriver({ tools: createMediaTools(), store: diskStaging(staging), vendor: 'sallyport' })
})
afterAll(() => remove())

const sourceOf = async (path: string, name: string): Promise<Source> => ({ path, sha256: await sha256Of(path), name })

const run = promisify(execFile)
const raw = async (...args: string[]): Promise<Buffer> =>
  (await run('ffmpeg', ['-v', 'error', ...args], { encoding: 'buffer', maxBuffer: 1024 ** 3 })).stdout

/** Luma of every frame, upright, in the order in which they are shown. */
async function lumas(path: string, ...options: string[]): Promise<Buffer[]> {
  const bytes = await raw(
    ...options,
    '-i',
    path,
    '-map',
    '0:v:0',
    '-fps_mode',
    'passthrough',
    '-pix_fmt',
    'gray',
    '-f',
    'rawvideo',
    '-',
  )
  const size = WIDTH * HEIGHT
  expect(bytes.length % size).toBe(0)
  return Array.from({ length: bytes.length / size }, (_one, at) => bytes.subarray(at * size, (at + 1) * size))
}

/** Mean squared difference: the smaller, the higher the PSNR. */
function errorOf(one: Buffer, other: Buffer): number {
  let sum = 0
  for (let at = 0; at < one.length; at += 1) sum += ((one[at] as number) - (other[at] as number)) ** 2
  return sum / one.length
}

/** The frame of the film that this one is nearest to, by PSNR. */
const nearest = (one: Buffer, film: readonly Buffer[]): number => {
  const errors = film.map((frame) => errorOf(one, frame))
  return errors.indexOf(Math.min(...errors))
}

async function timesOf(path: string): Promise<number[]> {
  const entries = ['-show_entries', 'frame=best_effort_timestamp_time', '-of', 'csv=p=0', path]
  const { stdout } = await run('ffprobe', ['-v', 'error', '-select_streams', 'v:0', ...entries])
  return stdout.split('\n').flatMap((line) => (line.trim() === '' ? [] : [Number.parseFloat(line)]))
}

async function framesIn(path: string, ...options: string[]): Promise<number> {
  const entries = [
    '-count_frames',
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=nb_read_frames',
    '-of',
    'csv=p=0',
  ]
  const { stdout } = await run('ffprobe', ['-v', 'error', ...options, ...entries, path])
  return Number.parseInt(stdout, 10)
}

/** Hashes of every decoded frame, not turned. */
async function hashes(path: string): Promise<string[]> {
  const text = await raw(
    '-noautorotate',
    '-i',
    path,
    '-map',
    '0:v:0',
    '-fps_mode',
    'passthrough',
    '-f',
    'framehash',
    '-',
  )
  return text
    .toString()
    .split('\n')
    .flatMap((line) => /^0,.*,\s*([0-9a-f]{64})$/.exec(line)?.[1] ?? [])
}

/** The same draws in every run. */
function drawing(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Cuts of a kind over all films together. */
const CUTS = scale(20, 200)
const cutsOf = (film: number): number => Math.ceil((CUTS - film) / FILMS.length)

interface World {
  readonly original: Source
  readonly played: Source
  readonly times: readonly number[]
}

const worlds = new Map<string, Promise<World>>()
/** One for each film. */
function given(film: Film): Promise<World> {
  const known = worlds.get(film.file) ?? makeWorld(film)
  worlds.set(film.file, known)
  return known
}

async function makeWorld({ file, make }: Film): Promise<World> {
  await make(media, file)
  const original = await sourceOf(join(media, file), file)
  const copy = await deriver.derive('playable', original)
  const played = copy.staged === null ? original : await sourceOf(copy.staged.path, 'played.mp4')
  return { original, played, times: await timesOf(played.path) }
}

async function cut<T>(
  { original, played }: World,
  kind: ClipKind,
  range: { readonly from: number; readonly to: number },
  use: (clip: DerivedClip<StagedFile>) => Promise<T>,
): Promise<T> {
  const clip = await deriver.deriveClip(original, played, { kind, ...range })
  try {
    return await use(clip)
  } finally {
    await clip.dispose()
  }
}

/** Positions anywhere within two frames, of which the second is none before the first. */
function drawn(draw: (below: number) => number, times: readonly number[]) {
  const first = draw(times.length - 2)
  const last = first + draw(Math.min(60, times.length - 1 - first))
  const within = (frame: number): number => {
    const [begin, next] = [times[frame] as number, times[frame + 1] as number]
    return begin + (draw(80) / 100) * (next - begin)
  }
  const from = within(first)
  return { first, last, from, to: Math.max(from, within(last)) }
}

describe('R7: an exact clip', () => {
  test.concurrent.each(FILMS.map((film, at) => [film.file, film, at] as const))(
    '%s: begins and ends on the chosen frames, holds those between them, and stores no others',
    { timeout: patience(120_000) },
    async (_file, film, at) => {
      const world = await given(film)
      const frames = await lumas(world.original.path)
      expect(frames).toHaveLength(world.times.length)
      const draw = drawing(7 + at)
      for (let count = 0; count < cutsOf(at); count += 1) {
        const { first, last, from, to } = drawn(draw, world.times)
        await cut(world, 'exact', { from, to }, async (clip) => {
          const held = await lumas(clip.staged.path)
          const what = `${film.file} ${first} to ${last}`
          expect([what, held.length]).toEqual([what, last - first + 1])
          expect([what, nearest(held[0] as Buffer, frames)]).toEqual([what, first])
          expect([what, nearest(held.at(-1) as Buffer, frames)]).toEqual([what, last])
          expect(clip.frames).toBe(held.length)
          expect(clip.from).toBeCloseTo(world.times[first] as number, 4)
          expect(await framesIn(clip.staged.path)).toBe(held.length)
          expect(await framesIn(clip.staged.path, '-ignore_editlist', '1')).toBe(held.length)
          const times = await timesOf(clip.staged.path)
          const begin = world.times[first] as number
          for (const [index, time] of times.entries())
            expect(Math.abs(time - ((world.times[first + index] as number) - begin))).toBeLessThan(0.003)
          const bytes = await readFile(clip.staged.path)
          for (const residue of ['elst', 'x264', 'Lavc', 'Lavf'])
            expect([residue, bytes.includes(residue)]).toEqual([residue, false])
        })
      }
    },
  )
})

describe('R7: a clip of the untouched stream', () => {
  test.concurrent.each(FILMS.map((film, at) => [film.file, film, at] as const))(
    '%s: has the frames of the original, all of those around the range and none that it does not show',
    { timeout: patience(120_000) },
    async (_file, film, at) => {
      const world = await given(film)
      const { original, played, times } = world
      if (!film.stream) {
        await expect(deriver.streamBounds(original, played, { from: 1, to: 2 })).rejects.toThrow(/cannot be cut/)
        return
      }
      const whole = await hashes(original.path)
      const draw = drawing(77 + at)
      for (let count = 0; count < cutsOf(at); count += 1) {
        const { first, last, from, to } = drawn(draw, times)
        const before = await deriver.streamBounds(original, played, { from, to })
        await cut(world, 'stream', { from, to }, async (clip) => {
          const what = `${film.file} ${first} to ${last}`
          expect({ from: clip.from, to: clip.to, frames: clip.frames }).toEqual(before)
          const begin = times.findIndex((time) => Math.abs(time - clip.from) < 0.003)
          expect(begin).toBeGreaterThanOrEqual(0)
          expect([what, begin <= first && begin + clip.frames > last]).toEqual([what, true])
          const held = await hashes(clip.staged.path)
          expect([what, held]).toEqual([what, whole.slice(begin, begin + clip.frames)])
          expect(await framesIn(clip.staged.path)).toBe(clip.frames)
          if (clip.mimeType === 'video/mp4')
            expect(await framesIn(clip.staged.path, '-ignore_editlist', '1')).toBe(clip.frames)
        })
      }
    },
  )
})

describe('a clip', () => {
  const [film] = FILMS as readonly [Film]

  test('has its sound where it was: a tone that begins later begins as much later in the clip', async () => {
    const file = 'tone.mp4'
    const tone = ['-f', 'lavfi', '-i', "sine=d=6:sample_rate=44100,volume=enable='lt(t,2.5)':volume=0"]
    const world = await given({ file, make: plain(...picture('25'), ...tone, ...X264, '-c:a', 'aac'), stream: true })
    await cut(world, 'exact', { from: 2, to: 4 }, async (clip) => {
      const pcm = await raw('-i', clip.staged.path, '-map', '0:a:0', '-ac', '1', '-ar', '44100', '-f', 's16le', '-')
      const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2)
      const begins = samples.findIndex((sample) => Math.abs(sample) > 1000) / 44_100
      expect(begins).toBeGreaterThan(0.48)
      expect(begins).toBeLessThan(0.52)
    })
  })

  test('beyond the end, or of a file without pictures, is none; nothing is left behind', async () => {
    const world = await given({ ...film, file: 'end.mp4' })
    const far = { kind: 'exact', from: 60, to: 61 } as const
    await expect(deriver.deriveClip(world.original, world.played, far)).rejects.toBeInstanceOf(BeyondEnd)
    await ffmpeg(media, ...SOUND, '-c:a', 'aac', 'sound.mp4')
    const sound = await sourceOf(join(media, 'sound.mp4'), 'sound.mp4')
    await expect(deriver.deriveClip(sound, sound, { kind: 'exact', from: 0, to: 1 })).rejects.toThrow(
      /no moving picture/,
    )
  })

  test('is given up when nobody waits for it any more', async () => {
    const world = await given({ ...film, file: 'stopped.mp4' })
    const stop = new AbortController()
    const asked = { kind: 'exact', from: 0, to: 5 } as const
    const progress = () => stop.abort(new Error('Cancelled'))
    await expect(
      deriver.deriveClip(world.original, world.played, asked, { signal: stop.signal, progress }),
    ).rejects.toThrow('Cancelled')
  })
})
