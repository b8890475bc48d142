import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { NO_FOLLOW, NO_WAIT } from './durable.ts'

/** Names in a folder that end so, in order; none where it is not there. @throws what the system says otherwise */
export async function namesEnding(folder: string, ending: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(ending)).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Another text when one of these files came, went or was written to. */
export async function marksOf(folder: string, names: readonly string[]): Promise<string> {
  const mark = (name: string): Promise<string[]> =>
    lstat(join(folder, name), { bigint: true }).then(
      ({ size, mtimeNs, ino }) => [name, String(size), String(mtimeNs), String(ino)],
      () => [name],
    )
  return JSON.stringify(await Promise.all(names.map(mark)))
}

/** A small regular file; links are not followed. @returns why not, as an error, when it cannot be read */
export async function textAt(path: string, most: number): Promise<string | Error> {
  try {
    const file = await open(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT)
    try {
      const stat = await file.stat()
      if (!stat.isFile()) return new Error('is no regular file')
      if (stat.size > most) return new Error(`is longer than ${most} bytes`)
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (error) {
    return new Error(`could not be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
}
