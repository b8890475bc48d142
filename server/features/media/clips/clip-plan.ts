import { TOOL_INPUT, TOOL_OUTPUT } from '../../../../shared/media/rules.ts'
import type { AudioStream, PacketTime, VideoStream } from '../../../platform/ffmpeg/probe.ts'
import { guards, reading } from '../derive/plan.ts'
import type { Demuxer } from '../derive/sniff.ts'
import { HAIR, ROUNDING } from '../derive/still-plan.ts'

/** Which frames a clip has, and how ffmpeg is told to give those and no others. Pure. Times are seconds from the start of the file. */

/** Frames of a recording one after the other. */
export interface FrameRange {
  /** When each of them begins. Never empty. */
  readonly times: readonly number[]
  /** Any frame earlier than this is none of them. */
  readonly after: number
  /** Nor is one at this time or later. */
  readonly until: number
  /** When the last one ends. */
  readonly end: number
}

/**
 * The frames from the one on screen at `from` to the one on screen at `to`, both included. @param packets of the file that is played
 * @returns null without any frame
 */
export function framesBetween(packets: readonly PacketTime[], from: number, to: number): FrameRange | null {
  const all = packets
    .filter(({ shown, pts }) => shown && pts !== null)
    .map(({ pts }) => pts as number)
    .sort((a, b) => a - b)
  if (all.length === 0) return null
  const onScreen = (seconds: number): number =>
    Math.max(
      0,
      all.findLastIndex((at) => at <= seconds + HAIR),
    )
  const [first, last] = [onScreen(from), onScreen(to)]
  const times = all.slice(first, last + 1)
  const [begin, final] = [times[0] as number, times.at(-1) as number]
  const [before, next] = [all[first - 1], all[last + 1]]
  const usual = all.length > 1 ? ((all.at(-1) as number) - (all[0] as number)) / (all.length - 1) : 0
  return {
    times,
    after: begin - Math.min(ROUNDING, before === undefined ? ROUNDING : (begin - before) / 2),
    until: final + Math.min(ROUNDING, next === undefined ? ROUNDING : (next - final) / 2),
    end: next ?? final + usual,
  }
}

export const earlierBy = ({ times, after, until, end }: FrameRange, seconds: number): FrameRange => ({
  times: times.map((at) => at - seconds),
  after: after - seconds,
  until: until - seconds,
  end: end - seconds,
})

/** Whether these are the very frames: as many, each at its time. @param offset of the clock that `found` is told by */
export const areTheFrames = (wanted: readonly number[], found: readonly number[], offset = 0): boolean =>
  wanted.length === found.length &&
  wanted.every((at, index) => Math.abs((found[index] as number) - offset - at) <= ROUNDING)

/** A stretch of a recording between two key frames, in the order of the file. */
export interface Stretch {
  /** When its first frame begins: a key frame. */
  readonly from: number
  /** When its last frame ends. */
  readonly to: number
  readonly frames: number
  /** No key frame follows it: it goes to the end of what was looked at. */
  readonly open: boolean
}

/**
 * The shortest stretch around these positions that can be copied and shown by itself: it begins with a key frame, and no frame in it leans on one
 * outside. Key frames that are followed by frames shown before them (open groups) are no beginning and no end.
 * @param packets of the original, in the order of the file
 * @returns null where the packets carry no times or where there is no such beginning
 */
export function stretchAround(packets: readonly PacketTime[], from: number, to: number): Stretch | null {
  const pts = packets.map((packet) => packet.pts)
  if (!pts.every((at) => at !== null)) return null
  const clean = cleanKeys(packets)
  // Before the first frame of all the first one is meant.
  const begin = clean.findLast((index) => (pts[index] as number) <= from + HAIR) ?? clean.find((index) => index === 0)
  if (begin === undefined) return null
  const next = clean.find((index) => index > begin && (pts[index] as number) > to + HAIR)
  const inside = packets.slice(begin, next)
  // What an edit list leaves out would be copied all the same, and be stored without being shown.
  if (inside.some(({ shown }) => !shown)) return null
  const times = pts.slice(begin, next) as number[]
  const last = Math.max(...times)
  const usual = times.length > 1 ? (last - (pts[begin] as number)) / (times.length - 1) : 0
  const end = next === undefined ? last + usual : (pts[next] as number)
  return { from: pts[begin] as number, to: end, frames: inside.length, open: next === undefined }
}

