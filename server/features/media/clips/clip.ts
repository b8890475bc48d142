import { jobReason } from '../../../../shared/messages/job-reasons.ts'
import { createHash } from 'node:crypto'
import type { ClipKind } from '../../../../shared/media/clips.contract.ts'
import type { MediaFacts } from '../../../../shared/media/rules.ts'
import { FinalFailure } from '../../../kernel/jobs/types.ts'
import type { MediaTools, ToolAnswer } from '../../../platform/ffmpeg/media-tools.ts'
import type { AudioStream, PacketTime, Probe, VideoStream } from '../../../platform/ffmpeg/probe.ts'
import type { DeriveOptions } from '../derivations/derivation.ts'
import { factsOf, type HowMade, recordOf } from '../derive/facts.ts'
import { failureOf, NO_PICTURE, UNREADABLE, valueOf } from '../derive/failures.ts'
import { decodeScanArguments, mainVideo, probeArguments, scanArguments } from '../derive/plan.ts'
import type { Demuxer } from '../derive/sniff.ts'
import { HAIR, packetArguments } from '../derive/still-plan.ts'
import { BeyondEnd, seekFor } from '../derive/still.ts'
import {
  areTheFrames,
  CLIP_FILES,
  containerFor,
  earlierBy,
  exactArguments,
  frameHashArguments,
  type FrameRange,
  framesBetween,
  type Stretch,
  streamArguments,
  stretchAround,
  timesInList,
  withoutEditList,
} from './clip-plan.ts'

export interface ClipInput {
  readonly path: string
  readonly bytes: number
  readonly demuxer: Demuxer
}

/** The original, and what is played of it: the same file, or a copy. */
export interface ClipSources {
  readonly original: ClipInput
  readonly played: ClipInput & { readonly same: boolean }
}

export interface MadeClip {
  readonly file: string
  readonly mimeType: string
  readonly derivation: HowMade
  readonly facts: MediaFacts
  /** Real bounds on the time line that is played, seconds: the first frame's beginning and the last one's end. */
  readonly from: number
  readonly to: number
  readonly frames: number
  /** Of an untouched stream: SHA-256 over the hashes of its frames, which are those of the original's. */
  readonly frameHash: string | null
}

interface Looked {
  readonly probe: Probe
  readonly video: VideoStream
  readonly audio: readonly AudioStream[]
  /** Start of the file's own clock, seconds. */
  readonly start: number
}

interface Range {
  readonly from: number
  readonly to: number
}

const GIB = 1024 ** 3
const MOST_SOUNDS = 8
/** Enough before a position for a film that stands still for a while, enough after it for frames stored out of order. */
const BEFORE = 10
const AFTER = 2
/** Packets are asked for in pieces of this length, seconds: what ffprobe says of one piece stays small. */
const PIECE = 600
/** How far around a range key frames are looked for, before the whole file is read for them. */
const AROUND = 60
/** Longer than any recording, seconds. */
const WHOLE = 100_000

export const NO_TIMES = jobReason('noTimes')
/** Bare streams: what is told of their times is made up while they are read. */
const TIMELESS: ReadonlySet<Demuxer> = new Set<Demuxer>(['h264', 'hevc'])
const WRONG_FRAMES = jobReason('wrongFrames')

/** @throws FinalFailure, BeyondEnd, and as every method of `Deriver` */
export async function makeClip(
  tools: MediaTools,
  sources: ClipSources,
  { kind, ...range }: Range & { readonly kind: ClipKind },
  dir: string,
  options: DeriveOptions,
): Promise<MadeClip> {
  options.progress?.(null, jobReason('lookingForFrames'))
  return kind === 'exact'
    ? makeExact(tools, sources, range, dir, options)
    : makeStream(tools, sources, range, dir, options)
}

async function look(tools: MediaTools, input: ClipInput, options: DeriveOptions): Promise<Looked> {
  const probe = valueOf(await tools.probe(input.path, probeArguments(input.demuxer), options), options.signal).value
  const video = mainVideo(probe)
  if (!video) throw new FinalFailure(NO_PICTURE)
  const audio = probe.audio.filter(({ codec, channels }) => codec !== '' && codec !== 'none' && channels > 0)
  return { probe, video, audio: audio.slice(0, MOST_SOUNDS), start: (probe.startMs ?? 0) / 1000 }
}

