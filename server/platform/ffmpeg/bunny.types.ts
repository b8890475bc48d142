/** Messages between the main thread and the thread of mediabunny. */

export type BunnyAnswer =
  | { kind: 'progress'; fraction: number }
  | { kind: 'probe'; probe: BunnyProbe }
  | { kind: 'copy'; copy: BunnyCopy }
  | { kind: 'failed'; message: string }

/** Containers that are read without ffmpeg, with the names of ffmpeg's demuxers. */
export type BunnyContainer = 'mov' | 'matroska' | 'mpegts'

export interface BunnyCopy {
  readonly packets: number
  readonly spanMs: number
}

export interface BunnyProbe {
  readonly durationMs: number | null
  readonly video: {
    /** `avc`, `hevc`, `av1`, `vp9` … or null when unknown. */
    readonly codec: string | null
    /** As in a `codecs=` parameter, such as `avc1.64001f`. */
    readonly parameters: string | null
    readonly width: number
    readonly height: number
    /** Degrees clockwise. */
    readonly rotation: number
  } | null
  readonly videoTracks: number
  /** The codec of each sound track. */
  readonly audioCodecs: readonly (string | null)[]
}

export type BunnyTask =
  | { kind: 'probe'; container: BunnyContainer; input: string }
  | { kind: 'scan'; container: BunnyContainer; input: string }
  | { kind: 'copy'; container: BunnyContainer; input: string; output: string }
