import type { ReadThrough } from '../../platform/files/aligned.ts'
import type { StorageFaultCode } from '../faults.ts'

/** Messages between the store and its worker threads. */

/** Bytes of one buffer: large enough that a system call costs nothing, small enough to stay in a core's cache between hash and write. */
export const SLICE = 1024 * 1024

export interface WorkerSettings {
  readonly root: string
  /** The volume of the root when the store was opened. */
  readonly volume: number
  /** Whether reading past the cache can be believed here; else nothing is tried. */
  readonly direct: boolean
  /** Buffers of this thread, shared by its lanes. */
  readonly slices: number
  /** Reads waiting in the kernel at once, of this thread. */
  readonly reads: number
}

/** A stretch of the file, as it was acknowledged. Every sum that is given is compared. */
export interface PieceSum {
  /** In the file that is checked; pieces come in order and do not overlap. */
  readonly offset: number
  readonly length: number
  readonly sha256?: string
  /** As zlib.crc32 gives it. */
  readonly crc32?: number
}

/** Where a piece lies now. */
export interface PieceSource {
  readonly path: string
  readonly offset: number
  readonly length: number
  readonly sha256?: string
  readonly crc32?: number
}

export interface Sums {
  readonly sha256: string
  readonly length: number
  readonly readBack: ReadThrough
}

/** Lies where an earlier attempt began it. */
export interface ResumedSums extends Sums {
  readonly path: string
  /** 0 where it was copied in one go. */
  readonly resumedFrom: number
}

/** Bytes a second; one number in shared memory where it may change while a file is being read. */
export type Pace = number | Float64Array

export type Task =
  /** Copies a foreign file to a new one at `target`, syncs it, reads it back. */
  | { kind: 'copy'; source: string | Uint8Array; target: string; expect: Expected; readBack: boolean }
  /** The same, going on where an attempt with the same key was cut off. */
  | {
      kind: 'copyResumable'
      source: string | Uint8Array
      folder: string
      key: string
      target: string
      expect: Expected
    }
  /** Syncs what already lies at `path` and reads it back. */
  | { kind: 'adopt'; path: string; pieces: readonly PieceSum[] }
  /** Copies pieces to a new file at `target`, syncs it, reads it back. */
  | { kind: 'assemble'; target: string; pieces: readonly PieceSource[] }
  /** Decrypts a file of the staging area to a new one at `target`, syncs it, reads it back. */
  | { kind: 'decrypt'; source: string; target: string; sha256: string; length: number; key: Uint8Array; iv: Uint8Array }
  /** Reads a foreign file. */
  | { kind: 'hash'; source: string | Uint8Array }
  /** Reads a file of the store. */
  | { kind: 'verify'; path: string; bytesPerSecond?: Pace }
  /** Puts a staged file in its place; the disk's part of it. */
  | { kind: 'place'; staged: string; sha256: string; length: number; quarantine: string }

export interface Expected {
  readonly length?: number
  readonly sha256?: string
}

export interface Placed {
  readonly existed: boolean
  /** The blob that was there was damaged and lies at the task's `quarantine` now. */
  readonly replaced: { readonly length: number; readonly sha256: string | null } | null
}

export interface Answers {
  copy: Sums
  copyResumable: ResumedSums
  adopt: Sums
  assemble: Sums
  decrypt: Sums
  hash: Sums
  verify: Sums
  place: Placed
}

export type ToWorker =
  | { op: 'task'; id: number; task: Task; progress: boolean }
  | { op: 'cancel'; id: number }
  | { op: 'close' }

export interface Failure {
  /** Null when the task was cancelled. */
  readonly code: StorageFaultCode | null
  readonly message: string
  readonly path: string | null
  readonly errno: string | null
  readonly piece: { readonly offset: number; readonly length: number } | null
}

export type FromWorker =
  | { op: 'done'; id: number; answer: Sums | ResumedSums | Placed }
  | { op: 'failed'; id: number; failure: Failure }
  /** Bytes done since the last of these. */
  | { op: 'progress'; id: number; bytes: number }
