/** State of the desktop program between starts, in one small file. Losing it only loses the window's place. */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { z } from 'zod'
import type { Chosen } from '../../shared/desktop/bridge.ts'

const Place = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  maximized: z.boolean(),
})
export type Place = z.output<typeof Place>

const Page = z.object({
  place: Place.nullable().catch(null),
  /** Whether the notification about the tray was shown when the window was closed for the first time. */
  toldOfTray: z.boolean().catch(false),
})
export type Page = z.output<typeof Page>

export interface Notebook {
  read(): Page
  write(change: Partial<Page>): void
}

export function openNotebook(file: string): Notebook {
  let page: Page = { place: null, toldOfTray: false }
  try {
    page = Page.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // A missing or damaged file counts as empty.
  }
  return {
    read: () => page,
    write: (change) => {
      page = { ...page, ...change }
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        writeFileSync(`${file}.new`, JSON.stringify(page), { mode: 0o600 })
        renameSync(`${file}.new`, file)
      } catch {
        // A full disk must not break the window.
      }
    },
  }
}

/** Describes chosen files and folders for the bridge. Missing ones are left out. */
export function describeChosen(paths: readonly string[]): Chosen[] {
  return paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return []
    const isDirectory = found.isDirectory()
    return [{ path, name: basename(path), size: isDirectory ? 0 : found.size, isDirectory }]
  })
}
