import type { Database } from '../../db/database.ts'
import type { StagingArea } from '../../evidence/store/staging/staging.ts'
import type { Gate } from './gate.ts'
import * as rows from './uploads.repository.ts'

/** A durable file under a temporary name, read back (evidence/store). */
export interface StagedBlob {
  readonly path: string
  readonly sha256: string
  readonly length: number
  readonly readBack: 'direct' | 'cache'
}

export interface PieceOfFile {
  readonly path: string
  readonly offset: number
  readonly length: number
  /** As acknowledged; the pass over the file compares it, so that what rotted since is found here and not years later. */
  readonly sha256: string
}

export interface AssembleOptions {
  readonly signal?: AbortSignal
  /** Bytes done so far of all. */
  readonly onProgress?: (done: number, total: number) => void
}

/** What is needed of the blob store: one pass that reads back, hashes the whole and each piece. @throws when a piece differs */
export interface PieceStore {
  /** The pieces are the whole of the file at `path`, in order. */
  adopt(path: string, options: AssembleOptions & { pieces: readonly PieceOfFile[] }): Promise<StagedBlob>
  /** Copies the pieces into a new file. */
  adoptPieces(pieces: readonly PieceOfFile[], options: AssembleOptions): Promise<StagedBlob>
}

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
  assemble(resourceId: number, store: PieceStore, options?: AssembleOptions): Promise<Assembled | null>
  /** The completion came to nothing: the upload goes on. Safe to call at any time. */
  release(resourceId: number): void
  /** Whether a list or whole blob was committed, and what was said with it; null when not. */
  committed(resourceId: number): Promise<{ length: number; metadata: Assembled['metadata'] } | null>
}

interface Ports {
  readonly database: Pick<Database, 'read'>
  readonly staging: StagingArea
}

export function assembler({ database, staging }: Ports, doors: Gate): Assembler {
  const committed: Assembler['committed'] = async (resourceId) => {
    const row = await rows.committedUpload(database.read, resourceId)
    if (row === undefined || row.committed_length === null) return null
    return { length: row.committed_length, metadata: JSON.parse(row.metadata) as Assembled['metadata'] }
  }
  const work = async (resourceId: number, store: PieceStore, options: AssembleOptions): Promise<StagedBlob> => {
    const pieces = await rows.piecesOf(database.read, resourceId)
    const located = pieces.map(({ file, offset, length, sha256 }) => ({
      path: staging.pathOf(String(resourceId), file),
      offset,
      length,
      sha256,
    }))
    const file = wholeFile(pieces)
    if (file === null || (await rows.holdsUncommitted(database.read, resourceId, file)))
      return store.adoptPieces(located, options)
    const shared = await staging.share(
      String(resourceId),
      file,
      pieces.reduce((sum, piece) => sum + piece.length, 0),
    )
    // Null: the file is sealed at another length by an earlier completion, or the file system knows no second names.
    return shared === null ? store.adoptPieces(located, options) : store.adopt(shared, { ...options, pieces: located })
  }
  const held = new Map<number, () => void>()
  const release = (resourceId: number): void => {
    held.get(resourceId)?.()
    held.delete(resourceId)
  }
  return {
    committed,
    release,
    assemble: async (resourceId, store, options = {}) => {
      release(resourceId)
      const open = await doors.close(resourceId)
      try {
        const state = await committed(resourceId)
        const result =
          state === null ? null : { staged: await work(resourceId, store, options), metadata: state.metadata }
        if (result === null) open()
        else held.set(resourceId, open)
        return result
      } catch (error) {
        open()
        throw error
      }
    },
  }
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