function requireInside({ probe, video }: Looked, { from }: Range): void {
  const end = Math.max(probe.durationMs ?? 0, video.durationMs ?? 0) / 1000
  // Bare streams do not say how long they are.
  if (end > 0 && from > end + HAIR) throw new BeyondEnd(end)
}

/** No packet is later than this, seconds on the file's own clock. A header may be a little short of the truth. */
function endOf({ probe, video, start }: Looked): number {
  const millis = Math.max(probe.durationMs ?? 0, video.durationMs ?? 0)
  return millis === 0 ? WHOLE : start + millis / 1000 + 60
}

/** Packets of the picture track, in the order of the file, from the key frame before `from` to `to`: seconds on the file's own clock. */
async function packetsFrom(
  tools: MediaTools,
  { path, demuxer }: ClipInput,
  looked: Looked,
  from: number,
  to: number,
  options: DeriveOptions,
): Promise<PacketTime[]> {
  const found: PacketTime[] = []
  const known = new Set<string>()
  const end = Math.min(to, endOf(looked))
  for (let at = Math.max(0, from); at < end; at += PIECE) {
    const args = packetArguments(demuxer, looked.video.index, at, Math.min(end, at + PIECE))
    for (const packet of valueOf(await tools.packets(path, args, options), options.signal).value) {
      // A piece begins with the key frame before it, which the piece before had too.
      const key = `${packet.pts} ${packet.dts}`
      if (known.has(key) && (packet.pts !== null || packet.dts !== null)) continue
      known.add(key)
      found.push(packet)
    }
  }
  return found
}

async function makeExact(
  tools: MediaTools,
  { original, played }: ClipSources,
  { from, to }: Range,
  dir: string,
  options: DeriveOptions,
): Promise<MadeClip> {
  const shownBy = await look(tools, played, options)
  requireInside(shownBy, { from, to })
  const near = await packetsFrom(tools, played, shownBy, from - BEFORE, to + AFTER, options)
  const shown = framesBetween(near, from, to)
  if (shown === null) throw new FinalFailure(UNREADABLE)
  const source = played.same ? shownBy : await look(tools, original, options)
  // Where the original itself is played its clock is the player's; a copy counts from the original's start.
  const frames = played.same ? earlierBy(shown, source.start) : shown
  const derivation = await encode(tools, original, source, frames, dir, options)
  const facts = await checkExact(tools, original, source, frames, dir, options)
  return {
    file: CLIP_FILES.exact,
    mimeType: 'video/mp4',
    derivation,
    facts,
    from: shown.times[0] as number,
    to: shown.end,
    frames: frames.times.length,
    frameHash: null,
  }
}

/** By a seek where one is sure to lead before the first frame; by reading from the start else, and when other frames came out. */
async function encode(
  tools: MediaTools,
  original: ClipInput,
  { video, audio, start }: Looked,
  frames: FrameRange,
  dir: string,
  options: DeriveOptions,
): Promise<HowMade> {
  const { versions } = await tools.state()
  const major = Number.parseInt((versions.ffmpeg ?? '5').replace(/^\D*/, ''), 10) || 5
  const first = { at: frames.times[0] as number, after: frames.after }
  const seek = await seekFor(tools, original, video, first, start, options)
  const pixels = frames.times.length * video.width * video.height
  const bounds = {
    timeoutMs: Math.min(600_000 + pixels / 2_000 + original.bytes / 5_000, 24 * 3_600_000),
    memoryBytes: 4 * GIB,
    fileBytes: Math.max(GIB, original.bytes * 8),
  }
  const onProgress = ({ frame }: { frame: number | null }) =>
    options.progress?.(frame === null ? null : Math.min(1, frame / frames.times.length), jobReason('makingClip'))
  for (const at of seek === null ? [null] : [seek, null]) {
    const plan = { demuxer: original.demuxer, video, audio, frames, threads: 2, major }
    const args = exactArguments({ ...plan, seek: at === null ? null : { at, fileStart: start } })
    const answer = await tools.ffmpeg(original.path, args, { ...bounds, ...options, outDir: dir, onProgress })
    if (!answer.ok && answer.why !== 'unreadable') throw failureOf(answer, options.signal)
    if (!answer.ok && /Unknown encoder/.test(answer.detail)) throw failureOf(answer, options.signal)
    const listed = answer.ok ? await listedTimes(tools, dir) : null
    if (answer.ok && listed !== null && areTheFrames(frames.times, listed, at === null ? 0 : start)) {
      await tools.scratch.remove(dir, CLIP_FILES.frames)
      return recordOf(answer.used)
    }
    for (const name of await tools.scratch.list(dir)) await tools.scratch.remove(dir, name)
  }
  throw new FinalFailure(WRONG_FRAMES)
}

