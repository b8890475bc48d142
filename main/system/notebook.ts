/** What the shell remembers between starts, in one small file. Losing it costs a window's place and nothing else. */
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
  /** The person was told once that closing the window leaves the station in the tray. */
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
    // New, or damaged: it begins anew.
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
        // A full disk must not take the window down with it.
      }
    },
  }
}

/** What a person chose, as the bridge describes it; what went away meanwhile is left out. */
export function describeChosen(paths: readonly string[]): Chosen[] {
  return paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return []
    const isDirectory = found.isDirectory()
    return [{ path, name: basename(path), size: isDirectory ? 0 : found.size, isDirectory }]
  })
}
