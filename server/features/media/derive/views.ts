import { MOST_PEAKS } from '../../../../shared/media/contract.ts'
import type { Derivation } from '../../../../shared/media/rules.ts'
import { FinalFailure } from '../../../kernel/jobs/types.ts'
import type { MediaTools } from '../../../platform/ffmpeg/media-tools.ts'
import { NO_PICTURE, NO_SOUND, notInstalled, UNREADABLE, valueOf } from './failures.ts'
import { peakMeter } from './peaks.ts'
import { mainVideo, probeArguments } from './plan.ts'
import { recordOf } from './playable.ts'
import type { Demuxer } from './sniff.ts'
import type { DeriveOptions } from './types.ts'
import { PCM_RATE, pcmPlan, STRIP_FILE, stripPlan, WAVEFORM_FILE } from './view-plan.ts'

/** A view in the temporary folder, with its layout as the player needs it. */
export interface MadeView {
  readonly file: string
  readonly derivation: Omit<Derivation, 'InputSha256'>
  readonly mimeType: string
  readonly layout: Readonly<Record<string, number>>
}

interface Input {
  readonly path: string
  readonly bytes: number
  readonly demuxer: Demuxer
}

const MIB = 1024 ** 2

/** One JPEG with pictures of the whole recording, evenly spaced in time. */
export async function makeStrip(
  tools: MediaTools,
  input: Input,
  dir: string,
  threads: number,
  options: DeriveOptions,
): Promise<MadeView> {
  const { signal } = options
  const probe = valueOf(await tools.probe(input.path, probeArguments(input.demuxer), options), signal).value
  const video = mainVideo(probe)
  if (!video) throw new FinalFailure(NO_PICTURE)
  const durationMs = probe.durationMs ?? video.durationMs
  const plan = stripPlan(input.demuxer, video, durationMs, threads)
  const bounds = {
    // Reading every packet of the file at 5 MB a second, and a minute of whole pictures at a tenth of the speed seen.
    timeoutMs: 180_000 + input.bytes / 5_000,
    memoryBytes: 2048 * MIB,
    fileBytes: 32 * MIB,
  }
  options.progress?.(null, 'Drawing the strip')
  const { used } = valueOf(await tools.ffmpeg(input.path, plan.args, { ...bounds, ...options, outDir: dir }), signal)
  if (((await tools.scratch.lengthOf(dir, STRIP_FILE)) ?? 0) === 0) throw new FinalFailure(UNREADABLE)
  return { file: STRIP_FILE, derivation: recordOf(used), mimeType: 'image/jpeg', layout: { ...plan.layout } }
}

/** The peaks of the first sound track as JSON `{ PeaksPerSecond, Peaks }`. */
export async function makeWaveform(
  tools: MediaTools,
  input: Input,
  dir: string,
  options: DeriveOptions,
): Promise<MadeView> {
  const { signal } = options
  const probe = valueOf(await tools.probe(input.path, probeArguments(input.demuxer), options), signal).value
  const audio = probe.audio.find(({ channels }) => channels > 0)
  if (!audio) throw new FinalFailure(NO_SOUND)
  const { args, channels } = pcmPlan(input.demuxer, audio)
  const meter = peakMeter(PCM_RATE, channels, MOST_PEAKS)
  let bytes = 0
  const total = ((probe.durationMs ?? 0) / 1000) * PCM_RATE * channels * 2
  const onBytes = (chunk: Buffer) => {
    meter.take(chunk)
    const before = bytes
    bytes += chunk.length
    // A report for every second or so of work, not for each of ten thousand pieces.
    if (bytes >> 24 !== before >> 24)
      options.progress?.(total > 0 ? Math.min(1, bytes / total) : null, 'Listening to the sound')
  }
  options.progress?.(null, 'Listening to the sound')
  const bounds = { timeoutMs: 300_000 + input.bytes / 2_000, memoryBytes: 1024 * MIB, fileBytes: MIB }
  const answer = await tools.pcm(input.path, args, { ...bounds, ...(signal ? { signal } : {}), onBytes })
  if (!answer.ok && answer.why === 'missing') throw notInstalled('ffmpeg')
  const { used } = valueOf(answer, signal)
  const { peaksPerSecond, peaks } = meter.done()
  if (peaks.length === 0) throw new FinalFailure(NO_SOUND)
  await tools.scratch.write(dir, WAVEFORM_FILE, JSON.stringify({ PeaksPerSecond: peaksPerSecond, Peaks: peaks }))
  const { Tool, Version, Arguments } = recordOf(used)
  const own = [`rate=${PCM_RATE}`, `channels=${channels}`, `most=${MOST_PEAKS}`]
  return {
    file: WAVEFORM_FILE,
    derivation: { Tool: `${Tool} | peaks`, Version: `${Version} | 1`, Arguments: [...Arguments, '|', 'peaks', ...own] },
    mimeType: 'application/json',
    layout: { PeaksPerSecond: peaksPerSecond, Count: peaks.length },
  }
}