const listedTimes = (tools: MediaTools, dir: string): Promise<number[] | null> =>
  tools.read(`${dir}/${CLIP_FILES.frames}`, async (reader) =>
    timesInList(Buffer.from(await reader.at(0, reader.size)).toString('latin1')),
  )

async function checkExact(
  tools: MediaTools,
  original: ClipInput,
  source: Looked,
  frames: FrameRange,
  dir: string,
  options: DeriveOptions,
): Promise<MediaFacts> {
  options.progress?.(null, jobReason('checkingClip'))
  const clip = await written(tools, dir, CLIP_FILES.exact, 'mov')
  const made = await look(tools, clip, options)
  const [first, end] = [frames.times[0] as number, frames.end]
  await requireSound(tools, original, source, made, { from: first, to: end }, options)
  await requireStoredAsShown(tools, clip, made, frames.times.length, options)
  const packets = await packetsFrom(tools, clip, made, 0, WHOLE, options)
  const times = packets.flatMap(({ pts }) => pts ?? []).sort((a, b) => a - b)
  const wanted = frames.times.map((at) => at - first)
  if (!areTheFrames(wanted, times)) throw new FinalFailure(WRONG_FRAMES)
  return { ...(await factsAfter(tools, clip, made, options)), rotation: 0 }
}

/** A track that is silent for want of packets in the range may be left out; every other one has to be there. */
async function requireSound(
  tools: MediaTools,
  { path, demuxer }: ClipInput,
  { audio, start }: Looked,
  made: Looked,
  { from, to }: Range,
  options: DeriveOptions,
): Promise<void> {
  if (made.audio.length === audio.length || to - from < 4 * SOUND_MARGIN) return
  let heard = 0
  for (const { index } of audio) {
    // Well inside: at the very ends rounding decides.
    const args = packetArguments(demuxer, index, from + start + SOUND_MARGIN, to + start - SOUND_MARGIN)
    const packets = valueOf(await tools.packets(path, args, options), options.signal).value
    if (packets.some(({ pts, dts }) => ((pts ?? dts) as number) > from + start + SOUND_MARGIN)) heard += 1
  }
  if (made.audio.length < heard) throw notKept(jobReason('soundTrackMissing'))
}
const SOUND_MARGIN = 0.1

const notKept = (what: string): FinalFailure => new FinalFailure(jobReason('clipFailed', { what }))

async function written(tools: MediaTools, dir: string, file: string, demuxer: Demuxer): Promise<ClipInput> {
  const bytes = (await tools.scratch.lengthOf(dir, file)) ?? 0
  if (bytes === 0) throw notKept(jobReason('nothingWritten'))
  return { path: `${dir}/${file}`, bytes, demuxer }
}

async function factsAfter(tools: MediaTools, clip: ClipInput, { probe, video }: Looked, options: DeriveOptions) {
  const scan = await tools.scan(clip.path, scanArguments(clip.demuxer, video.index), clip.bytes, options)
  return factsOf(probe, video, valueOf(scan, options.signal).value)
}

/** One picture track and nothing but sound beside it; as many frames whether an edit list is followed or not, and as many as were meant. */
async function requireStoredAsShown(
  tools: MediaTools,
  clip: ClipInput,
  { probe, video, audio }: Looked,
  frames: number,
  options: DeriveOptions,
): Promise<void> {
  if (probe.video.length !== 1 || probe.otherStreams > 0) throw notKept(jobReason('holdsMore'))
  const counted = async (args: readonly string[]): Promise<number> =>
    valueOf(await tools.scan(clip.path, args, clip.bytes * 20, options), options.signal).value.packets
  const decoded = decodeScanArguments(clip.demuxer, video.index)
  const shown = await counted(decoded)
  if (shown !== frames) throw notKept(jobReason('otherFramesShown', { shown, wanted: frames }))
  if (clip.demuxer !== 'mov') return
  const stored = await counted(withoutEditList(decoded))
  if (stored !== frames) throw notKept(jobReason('otherFramesStored', { stored, shown: frames }))
  for (const { index } of audio) {
    const packets = scanArguments(clip.demuxer, index)
    if ((await counted(packets)) !== (await counted(withoutEditList(packets)))) throw notKept(jobReason('unheardSound'))
  }
}

