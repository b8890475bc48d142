import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { NO_FOLLOW } from './durable.ts'
import { preallocate, spaceOf } from './space.ts'

export interface ReserveFile {
  /** Bytes that can still be released. */
  left(): number
  /** Bytes of one release. */
  readonly step: number
  /**
   * Releases one part of the reserve. A full release would be used up by the program that fills the disk, and a station that restarts on the
   * full disk would have no room to start.
   */
  release(): Promise<void>
  /** Restores the reserve. @returns false while there is no room */
  restore(): Promise<boolean>
}

const MIB = 1024 * 1024
/** A commit may need this much: a WAL of 8 MB, and its pages again in the database at a checkpoint. */
const SMALLEST_STEP = 16 * MIB

/** Opens the reserve file, which is released on a full disk so that database and ledger can still be written (decisions 12). */
export async function openReserve(path: string, bytes: number): Promise<ReserveFile> {
  const step = Math.max(SMALLEST_STEP, Math.ceil(bytes / 16))
  let left = await lengthOf(path)
  const restore = async (): Promise<boolean> => {
    if (left >= bytes) return true
    // On a full disk even the attempt would take the room of database and ledger.
    if ((await spaceOf(dirname(path))).free < 2 * bytes) return false
    try {
      await preallocate(path, bytes)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
    left = await lengthOf(path)
    return left >= bytes
  }
  await restore()
  return {
    left: () => left,
    step,
    release: async () => {
      left = Math.max(0, left - step)
      const file = await open(path, constants.O_WRONLY | NO_FOLLOW)
      try {
        await file.truncate(left)
        await file.sync()
      } finally {
        await file.close()
      }
    },
    restore,
  }
}

async function lengthOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
