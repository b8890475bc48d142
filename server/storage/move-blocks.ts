/**
 * Copies blocks of open uploads from one place into another. In a folder they are parts of files, in a bucket objects (docs/decisions/0026).
 * Each was acknowledged with its length and hash, and is compared with them where it is read and where it was written.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { copyFileDurably, fileLength, makeFolder, removeTree, sumOf, syncFolder } from '../platform/files/trees.ts'
import { faultOf, StorageFault } from './faults.ts'
import { inLanes } from './move-blobs.ts'
import type { BlobStore, StagedBlocks } from './types.ts'

export interface OpenBlock {
  readonly upload: string
  /** Where it lies at the old place. */
  readonly file: string
  readonly offset: number
  /** Its name at the new place, where it has a file or an object of its own. */
  readonly name: string
  readonly length: number
  readonly sha256: string
  readonly crc32: number
}

interface LocalBlock {
  readonly path: string
  dispose(): Promise<void>
}

export interface BlockPlace {
  /** A file of this machine with the bytes of a block, which may differ from those that were acknowledged. @throws StorageFault */
  read(block: OpenBlock, signal: AbortSignal): Promise<LocalBlock & { readonly sha256: string }>
  /** Reads it under its new name. */
  has(block: OpenBlock, signal: AbortSignal): Promise<boolean>
  /** Makes it durable under its new name, and reads it back. @throws StorageFault ReadBackMismatch, NoSpace, StoreAway … */
  write(block: OpenBlock, path: string, signal: AbortSignal): Promise<void>
}

/** What was acknowledged is not at the old place any more as it was. */
export class BlockLost extends Error {
  override readonly name = 'BlockLost'
  readonly upload: string
  constructor(upload: string, cause: unknown) {
    super(`A block of the upload ${upload} is damaged or gone.`, { cause })
    this.upload = upload
  }
}

export interface MovedBlocks {
  readonly copied: number
  /** Those that were there already, by an earlier run, and have the right hash. */
  readonly present: number
}

export interface BlockMover {
  /**
   * Copies what is not there. Called again it takes only blocks that came since.
   * @param isNeeded whether a row names the block still @throws BlockLost, StorageFault of the new place
   */
  copy(
    blocks: AsyncIterable<OpenBlock>,
    isNeeded: (block: OpenBlock) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<MovedBlocks>
}

/** A bit can be flipped on the way where there is no TLS. */
const READS = 2
/** Faults of what is read, and none of the way to it. */
const LOST = new Set(['BlobMissing', 'BlobDamaged', 'PieceMismatch'])

export function createBlockMover(source: BlockPlace, target: BlockPlace): BlockMover {
  const done = new Set<string>()
  const moveOne = async (block: OpenBlock, signal: AbortSignal): Promise<'copied' | 'present'> => {
    if (await target.has(block, signal)) return 'present'
    const local = await readAsAcknowledged(source, block, signal)
    try {
      await target.write(block, local.path, signal)
    } finally {
      await local.dispose()
    }
    return 'copied'
  }
  return {
    copy: async (blocks, isNeeded, signal) => {
      const moved = { copied: 0, present: 0 }
      await inLanes(blocks, signal, async (block, either) => {
        const key = `${block.upload}/${block.file}/${block.offset}/${block.sha256}`
        if (done.has(key)) return
        try {
          moved[await moveOne(block, either)] += 1
        } catch (error) {
          // Its upload was completed, or the block was sent anew.
          if (error instanceof BlockLost && !(await isNeeded(block))) return
          throw error
        }
        done.add(key)
      })
      return moved
    },
  }
}

/** @throws BlockLost when it is not as it was acknowledged, read twice */
async function readAsAcknowledged(source: BlockPlace, block: OpenBlock, signal: AbortSignal): Promise<LocalBlock> {
  for (let read = 1; ; read++) {
    let problem: unknown = null
    const local = await source.read(block, signal).catch((error: unknown) => {
      if (!(error instanceof StorageFault) || !LOST.has(error.code)) throw error
      problem = error
      return null
    })
    if (local?.sha256 === block.sha256) return local
    await local?.dispose()
    if (read >= READS) throw new BlockLost(block.upload, problem)
  }
}

/** @param folder of the uploads, in a staging area @param store for files on the way */
export function blocksInFolder(store: Pick<BlobStore, 'temporary'>, folder: string): BlockPlace {
  const placeOf = ({ upload, name }: OpenBlock): string => join(folder, upload, name)
  return {
    read: async ({ upload, file, offset, length }, signal) => {
      const { dir, dispose } = await store.temporary('move')
      const [from, path] = [join(folder, upload, file), join(dir, 'block')]
      try {
        const hash = createHash('sha256')
        const bytes = createReadStream(from, { start: offset, end: offset + length - 1 })
        bytes.on('data', (chunk) => hash.update(chunk))
        await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal }).catch(
          (error: unknown) => {
            signal.throwIfAborted()
            if ((error as NodeJS.ErrnoException).code === 'ENOENT')
              throw new StorageFault('BlobMissing', 'A block of an upload is not there.', { path: from })
            throw faultOf(error, 'write', path)
          },
        )
        return { path, sha256: hash.digest('hex'), dispose }
      } catch (error) {
        await dispose()
        throw error
      }
    },
    has: async (block) =>
      (await fileLength(placeOf(block))) === block.length && (await sumOf(placeOf(block))).sha256 === block.sha256,
    write: async (block, path) => {
      const place = placeOf(block)
      const incoming = `${place}-moving`
      await makeFolder(join(folder, block.upload))
      // Of an interrupted move.
      await removeTree(incoming)
      const there = await copyFileDurably(path, incoming).catch((error: unknown) => {
        throw faultOf(error, 'write', incoming)
      })
      if (there.sha256 !== block.sha256 || there.length !== block.length) {
        await removeTree(incoming)
        throw new StorageFault('ReadBackMismatch', 'A block of an upload was not copied as it is.', { path: place })
      }
      await rename(incoming, place)
      await syncFolder(join(folder, block.upload))
    },
  }
}

export const blocksInStore = (blocks: StagedBlocks): BlockPlace => ({
  read: async (block, signal) => {
    const { path, sha256 } = await blocks.join(block.upload, [block], { signal, toFile: true })
    return { path, sha256, dispose: () => removeTree(path) }
  },
  has: ({ upload, name, length, sha256 }) => blocks.has(upload, { file: name, length, sha256 }),
  write: ({ upload, name, length, sha256 }, path) => blocks.keep(upload, { file: name, length, sha256 }, path),
})
