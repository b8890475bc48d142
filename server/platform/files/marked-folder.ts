import { lstat, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './durable.ts'

/** Folders on volumes that may be disconnected. Then an empty folder or another volume may be in their place. */

/** @returns null when the path is missing or not a folder */
export async function volumeOfFolder(folder: string): Promise<number | null> {
  const found = await lstat(folder).catch(() => null)
  return found?.isDirectory() === true ? found.dev : null
}

/** Device number of the folder's current volume, with links followed. @throws the system's error when the folder is missing */
export const volumeOf = async (folder: string): Promise<number> => (await stat(folder)).dev

export const isOnVolume = async (folder: string, volume: number): Promise<boolean> =>
  (await volumeOf(folder)) === volume

/** Text of the marker; null when it is missing. @throws the system's error otherwise */
export async function markerIn(folder: string, name: string): Promise<string | null> {
  try {
    return await readFile(join(folder, name), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Writes the marker atomically and durably. An incomplete marker would look like that of another station. */
export async function putMarker(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name)
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
  await syncFolder(folder)
}
