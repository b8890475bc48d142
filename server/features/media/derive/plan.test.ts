import { describe, expect, test } from 'vitest'
import type { AudioStream, Probe, VideoStream } from '../../../platform/ffmpeg/probe.ts'
import type { Mp4Layout } from './mp4-layout.ts'
import {
  displayedSize,
  fitted,
  guards,
  pictureArguments,
  planAudio,
  planPlayable,
  posterArguments,
  withEnding,
} from './plan.ts'
import { stripPlan } from '../derivations/strip.ts'
import { pcmPlan } from '../derivations/waveform.ts'
import { DEMUXERS, type Demuxer } from './sniff.ts'

const video = (more: Partial<VideoStream> = {}): VideoStream => ({
  index: 0,
  codec: 'h264',
  profile: 'High',
  tag: 'avc1',
  pixelFormat: 'yuv420p',
  width: 1920,
  height: 1080,
  pixelAspect: 1,
  rotation: 0,
  claimedFrames: 300,
  frameRate: 30,
  exactRate: { numerator: 30, denominator: 1 },
  startMs: 0,
  reorders: true,
  durationMs: 1e4,
  ...more,
})
const audio = (more: Partial<AudioStream> = {}): AudioStream => ({
  index: 1,
  codec: 'aac',
  profile: 'LC',
  tag: 'mp4a',
  channels: 2,
  sampleRate: 48e3,
  ...more,
})
const probe = (videos: VideoStream[], sounds: AudioStream[] = [audio()]): Probe => ({
  format: 'x',
  durationMs: 1e4,
  startMs: 0,
  video: videos,
  audio: sounds,
  otherStreams: 0,
  captured: null,
  position: null,
})
const WHOLE: Mp4Layout = { whole: true, indexFirst: true, fragmented: false, majorBrand: 'isom' }
const FFMPEG5 = { major: 5, threads: 2 }

const av1 = { codec: 'av1', profile: 'Main', tag: 'av01' }
const CASES: readonly [title: string, demuxer: Demuxer, probe: Probe, layout: Mp4Layout | null, expected: string][] = [
  ['H.264 and AAC, index first', 'mov', probe([video()]), WHOLE, 'identity'],
  ['without sound', 'mov', probe([video()], []), WHOLE, 'identity'],
  ['full range', 'mov', probe([video({ pixelFormat: 'yuvj420p' })]), WHOLE, 'identity'],
  ['AV1', 'mov', probe([video(av1)]), WHOLE, 'identity'],
  ['turned', 'mov', probe([video({ rotation: -90 })]), WHOLE, 'identity'],
  ['index last', 'mov', probe([video()]), { ...WHOLE, indexFirst: false }, 'copy'],
  ['cut off or with a tail', 'mov', probe([video()]), { ...WHOLE, whole: false }, 'copy'],
  ['fragmented', 'mov', probe([video()]), { ...WHOLE, fragmented: true }, 'copy'],
  ['QuickTime brand', 'mov', probe([video()]), { ...WHOLE, majorBrand: 'qt  ' }, 'copy'],
  ['no ftyp', 'mov', probe([video()]), null, 'copy'],
  ['sound that is not AAC', 'mov', probe([video()], [audio({ codec: 'pcm_s16le', tag: 'sowt' })]), WHOLE, 'copy'],
  ['AAC Main', 'mov', probe([video()], [audio({ profile: 'Main' })]), WHOLE, 'copy'],
  ['two picture tracks', 'mov', probe([video(), video({ index: 2 })]), WHOLE, 'copy'],
  ['in MKV', 'matroska', probe([video({ tag: '[0][0][0][0]' })]), null, 'copy'],
  ['in TS', 'mpegts', probe([video({ tag: '[27][0][0][0]' })]), null, 'copy'],
  ['AV1, 10-bit', 'matroska', probe([video({ ...av1, pixelFormat: 'yuv420p10le' })]), null, 'copy'],
  ['in AVI, in order', 'avi', probe([video({ reorders: false })]), null, 'copy'],
  ['in AVI, out of order', 'avi', probe([video()]), null, 'transcode'],
  ['bare, out of order', 'h264', probe([video()], []), null, 'transcode'],
  ['H.264, 10-bit', 'mov', probe([video({ profile: 'High 10', pixelFormat: 'yuv420p10le' })]), WHOLE, 'transcode'],
  ['H.264, 4:2:2', 'mov', probe([video({ profile: 'High 4:2:2', pixelFormat: 'yuv422p' })]), WHOLE, 'transcode'],
  ['HEVC', 'mov', probe([video({ codec: 'hevc', profile: 'Main', tag: 'hvc1' })]), WHOLE, 'transcode'],
  ['VP9', 'matroska', probe([video({ codec: 'vp9', profile: 'Profile 0' })]), null, 'transcode'],
  ['MJPEG', 'avi', probe([video({ codec: 'mjpeg', pixelFormat: 'yuvj422p' })]), null, 'transcode'],
  ['MPEG-4', 'avi', probe([video({ codec: 'mpeg4' })]), null, 'transcode'],
  ['AV1, 4:4:4', 'matroska', probe([video({ ...av1, profile: 'High', pixelFormat: 'yuv444p' })]), null, 'transcode'],
  ['sound alone', 'mov', probe([]), WHOLE, 'none'],
  ['pictures without a size', 'mov', probe([video({ width: 0 })]), WHOLE, 'none'],
]

