import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PARTIAL_COPIES, STAGING } from './layout.ts'

/** Partial copies wait for their source. Each has a note `<key>.json` and the file that it names, `<key>~<number>`. */

export const partialCopiesFolder = (root: string): string => join(root, STAGING, PARTIAL_COPIES)

const keyOf = (name: string): string => name.replace(/(?:\.json|~.*)$/, '')

/** Removes partial copies that no session needs. @param isNeeded whether a session waits for the source of this key */
export async function discardPartialCopies(root: string, isNeeded: (key: string) => boolean): Promise<void> {
  const folder = partialCopiesFolder(root)
  for (const name of await readdir(folder).catch(() => []))
    if (!isNeeded(keyOf(name))) await rm(join(folder, name), { force: true })
}
