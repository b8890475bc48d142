import { access, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder } from './durable.ts'
import { claimPrivateFile } from './private-file.ts'

/** Small texts that are written once and stay, each under a name of its own. */
export interface Notes {
  /** Durable when it resolves. `name` without an ending; a note that is there already stays as it is. */
  keep(name: string, text: string): Promise<void>
  all(): Promise<string[]>
}

export async function openNotes(folder: string): Promise<Notes> {
  await makeFolder(folder)
  return {
    keep: async (name, text) => {
      const path = join(folder, `${name}.txt`)
      if (await isThere(path)) return
      // Whole or not at all: half a note would look like one that somebody changed.
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

/** A note's name by its number, so that the order of the names is that of the numbers. */
export const noteName = (number: number): string => String(number).padStart(12, '0')

/** The text of one note; null where there is none of that name. */
export async function noteOf(folder: string, name: string): Promise<string | null> {
  return (await noteNames(folder)).includes(name) ? readFile(join(folder, `${name}.txt`), 'utf8') : null
}

/** Names without their ending, in order; none where there is no such folder. */
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

/** Moves a note into the folder `set-aside` below, where nobody counts it and nothing replaces it. `mark` tells two of one name apart. */
export async function setNoteAside(folder: string, name: string, mark: string): Promise<void> {
  const aside = join(folder, 'set-aside')
  await makeFolder(aside)
  await rename(join(folder, `${name}.txt`), join(aside, `${name}-${mark}.txt`))
  await syncFolder(aside)
  await syncFolder(folder)
}

/** Texts of notes whose names are numbers, the highest first; none where there is no such folder. */
export async function newestNotes(folder: string, count: number): Promise<string[]> {
  const numbers = (await noteNames(folder)).filter((name) => /^\d+$/.test(name))
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
