/** What kind of thing a file is, decided by its content (decisions 6, "Derivation"). */
export type MediaFamily = 'video' | 'audio' | 'picture' | 'pdf' | 'text' | 'unknown'

/** How a derived resource came to be: as stored with it and given back in its record (decisions 6). */
export interface Derivation {
  /** `identity` where the derived resource shares its parent's bytes. */
  readonly Tool: string
  readonly Version: string
  /** As the tool saw them: files under the fixed names below, never the station's own paths. */
  readonly Arguments: readonly string[]
  readonly InputSha256: string
}

/** What a picture or recording is, as a person would measure it: upright, in square or stored pixels as the file says. */
export interface MediaFacts {
  readonly width: number | null
  readonly height: number | null
  readonly durationMs: number | null
  readonly frames: number | null
  readonly videoCodec: string | null
  readonly audioCodec: string | null
  /** Degrees clockwise from the stored picture to the one shown: 0, 90, 180, 270; null where nobody looked. */
  readonly rotation: number | null
  /** Pictures a second as the file says; the mean where they are uneven. */
  readonly frameRate: Ratio | null
  /** Whether the times between pictures differ; null where they were not read. */
  readonly uneven: boolean | null
}

export interface Ratio {
  readonly numerator: number
  readonly denominator: number
}

/** Any number of degrees as 0, 90, 180 or 270; what is no quarter turn is shown as stored. */
export function quarterTurns(degreesClockwise: number): number {
  const turned = ((Math.round(degreesClockwise) % 360) + 360) % 360
  return turned % 90 === 0 ? turned : 0
}

export const NO_FACTS: MediaFacts = {
  width: null,
  height: null,
  durationMs: null,
  frames: null,
  videoCodec: null,
  audioCodec: null,
  rotation: null,
  frameRate: null,
  uneven: null,
}

/** When a camera says it recorded. `offset` (`+01:00`, `Z`) is null where the file gives none: then `text` is the camera's wall clock. */
export interface CaptureTime {
  /** `YYYY-MM-DDTHH:MM:SS`, with a fraction where there is one. */
  readonly text: string
  readonly offset: string | null
}

/** WGS 84 degrees, north and east positive. */
export interface GeoPosition {
  readonly latitude: number
  readonly longitude: number
}

/** Whether media tools ran cut off from the machine. `none` is a fact to be shown, never hidden (promises, S9). */
export type SandboxKind = 'bwrap' | 'none'

/** The names under which a media tool sees its one input and its output folder, in every sandbox and in every record. */
export const TOOL_INPUT = '/in'
export const TOOL_OUTPUT = '/out'
