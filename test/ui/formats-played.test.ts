/**
 * Whatever a camera recorded is seen in Chromium: each recording of the table of formats (test/pipeline/media.ts) is uploaded, derived,
 * stepped and played on its page, and the frame that stands there is the original's frame of that number, as ffmpeg draws it.
 */
// @module-tag screen
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RECORDINGS, type Sample } from '../pipeline/media.ts'
import { temporaryFolder } from '../pipeline/tools.ts'
import type { Given } from '../support/given.ts'
import { isLong } from '../support/scale.ts'
import { added, onPage, soon, stationForPages } from './support/evidence.ts'

const run = promisify(execFile)

/** One of each way to a playable copy and of each turn; all of them in the long run. */
const GATE = [
  'wmv2.wmv',
  'vfr.mp4',
  'h264-aac.mp4',
  'h264-pcm.mov',
  'hevc-10.mkv',
  'av1-opus.webm',
  'mjpeg-pcm.avi',
  'turned-hevc.mov',
  'cut.ts',
]
const PLAYABLE = RECORDINGS.filter(({ expect: { playable } }) => playable !== undefined)
const CHOSEN = isLong ? PLAYABLE : PLAYABLE.filter(({ file }) => GATE.includes(file))

/** Frames are compared as pictures of this many dots a side: a lossy copy differs in detail, a wrong frame in the whole. */
const SIDE = 32
/** Of 255, the mean over all dots: converted copies were seen at 1 to 9, the next second's frame of the test picture at 20 and more. */
const NEAR = 14

let given: Given
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  given = await stationForPages()
  folder = await temporaryFolder('played')
}, 120_000)
afterAll(async () => {
  await given?.close()
  await folder?.remove()
})

/** @returns the original's first frames as ffmpeg decodes and turns them, RGB, {@link SIDE} dots a side */
async function originalFrames(file: string, count: number): Promise<Buffer[]> {
  const { stdout } = await run(
    'ffmpeg',
    `-v quiet -i ${file} -vf scale=${SIDE}:${SIDE}:flags=area -frames:v ${count} -fps_mode passthrough -f rawvideo -pix_fmt rgb24 -`.split(
      ' ',
    ),
    { encoding: 'buffer', cwd: folder.dir, maxBuffer: 1 << 24 },
  )
  const length = SIDE * SIDE * 3
  expect(stdout.length, 'frames of the original').toBe(count * length)
  return Array.from({ length: count }, (_, at) => stdout.subarray(at * length, (at + 1) * length))
}

/** @returns what the page's video shows now, likewise */
async function shownFrame(page: Page): Promise<Buffer> {
  const dots = await page.evaluate((side) => {
    const video = document.querySelector('video') as HTMLVideoElement
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = side
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    context.imageSmoothingQuality = 'high'
    context.drawImage(video, 0, 0, side, side)
    return [...context.getImageData(0, 0, side, side).data]
  }, SIDE)
  return Buffer.from(dots.filter((_, at) => at % 4 !== 3))
}

const apart = (one: Buffer, other: Buffer): number =>
  one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] as number)), 0) / one.length

/** The number that stands on the page; null where pictures last differently long and have none. */
const number = async (page: Page): Promise<number | null> => {
  const numbered = page.locator('[data-frame]')
  return (await numbered.count()) === 0 ? null : Number(await numbered.getAttribute('data-frame'))
}

async function played({ make, file, expect: { pictures = 5 } }: Sample): Promise<void> {
  await make(folder.dir)
  const { evidenceId } = await added(given, join(folder.dir, file))
  const { page, problems, close } = await onPage(given, evidenceId)
  const ready = () => page.evaluate(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
  await soon(ready).toBe(true)
  for (const [at, expected] of (await originalFrames(file, Math.min(4, pictures))).entries()) {
    await soon(async () => (await number(page)) ?? at).toBe(at)
    await soon(async () => apart(await shownFrame(page), expected)).toBeLessThan(NEAR)
    await page.keyboard.press('.')
  }
  // And it runs by itself to its end.
  await page.keyboard.press(' ')
  await soon(() => page.evaluate(() => document.querySelector('video')?.ended)).toBe(true)
  expect((await number(page)) ?? pictures).toBeGreaterThanOrEqual(pictures - 1)
  expect(problems).toEqual([])
  await close()
}

describe('each recording of the table is seen and played in Chromium', () => {
  it.each(CHOSEN.map((sample) => [`${sample.file}: ${sample.title}`, sample] as const))(
    '%s',
    { timeout: 60_000 },
    (_, sample) => played(sample),
  )
})
