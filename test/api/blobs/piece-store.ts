import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { StagingArea } from '../../../server/evidence/store/staging/staging.ts'
import type { PieceOfFile, PieceStore, StagedBlob } from '../../../server/interfaces/blobs/assemble.ts'

/** The smallest thing that does what completion needs of the blob store: reads pieces back and compares them. Nothing is renamed. */
export function pieceStore(staging: StagingArea): PieceStore {
  const read = async (pieces: readonly PieceOfFile[], path: string): Promise<StagedBlob> => {
    const all = createHash('sha256')
    let length = 0
    const buffer = Buffer.alloc(4 * 2 ** 20)
    for (const piece of pieces) {
      const one = createHash('sha256')
      const file = await open(piece.path)
      for (let at = 0; at < piece.length; ) {
        const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, piece.length - at), piece.offset + at)
        if (bytesRead === 0) throw new Error('A piece is shorter than its row')
        all.update(buffer.subarray(0, bytesRead))
        one.update(buffer.subarray(0, bytesRead))
        at += bytesRead
      }
      await file.close()
      if (one.digest('hex') !== piece.sha256) throw new Error('A piece differs from its row')
      length += piece.length
    }
    return { path, sha256: all.digest('hex'), length, readBack: 'cache' }
  }
  return { adopt: (path, { pieces }) => read(pieces, path), adoptPieces: (pieces) => read(pieces, staging.root) }
}
