import type { Database } from '../../../kernel/database/database.ts'
import type { StagingArea } from '../../../storage/staging/staging.ts'
import type { BlobStore, Piece, StagedBlob, StagedBlocks, WorkOptions } from '../../../storage/store.ts'
import type { CompletionHolds } from './completion-holds.ts'
import type { Gate } from './gate.ts'
import * as rows from './uploads.store.ts'

/** The part of the blob store that reads a file back, hashes it and compares each piece, in one pass. */
export type PieceStore = Pick<BlobStore, 'adopt' | 'adoptPieces'>

export interface Assembled {
  readonly staged: StagedBlob
  /** `x-ms-meta-…` of the commit, names in lower case without the prefix; `encryptiondata` among them for encrypted uploads. */
  readonly metadata: readonly (readonly [string, string])[]
}

export interface Assembler {
  /**
   * Joins the blocks of the last list into one file: the expensive pass of a completion. The upload is not changed, so that a completion
   * that does not commit can be repeated. Blocks in transfer are refused with 409, and no block is accepted until `release` or `discard`:
   * blocks that were acknowledged after this pass would be lost by the completion. With an object store this holds for all nodes, and the
   * blocks stay objects; only an encrypted upload becomes a file, which is decrypted here.
   * @returns null when nothing was committed to the upload yet (no Put Blob, no Put Block List)
   */
  assemble(resourceId: number, store: PieceStore, options?: WorkOptions): Promise<Assembled | null>
  /** Reopens the upload after a failed completion. Safe to call at any time. */
  release(resourceId: number): Promise<void>
  /** Length and metadata of the committed list or blob; null when none was committed. */
  committed(resourceId: number): Promise<{ length: number; metadata: Assembled['metadata'] } | null>
}

interface Ports {
  readonly database: Pick<Database, 'read'>
  readonly staging: StagingArea
  readonly blocks: StagedBlocks | null
}

/** Only for this folder: `discard` uses the gate that a completion closed. */
interface AssemblerInside extends Assembler {
  takeOver(resourceId: number): (() => void) | undefined
}

/** @param holds null where all blocks lie on this machine */
export function assembler(
  { database, staging, blocks }: Ports,
  gates: Gate,
  holds: CompletionHolds | null,
): AssemblerInside {
  const held = new Map<number, () => void>()
  const takeOver = (resourceId: number): (() => void) | undefined => {
    const open = held.get(resourceId)
    held.delete(resourceId)
    return open
  }
  const committed: Assembler['committed'] = async (resourceId) => {
    const row = await rows.committedUpload(database.read, resourceId)
    if (row === undefined || row.committed_length === null) return null
    return { length: row.committed_length, metadata: JSON.parse(row.metadata) as Assembled['metadata'] }
  }
  const work = async (
    resourceId: number,
    metadata: Assembled['metadata'],
    store: PieceStore,
    options: WorkOptions,
  ): Promise<StagedBlob> => {
    const pieces = await rows.piecesOf(database.read, resourceId)
    if (blocks !== null) {
      const toFile = rows.encryptionOf(metadata) !== null
      return blocks.join(String(resourceId), pieces, { ...options, toFile })
    }
    const located = pieces.map((piece) => locate(staging, resourceId, piece, pieces.length === 1))
    const file = wholeFile(pieces)
    if (file === null || (await rows.holdsUncommitted(database.read, resourceId, file)))
      return store.adoptPieces(located, options)
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    const shared = await staging.share(String(resourceId), file, length)
    // Null: an earlier completion sealed the file at another length, or the file system has no hard links.
    return shared === null ? store.adoptPieces(located, options) : store.adopt(shared, { ...options, pieces: located })
  }
  return {
    committed,
    takeOver,
    release: async (resourceId) => {
      const open = takeOver(resourceId)
      if (open === undefined) return
      try {
        await staging.unshare(String(resourceId))
        await holds?.release(resourceId)
      } finally {
        open()
      }
    },
    assemble: async (resourceId, store, options = {}) => {
      const open = takeOver(resourceId) ?? (await gates.close(resourceId))
      try {
        if (holds !== null && !(await holds.take(resourceId))) {
          open()
          return null
        }
        const state = await committed(resourceId)
        if (state === null) {
          await holds?.release(resourceId)
          open()
          return null
        }
        const staged = await work(resourceId, state.metadata, store, options)
        held.set(resourceId, open)
        return { staged, metadata: state.metadata }
      } catch (error) {
        await holds?.release(resourceId)
        await staging.unshare(String(resourceId)).finally(open)
        throw error
      }
    },
  }
}

/** The SHA-256 of a single piece is compared, which the pass computes anyway. With several pieces it compares CRC-32, which is much faster. */
function locate(staging: StagingArea, resourceId: number, piece: rows.Piece, isAll: boolean): Piece {
  const { file, offset, length, sha256, crc32 } = piece
  return { path: staging.pathOf(String(resourceId), file), offset, length, ...(isAll ? { sha256 } : { crc32 }) }
}

/** The file that consists of exactly these pieces, without a gap; null when there is none. */
function wholeFile(pieces: readonly rows.Piece[]): string | null {
  const file = pieces[0]?.file
  if (file === undefined) return null
  let at = 0
  for (const piece of pieces) {
    if (piece.file !== file || piece.offset !== at) return null
    at += piece.length
  }
  return file
}
