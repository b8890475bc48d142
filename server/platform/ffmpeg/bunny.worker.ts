import { parentPort, workerData } from 'node:worker_threads'
import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  type InputAudioTrack,
  type InputFormat,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  MPEG_TS,
  Mp4OutputFormat,
  Output,
  QTFF,
  WEBM,
} from 'mediabunny'
import type { BunnyAnswer, BunnyContainer, BunnyCopy, BunnyProbe, BunnyTask } from './bunny.types.ts'

/** The format of the detected container only. Playlist formats are never enabled. */
const FORMATS: Record<BunnyContainer, InputFormat[]> = {
  mov: [MP4, QTFF],
  matroska: [MATROSKA, WEBM],
  mpegts: [MPEG_TS],
}

async function probe(input: Input): Promise<BunnyProbe> {
  const video = await input.getPrimaryVideoTrack()
  const duration = await input.getDurationFromMetadata().catch(() => null)
  return {
    durationMs: duration === null || !Number.isFinite(duration) ? null : duration * 1000,
    video: video && {
      codec: await video.getCodec(),
      parameters: await video.getCodecParameterString().catch(() => null),
      width: await video.getCodedWidth(),
      height: await video.getCodedHeight(),
      rotation: await video.getRotation(),
    },
    videoTracks: (await input.getVideoTracks()).length,
    audioCodecs: await Promise.all((await input.getAudioTracks()).slice(0, 64).map((track) => track.getCodec())),
  }
}

async function measure(
  track: InputVideoTrack | InputAudioTrack,
): Promise<{ packets: number; first: number; end: number }> {
  let packets = 0
  let first = Number.POSITIVE_INFINITY
  let end = Number.NEGATIVE_INFINITY
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })) {
    packets += 1
    first = Math.min(first, packet.timestamp)
    end = Math.max(end, packet.timestamp + packet.duration)
  }
  return { packets, first, end }
}

/** Copies in two passes. The first one counts packets, so that space for the index can be reserved at the front. */
async function copyStreams(input: Input, outputPath: string): Promise<BunnyCopy> {
  const video = await input.getPrimaryVideoTrack()
  if (!video) throw new Error('no video')
  const audio = await input.getPrimaryAudioTrack()
  const videoSpan = await measure(video)
  const audioSpan = audio ? await measure(audio) : null
  const videoCodec = await video.getCodec()
  const audioCodec = audio ? await audio.getCodec() : null
  if (!videoCodec || videoSpan.packets === 0) throw new Error('no pictures')
  const start = Math.min(videoSpan.first, audioSpan && audioSpan.packets > 0 ? audioSpan.first : videoSpan.first)

  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'reserve' }),
    target: new FilePathTarget(outputPath),
  })
  const pictures = new EncodedVideoPacketSource(videoCodec)
  output.addVideoTrack(pictures, { rotation: await video.getRotation(), maximumPacketCount: videoSpan.packets })
  const sound =
    audio && audioCodec && audioSpan && audioSpan.packets > 0 ? new EncodedAudioPacketSource(audioCodec) : null
  if (sound && audioSpan) output.addAudioTrack(sound, { maximumPacketCount: audioSpan.packets })
  await output.start()
  const total = videoSpan.packets + (audioSpan?.packets ?? 0)
  let done = 0
  const step = () => {
    done += 1
    if (done % 500 === 0) parentPort?.postMessage({ kind: 'progress', fraction: done / total } satisfies BunnyAnswer)
  }
  const videoPump = async () => {
    const config = await video.getDecoderConfig()
    const meta = config ? { decoderConfig: config } : undefined
    for await (const packet of new EncodedPacketSink(video).packets()) {
      await pictures.add(packet.clone({ timestamp: packet.timestamp - start }), meta)
      step()
    }
    pictures.close()
  }
  const audioPump = async () => {
    if (!audio || !sound) return
    const config = await audio.getDecoderConfig()
    const meta = config ? { decoderConfig: config } : undefined
    for await (const packet of new EncodedPacketSink(audio).packets()) {
      await sound.add(packet.clone({ timestamp: packet.timestamp - start }), meta)
      step()
    }
    sound.close()
  }
  await Promise.all([videoPump(), audioPump()])
  await output.finalize()
  return { packets: videoSpan.packets, spanMs: (videoSpan.end - videoSpan.first) * 1000 }
}

async function scan(input: Input): Promise<BunnyCopy> {
  const video = await input.getPrimaryVideoTrack()
  if (!video) throw new Error('no video')
  const span = await measure(video)
  return { packets: span.packets, spanMs: (span.end - span.first) * 1000 }
}

const task = workerData as BunnyTask
const input = new Input({ formats: FORMATS[task.container], source: new FilePathSource(task.input) })
try {
  const answer: BunnyAnswer =
    task.kind === 'probe'
      ? { kind: 'probe', probe: await probe(input) }
      : { kind: 'copy', copy: task.kind === 'scan' ? await scan(input) : await copyStreams(input, task.output) }
  parentPort?.postMessage(answer)
} catch (error) {
  parentPort?.postMessage({
    kind: 'failed',
    message: error instanceof Error ? error.message : String(error),
  } satisfies BunnyAnswer)
} finally {
  input.dispose()
}
