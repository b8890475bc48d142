import { jobReason } from '../../../../shared/messages/job-reasons.ts'
import type { Derivation } from '../../../../shared/media/rules.ts'
import { FinalFailure } from '../../../kernel/jobs/types.ts'
import type { MediaTools, ToolAnswer } from '../../../platform/ffmpeg/media-tools.ts'
import type { Probe, VideoStream } from '../../../platform/ffmpeg/probe.ts'
import type { DeriveOptions } from '../derivations/derivation.ts'
import { failureOf, NO_PICTURE, UNREADABLE, valueOf } from './failures.ts'
import { mainVideo, probeArguments } from './plan.ts'
import { recordOf } from './facts.ts'
import { headerOf } from './pictures.ts'
import type { Demuxer } from './sniff.ts'
import {
  approachOf,
  around,
  before,
  HAIR,
  packetArguments,
  ROUNDING,
  type ShownFrame,
  shownAt,
  startBefore,
  stillArguments,
  timeInName,
} from './still-plan.ts'

/** The position lies after the last frame's end. */
export class BeyondEnd extends Error {
  override readonly name = 'BeyondEnd'
  /** Of the played resource, seconds. */
  readonly seconds: number
  constructor(seconds: number) {
    super('beyond the end')
    this.seconds = seconds
  }
}

export interface StillInput {
  readonly path: string
  readonly demuxer: Demuxer
}

export interface MadeStill {
  readonly file: string
  readonly derivation: Omit<Derivation, 'InputSha256'>
  readonly width: number
  readonly height: number
  /** When the frame begins on the time line that is played, seconds. */
  readonly frameSeconds: number
}

const MIB = 1024 ** 2
const BOUNDS = { timeoutMs: 120_000, memoryBytes: 4096 * MIB, fileBytes: 768 * MIB }

/**
 * The frame of `original` that is on screen when `played` stands at `seconds`. The played copy says which frame that is, by its time; the
 * original is then read, and what came out is kept only when it carries that very time.
 * @throws BeyondEnd, FinalFailure with words for a person
 */
export async function makeStill(
  tools: MediaTools,
  original: StillInput,
  played: StillInput & { readonly same: boolean },
  seconds: number,
  dir: string,
  options: DeriveOptions,
): Promise<MadeStill> {
  const { signal } = options
  const look = async (input: StillInput): Promise<{ probe: Probe; video: VideoStream }> => {
    const probe = valueOf(await tools.probe(input.path, probeArguments(input.demuxer), options), signal).value
    const video = mainVideo(probe)
    if (!video) throw new FinalFailure(NO_PICTURE)
    return { probe, video }
  }
  const shownBy = await look(played)
  const end = Math.max(shownBy.probe.durationMs ?? 0, shownBy.video.durationMs ?? 0) / 1000
  if (seconds > end + HAIR) throw new BeyondEnd(end)
  const near = packetArguments(played.demuxer, shownBy.video.index, ...around(seconds))
  const shown = shownAt(valueOf(await tools.packets(played.path, near, options), signal).value, seconds)
  if (shown === null) throw new FinalFailure(UNREADABLE)
  const source = played.same ? shownBy : await look(original)
  // Where the original itself is played its clock is the player's; a copy counts from the original's start.
  const fileStart = (source.probe.startMs ?? 0) / 1000
  const frame = played.same ? { at: shown.at - fileStart, after: shown.after - fileStart } : shown
  const made = await extract(tools, original, source.video, frame, fileStart, dir, options)
  return { ...made, frameSeconds: shown.at }
}

/** By a seek where one is sure to lead before the frame, else or when something else came out by reading from the start. */
async function extract(
  tools: MediaTools,
  original: StillInput,
  video: VideoStream,
  frame: ShownFrame,
  fileStart: number,
  dir: string,
  options: DeriveOptions,
): Promise<Omit<MadeStill, 'frameSeconds'>> {
  const seek = await seekFor(tools, original, video, frame, fileStart, options)
  for (const at of seek === null ? [null] : [seek, null]) {
    const args = stillArguments(original.demuxer, video.index, frame.after, at === null ? null : { at, fileStart })
    const answer: ToolAnswer<null> = await tools.ffmpeg(original.path, args, { ...BOUNDS, ...options, outDir: dir })
    if (!answer.ok && answer.why !== 'unreadable') throw failureOf(answer, options.signal)
    const names = (await tools.scratch.list(dir)).filter((name) => timeInName(name) !== null)
    const file = names.find((name) => {
      const time = (timeInName(name) as number) - (at === null ? 0 : fileStart)
      return Math.abs(time - frame.at) <= ROUNDING
    })
    const header = file === undefined ? null : await headerOf(tools, `${dir}/${file}`, 'image/png')
    if (answer.ok && file !== undefined && header !== null) {
      return { file, derivation: recordOf(answer.used), width: header.width, height: header.height }
    }
    for (const name of names) await tools.scratch.remove(dir, name)
  }
  throw new FinalFailure(jobReason('frameMissing'))
}

/** A place before a frame from which it is sure to be decoded, in seconds from the file's start; null where there is none but the start. */
export async function seekFor(
  tools: MediaTools,
  original: StillInput,
  video: VideoStream,
  frame: ShownFrame,
  fileStart: number,
  options: DeriveOptions,
): Promise<number | null> {
  const approach = approachOf(original.demuxer)
  if (approach === 'direct') return frame.after > 0 ? frame.after : null
  if (approach === 'from-start') return null
  const place = packetArguments(original.demuxer, video.index, ...before(frame.at + fileStart))
  const packets = await tools.packets(original.path, place, options)
  const start = packets.ok ? startBefore(packets.value, frame.after + fileStart) : null
  return start === null || start - fileStart <= 0 ? null : start - fileStart
}
