import { randomUUID } from 'node:crypto'
import type { PartSums } from '../../../storage/staging/staging.messages.ts'
import type { StagingArea } from '../../../storage/staging/staging.ts'
import { type StagedBlocks, StorageFault } from '../../../storage/store.ts'
import { BlobFault } from './blobs.faults.ts'
import type { Place } from './placement.ts'

/** Blocks on their way through the staging area of this node into an object store. A block has one name, made here, in both. */
export interface StagedObjects {
  /** A file in the staging area for one sender. */
  reserve(): Promise<Place>
  /**
   * Keeps a received block as an object, and then runs `commit`, which writes its row. Removes the object that no row names: this one after
   * a refusal, or the one whose place it took. After an unknown outcome all stay, and the sweep decides.
   * @throws BlobFault, and what `commit` throws
   */
  keep<T>(
    resourceId: number,
    file: string,
    sums: PartSums,
    commit: () => Promise<{ result: T; unneeded: string | null }>,
  ): Promise<T>
  removeLocal(file: string): Promise<void>
  /** At start, when there are no senders. */
  removeAllLocal(): Promise<void>
}

/** The folder of the staging area for all blocks on their way. */
const INCOMING = 'incoming'

export function stagedObjects(staging: StagingArea, blocks: StagedBlocks): StagedObjects {
  const removeObject = (resourceId: number, file: string): Promise<void> =>
    // The sweep removes what stays.
    blocks.remove(String(resourceId), file).catch(() => {})
  return {
    reserve: async () => {
      // Random: nothing that a sender chose becomes part of a key, and no two blocks have the same one.
      const file = `b-${randomUUID()}`
      await staging.ensure(INCOMING, file)
      return { upload: INCOMING, file, offset: 0, stride: null, release: () => {} }
    },
    keep: async (resourceId, file, { length, sha256 }, commit) => {
      const block = { file, length, sha256 }
      if (length > 0)
        await blocks.keep(String(resourceId), block, staging.pathOf(INCOMING, file)).catch((error: unknown) => {
          throw storeFault(error)
        })
      const { result, unneeded } = await commit().catch(async (error: unknown) => {
        if (error instanceof BlobFault && length > 0) await removeObject(resourceId, file)
        throw error
      })
      if (unneeded !== null && (unneeded !== file || length > 0)) await removeObject(resourceId, unneeded)
      return result
    },
    removeLocal: (file) => staging.remove(INCOMING, file),
    removeAllLocal: async () => {
      for (const file of await staging.files(INCOMING)) await staging.remove(INCOMING, file)
    },
  }
}

/** A store that is full refuses the block; one that does not answer asks the sender to repeat it. */
function storeFault(error: unknown): unknown {
  if (!(error instanceof StorageFault)) return error
  if (error.code === 'NoSpace') return new BlobFault('InsufficientStorage')
  if (error.code === 'StoreAway' || error.code === 'ReadBackMismatch') return new BlobFault('ServerBusy')
  return error
}
