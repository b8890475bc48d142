import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { StorageFault } from '../faults.ts'
import type { PieceSum } from './messages.ts'

/** Checksums of one file in one pass: of the whole file and of its acknowledged pieces. */
export interface FileSums {
  /** Bytes in order, without gaps. @throws StorageFault PieceMismatch at the end of the piece that differs */
  update(bytes: Uint8Array): void
  /** @returns the SHA-256 of the whole file @throws StorageFault PieceMismatch when a piece is incomplete */
  finish(): string
}

/** @param pieces in order and without overlap, which the caller ensures; they need not cover the file */
export function fileSums(path: string, pieces: readonly PieceSum[]): FileSums {
  const whole = createHash('sha256')
  let position = 0
  let index = 0
  let current = startPiece(pieces[0])
  const mismatch = (piece: PieceSum): StorageFault =>
    new StorageFault('PieceMismatch', 'The bytes of a block are not those that were acknowledged.', {
      path,
      piece: { offset: piece.offset, length: piece.length },
    })
  const endPiece = (): void => {
    if (current === null) return
    if (!current.isRight()) throw mismatch(current.piece)
    current = startPiece(pieces[++index])
  }
  return {
    update: (bytes) => {
      whole.update(bytes)
      const end = position + bytes.length
      while (current !== null && current.piece.offset + current.piece.length <= end) {
        current.update(bytes, position)
        endPiece()
      }
      if (current !== null && current.piece.offset < end) current.update(bytes, position)
      position = end
    },
    finish: () => {
      while (current !== null && current.piece.length === 0) endPiece()
      if (current !== null) throw mismatch(current.piece)
      return whole.digest('hex')
    },
  }
}

interface RunningPiece {
  readonly piece: PieceSum
  /** Adds the part of `bytes` that belongs to the piece. `bytes` begin at `position` of the file. */
  update(bytes: Uint8Array, position: number): void
  isRight(): boolean
}

function startPiece(piece: PieceSum | undefined): RunningPiece | null {
  if (piece === undefined) return null
  const sha: Hash | null = piece.sha256 === undefined ? null : createHash('sha256')
  let crc = 0
  return {
    piece,
    update: (bytes, position) => {
      const from = Math.max(0, piece.offset - position)
      const to = Math.min(bytes.length, piece.offset + piece.length - position)
      const part = bytes.subarray(from, to)
      sha?.update(part)
      if (piece.crc32 !== undefined) crc = crc32(part, crc)
    },
    isRight: () =>
      (sha === null || sha.digest('hex') === piece.sha256) && (piece.crc32 === undefined || crc === piece.crc32),
  }
}
