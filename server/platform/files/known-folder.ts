import { type BigIntStats, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'

/**
 * A folder as it was when the station opened it. A volume that is mounted over it, or goes away, puts another one in its place: files
 * that are open stay in the first one, and every name leads into the second.
 */
export interface KnownFolder {
  readonly path: string
  /** Whether another folder is in its place. False where there is none at all: what is open goes on. */
  isReplaced(): boolean
}

/** The data folder of the station is another one than when it was opened. */
export class DataFolderChanged extends Error {
  override readonly name = 'DataFolderChanged'
}

/** @throws the system's error where there is no such folder */
export async function knowFolder(path: string): Promise<KnownFolder> {
  const known = await stat(path, { bigint: true })
  return {
    path,
    isReplaced: () => {
      const found: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false })
      return found !== undefined && (found.dev !== known.dev || found.ino !== known.ino)
    },
  }
}
