import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WaveformModel } from '../../shared/media/contract.ts'
import { createDeriver } from '../../server/features/media/derive/derive.ts'
import type { Deriver, Source } from '../../server/features/media/derive/types.ts'
import { createMediaTools } from '../../server/platform/ffmpeg/media-tools.ts'
import { diskStaging, sha256Of, type StagedFile } from './disk-store.ts'
import { ffmpeg, temporaryFolder } from './tools.ts'

/** The waveform: how loud it is when, on the time line that is played. */
let dir = ''
let deriver: Deriver<StagedFile>
let remove: () => Promise<void>
beforeAll(async () => {
  const folder = await temporaryFolder('waveform')
  ;({ dir, remove } = folder)
  await mkdir(join(dir, 'staging'))
  deriver = createDeriver({ tools: createMediaTools(), store: diskStaging(join(dir, 'staging')), vendor: 'sallyport' })
})
afterAll(() => remove())

const sourceOf = async (file: string): Promise<Source> => ({
  path: join(dir, file),
  sha256: await sha256Of(join(dir, file)),
  name: file,
})
async function peaksOf(file: string) {
  const played = await sourceOf(file)
  const view = await deriver.derive('waveform', played)
  const waveform = WaveformModel.parse(JSON.parse(await readFile(view.staged?.path ?? '', 'utf8')))
  expect(view.layout).toEqual({ PeaksPerSecond: waveform.PeaksPerSecond, Count: waveform.Peaks.length })
  expect(view.derivation).toMatchObject({ Tool: 'ffmpeg | peaks', InputSha256: played.sha256 })
  await view.dispose()
  return waveform
}

/** A second of nothing, a second at half of full scale, a second of nothing. */
const TONE = "aevalsrc='0.5*sin(2*PI*440*t)*between(t,1,2)':s=48000:d=3"

describe('waveform', () => {
  test.each([
    ['plain.wav', ['-c:a', 'pcm_s16le']],
    ['float.wav', ['-c:a', 'pcm_f32le']],
    ['tone.mp3', ['-c:a', 'libmp3lame']],
    ['tone.m4a', ['-c:a', 'aac', '-movflags', '+faststart']],
  ])('%s: silence, sound, silence, each at its time', async (file, args) => {
    await ffmpeg(dir, '-f', 'lavfi', '-i', TONE, ...args, file)
    const { PeaksPerSecond, Peaks } = await peaksOf(file)
    expect(PeaksPerSecond).toBe(50)
    expect(Math.abs(Peaks.length - 150)).toBeLessThanOrEqual(5)
    const part = (from: number, to: number) => Peaks.slice(from * PeaksPerSecond, to * PeaksPerSecond)
    expect(Math.max(...part(0, 0.9))).toBeLessThan(6)
    expect(Math.min(...part(1.1, 1.9))).toBeGreaterThan(115)
    expect(Math.max(...part(1.1, 1.9))).toBeLessThan(142)
    expect(Math.max(...part(2.1, 2.9))).toBeLessThan(6)
  })

  test('a sound that begins later than the pictures is shown later', async () => {
    await ffmpeg(
      dir,
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=64x64:r=10:d=4',
      '-itsoffset',
      '1',
      '-f',
      'lavfi',
      '-i',
      TONE,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      '-movflags',
      '+faststart',
      'late.mp4',
    )
    const { Peaks } = await peaksOf('late.mp4')
    expect(Math.max(...Peaks.slice(0, 95))).toBeLessThan(6)
    expect(Math.min(...Peaks.slice(105, 145))).toBeGreaterThan(110)
  })

  test('two channels of opposite phase are not silence', async () => {
    const opposite = "aevalsrc='0.8*sin(2*PI*300*t)|-0.8*sin(2*PI*300*t)':s=44100:d=1"
    await ffmpeg(dir, '-f', 'lavfi', '-i', opposite, '-c:a', 'pcm_s16le', 'opposite.wav')
    const { PeaksPerSecond, Peaks } = await peaksOf('opposite.wav')
    expect(PeaksPerSecond).toBe(50)
    expect(Math.min(...Peaks.slice(2, 45))).toBeGreaterThan(190)
  })

  test('a file without sound has no waveform', async () => {
    await ffmpeg(dir, '-f', 'lavfi', '-i', 'testsrc=s=64x64:d=1', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', 'mute.mp4')
    await expect(deriver.derive('waveform', await sourceOf('mute.mp4'))).rejects.toThrow(/no sound/)
  })
})
