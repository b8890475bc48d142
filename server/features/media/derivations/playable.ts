import { jobReason } from '../../../../shared/messages/job-reasons.ts'
import { FinalFailure, NotYet } from '../../../kernel/jobs/types.ts'
import type { BunnyProbe } from '../../../platform/ffmpeg/bunny.ts'
import type { PacketScan, Probe, VideoStream } from '../../../platform/ffmpeg/probe.ts'
import type { MediaFacts } from '../../../../shared/media/rules.ts'
import { bunnyContainer, bunnyFacts, factsOf, IDENTITY, layoutOf, recordOf } from '../derive/facts.ts'
import { disagreement, failureOf, NO_PICTURE, notInstalled, UNREADABLE, valueOf } from '../derive/failures.ts'
import {
  decodeScanArguments,
  type Encoding,
  isPlayableItself,
  type Method,
  OUTPUT,
  planPlayable,
  probeArguments,
  scanArguments,
  withEnding,
} from '../derive/plan.ts'
import type { Demuxer } from '../derive/sniff.ts'
import { type Derivation, type Made, type Moving, movingOf } from './derivation.ts'

/** An MP4 that every browser plays, of a recording with pictures. */
export const playable: Derivation = {
  appliesTo: ({ holds }) => holds === 'video',
  make: async (given) => ({
    ...(await makePlayable(movingOf(given))),
    name: withEnding(given.name, '.mp4'),
    mimeType: 'video/mp4',
  }),
}

type Playable = Pick<Made, 'file' | 'derivation' | 'facts' | 'notes'>

const GIB = 1024 ** 3

/** Identity, stream copy or transcode, whichever is the least that plays; what comes out is measured against the original. */
async function makePlayable(input: Moving): Promise<Playable> {
  const { tools, dir, threads, options } = input
  const { versions } = await tools.state()
  if (!versions.ffmpeg || !versions.ffprobe) return withoutFfmpeg(input)
  const { signal } = options
  const probed = valueOf(await tools.probe(input.path, probeArguments(input.demuxer), options), signal).value
  const layout = input.demuxer === 'mov' ? await layoutOf(tools, input.path) : null
  const encoding: Encoding = { major: Number.parseInt(versions.ffmpeg.replace(/^\D*/, ''), 10) || 5, threads }
  const avoid = new Set<'identity' | Method>()
  const first = planPlayable(input.demuxer, probed, layout, encoding, avoid)
  if (first.kind === 'none') throw new FinalFailure(probed.audio.length > 0 ? NO_PICTURE : UNREADABLE)
  const { video } = first
  options.progress?.(null, jobReason('readingOriginal'))
  const scan = valueOf(
    await tools.scan(input.path, scanArguments(input.demuxer, video.index), input.bytes, options),
    signal,
  ).value
  if (scan.packets === 0) throw new FinalFailure(UNREADABLE)
  const notes = notesOn(input.demuxer, probed, video, scan)
  if (first.kind === 'identity') {
    // An index that promises more pictures than the file holds: cut off, or pointing elsewhere.
    if (scan.packets === video.claimedFrames) {
      return { file: null, derivation: IDENTITY, facts: factsOf(probed, video, scan), notes }
    }
    avoid.add('identity')
  }
  let reason = ''
  for (;;) {
    const plan = planPlayable(input.demuxer, probed, layout, encoding, avoid)
    if (plan.kind !== 'convert') throw new FinalFailure(reason ? disagreement(reason) : UNREADABLE)
    const allowed = allowance(plan.method, input.bytes, video, scan)
    const onProgress = ({ outMs, frame }: { outMs: number | null; frame: number | null }) =>
      options.progress?.(
        fractionOf(outMs, frame, scan),
        plan.method === 'copy' ? jobReason('copying') : jobReason('converting'),
      )
    const answer = await tools.ffmpeg(input.path, plan.args, { ...allowed, ...options, outDir: dir, onProgress })
    if (!answer.ok && answer.why !== 'unreadable') throw failureOf(answer, signal)
    const checked = answer.ok ? await check(input, probed, video, scan, plan.method) : 'it could not be made'
    if (answer.ok && typeof checked === 'object') {
      return { file: PLAYABLE, derivation: recordOf(answer.used), facts: checked, notes }
    }
    if (!answer.ok && /Unknown encoder/.test(answer.detail)) throw failureOf(answer, signal)
    if (typeof checked === 'string' && answer.ok) reason = checked
    avoid.add(plan.method)
    await tools.scratch.remove(dir, PLAYABLE)
  }
}

