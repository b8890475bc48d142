import { access, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder } from './durable.ts'
import { claimPrivateFile } from './private-file.ts'

/** Small text files that are written once and never change. */
export interface Notes {
  /** Writes a note durably. `name` has no extension. An existing note stays unchanged. */
  keep(name: string, text: string): Promise<void>
  all(): Promise<string[]>
}

export async function openNotes(folder: string): Promise<Notes> {
  await makeFolder(folder)
  return {
    keep: async (name, text) => {
      const path = join(folder, `${name}.txt`)
      if (await isThere(path)) return
      // Written atomically: an incomplete note would look tampered with.
      const temporary = join(folder, `${name}.part`)
      await rm(temporary, { force: true })
      const file = await claimPrivateFile(temporary)
      try {
        await file.write(text)
        await rename(temporary, path)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      await syncFolder(folder)
    },
    all: async () => {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.txt')).sort()
      return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    },
  }
}

/** The name of a numbered note, padded so that names sort like numbers. */
export const noteName = (number: number): string => String(number).padStart(12, '0')

/** The text of one note; null when it is missing. */
export async function noteOf(folder: string, name: string): Promise<string | null> {
  return (await noteNames(folder)).includes(name) ? readFile(join(folder, `${name}.txt`), 'utf8') : null
}

/** Sorted names without extension; none when the folder is missing. */
export async function noteNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder))
      .filter((name) => name.endsWith('.txt'))
      .map((name) => name.slice(0, -'.txt'.length))
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Moves a note into the subfolder `set-aside`, where it does not count and is not replaced. `mark` distinguishes notes of the same name. */
export async function setNoteAside(folder: string, name: string, mark: string): Promise<void> {
  const aside = join(folder, 'set-aside')
  await makeFolder(aside)
  await rename(join(folder, `${name}.txt`), join(aside, `${name}-${mark}.txt`))
  await syncFolder(aside)
  await syncFolder(folder)
}

/** Texts of the notes with numbers as names up to `most`, the highest first; none when the folder is missing. */
export async function newestNotes(folder: string, count: number, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const numbers = (await noteNames(folder)).filter((name) => /^\d+$/.test(name) && Number(name) <= most)
  const newest = numbers.sort((a, b) => Number(b) - Number(a)).slice(0, count)
  return Promise.all(newest.map((name) => readFile(join(folder, `${name}.txt`), 'utf8')))
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}
