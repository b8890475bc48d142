import { stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './durable.ts'
import { preallocate, spaceOf } from './space.ts'

export interface ReserveFile {
  held(): boolean
  release(): Promise<void>
  /** @returns false when there is no room. */
  restore(): Promise<boolean>
}

/** The file that is given back to the disk when it is full, so that database and ledger can go on (decisions 12). */
export async function openReserve(path: string, bytes: number): Promise<ReserveFile> {
  let held = bytes === 0 || (await lengthOf(path)) === bytes
  const restore = async (): Promise<boolean> => {
    if (held) return true
    // On a full disk the attempt alone would take what database and ledger still have.
    if ((await spaceOf(dirname(path))).free < 2 * bytes) return false
    try {
      await preallocate(path, bytes)
      held = true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      await unlink(path).catch(() => {})
    }
    return held
  }
  await restore()
  return {
    held: () => held && bytes > 0,
    release: async () => {
      held = false
      await unlink(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
      await syncFolder(dirname(path))
    },
    restore,
  }
}

async function lengthOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch {
    return null
  }
}
