import { jobReason } from '../../../../shared/messages/job-reasons.ts'
import { MOST_PEAKS } from '../../../../shared/media/contract.ts'
import { TOOL_INPUT } from '../../../../shared/media/rules.ts'
import { FinalFailure } from '../../../kernel/jobs/types.ts'
import type { AudioStream } from '../../../platform/ffmpeg/probe.ts'
import { recordOf } from '../derive/facts.ts'
import { NO_SOUND, notInstalled, valueOf } from '../derive/failures.ts'
import { guards, probeArguments } from '../derive/plan.ts'
import type { Demuxer } from '../derive/sniff.ts'
import { type Derivation, type Made, type Moving, movingOf } from './derivation.ts'
import { peakMeter } from './peaks.ts'

/** How loud a recording is when: the peaks of its first sound track, as JSON `{ PeaksPerSecond, Peaks }`. */
export const waveform: Derivation = {
  appliesTo: ({ sound }) => sound,
  make: (given) => makeWaveform(movingOf(given)),
}

const WAVEFORM_FILE = 'waveform.json'
/** Samples a second that peaks are taken from. */
const PCM_RATE = 16_000

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

async function makeWaveform(input: Moving): Promise<Made> {
  const { tools, dir, options } = input
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
      options.progress?.(total > 0 ? Math.min(1, bytes / total) : null, jobReason('listening'))
  }
  options.progress?.(null, jobReason('listening'))
  const bounds = { timeoutMs: 300_000 + input.bytes / 2_000, memoryBytes: 1024 ** 3, fileBytes: 1024 ** 2 }
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