/** Places of key frames before which everything is shown, and after which nothing is that belongs before them. */
function cleanKeys(packets: readonly PacketTime[]): number[] {
  const found: number[] = []
  let earliestAfter = Number.POSITIVE_INFINITY
  for (let index = packets.length - 1; index >= 0; index -= 1) {
    const { pts, key } = packets[index] as PacketTime
    const at = pts as number
    if (key && at < earliestAfter) found.push(index)
    earliestAfter = Math.min(earliestAfter, at)
  }
  return found.reverse()
}

export const CLIP_FILES = {
  exact: 'clip.mp4',
  mp4: 'clip.mp4',
  mkv: 'clip.mkv',
  frames: 'frames.txt',
} as const

/** Samples that an AAC encoder puts before the first one. */
const PRIMING = 1024
const SUPPORTED_RATES: ReadonlySet<number> = new Set([
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
])
const soundRate = ({ sampleRate }: AudioStream): number => (SUPPORTED_RATES.has(sampleRate) ? sampleRate : 48_000)

export interface ExactPlan {
  readonly demuxer: Demuxer
  readonly video: VideoStream
  readonly audio: readonly AudioStream[]
  readonly frames: FrameRange
  /** Seconds from the start of the file to begin reading at; null reads from the start. */
  readonly seek: { readonly at: number; readonly fileStart: number } | null
  readonly threads: number
  /** Of ffmpeg's version. */
  readonly major: number
}

/**
 * The frames of the range, coded anew and upright, each at its time after the first; the sound of the same time. The list of the frames that
 * went in is written beside the clip, by their times on the clock of the file.
 *
 * Pictures are coded in the order in which they are shown, so that the clip needs no edit list. What AAC puts before its first sample takes the
 * place of the first samples of the sound, so that sound and picture agree without one.
 */
export function exactArguments({ demuxer, video, audio, frames, seek, threads, major }: ExactPlan): string[] {
  const offset = seek === null ? 0 : seek.fileStart
  const at = (seconds: number): string => (seconds + offset).toFixed(6)
  // Not `trim`: it rounds to the clock of the track, which may be as coarse as a frame.
  const chosen = `select='gte(t,${at(frames.after)})*lt(t,${at(frames.until)})'`
  const most = ['-frames:v', String(frames.times.length)]
  const soundOf = (stream: AudioStream): string => {
    const rate = soundRate(stream)
    const begin = frames.times[0] as number
    return (
      `aresample=${rate},atrim=start=${at(begin + PRIMING / rate)}:end=${at(frames.end)},` +
      `asetpts=PTS-${at(begin)}/TB,aresample=async=1:first_pts=${PRIMING}`
    )
  }
  const clock = major >= 7 ? 'demux' : '-1'
  return [
    ...reading(demuxer, threads, seek === null ? [] : ['-copyts', '-ss', seek.at.toFixed(6)]),
    '-map',
    `0:${video.index}`,
    ...audio.flatMap(({ index }) => ['-map', `0:${index}`]),
    '-vf',
    `${chosen},setpts=PTS-STARTPTS,pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p`,
    ...audio.flatMap((stream, index) => [`-filter:a:${index}`, soundOf(stream)]),
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
    '-sn',
    '-dn',
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '18',
    '-profile:v',
    'high',
    '-bf',
    '0',
    '-threads:v',
    String(threads),
    ...most,
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    clock,
    // The encoder writes its name and settings into the stream (SEI) and into the header.
    '-bsf:v',
    'filter_units=remove_types=6',
    '-flags:v',
    '+bitexact',
    '-metadata:s:v',
    'encoder= ',
    ...audio.flatMap(({ channels }, index) => [
      `-c:a:${index}`,
      'aac',
      `-b:a:${index}`,
      channels > 1 ? '160k' : '96k',
      ...(channels > 2 ? [`-ac:a:${index}`, '2'] : []),
      `-flags:a:${index}`,
      '+bitexact',
    ]),
    '-max_muxing_queue_size',
    '4096',
    '-fflags',
    '+bitexact',
    '-use_editlist',
    '0',
    '-movflags',
    '+faststart',
    '-f',
    'mp4',
    `${TOOL_OUTPUT}/${CLIP_FILES.exact}`,
    '-map',
    `0:${video.index}`,
    '-vf',
    chosen,
    '-c:v',
    'rawvideo',
    ...most,
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    clock,
    '-f',
    'framecrc',
    `${TOOL_OUTPUT}/${CLIP_FILES.frames}`,
  ]
}

