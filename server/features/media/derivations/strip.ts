import { jobReason } from '../../../../shared/messages/job-reasons.ts'
import { TOOL_OUTPUT } from '../../../../shared/media/rules.ts'
import { FinalFailure } from '../../../kernel/jobs/types.ts'
import type { VideoStream } from '../../../platform/ffmpeg/probe.ts'
import { recordOf } from '../derive/facts.ts'
import { NO_PICTURE, UNREADABLE, valueOf } from '../derive/failures.ts'
import { displayedSize, fitted, mainVideo, probeArguments, reading } from '../derive/plan.ts'
import type { Demuxer } from '../derive/sniff.ts'
import { type Derivation, type Made, type Moving, movingOf } from './derivation.ts'

/** One JPEG with pictures of a whole film, evenly spaced in time: what is shown under the pointer. */
export const strip: Derivation = {
  appliesTo: ({ holds }) => holds === 'video',
  make: (given) => makeStrip(movingOf(given)),
}

const STRIP_FILE = 'strip.jpg'
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

async function makeStrip(input: Moving): Promise<Made> {
  const { tools, dir, threads, options } = input
  const { signal } = options
  const probe = valueOf(await tools.probe(input.path, probeArguments(input.demuxer), options), signal).value
  const video = mainVideo(probe)
  if (!video) throw new FinalFailure(NO_PICTURE)
  const durationMs = probe.durationMs ?? video.durationMs
  const plan = stripPlan(input.demuxer, video, durationMs, threads)
  const bounds = {
    // Reading every packet of the file at 5 MB a second, and a minute of whole pictures at a tenth of the speed seen.
    timeoutMs: 180_000 + input.bytes / 5_000,
    memoryBytes: 2048 * 1024 ** 2,
    fileBytes: 32 * 1024 ** 2,
  }
  options.progress?.(null, jobReason('drawingStrip'))
  const { used } = valueOf(await tools.ffmpeg(input.path, plan.args, { ...bounds, ...options, outDir: dir }), signal)
  if (((await tools.scratch.lengthOf(dir, STRIP_FILE)) ?? 0) === 0) throw new FinalFailure(UNREADABLE)
  return { file: STRIP_FILE, derivation: recordOf(used), mimeType: 'image/jpeg', layout: { ...plan.layout } }
}