/** Where a clip of the untouched stream begins and ends. @returns bounds on the time line that is played */
export async function streamBounds(
  tools: MediaTools,
  sources: ClipSources,
  range: Range,
  options: DeriveOptions,
): Promise<Stretch> {
  const { stretch, offset } = await stretchFor(tools, sources, range, options)
  return { ...stretch, from: stretch.from + offset, to: stretch.to + offset }
}

async function stretchFor(tools: MediaTools, { original, played }: ClipSources, range: Range, options: DeriveOptions) {
  if (TIMELESS.has(original.demuxer)) throw new FinalFailure(NO_TIMES)
  const source = await look(tools, original, options)
  requireInside(source, range)
  const { start } = source
  const offset = played.same ? start : 0
  const [from, to] = [range.from - offset, range.to - offset]
  const find = async (around: number): Promise<Stretch | null> => {
    const window = [from + start - around, to + start + around] as const
    const packets = await packetsFrom(tools, original, source, ...window, options)
    const found = stretchAround(
      packets.map((packet) => ({ ...packet, pts: packet.pts === null ? null : packet.pts - start })),
      from,
      to,
    )
    // The next key frame may lie beyond what was looked at.
    return found?.open === true && window[1] < endOf(source) ? null : found
  }
  const stretch = (await find(AROUND)) ?? (await find(WHOLE))
  if (stretch === null) throw new FinalFailure(NO_TIMES)
  return { source, stretch, offset }
}

async function makeStream(
  tools: MediaTools,
  sources: ClipSources,
  range: Range,
  dir: string,
  options: DeriveOptions,
): Promise<MadeClip> {
  const { original } = sources
  const { source, stretch, offset } = await stretchFor(tools, sources, range, options)
  const { video, audio } = source
  const container = containerFor(video, audio)
  const args = streamArguments(original.demuxer, video, audio, stretch)
  const bounds = {
    timeoutMs: 600_000 + original.bytes / 5_000,
    memoryBytes: 2 * GIB,
    fileBytes: Math.ceil(original.bytes * 1.2 + 256 * 1024 ** 2),
  }
  const onProgress = ({ frame }: { frame: number | null }) =>
    options.progress?.(frame === null ? null : Math.min(1, frame / stretch.frames), jobReason('makingClip'))
  const answer: ToolAnswer<null> = await tools.ffmpeg(original.path, args, {
    ...bounds,
    ...options,
    outDir: dir,
    onProgress,
  })
  const { used } = valueOf(answer, options.signal)
  options.progress?.(null, jobReason('checkingClip'))
  const file = CLIP_FILES[container]
  const clip = await written(tools, dir, file, container === 'mp4' ? 'mov' : 'matroska')
  const made = await look(tools, clip, options)
  await requireSound(tools, original, source, made, stretch, options)
  await requireStoredAsShown(tools, clip, made, stretch.frames, options)
  options.progress?.(null, jobReason('comparingClip'))
  const kept = await frameHash(tools, clip, made.video.index, null, options)
  const before = await frameHash(tools, original, video.index, stretch, options)
  if (kept !== before) throw notKept(jobReason('otherFrames'))
  return {
    file,
    mimeType: container === 'mp4' ? 'video/mp4' : 'video/x-matroska',
    derivation: recordOf(used),
    facts: await factsAfter(tools, clip, made, options),
    from: stretch.from + offset,
    to: stretch.to + offset,
    frames: stretch.frames,
    frameHash: kept,
  }
}

/** SHA-256 over the hashes of the frames, in their order. */
async function frameHash(
  tools: MediaTools,
  { path, bytes, demuxer }: ClipInput,
  index: number,
  stretch: Stretch | null,
  options: DeriveOptions,
): Promise<string> {
  const hash = createHash('sha256')
  let rest = ''
  const onBytes = (chunk: Buffer): void => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = (lines.pop() ?? '').slice(-4096)
    for (const line of lines) {
      const [, frame] = /^0,.*,\s*([0-9a-f]{64})$/.exec(line) ?? []
      if (frame !== undefined) hash.update(`${frame}\n`)
    }
  }
  const bounds = { timeoutMs: 600_000 + bytes / 500, memoryBytes: 4 * GIB, fileBytes: 1024 ** 2 }
  const args = frameHashArguments(demuxer, index, stretch)
  const { signal } = options
  valueOf(await tools.pcm(path, args, { ...bounds, ...(signal ? { signal } : {}), onBytes }), signal)
  return hash.digest('hex')
}
