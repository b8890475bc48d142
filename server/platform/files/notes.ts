import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, syncFolder } from './durable.ts'
import { claimPrivateFile } from './private-file.ts'

/** Small texts that are written once and stay, each under a name of its own. */
export interface Notes {
  /** Durable when it resolves; a note that is there already stays as it is. */
  keep(name: string, text: string): Promise<void>
  all(): Promise<string[]>
}

export async function openNotes(folder: string): Promise<Notes> {
  await makeFolder(folder)
  return {
    keep: async (name, text) => {
      const file = await claimPrivateFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return null
        throw error
      })
      if (file === null) return
      await file.write(text)
      await syncFolder(folder)
    },
    all: async () => Promise.all((await readdir(folder)).sort().map((name) => readFile(join(folder, name), 'utf8'))),
  }
}
