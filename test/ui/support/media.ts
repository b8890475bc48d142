/** Small real media, made once for a file of tests by the tools a station uses. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Media {
  /** 4 s, 320x180 at 25 frames a second, with sound; plays as it is. */
  readonly video: string
  /** The same as AVI with MPEG-4: has to be converted. */
  readonly old: string
  readonly picture: string
  readonly sound: string
}

let made: Promise<Media> | null = null

export function media(): Promise<Media> {
  made ??= make()
  return made
}

async function make(): Promise<Media> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-media-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = (name: string): string => path.join(folder, name)
  const ffmpeg = (...args: string[]): Promise<unknown> => run('ffmpeg', ['-v', 'error', '-y', ...args])
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=4']
  const sound = ['-f', 'lavfi', '-i', 'sine=f=440:d=4']
  await ffmpeg(
    ...picture,
    ...sound,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-c:a',
    'aac',
    '-movflags',
    '+faststart',
    file('Tanners Row.mp4'),
  )
  await ffmpeg(...picture, '-c:v', 'mpeg4', file('Vehicle 12.avi'))
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc=s=640x480', '-frames:v', '1', file('Window latch.jpg'))
  await ffmpeg(...sound, file('Caller 1.wav'))
  return {
    video: file('Tanners Row.mp4'),
    old: file('Vehicle 12.avi'),
    picture: file('Window latch.jpg'),
    sound: file('Caller 1.wav'),
  }
}
