import { type BigIntStats, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'

/**
 * Identifies a folder as it was when the station opened it. Mounting or unmounting a volume puts another folder in its place: open files
 * stay in the first folder, but every path leads into the second.
 */
export interface KnownFolder {
  readonly path: string
  /** Whether another folder has taken its place. False when the folder is missing; open files still work then. */
  isReplaced(): boolean
}

/** The station's data folder was replaced by another one after it was opened. */
export class DataFolderChanged extends Error {
  override readonly name = 'DataFolderChanged'
}

/** @throws the system's error when the folder is missing */
export async function rememberFolder(path: string): Promise<KnownFolder> {
  const known = await stat(path, { bigint: true })
  return {
    path,
    isReplaced: () => {
      const found: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false })
      return found !== undefined && (found.dev !== known.dev || found.ino !== known.ino)
    },
  }
}
