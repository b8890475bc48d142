import { spaceOf } from '../platform/files/space.ts'
import { faultOf, StorageFault } from './faults.ts'

/**
 * Lets writes through until an outcome is unknown, and refuses all writes from then on (docs/guarantees.md, Durability: never retry an
 * fsync). The kernel may have dropped the pages that it failed to write, so later writes could depend on lost data.
 */
export function createWriteGuard(
  onUnknownOutcome?: (fault: StorageFault) => void,
): <T>(work: () => Promise<T>) => Promise<T> {
  let lost: StorageFault | null = null
  return async (work) => {
    if (lost !== null) throw lost
    try {
      return await work()
    } catch (error) {
      if (error instanceof StorageFault && error.code === 'IoUnknown' && lost === null) {
        lost = error
        onUnknownOutcome?.(error)
      }
      throw error
    }
  }
}

/** Refuses a new file that would take the volume below its floor. Files that are being written count too. @throws StorageFault NoSpace */
export function createSpaceGuard(
  root: string,
  floor: number,
): <T>(bytes: number, work: () => Promise<T>) => Promise<T> {
  let reserved = 0
  return async (bytes, work) => {
    reserved += bytes
    try {
      const { free } = await spaceOf(root).catch((error: unknown) => {
        throw faultOf(error, 'open', root)
      })
      if (free - reserved < floor)
        throw new StorageFault('NoSpace', 'The disk of the evidence store is as full as it may become.', { path: root })
      return await work()
    } finally {
      reserved -= bytes
    }
  }
}