const argsOf = (demuxer: Demuxer, from: Probe, encoding = FFMPEG5): readonly string[] => {
  const plan = planPlayable(demuxer, from, null, encoding)
  return plan.kind === 'convert' ? plan.args : []
}
const after = (args: readonly string[], option: string): string | undefined => args[args.indexOf(option) + 1]

describe('plan: how a playable MP4 comes from a file', () => {
  test.each(CASES)('%s', (_, demuxer, from, layout, expected) => {
    const plan = planPlayable(demuxer, from, layout, FFMPEG5)
    expect(plan.kind === 'convert' ? plan.method : plan.kind).toBe(expected)
  })

  test('what was tried and disagreed is not tried again', () => {
    const from = probe([video()])
    const second = planPlayable('mov', from, WHOLE, FFMPEG5, new Set(['identity']))
    expect(second).toMatchObject({ kind: 'convert', method: 'copy' })
    const third = planPlayable('mov', from, WHOLE, FFMPEG5, new Set(['identity', 'copy']))
    expect(third).toMatchObject({ kind: 'convert', method: 'transcode' })
    expect(planPlayable('mov', from, WHOLE, FFMPEG5, new Set(['identity', 'copy', 'transcode'])).kind).toBe('none')
  })

  test('the exact arguments of a stream copy', () => {
    expect(argsOf('matroska', probe([video()], [audio({ codec: 'mp3', tag: '' })])).join(' ')).toBe(
      '-hide_banner -nostdin -y -v error -nostats -progress pipe:1 -threads 2 -protocol_whitelist file ' +
        '-format_whitelist matroska -max_pixels 67108864 -f matroska -fflags +genpts+discardcorrupt -i /in -map 0:0 -map 0:1 -sn -dn ' +
        '-map_chapters -1 -c:v copy -c:a:0 aac -b:a:0 160k -max_muxing_queue_size 4096 -fflags +bitexact ' +
        '-movflags +faststart -f mp4 /out/playable.mp4',
    )
  })

  test('a transcode keeps times and rotation, pads odd sides, and speaks the version', () => {
    const hevc = video({ codec: 'hevc', width: 161, height: 121 })
    const args = argsOf('mov', probe([hevc]))
    expect(after(args, '-fps_mode')).toBe('passthrough')
    expect(after(args, '-enc_time_base')).toBe('-1')
    expect(args).toContain('-noautorotate')
    expect(after(args, '-vf')).toBe('pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p')
    expect(after(argsOf('mov', probe([hevc]), { major: 7, threads: 2 }), '-enc_time_base')).toBe('demux')
    expect(after(argsOf('mov', probe([video({ codec: 'hevc' })])), '-vf')).toBe('format=yuv420p')
  })

  test('sound: AAC copied, the rest made, what has no decoder left out, more than stereo mixed down', () => {
    const sounds = [audio(), audio({ index: 2, codec: 'ac3', channels: 6 }), audio({ index: 3, codec: 'none' })]
    const args = argsOf('mpegts', probe([video()], sounds)).join(' ')
    expect(args).toContain('-map 0:0 -map 0:1 -map 0:2 -sn')
    expect(args).toContain('-c:a:0 copy -c:a:1 aac -b:a:1 160k -ac:a:1 2')
    expect(planAudio('wav', probe([], []), FFMPEG5)).toBeNull()
    expect(planAudio('aac', probe([]), FFMPEG5)?.method).toBe('copy')
  })

  test.each([...DEMUXERS])('S9: %s is the only demuxer and file the only protocol, before the input', (demuxer) => {
    const all = [argsOf(demuxer, probe([video({ codec: 'vp9' })])), posterArguments(demuxer, video(), 10_000, false)]
    for (const args of all) {
      const before = args.slice(0, args.indexOf('-i'))
      expect(before.join(' ')).toContain(guards(demuxer).join(' '))
      expect(after(before, '-format_whitelist')).toBe(demuxer)
      expect(after(before, '-f')).toBe(demuxer)
      expect(args.filter((arg) => arg === '-i')).toHaveLength(1)
      expect(args[args.indexOf('-i') + 1]).toBe('/in')
    }
  })
})