/** Times, seconds, of the frames that a list of `exactArguments` names; null where it is no such list. */
export function timesInList(text: string): number[] | null {
  const [, top = '', bottom = ''] = /^#tb 0: (\d{1,9})\/(\d{1,9})$/m.exec(text) ?? []
  const unit = Number(top) / Number(bottom)
  if (!(unit > 0)) return null
  return text.split('\n').flatMap((line) => {
    const found = /^0,\s*-?\d+,\s*(-?\d+),/.exec(line)
    return found === null ? [] : [Number(found[1]) * unit]
  })
}

const MP4_PICTURES: ReadonlySet<string> = new Set(['h264', 'hevc', 'av1', 'mpeg4', 'vp9', 'mpeg2video'])
const MP4_SOUNDS: ReadonlySet<string> = new Set(['aac', 'mp3', 'ac3', 'eac3', 'alac', 'opus', 'mp2'])

/** MP4 where it can hold these streams, else Matroska. */
export const containerFor = (video: VideoStream, audio: readonly AudioStream[]): 'mp4' | 'mkv' =>
  MP4_PICTURES.has(video.codec) && audio.every(({ codec }) => MP4_SOUNDS.has(codec)) ? 'mp4' : 'mkv'

/** A key frame is wanted: a little before it, so that rounding does not leave it out. */
const justBefore = (seconds: number): number => Math.max(0, seconds - HAIR)

/** The data of a stretch as it is in the file. `-copypriorss 0`: nothing before the key frame comes along. */
export function streamArguments(
  demuxer: Demuxer,
  video: VideoStream,
  audio: readonly AudioStream[],
  { from, to, frames }: Stretch,
): string[] {
  const container = containerFor(video, audio)
  return [
    ...reading(demuxer, 1, ['-ss', justBefore(from).toFixed(6)]),
    '-map',
    `0:${video.index}`,
    ...audio.flatMap(({ index }) => ['-map', `0:${index}`]),
    '-c',
    'copy',
    '-copypriorss',
    '0',
    '-frames:v',
    String(frames),
    '-t',
    (to - justBefore(from)).toFixed(6),
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
    '-sn',
    '-dn',
    '-avoid_negative_ts',
    'make_zero',
    '-max_muxing_queue_size',
    '4096',
    '-fflags',
    '+bitexact',
    ...(container === 'mp4' && video.codec === 'hevc' ? ['-tag:v', 'hvc1'] : []),
    ...(container === 'mp4' ? ['-movflags', '+faststart', '-f', 'mp4'] : ['-f', 'matroska']),
    `${TOOL_OUTPUT}/${CLIP_FILES[container]}`,
  ]
}

/** A hash of every frame as it decodes, on stdout. @param stretch of the file; null: all of it */
export const frameHashArguments = (demuxer: Demuxer, index: number, stretch: Stretch | null): string[] => [
  '-hide_banner',
  '-nostdin',
  '-v',
  'error',
  '-threads',
  '2',
  '-noautorotate',
  ...(stretch === null ? [] : ['-ss', justBefore(stretch.from).toFixed(6)]),
  ...guards(demuxer),
  '-i',
  TOOL_INPUT,
  '-map',
  `0:${index}`,
  ...(stretch === null ? [] : ['-frames:v', String(stretch.frames)]),
  '-fps_mode',
  'passthrough',
  '-f',
  'framehash',
  '-hash',
  'sha256',
  'pipe:1',
]

/** Shows also what an edit list leaves out. Only MP4 has such lists. */
export const withoutEditList = (args: readonly string[]): string[] => ['-ignore_editlist', '1', ...args]
