import { TOOL_INPUT, TOOL_OUTPUT } from '../../../../shared/media/rules.ts'
import type { PacketTime } from '../../../platform/ffmpeg/probe.ts'
import { guards } from './plan.ts'
import type { Demuxer } from './sniff.ts'

/** Which frame a position means, and how ffmpeg is told to give that frame and no other. Pure. */

/** Players give positions as binary fractions, containers as ratios: one lies this close before the other. Seconds. */
export const HAIR = 0.001
/** Times of the played copy and of the original are the same but for the containers' rounding. Seconds. */
export const ROUNDING = 0.002
/** A stretch that holds a key frame of nearly every recording. Seconds. */
const WINDOW = 30

/** Packets of one stream from the key frame before `from` up to `to`, both seconds on the file's own clock. */
export const packetArguments = (demuxer: Demuxer, index: number, from: number, to: number): string[] => [
  '-hide_banner',
  '-v',
  'error',
  ...guards(demuxer),
  '-select_streams',
  String(index),
  '-read_intervals',
  `${Math.max(0, from).toFixed(6)}%${to.toFixed(6)}`,
  '-show_entries',
  'packet=pts_time,dts_time,flags',
  '-of',
  'csv=p=0',
  '-i',
  TOOL_INPUT,
]

/** Around a position: enough before it for a film that stands still for a while, enough after it for frames stored out of order. */
export const around = (seconds: number): [from: number, to: number] => [seconds - 10, seconds + 2]

export interface ShownFrame {
  /** Presentation time on the played file's clock, seconds. */
  readonly at: number
  /** Any frame earlier than this is another one. */
  readonly after: number
}

/** The frame on screen at a position: the last that has begun; before the first one, the first. Null without any frame. */
export function shownAt(packets: readonly PacketTime[], seconds: number): ShownFrame | null {
  const times = packets
    .filter(({ shown, pts }) => shown && pts !== null)
    .map(({ pts }) => pts as number)
    .sort((a, b) => a - b)
  const begun = times.findLastIndex((at) => at <= seconds + HAIR)
  const at = times[Math.max(0, begun)]
  if (at === undefined) return null
  const before = times[begun - 1]
  return { at, after: at - Math.min(ROUNDING, before === undefined ? ROUNDING : (at - before) / 2) }
}

/** Their index leads to the key frame before a time; in others one has to be looked for first. */
const INDEXED: ReadonlySet<Demuxer> = new Set<Demuxer>(['mov', 'matroska'])
/** No way to a time but reading on from the start. */
const UNSEEKABLE: ReadonlySet<Demuxer> = new Set<Demuxer>(['h264', 'hevc', 'ogg'])

export type Approach = 'direct' | 'look' | 'from-start'
export const approachOf = (demuxer: Demuxer): Approach =>
  INDEXED.has(demuxer) ? 'direct' : UNSEEKABLE.has(demuxer) ? 'from-start' : 'look'

/** Where to look for key frames before `at`. */
export const before = (at: number): [from: number, to: number] => [at - WINDOW, at + 1]

/**
 * A place a little before a key frame from which the wanted one can be decoded. The last but one where there is one: some streams call
 * a picture a key frame that leans on what was before it. Null when there is none near.
 */
export function startBefore(packets: readonly PacketTime[], at: number): number | null {
  const keys = packets
    .filter(({ key }) => key)
    .flatMap(({ pts, dts }) => pts ?? dts ?? [])
    .filter((time) => time <= at)
    .sort((a, b) => a - b)
  const key = keys.at(-2) ?? keys.at(-1)
  return key === undefined ? null : key - 2
}

const STILL = /^still-(-?\d{1,18})\.png$/

/** Presentation time in seconds that ffmpeg wrote into the name of its output; null for any other name. */
export const timeInName = (name: string): number | null => {
  const found = STILL.exec(name)
  return found === null ? null : Number(found[1]) / 1_000_000
}

/**
 * The first frame at or after `after`, upright and whole, its own time in the name of the file. Times are counted from the file's start,
 * as they are in the copy that is played. @param seek seconds from the file's start to begin reading at; null reads from the start
 */
export function stillArguments(
  demuxer: Demuxer,
  index: number,
  after: number,
  seek: { at: number; fileStart: number } | null,
): string[] {
  // With a seek the clock would begin anew at the place sought: the file's own times are kept instead.
  const wanted = seek === null ? after : after + seek.fileStart
  return [
    '-hide_banner',
    '-nostdin',
    '-y',
    '-v',
    'error',
    '-nostats',
    '-progress',
    'pipe:1',
    '-threads',
    '2',
    ...(seek === null ? [] : ['-copyts', '-ss', seek.at.toFixed(6)]),
    ...guards(demuxer),
    '-i',
    TOOL_INPUT,
    '-map',
    `0:${index}`,
    '-an',
    '-sn',
    '-dn',
    '-map_metadata',
    '-1',
    '-vf',
    `select='gte(t,${wanted.toFixed(6)})'`,
    '-frames:v',
    '1',
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    '1:1000000',
    '-c:v',
    'png',
    '-fflags',
    '+bitexact',
    '-f',
    'image2',
    '-frame_pts',
    '1',
    `${TOOL_OUTPUT}/still-%d.png`,
  ]
}
