import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CARRIED, STAGING } from './layout.ts'

/** Copies that were cut off and wait for their source: a note `<key>.json` and the file that it names, `<key>~<number>`. */

export const partialCopiesFolder = (root: string): string => join(root, STAGING, CARRIED)

const keyOf = (name: string): string => name.replace(/(?:\.json|~.*)$/, '')

/** Removes partial copies that no session waits for. @param waited tells of a key whether a session waits for it */
export async function discardPartialCopies(root: string, waited: (key: string) => boolean): Promise<void> {
  const folder = partialCopiesFolder(root)
  for (const name of await readdir(folder).catch(() => []))
    if (!waited(keyOf(name))) await rm(join(folder, name), { force: true })
}
