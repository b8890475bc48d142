import { describe, expect, it } from 'vitest'
import type { PacketTime } from '../../../platform/ffmpeg/probe.ts'
import {
  areTheFrames,
  containerFor,
  earlierBy,
  exactArguments,
  framesBetween,
  streamArguments,
  stretchAround,
  timesInList,
} from './clip-plan.ts'

const packet = (pts: number | null, more: Partial<PacketTime> = {}): PacketTime => ({
  pts,
  dts: pts,
  key: false,
  shown: true,
  ...more,
})
const key = (pts: number): PacketTime => packet(pts, { key: true })
/** Ten frames a second, out of order as B-frames are. */
const FILM = [key(0), packet(0.2), packet(0.1), packet(0.3), key(0.4), packet(0.6), packet(0.5), key(0.7), packet(0.8)]

describe('the frames between two positions', () => {
  it('are those on screen at both and all between them', () => {
    expect(framesBetween(FILM, 0.15, 0.35)?.times).toEqual([0.1, 0.2, 0.3])
    expect(framesBetween(FILM, 0.2, 0.2)?.times).toEqual([0.2])
    expect(framesBetween(FILM, 0.65, 99)?.times).toEqual([0.6, 0.7, 0.8])
  })

  it('are parted from their neighbours, however close these are', () => {
    const close = [packet(0), packet(0.003), packet(0.006)]
    expect(framesBetween(close, 0.003, 0.003)).toMatchObject({
      times: [0.003],
      after: 0.0015,
      until: expect.closeTo(0.0045, 9),
    })
    expect(framesBetween(FILM, 0.1, 0.2)).toMatchObject({ after: 0.098, until: expect.closeTo(0.202, 6), end: 0.3 })
  })

  it('end a usual length after the last one of the film; what is not shown is no frame', () => {
    expect(framesBetween(FILM, 0.7, 2)?.end).toBeCloseTo(0.9, 6)
    expect(framesBetween([packet(0, { shown: false }), packet(1), packet(2)], 0, 0)?.times).toEqual([1])
    expect(framesBetween([packet(null)], 0, 1)).toBeNull()
  })

  it('are told by another clock all at once', () => {
    expect(earlierBy({ times: [5, 6], after: 4.9, until: 6.1, end: 7 }, 4)).toEqual({
      times: [1, 2],
      after: expect.closeTo(0.9, 6),
      until: expect.closeTo(2.1, 6),
      end: 3,
    })
  })
})

describe('whether frames are the chosen ones', () => {
  it.each([
    [[1, 2, 3], 0, true],
    [[1.001, 2, 3], 0, true],
    [[11, 12, 13], 10, true],
    [[1, 2], 0, false],
    [[1, 2, 3, 4], 0, false],
    [[1, 2, 3.1], 0, false],
  ])('%j', (found, offset, are) => expect(areTheFrames([1, 2, 3], found, offset)).toBe(are))
})

describe('the stretch that can be copied', () => {
  it('goes from the key frame before the range to the one after it', () => {
    expect(stretchAround(FILM, 0.5, 0.55)).toEqual({ from: 0.4, to: 0.7, frames: 3, open: false })
    expect(stretchAround(FILM, 0.4, 0.7)).toEqual({ from: 0.4, to: expect.closeTo(0.9, 6), frames: 5, open: true })
  })

  it('begins with the first frame where the position lies before it', () => {
    expect(stretchAround([key(0.5), packet(0.6), key(0.7)], 0, 0.6)).toMatchObject({ from: 0.5, to: 0.7 })
  })

  it('neither begins nor ends at a key frame that is followed by frames shown before it', () => {
    const open = [key(0), packet(0.1), key(0.3), packet(0.2), packet(0.4), key(0.5), packet(0.6)]
    expect(stretchAround(open, 0.35, 0.35)).toEqual({ from: 0, to: 0.5, frames: 5, open: false })
    expect(stretchAround(open, 0.05, 0.05)).toEqual({ from: 0, to: 0.5, frames: 5, open: false })
  })

  it('is none without times, without a key frame, and over what an edit list leaves out', () => {
    expect(stretchAround([key(0), packet(null)], 0, 0)).toBeNull()
    expect(stretchAround([packet(0.2), packet(0.1)], 0.2, 0.2)).toBeNull()
    expect(stretchAround([key(0), packet(0.1, { shown: false }), key(0.2)], 0.1, 0.1)).toBeNull()
  })
})

