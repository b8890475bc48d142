import { spaceOf } from '../platform/files/space.ts'
import { faultOf, StorageFault } from './faults.ts'

/**
 * Lets writing work through until an outcome became unknown; from then on nothing (docs/guarantees.md, Durability: never retry an fsync).
 * The kernel may have dropped the pages that it failed to write: whatever came after would be built on sand.
 */
export function writingGate(
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

/** Refuses a new file that would take the volume below its floor, counting those that are being written. @throws StorageFault NoSpace */
export function spaceGate(root: string, floor: number): <T>(bytes: number, work: () => Promise<T>) => Promise<T> {
  let promised = 0
  return async (bytes, work) => {
    promised += bytes
    try {
      const { free } = await spaceOf(root).catch((error: unknown) => {
        throw faultOf(error, 'open', root)
      })
      if (free - promised < floor)
        throw new StorageFault('NoSpace', 'The disk of the evidence store is as full as it may become.', { path: root })
      return await work()
    } finally {
      promised -= bytes
    }
  }
}
