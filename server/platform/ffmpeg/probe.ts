import type { CaptureTime, GeoPosition, Ratio } from '../../../shared/media/rules.ts'
import { exifTime, positionFrom } from '../exif/exif.ts'

/** ffprobe's answer for a file, reduced to the members in use. All values are claims of the file until a scan confirms them. */
export interface Probe {
  readonly format: string
  readonly durationMs: number | null
  /** Start of the file's clock; conversions count from here. */
  readonly startMs: number | null
  readonly video: readonly VideoStream[]
  readonly audio: readonly AudioStream[]
  /** Number of data, subtitle and attachment streams and cover pictures. */
  readonly otherStreams: number
  readonly captured: CaptureTime | null
  readonly position: GeoPosition | null
}

export interface VideoStream {
  readonly index: number
  readonly codec: string
  readonly profile: string
  /** The container's name of the codec: `avc1`, `hvc1` … */
  readonly tag: string
  readonly pixelFormat: string
  /** As stored, before rotation. */
  readonly width: number
  readonly height: number
  /** Width of a pixel divided by its height. Default: 1. */
  readonly pixelAspect: number
  /** Degrees counter-clockwise that turn the picture upright, as given by ffprobe: 0, 90, -90, 180, -180. */
  readonly rotation: number
  /** As stated by the container's index or header. */
  readonly claimedFrames: number | null
  readonly frameRate: number | null
  /** The same as a ratio, such as `30000/1001`. */
  readonly exactRate: Ratio | null
  /** First presentation time, milliseconds. */
  readonly startMs: number | null
  readonly reorders: boolean
  readonly durationMs: number | null
}

export interface AudioStream {
  readonly index: number
  readonly codec: string
  readonly profile: string
  readonly tag: string
  readonly channels: number
  readonly sampleRate: number
}

/** The result of reading every packet of one stream. */
export interface PacketScan {
  readonly packets: number
  /** Milliseconds from the first presentation time to the end of the last packet; null when packets have no times or the clock jumps. */
  readonly spanMs: number | null
  /** Whether the intervals between pictures differ by more than rounding; null when packets have no times. */
  readonly uneven: boolean | null
}

/** One packet in the order of the file; times in seconds on the file's own clock. */
export interface PacketTime {
  readonly pts: number | null
  readonly dts: number | null
  readonly key: boolean
  /** False when an edit list leaves the packet out. */
  readonly shown: boolean
}

const MOST_STREAMS = 64
const MOST_TAGS = 64
/** Nine hours at 30 pictures a second. Later packets do not count. */
const MOST_TIMES = 1_000_000
const MOST_TAG_LENGTH = 1024

/** Parses the output of `ffprobe -print_format json -show_format -show_streams`. Null without streams or without JSON. Never throws. */
export function parseProbe(json: string): Probe | null {
  const root = record(safeJson(json))
  const streams = list(root['streams']).slice(0, MOST_STREAMS).map(record)
  if (streams.length === 0) return null
  const format = record(root['format'])
  const video = streams.filter(isMoving).map(videoStream)
  const audio = streams.filter((stream) => stream['codec_type'] === 'audio').map(audioStream)
  const firstVideo = streams.find(isMoving)
  return {
    format: text(format['format_name']),
    durationMs: millis(format['duration']),
    startMs: signedMillis(format['start_time']),
    video,
    audio,
    otherStreams: streams.length - video.length - audio.length,
    ...claims(tagsOf([record(firstVideo?.['tags']), record(format['tags'])])),
  }
}

/** Parses the output of `ffprobe -show_entries packet=pts_time,dts_time,flags -of csv=p=0`. Other lines are skipped. */
export function parsePackets(csv: string): PacketTime[] {
  return csv.split('\n').flatMap((line) => {
    const [pts, dts, flags] = line.trim().split(',')
    if (flags === undefined || !/^[A-Z_]{2,8}$/.test(flags)) return []
    return [{ pts: seconds(pts), dts: seconds(dts), key: flags.includes('K'), shown: !flags.includes('D') }]
  })
}

/** Scans the output of `ffprobe -show_entries packet=pts_time,dts_time,duration_time -of csv=p=0`, in chunks of any size. */
export function packetScanner(): { take(chunk: string): void; done(): PacketScan } {
  let rest = ''
  let packets = 0
  let first = Number.POSITIVE_INFINITY
  let end = Number.NEGATIVE_INFINITY
  let previous: number | null = null
  let jumped = false
  let lastHasLength = false
  const times: number[] = []
  const line = (text: string) => {
    if (text === '') return
    packets += 1
    const [pts = '', dts = '', duration = ''] = text.split(',')
    const at = seconds(pts) ?? seconds(dts)
    if (at === null) return
    // Segments recorded one after the other into one stream restart their clocks. The span is then meaningless.
    if (previous !== null && (at < previous - 2 || at > previous + 10)) jumped = true
    previous = at
    if (times.length < MOST_TIMES) times.push(at)
    first = Math.min(first, at)
    const length = seconds(duration)
    if (at + (length ?? 0) >= end) lastHasLength = length !== null
    end = Math.max(end, at + (length ?? 0))
  }
  return {
    take: (chunk) => {
      const lines = (rest + chunk).split('\n')
      rest = (lines.pop() ?? '').slice(-1024)
      for (const each of lines) line(each.trim())
    },
    done: () => {
      line(rest.trim())
      rest = ''
      if (jumped || end < first) return { packets, spanMs: null, uneven: null }
      // ffprobe gives no durations when pictures are stored out of order. The last one is then counted with the mean duration.
      const last = !lastHasLength && packets > 1 ? (end - first) / (packets - 1) : 0
      return { packets, spanMs: (end - first + last) * 1000, uneven: unevenTimes(times) }
    },
  }
}

