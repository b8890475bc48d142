/** Messages between staging.ts on the main thread and staging.worker.ts on a worker thread. */

/** Bytes of one buffer of the shared pool. A multiple of every disk's block size, so that full slots can bypass the page cache. */
export const SLOT_BYTES = 512 * 1024
export const PAGE = 4096

export interface WorkerData {
  memory: SharedArrayBuffer
}

/** Length and checksums stated by the sender, compared before the bytes are made durable. CRCs are eight bytes as hexadecimal text. */
export interface Claims {
  length: number
  md5?: string
  crc64?: string
  /** CRC of each segment of a structured message, in order. */
  segments?: readonly string[]
}

export type WorkerRequest =
  | { op: 'open'; part: number; path: string; offset: number; crc64: boolean }
  | { op: 'data'; part: number; slot: number; length: number }
  | { op: 'segment'; part: number }
  /** `md5`: the sum from another worker; null when none was requested. */
  | { op: 'finish'; part: number; claims: Claims; md5: string | null }
  | { op: 'abort'; part: number }
  | { op: 'md5-data'; part: number; slot: number; length: number }
  | { op: 'md5-finish'; part: number }
  | { op: 'md5-abort'; part: number }

export type WorkerAnswer =
  | { op: 'slot'; slot: number }
  | { op: 'finished'; part: number; sums: PartSums }
  | { op: 'md5'; part: number; md5: string }
  | { op: 'mismatch'; part: number; what: Mismatch }
  | { op: 'failed'; part: number; code: string; message: string }
  | { op: 'aborted'; part: number }

export type Mismatch = 'length' | 'md5' | 'crc64'

export interface PartSums {
  length: number
  /** Lower-case hexadecimal. */
  sha256: string
  /** From `pieceDigest`; compared in the pass over the whole file. */
  crc32: number
  /** Base64, if requested. */
  md5: string | null
  /** Base64 of the eight bytes, least significant first, if requested. */
  crc64: string | null
}
