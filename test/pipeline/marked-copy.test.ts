/** Marked copies for links: the mark is in the pixels, at every height, and the original stays as it was. */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMarking, type Marking } from '../../server/features/media/marked/marked-copy.ts'
import { createMediaTools } from '../../server/platform/ffmpeg/media-tools.ts'
import { sampled } from '../support/scale.ts'
import { sha256Of } from './disk-store.ts'
import { ffmpeg, temporaryFolder, witness } from './tools.ts'

let dir = ''
let remove: () => Promise<void>
beforeAll(async () => {
  ;({ dir, remove } = await temporaryFolder('marked'))
  const grey = ['-f', 'lavfi', '-i', 'color=c=gray:s=640x360:r=10:d=2']
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-movflags', '+faststart']
  await ffmpeg(dir, ...grey, '-f', 'lavfi', '-i', 'sine=d=2', ...h264, '-c:a', 'aac', 'grey.mp4')
  await ffmpeg(dir, '-i', 'grey.mp4', '-c', 'copy', '-metadata:s:v', 'rotate=90', 'turned.mp4')
  await ffmpeg(dir, '-f', 'lavfi', '-i', 'color=c=gray:s=801x601', '-frames:v', '1', '-q:v', '2', 'grey.jpg')
})
afterAll(() => remove())

const LINES = ['Zoë Łukasik: 100% [a];b,c', "O'Neil & Cole \\ Иван", '12 · 2026-11-28 · Harrow Quay'] as const
let folders = 0

async function mark(file: string, kind: Marking['kind'], sandbox: 'auto' | 'off' = 'auto') {
  const own = join(dir, `it's: [own], ${++folders}`)
  await mkdir(own)
  const path = join(dir, file)
  const make = createMarking(createMediaTools({ sandbox }))
  const made = await make({ kind, path, bytes: (await readFile(path)).length, lines: LINES, dir: own, options: {} })
  expect((await readdir(own)).sort()).toEqual([made.copy, made.poster].sort())
  return { copy: join(own, made.copy), poster: join(own, made.poster) }
}

/** How much the brightness of a part of the first picture varies, from 0 to 1: a plain grey does not. */
function spreadIn(file: string, crop: string): number {
  const bytes = execFileSync(
    'ffmpeg',
    ['-v', 'error', '-i', file, '-frames:v', '1', '-vf', `crop=${crop},format=gray`, '-f', 'rawvideo', '-'],
    { maxBuffer: 64 * 1024 * 1024 },
  )
  const sorted = Uint8Array.from(bytes).sort()
  return ((sorted.at(-1) as number) - (sorted[0] as number)) / 255
}
/** Fifths from top to bottom. */
const bands = (file: string): number[] => [0, 1, 2, 3, 4].map((at) => spreadIn(file, `iw:ih/5:0:ih*${at}/5`))

describe('a marked copy', () => {
  const marked = [
    ['a turned video', 'turned.mp4', 'video', 'auto'],
    ['a video', 'grey.mp4', 'video', 'auto'],
    ['a video without a sandbox', 'grey.mp4', 'video', 'off'],
    ['a picture with odd sides', 'grey.jpg', 'picture', 'auto'],
  ] as const
  for (const { some, tags } of sampled(marked, 3))
    it.each(some)(
      'S20: of %s has the mark in every part of the picture, and the original is as it was',
      { tags, timeout: 60_000 },
      async (_what, file, kind, sandbox) => {
        const original = join(dir, file)
        const before = await sha256Of(original)
        expect(Math.max(...bands(original))).toBeLessThan(0.05)
        const { copy, poster } = await mark(file, kind, sandbox)
        for (const one of [copy, poster]) expect(Math.min(...bands(one))).toBeGreaterThan(0.15)
        // Neither half alone has it.
        for (const half of ['iw/2:ih:0:0', 'iw/2:ih:iw/2:0']) expect(spreadIn(copy, half)).toBeGreaterThan(0.15)
        expect(await sha256Of(original)).toBe(before)
      },
    )

  it('S20: keeps pictures, length and sound, upright, and no metadata of the file', async () => {
    const { copy } = await mark('turned.mp4', 'video')
    const [was, is] = [await witness(join(dir, 'turned.mp4')), await witness(copy)]
    expect([is.frames, is.audio, is.rotation]).toEqual([was.frames, 'aac', 0])
    expect([is.width, is.height]).toEqual([was.height, was.width])
    expect(Math.abs(is.seconds - was.seconds)).toBeLessThan(0.2)
  }, 60_000)

  it('S20: says its lines letter by letter, whatever signs are in them', async () => {
    const { copy } = await mark('grey.jpg', 'picture')
    const other = join(dir, 'other')
    await mkdir(other)
    const path = join(dir, 'grey.jpg')
    const lines = LINES.map((line) => line.replace('%', '#'))
    const make = createMarking(createMediaTools())
    const made = await make({ kind: 'picture', path, bytes: 1, lines, dir: other, options: {} })
    // One other sign makes another picture.
    expect(await sha256Of(join(other, made.copy))).not.toBe(await sha256Of(copy))
  }, 60_000)
})
