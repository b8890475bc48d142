import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { NO_FOLLOW, NO_WAIT } from './durable.ts'

/** Sorted names in a folder with this ending; none when the folder is missing. @throws the system's error otherwise */
export async function namesEnding(folder: string, ending: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(ending)).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** A text that changes when one of these files is added, removed or written. */
export async function marksOf(folder: string, names: readonly string[]): Promise<string> {
  const mark = (name: string): Promise<string[]> =>
    lstat(join(folder, name), { bigint: true }).then(
      ({ size, mtimeNs, ino }) => [name, String(size), String(mtimeNs), String(ino)],
      () => [name],
    )
  return JSON.stringify(await Promise.all(names.map(mark)))
}

/** Reads a small regular file; links are not followed. @returns an error with the reason when it cannot be read */
export async function textAt(path: string, most: number): Promise<string | Error> {
  try {
    const file = await open(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT)
    try {
      const stat = await file.stat()
      if (!stat.isFile()) return new Error('is not a regular file')
      if (stat.size > most) return new Error(`is longer than ${most} bytes`)
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    return new Error(`could not be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
}