describe('plan: small pictures', () => {
  test.each([
    [{ width: 1920, height: 1080 }, 480, { width: 480, height: 270 }],
    [{ width: 1080, height: 1920 }, 480, { width: 270, height: 480 }],
    [{ width: 100, height: 50 }, 480, { width: 100, height: 50 }],
    [{ width: 10_000, height: 1 }, 480, { width: 480, height: 1 }],
  ])('%o fits into %i', (size, side, expected) => expect(fitted(size, side)).toEqual(expected))

  test('shown upright and with square pixels', () => {
    expect(displayedSize(video({ width: 720, height: 576, pixelAspect: 64 / 45 }))).toEqual({
      width: 1024,
      height: 576,
    })
    expect(displayedSize(video({ rotation: 90 }))).toEqual({ width: 1080, height: 1920 })
    expect(displayedSize(video({ rotation: 180 }))).toEqual({ width: 1920, height: 1080 })
    expect(displayedSize(video({ pixelAspect: 5000 }))).toEqual({ width: 1920, height: 1080 })
  })

  test('Exif orientation turns and swaps; only what may be transparent is laid on white', () => {
    const turned = pictureArguments('jpeg_pipe', { width: 4000, height: 3000 }, 6, 480, '/out/thumbnail.jpg')
    expect(turned.size).toEqual({ width: 360, height: 480 })
    expect(after(turned.args, '-vf')).toBe('scale=480:360:flags=area,transpose=1,setsar=1,format=yuvj420p')
    expect(after(pictureArguments('png_pipe', { width: 9, height: 9 }, 1, 480, '/out/x.jpg').args, '-vf')).toContain(
      'overlay',
    )
  })

  test.each([
    ['clip.mov', 'clip.mp4'],
    ['no ending', 'no ending.mp4'],
    ['.hidden', '.hidden.mp4'],
    ['a.b.mkv', 'a.b.mp4'],
    ['Sitzung 3. November', 'Sitzung 3. November.mp4'],
  ])('%s becomes %s', (name, expected) => expect(withEnding(name, '.mp4')).toBe(expected))
})

const valueOf = (args: readonly string[], option: string) => args[args.indexOf(option) + 1]
const STRIPS: readonly [
  what: string,
  video: VideoStream,
  durationMs: number | null,
  filter: string,
  sparse: boolean,
][] = [
  [
    'forty seconds: a tile each half second',
    video(),
    40_000,
    'fps=fps=80000/40000:start_time=0:round=near,scale=160:90:flags=area,setsar=1,tpad=stop=80:stop_mode=clone,tile=10x8,format=yuvj420p',
    false,
  ],
  [
    'an hour: a hundred tiles, of key frames alone',
    video({ claimedFrames: 108_000 }),
    3_600_000,
    'fps=fps=100000/3600000:start_time=0:round=near,scale=160:90:flags=area,setsar=1,tpad=stop=100:stop_mode=clone,tile=10x10,format=yuvj420p',
    true,
  ],
  [
    'upright: no taller than allowed',
    video({ width: 90, height: 320 }),
    1000,
    'fps=fps=2000/1000:start_time=0:round=near,scale=90:320:flags=area,setsar=1,tpad=stop=2:stop_mode=clone,tile=2x1,format=yuvj420p',
    false,
  ],
  [
    'without a duration: one tile',
    video({ claimedFrames: null, frameRate: null }),
    null,
    'fps=fps=1000/1:start_time=0:round=near,scale=160:90:flags=area,setsar=1,tpad=stop=1:stop_mode=clone,tile=1x1,format=yuvj420p',
    false,
  ],
]
test.each(STRIPS)('strip of %s', (_, stream, durationMs, filter, sparse) => {
  const { args } = stripPlan('mov', stream, durationMs, 2)
  expect(valueOf(args, '-vf')).toBe(filter)
  expect(args.includes('-skip_frame')).toBe(sparse)
  expect(args.slice(0, args.indexOf('-i')).join(' ')).toContain(guards('mov').join(' '))
})

test.each([
  [1, '1'],
  [2, '2'],
  [6, '2'],
])('samples for the waveform of %i channels', (channels, expected) => {
  const { args } = pcmPlan('wav', audio({ channels }))
  expect(valueOf(args, '-ac')).toBe(expected)
  expect(valueOf(args, '-af')).toBe('aresample=16000:async=1:first_pts=0')
  expect(args.slice(0, args.indexOf('-i')).join(' ')).toContain(guards('wav').join(' '))
})
