import type { FoundFile, FoundFolder, Skipped, WalkEntry } from '../../../platform/files/walk.ts'
import type { Volume } from '../../../platform/volumes/volumes.ts'

/** A file on a card, as the profiles see it. */
export interface CardFile {
  /** The bytes of its path below the root, one character for each: what tells it from every other. */
  readonly key: string
  /** Below the root, with `/`, for people and for what profiles are matched against. */
  readonly path: string
  readonly name: string
  readonly length: number
  /** Milliseconds since 1970, as the filesystem has it. FAT has local time in steps of two seconds. */
  readonly modifiedMs: number
  /** What to open. */
  readonly found: FoundFile
}

export interface CardListing {
  /** Paths below the root. */
  readonly folders: readonly string[]
  readonly files: readonly CardFile[]
  readonly skipped: readonly Skipped[]
}

/** @param entries of one walk of this volume */
export function cardOf(volume: Pick<Volume, 'location'>, entries: Iterable<WalkEntry | FoundFolder>): CardListing {
  const folders: string[] = []
  const files: CardFile[] = []
  const skipped: Skipped[] = []
  for (const entry of entries) {
    if (entry.kind === 'skipped') {
      skipped.push(entry)
      continue
    }
    const below = entry.location.subarray(volume.location.length + (volume.location.at(-1) === 0x2f ? 0 : 1))
    const key = below.toString('latin1')
    const path = entry.path.split('/').slice(-key.split('/').length).join('/')
    if (entry.kind === 'folder') {
      if (key !== '') folders.push(path)
      continue
    }
    files.push({
      key,
      path,
      name: entry.name,
      length: entry.length,
      modifiedMs: Number(entry.modifiedNs / 1_000_000n),
      found: entry,
    })
  }
  return { folders, files, skipped }
}

/** The name without its extension, and that in lower case; a name that begins with its only dot has none. */
export function stemOf(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  return dot <= 0
    ? { stem: name, extension: '' }
    : { stem: name.slice(0, dot), extension: name.slice(dot + 1).toLowerCase() }
}

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Case does not count: most cards do not know it. */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase()

/**
 * Whether a path fits a pattern: `*` stands for any part of a name, `**` at the end for whatever lies below. Work grows with the product of
 * both lengths at most, whatever the names are.
 */
export function fits(path: string, pattern: string): boolean {
  const names = foldCase(path).split('/')
  const parts = foldCase(pattern).split('/')
  const open = parts.at(-1) === '**'
  if (open ? names.length < parts.length : names.length !== parts.length) return false
  return parts.every((part, at) => (open && at === parts.length - 1) || fitsName(names[at] as string, part))
}

function fitsName(name: string, pattern: string): boolean {
  let at = 0
  let star = -1
  let from = 0
  let p = 0
  while (at < name.length) {
    if (pattern[p] === '*') {
      star = p++
      from = at
    } else if (p < pattern.length && pattern[p] === name[at]) {
      p++
      at++
    } else if (star >= 0) {
      // The last star takes one character more; what came before it fits already.
      p = star + 1
      at = ++from
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}