/** Rounding to milliseconds or to a 90 kHz clock changes intervals slightly. A missing picture changes one by half at least. */
function unevenTimes(times: readonly number[]): boolean | null {
  if (times.length < 3) return null
  const sorted = Float64Array.from(times).sort()
  const between = sorted.subarray(1).map((at, before) => at - (sorted[before] as number))
  const usual = Float64Array.from(between).sort()[Math.floor(between.length / 2)] as number
  return between.some((gap) => Math.abs(gap - usual) > Math.max(0.0021, usual / 10))
}

type Loose = Readonly<Record<string, unknown>>

const isMoving = (stream: Loose): boolean =>
  stream['codec_type'] === 'video' && record(stream['disposition'])['attached_pic'] !== 1

function videoStream(stream: Loose): VideoStream {
  return {
    index: whole(stream['index']) ?? 0,
    codec: text(stream['codec_name']),
    profile: text(stream['profile']),
    tag: text(stream['codec_tag_string']),
    pixelFormat: text(stream['pix_fmt']),
    width: whole(stream['width']) ?? 0,
    height: whole(stream['height']) ?? 0,
    pixelAspect: ratio(stream['sample_aspect_ratio'], ':') ?? 1,
    rotation: rotationOf(stream),
    claimedFrames: whole(stream['nb_frames']),
    frameRate: ratio(stream['avg_frame_rate'], '/'),
    exactRate: exactRatio(stream['avg_frame_rate']) ?? exactRatio(stream['r_frame_rate']),
    startMs: signedMillis(stream['start_time']),
    reorders: (whole(stream['has_b_frames']) ?? 0) > 0,
    durationMs: millis(stream['duration']),
  }
}

const audioStream = (stream: Loose): AudioStream => ({
  index: whole(stream['index']) ?? 0,
  codec: text(stream['codec_name']),
  profile: text(stream['profile']),
  tag: text(stream['codec_tag_string']),
  channels: whole(stream['channels']) ?? 0,
  sampleRate: whole(stream['sample_rate']) ?? 0,
})

function rotationOf(stream: Loose): number {
  for (const side of list(stream['side_data_list']).map(record)) {
    const rotation = side['rotation']
    if (typeof rotation === 'number' && Number.isFinite(rotation)) return Math.round(rotation)
  }
  return 0
}

/** The last of several sources wins: the tags of the whole file. */
function tagsOf(sources: readonly Loose[]): ReadonlyMap<string, string> {
  const tags = new Map<string, string>()
  for (const source of sources) {
    for (const [key, value] of Object.entries(source).slice(0, MOST_TAGS)) {
      if (typeof value === 'string') tags.set(key.slice(0, 128).toLowerCase(), value.slice(0, MOST_TAG_LENGTH))
    }
  }
  return tags
}

/** Apple's own date has a time zone; `creation_time` is UTC by definition. ISO 6709 puts a sign before each number. */
function claims(tags: ReadonlyMap<string, string>): Pick<Probe, 'captured' | 'position'> {
  const place = tags.get('com.apple.quicktime.location.iso6709') ?? tags.get('location') ?? ''
  const [, latitude, longitude] = /^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)/.exec(place) ?? []
  return {
    captured: exifTime(tags.get('com.apple.quicktime.creationdate')) ?? exifTime(tags.get('creation_time')),
    position: latitude && longitude ? positionFrom(Number(latitude), Number(longitude)) : null,
  }
}

function safeJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

const record = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {}
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 64) : '')

function whole(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}

const seconds = (value: unknown): number | null =>
  typeof value === 'string' && /^-?\d{1,12}(\.\d{1,12})?$/.test(value) ? Number(value) : null

function millis(value: unknown): number | null {
  const number = seconds(value)
  return number === null || number < 0 ? null : number * 1000
}

function signedMillis(value: unknown): number | null {
  const number = seconds(value)
  return number === null ? null : number * 1000
}

function exactRatio(value: unknown): Ratio | null {
  const [, top = '', bottom = ''] = typeof value === 'string' ? (/^(\d{1,9})\/(\d{1,9})$/.exec(value) ?? []) : []
  const rate = Number(top) / Number(bottom)
  return rate > 0 && rate <= 1000 ? { numerator: Number(top), denominator: Number(bottom) } : null
}

function ratio(value: unknown, separator: string): number | null {
  const [top = '', bottom = ''] = typeof value === 'string' ? value.split(separator) : []
  const number = Number(top) / Number(bottom)
  return Number.isFinite(number) && number > 0 ? number : null
}
