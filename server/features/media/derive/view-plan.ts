import { TOOL_INPUT, TOOL_OUTPUT } from '../../../../shared/media/rules.ts'
import type { AudioStream, VideoStream } from '../../../platform/ffmpeg/probe.ts'
import { displayedSize, fitted, guards, reading } from './plan.ts'
import type { Demuxer } from './sniff.ts'

/** Arguments for what is made for looking only: the strip under the pointer and the waveform. Pure. */

export const STRIP_FILE = 'strip.jpg'
const MOST_TILES = 100
const COLUMNS = 10
const TILE_WIDTH = 160
const TILE_HEIGHT = 320
/** Pictures in a shorter stretch look alike. */
const LEAST_INTERVAL_SECONDS = 0.5
/** Up to so many pixels every picture is decoded (a minute of 1080p at 30 a second); beyond it key frames are enough. */
const MOST_PIXELS_WHOLE = 4e9

/** As `resource_views.layout` keeps it. */
export interface StripLayout {
  readonly Columns: number
  readonly Rows: number
  readonly Count: number
  readonly TileWidth: number
  readonly TileHeight: number
  readonly IntervalSeconds: number
}

export interface StripPlan {
  readonly layout: StripLayout
  readonly args: string[]
  /** Key frames alone are decoded. */
  readonly sparse: boolean
}

/** @param durationMs of the whole time line; a recording without one gets a single tile. */
export function stripPlan(demuxer: Demuxer, video: VideoStream, durationMs: number | null, threads: number): StripPlan {
  const seconds = Math.max(0.001, (durationMs ?? 0) / 1000)
  const count = Math.min(MOST_TILES, Math.max(1, Math.ceil(seconds / LEAST_INTERVAL_SECONDS)))
  const columns = Math.min(COLUMNS, count)
  const rows = Math.ceil(count / columns)
  const { width, height } = tileOf(video)
  const frames = video.claimedFrames ?? seconds * (video.frameRate ?? 30)
  const sparse = frames * video.width * video.height > MOST_PIXELS_WHOLE
  // Rounding to the nearest slot picks what is shown in the middle of each; the last picture stands for slots after it.
  const chosen = `fps=fps=${count * 1000}/${Math.round(seconds * 1000)}:start_time=0:round=near`
  const sheet = `tpad=stop=${columns * rows}:stop_mode=clone,tile=${columns}x${rows}`
  return {
    sparse,
    layout: {
      Columns: columns,
      Rows: rows,
      Count: count,
      TileWidth: width,
      TileHeight: height,
      IntervalSeconds: seconds / count,
    },
    args: [
      ...reading(demuxer, threads, sparse ? ['-skip_frame', 'nokey'] : []),
      '-map',
      `0:${video.index}`,
      '-an',
      '-sn',
      '-dn',
      '-vf',
      `${chosen},scale=${width}:${height}:flags=area,setsar=1,${sheet},format=yuvj420p`,
      '-frames:v',
      '1',
      '-c:v',
      'mjpeg',
      '-q:v',
      '5',
      '-fflags',
      '+bitexact',
      '-f',
      'mjpeg',
      `${TOOL_OUTPUT}/${STRIP_FILE}`,
    ],
  }
}

/** As wide as the others where it can be; an upright film is bounded in height. */
function tileOf(video: VideoStream): { width: number; height: number } {
  const shown = displayedSize(video)
  const wide = { width: TILE_WIDTH, height: Math.max(2, Math.round((TILE_WIDTH * shown.height) / shown.width)) }
  return wide.height <= TILE_HEIGHT ? wide : fitted(wide, TILE_HEIGHT)
}

export const WAVEFORM_FILE = 'waveform.json'
/** Samples a second that peaks are taken from. */
export const PCM_RATE = 16_000

/** Sound as interleaved 16-bit samples on stdout, on the file's own time line: what is missing is silence. */
export function pcmPlan(demuxer: Demuxer, audio: AudioStream): { args: string[]; channels: number } {
  const channels = Math.min(2, Math.max(1, audio.channels))
  return {
    channels,
    args: [
      '-hide_banner',
      '-nostdin',
      '-v',
      'error',
      '-threads',
      '1',
      ...guards(demuxer),
      '-i',
      TOOL_INPUT,
      '-map',
      `0:${audio.index}`,
      '-vn',
      '-sn',
      '-dn',
      '-af',
      `aresample=${PCM_RATE}:async=1:first_pts=0`,
      '-ac',
      String(channels),
      '-c:a',
      'pcm_s16le',
      '-f',
      's16le',
      'pipe:1',
    ],
  }
}
