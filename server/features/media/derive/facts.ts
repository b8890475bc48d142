/** What tools tell of a file, in the words of a record. */
import { type Derivation, type MediaFacts, NO_FACTS, quarterTurns } from '../../../../shared/media/rules.ts'
import type { BunnyContainer, BunnyProbe } from '../../../platform/ffmpeg/bunny.ts'
import type { MediaTools, UsedTool } from '../../../platform/ffmpeg/media-tools.ts'
import type { PacketScan, Probe, VideoStream } from '../../../platform/ffmpeg/probe.ts'
import { type Mp4Layout, mp4Layout } from './mp4-layout.ts'
import { displayedSize } from './plan.ts'
import type { Demuxer } from './sniff.ts'

/** How a result came to be. The deriver adds the hash of what it was made from. */
export type HowMade = Omit<Derivation, 'InputSha256'>

export const IDENTITY: HowMade = { Tool: 'identity', Version: '1', Arguments: [] }

export const factsOf = (probe: Probe, video: VideoStream | null, scan: PacketScan | null): MediaFacts => ({
  ...(video ? displayedSize(video) : { width: null, height: null }),
  durationMs: rounded(scan?.spanMs ?? video?.durationMs ?? probe.durationMs),
  frames: scan?.packets ?? video?.claimedFrames ?? null,
  videoCodec: video?.codec ?? null,
  audioCodec: probe.audio[0]?.codec ?? null,
  rotation: video ? quarterTurns(-video.rotation) : null,
  frameRate: video?.exactRate ?? null,
  uneven: scan?.uneven ?? null,
})

const rounded = (millis: number | null): number | null => (millis === null ? null : Math.round(millis))

export const recordOf = (used: UsedTool): HowMade => ({
  Tool: used.name,
  Version: used.version,
  Arguments: used.arguments,
})

export const layoutOf = (tools: MediaTools, path: string): Promise<Mp4Layout | null> =>
  tools.read(path, (reader) => mp4Layout(reader.size, reader.at))

const BUNNY: ReadonlySet<string> = new Set<BunnyContainer>(['mov', 'matroska', 'mpegts'])
export const bunnyContainer = (demuxer: Demuxer): BunnyContainer | null =>
  BUNNY.has(demuxer) ? (demuxer as BunnyContainer) : null

export const bunnyFacts = ({ video, audioCodecs, durationMs }: BunnyProbe, frames: number | null): MediaFacts => ({
  ...NO_FACTS,
  ...(video ? displayedSize({ ...video, pixelAspect: 1 }) : {}),
  durationMs: rounded(durationMs),
  frames,
  videoCodec: video?.codec === 'avc' ? 'h264' : (video?.codec ?? null),
  audioCodec: audioCodecs[0] ?? null,
  rotation: video ? quarterTurns(video.rotation) : null,
})
