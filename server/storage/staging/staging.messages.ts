/** What the two sides of the staging area say to each other (staging.ts on the main thread, staging.worker.ts on a lane). */

/** One buffer of the shared pool. A multiple of every disk's block, so that full slots can bypass the page cache. */
export const SLOT_BYTES = 512 * 1024
export const PAGE = 4096

export interface LaneData {
  memory: SharedArrayBuffer
}

/** What the sender claimed of its bytes; compared before anything is made durable. CRCs are eight bytes as hexadecimal text. */
export interface Claims {
  length: number
  md5?: string
  crc64?: string
  /** CRC of each segment of a structured message, in order. */
  segments?: readonly string[]
}

export type LaneRequest =
  | { op: 'open'; part: number; path: string; offset: number; md5: boolean; crc64: boolean }
  | { op: 'data'; part: number; slot: number; length: number }
  | { op: 'segment'; part: number }
  | { op: 'finish'; part: number; claims: Claims }
  | { op: 'abort'; part: number }

export type LaneAnswer =
  | { op: 'slot'; slot: number }
  | { op: 'finished'; part: number; sums: PartSums }
  | { op: 'mismatch'; part: number; what: Mismatch }
  | { op: 'failed'; part: number; code: string; message: string }
  | { op: 'aborted'; part: number }

export type Mismatch = 'length' | 'md5' | 'crc64'

export interface PartSums {
  length: number
  /** Lower-case hexadecimal. */
  sha256: string
  /** As `pieceDigest` gives it: what the pass over the whole file compares. */
  crc32: number
  /** Base64, where asked for. */
  md5: string | null
  /** Base64 of the eight bytes, least significant first, where asked for. */
  crc64: string | null
}