const VIDEO = {
  index: 0,
  codec: 'h264',
  profile: 'High',
  tag: 'avc1',
  pixelFormat: 'yuv420p',
  width: 128,
  height: 96,
  pixelAspect: 1,
  rotation: 0,
  claimedFrames: null,
  frameRate: 25,
  exactRate: null,
  startMs: 0,
  reorders: true,
  durationMs: 1000,
}
const AUDIO = { index: 1, codec: 'aac', profile: 'LC', tag: 'mp4a', channels: 2, sampleRate: 48_000 }
const after = (args: readonly string[], name: string): string | undefined => args[args.indexOf(name) + 1]

describe('the arguments of an exact clip', () => {
  const frames = { times: [1, 1.04], after: 0.998, until: 1.042, end: 1.08 }
  const plan = { demuxer: 'mov', video: VIDEO, audio: [AUDIO], frames, threads: 2, major: 5 } as const

  it('name the frames by their times on the clock of the file, and hold no path of this machine', () => {
    const args = exactArguments({ ...plan, seek: { at: 0.998, fileStart: 10 } })
    expect(after(args, '-vf')).toMatch(/^select='gte\(t,10\.998000\)\*lt\(t,11\.042000\)',setpts=PTS-STARTPTS,/)
    expect(after(args, '-frames:v')).toBe('2')
    expect(args.slice(args.indexOf('-copyts'), args.indexOf('-copyts') + 3)).toEqual(['-copyts', '-ss', '0.998000'])
    expect(args.filter((arg) => arg.includes('/')).every((arg) => /^\/(in$|out\/)|asetpts|gte|\*2/.test(arg))).toBe(
      true,
    )
    expect(exactArguments({ ...plan, seek: null })).not.toContain('-copyts')
  })

  it('leave out metadata, chapters, subtitles and data, and code pictures in the order in which they are shown', () => {
    const args = exactArguments({ ...plan, seek: null })
    for (const [name, value] of [
      ['-map_metadata', '-1'],
      ['-map_chapters', '-1'],
      ['-bf', '0'],
      ['-bsf:v', 'filter_units=remove_types=6'],
      ['-use_editlist', '0'],
      ['-fps_mode', 'passthrough'],
    ] as const)
      expect([name, after(args, name)]).toEqual([name, value])
    expect(args).toEqual(expect.arrayContaining(['-sn', '-dn']))
  })

  it('take the sound of the same time', () => {
    const args = exactArguments({ ...plan, seek: null })
    expect(after(args, '-filter:a:0')).toBe(
      'aresample=48000,atrim=start=1.021333:end=1.080000,asetpts=PTS-1.000000/TB,aresample=async=1:first_pts=1024',
    )
  })
})

describe('the list of frames that went in', () => {
  it('is read as times; anything else is no list', () => {
    expect(timesInList('#tb 0: 1/25\n0,  25,  25, 1, 100, 0xab\n0,  26,  26, 1, 100, 0xcd\n')).toEqual([1, 1.04])
    expect(timesInList('nothing')).toBeNull()
  })
})

describe('the arguments of a copied stretch', () => {
  it('begin just before the key frame, end with the last frame, and copy', () => {
    const args = streamArguments('mov', VIDEO, [AUDIO], { from: 2, to: 3, frames: 25, open: false })
    for (const [name, value] of [
      ['-ss', '1.999000'],
      ['-frames:v', '25'],
      ['-t', '1.001000'],
      ['-c', 'copy'],
      ['-copypriorss', '0'],
      ['-avoid_negative_ts', 'make_zero'],
    ] as const)
      expect([name, after(args, name)]).toEqual([name, value])
  })

  it('go into MP4 where it holds them, else into Matroska', () => {
    expect(containerFor(VIDEO, [AUDIO])).toBe('mp4')
    expect(containerFor(VIDEO, [{ ...AUDIO, codec: 'pcm_s16le' }])).toBe('mkv')
    expect(containerFor({ ...VIDEO, codec: 'mjpeg' }, [])).toBe('mkv')
  })
})
