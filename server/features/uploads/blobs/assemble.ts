import type { Database } from '../../../kernel/database/database.ts'
import type { StagingArea } from '../../../storage/staging/staging.ts'
import type { BlobStore, Piece, StagedBlob, WorkOptions } from '../../../storage/store.ts'
import type { Gate } from './gate.ts'
import * as rows from './uploads.store.ts'

/** What is needed of the blob store: one pass that reads back, hashes the whole and compares each piece. */
export type PieceStore = Pick<BlobStore, 'adopt' | 'adoptPieces'>

export interface Assembled {
  readonly staged: StagedBlob
  /** `x-ms-meta-…` of the commit, names in lower case without the prefix; `encryptiondata` among them for encrypted uploads. */
  readonly metadata: readonly (readonly [string, string])[]
}

export interface Assembler {
  /**
   * Makes one file of what the last list names: the expensive pass, for completion. The upload stays as it is, so that a completion that
   * does not commit can be tried again. Blocks still under way are sent away with 409, and nothing is taken until `release` or `discard`:
   * what is acknowledged after this pass would be lost by the completion.
   * @returns null when nothing was committed to the upload yet (no Put Blob, no Put Block List)
   */
  assemble(resourceId: number, store: PieceStore, options?: WorkOptions): Promise<Assembled | null>
  /** The completion came to nothing: the upload goes on. Safe to call at any time. */
  release(resourceId: number): Promise<void>
  /** Whether a list or whole blob was committed, and what was said with it; null when not. */
  committed(resourceId: number): Promise<{ length: number; metadata: Assembled['metadata'] } | null>
}

interface Ports {
  readonly database: Pick<Database, 'read'>
  readonly staging: StagingArea
}

/** For this folder alone: who discards goes on with the closed gate that a completion left. */
interface AssemblerInside extends Assembler {
  takeOver(resourceId: number): (() => void) | undefined
}

export function assembler({ database, staging }: Ports, gates: Gate): AssemblerInside {
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
  const work = async (resourceId: number, store: PieceStore, options: WorkOptions): Promise<StagedBlob> => {
    const pieces = await rows.piecesOf(database.read, resourceId)
    const located = pieces.map((piece) => locate(staging, resourceId, piece, pieces.length === 1))
    const file = wholeFile(pieces)
    if (file === null || (await rows.holdsUncommitted(database.read, resourceId, file)))
      return store.adoptPieces(located, options)
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    const shared = await staging.share(String(resourceId), file, length)
    // Null: the file is sealed at another length by an earlier completion, or the file system knows no second names.
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
      } finally {
        open()
      }
    },
    assemble: async (resourceId, store, options = {}) => {
      const open = takeOver(resourceId) ?? (await gates.close(resourceId))
      try {
        const state = await committed(resourceId)
        const staged = state === null ? null : await work(resourceId, store, options)
        if (state === null || staged === null) {
          open()
          return null
        }
        held.set(resourceId, open)
        return { staged, metadata: state.metadata }
      } catch (error) {
        await staging.unshare(String(resourceId)).finally(open)
        throw error
      }
    },
  }
}

/** A piece that is all of the blob has its SHA-256 compared, which the pass makes anyway; of many the CRC-32 is, at a fraction of the time. */
function locate(staging: StagingArea, resourceId: number, piece: rows.Piece, isAll: boolean): Piece {
  const { file, offset, length, sha256, crc32 } = piece
  return { path: staging.pathOf(String(resourceId), file), offset, length, ...(isAll ? { sha256 } : { crc32 }) }
}

/** The one file in which the pieces lie from its first byte on without a gap, or null. */
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
