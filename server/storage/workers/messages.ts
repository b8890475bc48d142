import type { ReadThrough } from '../../platform/files/aligned.ts'
import type { StorageFaultCode } from '../faults.ts'

/** Messages between the store and its worker threads. */

/** Bytes of one buffer: large enough that the cost of system calls is negligible, small enough for a core's cache between hash and write. */
export const SLICE = 1024 * 1024

export interface WorkerSettings {
  readonly root: string
  /** Device number of the root's volume when the store was opened. */
  readonly volume: number
  /** Whether reads that bypass the cache can be trusted on this volume; otherwise they are not tried. */
  readonly direct: boolean
  /** Buffers of this thread, shared by its tasks. */
  readonly slices: number
  /** Concurrent reads of this thread. */
  readonly reads: number
}

/** A part of the file as acknowledged. Every given checksum is compared. */
export interface PieceSum {
  /** Offset in the checked file. Pieces are in order and do not overlap. */
  readonly offset: number
  readonly length: number
  readonly sha256?: string
  /** As zlib.crc32 gives it. */
  readonly crc32?: number
}

/** The current place of a piece. */
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

/** The result of a resumable copy, with the path of its first attempt. */
export interface ResumedSums extends Sums {
  readonly path: string
  /** 0 for a copy in one attempt. */
  readonly resumedFrom: number
}

/** Bytes per second; one number in shared memory when it may change during a read. */
export type Pace = number | Float64Array

export type Task =
  /** Copies a foreign file to a new one at `target`, syncs it and reads it back. */
  | { kind: 'copy'; source: string | Uint8Array; target: string; expect: Expected; readBack: boolean }
  /** The same, resuming an earlier attempt with the same key. */
  | {
      kind: 'copyResumable'
      source: string | Uint8Array
      folder: string
      key: string
      target: string
      expect: Expected
    }
  /** Syncs the existing file at `path` and reads it back. */
  | { kind: 'adopt'; path: string; pieces: readonly PieceSum[] }
  /** Copies pieces to a new file at `target`, syncs it, reads it back. */
  | { kind: 'assemble'; target: string; pieces: readonly PieceSource[] }
  /** Decrypts a file of the staging area to a new one at `target`, syncs it, reads it back. */
  | { kind: 'decrypt'; source: string; target: string; sha256: string; length: number; key: Uint8Array; iv: Uint8Array }
  /** Reads a foreign file. */
  | { kind: 'hash'; source: string | Uint8Array }
  /** Reads a file of the store. */
  | { kind: 'verify'; path: string; bytesPerSecond?: Pace }
  /** Moves a staged file into its place. */
  | { kind: 'place'; staged: string; sha256: string; length: number; quarantine: string }

export interface Expected {
  readonly length?: number
  readonly sha256?: string
}

export interface Placed {
  readonly existed: boolean
  /** The damaged blob that was in the place; it is at the task's `quarantine` path now. */
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
  /** Bytes done since the last progress message. */
  | { op: 'progress'; id: number; bytes: number }
