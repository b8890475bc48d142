import type { Time } from '../../../../shared/kernel/time.ts'
import type { FoundFolder, WalkEntry } from '../../../platform/files/walk.ts'
import type { Volume } from '../../../platform/volumes/volumes.ts'
import type { Camera, Mark } from '../ports.ts'
import type { Profile } from '../profiles/profile.ts'

/** Messages to and from the thread that identifies a card. Files are named by their place among the entries. */

export type ToIdentify =
  | { op: 'entries'; entries: readonly (FoundFolder | WalkEntry)[] }
  | { op: 'go'; profiles: readonly Profile[]; timeZone: string; volume: Volume; pluggedAt: number | null; now: number }
  /** The last message was handled. Messages that queue are handled in one go, which would block the event loop. */
  | { op: 'more' }
  | { op: 'bytes'; file: number; bytes: Uint8Array | null }

export interface SentRecording {
  readonly key: string
  readonly name: string
  readonly files: readonly number[]
  readonly start: Time | null
  readonly end: Time | null
  readonly marks: readonly Mark[]
  readonly locationWkt: string | null
  readonly parts: readonly (readonly [file: number, start: Time | null, end: Time | null])[]
  readonly claimed: readonly (readonly [file: number, sha256: string])[]
}

export type CameraHead = Pick<
  Camera,
  | 'profile'
  | 'device'
  | 'commonName'
  | 'clock'
  | 'configuration'
  | 'capabilities'
  | 'configurationFile'
  | 'notes'
  | 'refused'
>

export type FromIdentify =
  | { op: 'read'; file: number; most: number }
  | { op: 'notACamera'; reason: string }
  | { op: 'camera'; head: CameraHead }
  | { op: 'recordings'; recordings: readonly SentRecording[] }
  | { op: 'others'; others: readonly (readonly [file: number, reason: string])[] }
  | { op: 'clearable'; files: readonly number[] }
  | { op: 'done' }

/** Entries or recordings of one message: what takes a few milliseconds to pass on. */
export const BATCH = 500
