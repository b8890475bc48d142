import { NO_FACTS } from '../../../../shared/media/rules.ts'
import { FinalFailure } from '../../../kernel/jobs/types.ts'
import type { Probe } from '../../../platform/ffmpeg/probe.ts'
import { factsOf, IDENTITY, layoutOf, recordOf } from '../derive/facts.ts'
import { UNREADABLE, valueOf } from '../derive/failures.ts'
import { OUTPUT, planAudio, probeArguments, soundsAsIs, withEnding } from '../derive/plan.ts'
import { type Derivation, type Made, type Moving, movingOf } from './derivation.ts'

/** What is played of a recording that holds sound alone. */
export const audio: Derivation = {
  appliesTo: ({ holds }) => holds === 'audio',
  make: (given) => makeSound(movingOf(given)),
}

/** The recording itself where every browser plays it and it may show in place (docs/guarantees.md, "Served files"); else AAC in an M4A. */
async function makeSound(input: Moving): Promise<Made> {
  const { tools, dir, threads, options: given } = input
  const probe = valueOf(await tools.probe(input.path, probeArguments(input.demuxer), given), given.signal).value
  const itself = await playsItself(input, probe)
  if (itself !== null) return { file: null, derivation: IDENTITY, facts: factsOf(probe, null, null), mimeType: itself }
  const plan = planAudio(input.demuxer, probe, { major: 5, threads })
  if (!plan) throw new FinalFailure(UNREADABLE)
  const bounds = {
    timeoutMs: 600_000 + input.bytes / 1_000,
    memoryBytes: 2 * 1024 ** 3,
    fileBytes: input.bytes * 4 + 256 * 1024 ** 2,
  }
  const onProgress = ({ outMs }: { outMs: number | null }) =>
    given.progress?.(
      outMs !== null && probe.durationMs ? Math.min(1, outMs / probe.durationMs) : null,
      'Converting the sound',
    )
  const { used } = valueOf(
    await tools.ffmpeg(input.path, plan.args, { ...bounds, ...given, outDir: dir, onProgress }),
    given.signal,
  )
  const file = OUTPUT.audio.slice(OUTPUT.audio.lastIndexOf('/') + 1)
  const after = valueOf(await tools.probe(`${dir}/${file}`, probeArguments('mov'), given), given.signal).value
  const facts = {
    ...NO_FACTS,
    durationMs: after.durationMs === null ? null : Math.round(after.durationMs),
    audioCodec: 'aac',
  }
  return { file, derivation: recordOf(used), facts, name: withEnding(input.name, '.m4a'), mimeType: 'audio/mp4' }
}

const WAV_CODECS = new Set(['pcm_u8', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'pcm_alaw', 'pcm_mulaw'])

/** The media type under which the file itself is played; null where it has to be converted. */
async function playsItself(input: Moving, probe: Probe): Promise<string | null> {
  const { tools } = input
  const [audio, ...others] = probe.audio
  if (audio === undefined || others.length > 0 || probe.video.length > 0) return null
  if (input.demuxer === 'mp3') return audio.codec === 'mp3' ? 'audio/mpeg' : null
  if (input.demuxer === 'wav') {
    const head = await tools.read(input.path, (reader) => reader.at(0, 4))
    // RF64 is the same with longer lengths, which browsers do not read.
    const plain = String.fromCharCode(...head) === 'RIFF'
    return plain && WAV_CODECS.has(audio.codec) && audio.channels <= 2 ? 'audio/wav' : null
  }
  if (input.demuxer !== 'mov' || !soundsAsIs(audio) || audio.tag !== 'mp4a') return null
  const layout = await layoutOf(tools, input.path)
  const laidOut = layout?.whole && layout.indexFirst && !layout.fragmented && layout.majorBrand !== 'qt  '
  return laidOut ? 'audio/mp4' : null
}
