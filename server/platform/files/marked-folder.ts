import { lstat, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './durable.ts'

/** A folder on a volume that may not be connected: where it is not, an empty folder may lie in its place, or another volume. */

/** @returns null where it is no folder, or none is there */
export async function volumeOfFolder(folder: string): Promise<number | null> {
  const found = await lstat(folder).catch(() => null)
  return found?.isDirectory() === true ? found.dev : null
}

/** The volume that a folder lies on now, links followed. @throws the system's error where it is not there */
export const volumeOf = async (folder: string): Promise<number> => (await stat(folder)).dev

export const isOnVolume = async (folder: string, volume: number): Promise<boolean> =>
  (await volumeOf(folder)) === volume

/** What the marker says; null where there is none. @throws what the system says otherwise */
export async function markerIn(folder: string, name: string): Promise<string | null> {
  try {
    return await readFile(join(folder, name), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Whole or not at all, and durable: a marker that was cut off would be somebody else's. */
export async function putMarker(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name)
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
  await syncFolder(folder)
}
