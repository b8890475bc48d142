import { rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './durable.ts'
import { preallocate } from './space.ts'

/** Bytes of the disk that are kept for worse days (decisions 12), as a file that can be given back. */
export interface ReserveFile {
  /** False while its bytes are given back to the disk. */
  held(): boolean
  /** Gives them back: the ledger can go on recording. */
  release(): Promise<void>
  /** Takes them again. @returns false when there is no room for them. */
  restore(): Promise<boolean>
}

/**
 * Takes the bytes when there is room for them; an unfinished file of an earlier run is completed. A disk that is too full for them is no
 * error: `held` says so.
 */
export async function openReserveFile(path: string, bytes: number): Promise<ReserveFile> {
  let held = false
  const reserve: ReserveFile = {
    held: () => held,
    release: async () => {
      held = false
      await rm(path, { force: true })
      // Filesystems with a journal hand freed blocks out again only once the removal is on the disk.
      await syncFolder(dirname(path))
    },
    restore: async () => {
      try {
        await preallocate(path, bytes)
        held = true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        await reserve.release()
      }
      return held
    },
  }
  const there = await stat(path).catch(() => null)
  if (there !== null && there.size >= bytes) held = true
  else await reserve.restore()
  return reserve
}
