/**
 * Videos whose frames carry their own number, as sixteen squares of black and white, so that a picture can be asked which one it is:
 * drawn frame by frame here, encoded with B-frames and few key frames, as cameras do.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'

const WIDTH = 320
const HEIGHT = 180
const SIDE = 20
const BITS = 16

function frame(number: number): Buffer {
  const luma = Buffer.alloc(WIDTH * HEIGHT, 90)
  for (let bit = 0; bit < BITS; bit++) {
    const value = (number >> bit) & 1 ? 235 : 16
    for (let y = 0; y < SIDE; y++) luma.fill(value, y * WIDTH + bit * SIDE, y * WIDTH + (bit + 1) * SIDE)
  }
  // Something that moves, so that the encoder has work.
  const x = (number * 7) % (WIDTH - 40)
  for (let y = 80; y < 120; y++) luma.fill(200, y * WIDTH + x, y * WIDTH + x + 40)
  return Buffer.concat([luma, Buffer.alloc((WIDTH * HEIGHT) / 2, 128)])
}

let folder: string | null = null
let made = 0

/** One for all videos of a process. */
function newFolder(): string {
  const found = mkdtempSync(path.join(tmpdir(), 'sallyport-numbered-'))
  process.once('exit', () => rmSync(found, { recursive: true, force: true }))
  return found
}

export interface Numbered {
  readonly frames: number
  /** As ffmpeg has it: `30000/1001`. */
  readonly rate: string
  /** Times of frames in milliseconds instead, as an expression of N. */
  readonly times?: string
  /** With a tone. */
  readonly sound?: boolean
}

const encoded = new Map<string, Promise<Buffer>>()

/** @returns the path of a file in the format of its name; no two MP4s have the same bytes. Removed with the process. */
export async function numberedVideo(name: string, numbered: Numbered): Promise<string> {
  folder ??= newFolder()
  const extension = path.extname(name)
  const key = JSON.stringify([extension, numbered])
  const video = encoded.get(key) ?? encode(path.join(folder, `${encoded.size}${extension}`), numbered)
  encoded.set(key, video)
  const file = path.join(folder, `${(made += 1)} ${name}`)
  writeFileSync(file, extension === '.mp4' ? Buffer.concat([await video, freeBox(made)]) : await video)
  return file
}

/** A box at the end that players pass over. */
function freeBox(number: number): Buffer {
  const box = Buffer.alloc(12)
  box.writeUInt32BE(box.length)
  box.write('free', 4)
  box.writeUInt32BE(number, 8)
  return box
}

async function encode(file: string, { frames, rate, times, sound = false }: Numbered): Promise<Buffer> {
  const uneven =
    times === undefined ? '' : `-vf settb=1/1000,setpts='${times}' -fps_mode passthrough -enc_time_base 1/1000 `
  const ffmpeg = spawn(
    'ffmpeg',
    (
      `-v error -y -f rawvideo -pix_fmt yuv420p -s ${WIDTH}x${HEIGHT} -r ${rate} -i pipe:0 ` +
      (sound ? '-f lavfi -i sine=f=440 -shortest -c:a aac ' : '') +
      `${uneven}-c:v libx264 -preset veryfast -g 60 -bf 2 -crf 12 -pix_fmt yuv420p -movflags +faststart`
    )
      .split(' ')
      .concat(file),
    { stdio: ['pipe', 'ignore', 'inherit'] },
  )
  const ended = once(ffmpeg, 'exit')
  for (let number = 0; number < frames; number++)
    if (!ffmpeg.stdin.write(frame(number))) await once(ffmpeg.stdin, 'drain')
  ffmpeg.stdin.end()
  const [code] = await ended
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
  return readFileSync(file)
}

/** The number in what the page's video shows now. */
export const shownNumber = (page: Page): Promise<number> =>
  page.evaluate(
    ([side, bits]) => {
      const video = document.querySelector('video') as HTMLVideoElement
      const canvas = document.createElement('canvas')
      canvas.width = video.videoWidth
      canvas.height = video.videoHeight
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      context.drawImage(video, 0, 0)
      let number = 0
      for (let bit = 0; bit < bits; bit++) {
        const [red = 0] = context.getImageData(bit * side + side / 2, side / 2, 1, 1).data
        if (red > 128) number += 2 ** bit
      }
      return number
    },
    [SIDE, BITS] as const,
  )

/** The number in a picture at an address of the page's own origin. */
export const numberOfPicture = (page: Page, address: string): Promise<number> =>
  page.evaluate(
    async ([address, side, bits]) => {
      const picture = await createImageBitmap(await (await fetch(address)).blob())
      const canvas = new OffscreenCanvas(picture.width, picture.height)
      const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
      context.drawImage(picture, 0, 0)
      let number = 0
      for (let bit = 0; bit < bits; bit++) {
        const [red = 0] = context.getImageData(bit * side + side / 2, side / 2, 1, 1).data
        if (red > 128) number += 2 ** bit
      }
      return number
    },
    [address, SIDE, BITS] as const,
  )
