/** Recordings as a card has them. */
import type { CardFile } from './card.ts'
import type { TrackPoint } from './tracks.ts'

/** A moment by the camera's clock. */
export interface CameraTime {
  readonly ms: number
  readonly from: 'manifest' | 'name' | 'modified'
  readonly uncertaintyMs: number
  /** The clock showed this twice, or never: a night when it was put back or forward. */
  readonly doubtful: boolean
}

/** The files that become one evidence: its parts in order and their sidecars. */
export interface Recording {
  /** The first part's. */
  readonly key: string
  readonly title: string
  readonly parts: readonly CardFile[]
  /** Taken along: sidecars, read or not. */
  readonly beside: readonly CardFile[]
  readonly start: CameraTime | null
  readonly end: CameraTime | null
  /** When each part began and ended, in order, where its own name, date or entry says so. */
  readonly partTimes: readonly { readonly start: CameraTime | null; readonly end: CameraTime | null }[]
  /** Whom the camera says it belongs to: a claim. The association of the device decides. */
  readonly officer: string | null
  readonly marks: readonly RecordingMark[]
  readonly track: readonly TrackPoint[]
  /** By how much the satellites' time was ahead of the camera's while it recorded. */
  readonly cameraBehindMs: number | null
  /** SHA-256 of the parts as the camera states it, by their keys. */
  readonly claimedSha256: ReadonlyMap<string, string>
  readonly problems: readonly string[]
}

export interface RecordingMark {
  /** By the camera's clock. */
  readonly ms: number
  readonly label: string
}
