import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { NO_FOLLOW } from './durable.ts'
import { preallocate, spaceOf } from './space.ts'

export interface ReserveFile {
  /** Bytes that can still be given back. */
  left(): number
  /** Bytes of one release. */
  readonly step: number
  /**
   * Gives a part back to the disk. Not all at once: whoever fills the disk would take it all, and a station that starts again on the
   * full disk would have nothing left to start with.
   */
  release(): Promise<void>
  /** Takes the bytes again. @returns false while there is no room. */
  restore(): Promise<boolean>
}

const MIB = 1024 * 1024
/** One commit may need as much: a WAL that has grown to its 4 MB, and its pages once more in the database when it is checked in. */
const SMALLEST_STEP = 16 * MIB

/** The file that is given back to the disk when it is full, so that database and ledger can go on (decisions 12). */
export async function openReserve(path: string, bytes: number): Promise<ReserveFile> {
  const step = Math.max(SMALLEST_STEP, Math.ceil(bytes / 16))
  let left = await lengthOf(path)
  const restore = async (): Promise<boolean> => {
    if (left >= bytes) return true
    // On a full disk the attempt alone would take what database and ledger still have.
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