const PLAYABLE = OUTPUT.playable.slice(OUTPUT.playable.lastIndexOf('/') + 1)

function notesOn(demuxer: Demuxer, probe: Probe, video: VideoStream, scan: PacketScan): string[] {
  const notes: string[] = []
  if (probe.video.length > 1)
    notes.push(`The original holds ${probe.video.length} picture tracks; the copy for playing shows one.`)
  // Only MP4's index names every picture; other headers hold an estimate.
  if (demuxer === 'mov' && video.claimedFrames !== null && video.claimedFrames > scan.packets) {
    notes.push(`The original is incomplete: ${scan.packets} of ${video.claimedFrames} pictures are there.`)
  }
  return notes
}

function fractionOf(outMs: number | null, frame: number | null, scan: PacketScan): number | null {
  if (outMs !== null && scan.spanMs) return Math.min(1, outMs / scan.spanMs)
  return frame !== null ? Math.min(1, frame / scan.packets) : null
}

function allowance(method: Method, bytes: number, video: VideoStream, scan: PacketScan) {
  const pixels = scan.packets * video.width * video.height
  // A transcode may fall to a fiftieth of the speed seen on two idle cores (100 million pixels a second) before it is given up.
  const timeoutMs = 600_000 + (method === 'copy' ? bytes / 5_000 : pixels / 2_000)
  const fileBytes = Math.ceil(method === 'copy' ? bytes * 1.2 + 256 * 1024 ** 2 : Math.max(GIB, bytes * 8))
  return { timeoutMs: Math.min(timeoutMs, 48 * 3_600_000), fileBytes, memoryBytes: 4 * GIB }
}

/** The output's facts when it keeps frames, duration, rotation, size and sound; else what disagrees, in words. */
async function check(
  input: Moving,
  before: Probe,
  video: VideoStream,
  scan: PacketScan,
  method: Method,
): Promise<MediaFacts | string> {
  const { tools, dir, options } = input
  options.progress?.(null, jobReason('checkingCopy'))
  const path = `${dir}/${PLAYABLE}`
  const bytes = (await tools.scratch.lengthOf(dir, PLAYABLE)) ?? 0
  if (bytes === 0) return jobReason('nothingWritten')
  const after = await tools.probe(path, probeArguments('mov'), options)
  if (!after.ok) return after.why === 'unreadable' ? jobReason('notReadBack') : raise(failureOf(after, options.signal))
  const shown = after.value.video[0]
  if (!shown) return jobReason('holdsNoPicture')
  const counted = valueOf(
    await tools.scan(path, scanArguments('mov', shown.index), bytes, options),
    options.signal,
  ).value
  if (!isPlayableItself('mov', after.value, await layoutOf(tools, path))) return jobReason('wouldNotPlay')
  const even = (side: number) => (method === 'copy' ? side : side + (side % 2))
  if (shown.width !== even(video.width) || shown.height !== even(video.height)) return jobReason('otherSize')
  if ((shown.rotation - video.rotation) % 360 !== 0) return jobReason('otherRotation')
  const truth = closeInFrames(scan.packets, counted.packets) ? scan : await reallyThere(input, video)
  if (!closeInFrames(truth.packets, counted.packets))
    return jobReason('otherPictures', { got: counted.packets, wanted: truth.packets })
  if (!closeInTime(truth.spanMs, counted.spanMs, video.frameRate)) {
    return jobReason('otherSpan', { got: Math.round(counted.spanMs ?? 0), wanted: Math.round(truth.spanMs ?? 0) })
  }
  return after.value.audio.length === 0 && before.audio.some(({ channels }) => channels > 0)
    ? jobReason('soundMissing')
    : factsOf(after.value, shown, counted)
}

