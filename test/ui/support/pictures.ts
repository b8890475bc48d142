/** Where the pictures of screens go: into `screens/`, which git does not keep; those that the documents show into docs/screens. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Names of the pictures that the documents show; the repository keeps these alone. */
export const IN_DOCUMENTS: ReadonlySet<string> = new Set([
  'case-light',
  'disposition-due-light',
  'dock-wall-light',
  'evidence-list-light',
  'evidence-page-light',
  'search-found-light',
])

/** @param folder where all go instead. Makes the folder. @returns the file of a picture of this name */
export function pictureFile(name: string, folder?: string): string {
  const place = folder ?? path.join(ROOT, IN_DOCUMENTS.has(name) ? 'docs/screens' : 'screens')
  mkdirSync(place, { recursive: true })
  return path.join(place, `${name}.webp`)
}
