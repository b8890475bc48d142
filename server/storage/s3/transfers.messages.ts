import type { StagedObject } from '../types.ts'
import type { Failure, Pace } from '../workers/messages.ts'
import type { BucketAddress, BucketLimits, ObjectFacts } from './bucket.ts'

/** Messages between the store and the thread that moves and hashes the bytes of objects. */

export interface TransferSettings {
  readonly address: BucketAddress
  readonly limits: BucketLimits
}

export type Transfer =
  /** Uploads a file. Answers whether it did: false when there is an object already and `ifAbsent`. */
  | { kind: 'put'; key: string; path: string; length: number; ifAbsent: boolean }
  /** Reads an object and answers with its SHA-256. */
  | { kind: 'hash'; key: string; facts: ObjectFacts; as: 'read' | 'write'; bytesPerSecond?: Pace }
  /** Reads an object into a new file and answers with its SHA-256. */
  | { kind: 'fetch'; key: string; facts: ObjectFacts; path: string }

  /** Makes one object of others, in their order, inside the store where it can. Answers as `put`. */
  | { kind: 'assemble'; key: string; objects: readonly StagedObject[]; ifAbsent: boolean }
  /** Reads objects in order, compares each, and answers with the SHA-256 of the whole. @see joinObjects */
  | { kind: 'join'; objects: readonly AcknowledgedObject[]; path: string | null }

export interface AcknowledgedObject extends StagedObject {
  readonly crc32: number
}

export interface TransferAnswers {
  put: boolean
  assemble: boolean
  join: string
  hash: string
  fetch: string
}

export type ToTransfers =
  | { op: 'transfer'; id: number; transfer: Transfer; progress: boolean }
  | { op: 'cancel'; id: number }
  | { op: 'close' }

/** `requests`: of this thread so far. */
export type FromTransfers =
  | { op: 'done'; id: number; answer: boolean | string; requests: number }
  | { op: 'failed'; id: number; failure: Failure; requests: number }
  /** Bytes since the last message. */
  | { op: 'progress'; id: number; bytes: number }