const raise = (error: Error): never => {
  throw error
}

/** Packets are not always pictures (fields, damage): where the counts differ, those that really decode are counted. */
async function reallyThere({ tools, path, bytes, demuxer, options }: Moving, video: VideoStream): Promise<PacketScan> {
  const args = decodeScanArguments(demuxer, video.index)
  return valueOf(await tools.scan(path, args, bytes * 20, options), options.signal).value
}

const closeInFrames = (wanted: number, got: number): boolean =>
  Math.abs(wanted - got) <= Math.max(1, Math.floor(wanted / 1000))

/** Within two pictures and a quarter of a second, or half a percent. A span that is not known cannot disagree. */
function closeInTime(wanted: number | null, got: number | null, frameRate: number | null): boolean {
  if (wanted === null || got === null) return true
  const picture = frameRate ? 1000 / frameRate : 100
  return Math.abs(wanted - got) <= Math.max(250, 2 * picture, wanted / 200)
}

/** 8-bit 4:2:0 H.264 up to High, or AV1 Main; AAC or no sound. */
function copies({ video, audioCodecs }: BunnyProbe): boolean {
  const playable = video && /^(avc1\.(42|4d|58|64)|av01\.0)/i.test(video.parameters ?? '')
  return Boolean(playable) && audioCodecs.every((codec) => codec === 'aac')
}

/** Stream copies through mediabunny; everything else waits for ffmpeg. */
async function withoutFfmpeg(input: Moving): Promise<Playable> {
  const { tools, dir, options } = input
  const container = bunnyContainer(input.demuxer)
  if (!container) throw notInstalled('ffmpeg')
  const seen = await tools.bunnyProbe(input.path, container, options)
  // What this cannot read, ffmpeg may: no verdict on the file.
  if (!seen.ok && seen.why === 'unreadable') throw notInstalled('ffmpeg')
  const { value: probe } = valueOf(seen, options.signal)
  if (!copies(probe)) throw notInstalled('ffmpeg')
  const layout = container === 'mov' ? await layoutOf(tools, input.path) : null
  if (
    layout?.whole &&
    layout.indexFirst &&
    !layout.fragmented &&
    layout.majorBrand !== 'qt  ' &&
    probe.videoTracks === 1
  ) {
    const counted = await tools.bunnyScan(input.path, container, options)
    if (!counted.ok) throw notInstalled('ffmpeg')
    return { file: null, derivation: IDENTITY, facts: bunnyFacts(probe, counted.value.packets), notes: [] }
  }
  const onProgress = (fraction: number) => options.progress?.(fraction, jobReason('copying'))
  const path = `${dir}/${PLAYABLE}`
  const timeoutMs = 600_000 + input.bytes / 2_000
  const copied = await tools.bunnyCopy(input.path, container, path, { ...options, timeoutMs, onProgress })
  if (!copied.ok) throw copied.why === 'unreadable' ? notInstalled('ffmpeg') : failureOf(copied, options.signal)
  const after = await tools.bunnyProbe(path, 'mov', options)
  const counted = after.ok ? await tools.bunnyScan(path, 'mov', options) : null
  const agrees =
    after.ok &&
    counted?.ok &&
    counted.value.packets === copied.value.packets &&
    after.value.video?.rotation === probe.video?.rotation &&
    closeInTime(copied.value.spanMs, counted.value.spanMs, null)
  if (!agrees) throw new NotYet(jobReason('needsFfmpeg'))
  const derivation = {
    Tool: copied.used.name,
    Version: copied.used.version,
    Arguments: ['copy', container, OUTPUT.playable],
  }
  return { file: PLAYABLE, derivation, facts: { ...bunnyFacts(after.value, counted.value.packets) }, notes: [] }
}
