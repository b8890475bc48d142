/** The three lists of an export and an import, both ways: what is changed, missing and untracked. */
import { createHash } from 'node:crypto'
import type { DatabasePlace } from '../../../kernel/database/row-copy.ts'
import { openRowSource } from '../../../kernel/database/row-source.ts'
import { coveredTables } from '../../../kernel/database/row-changes.ts'
import type { Database } from '../../../kernel/database/database.ts'
import type { PackageProblem } from '../verify.ts'
import { CARRIED } from './carried.ts'
import type * as files from './export-layout.ts'
import { rowsOf, verifyExport, type OpenedExport } from './read-export.ts'
import { rowLine, type JsonRow } from './row-lines.ts'
import { carriedRows } from './station-part.ts'

export interface Lists {
  readonly changed: readonly string[]
  readonly missing: readonly string[]
  readonly untracked: readonly string[]
}

export const isEmpty = ({ changed, missing, untracked }: Lists): boolean =>
  changed.length + missing.length + untracked.length === 0

export const listsText = (lists: Lists): string =>
  (['changed', 'missing', 'untracked'] as const)
    .map((name) => `${name}: ${lists[name].length}\n${lists[name].map((line) => `  ${line}\n`).join('')}`)
    .join('')

/** Most lines of one list that are kept. */
const MOST = 10_000

export function collectLists() {
  const lists = { changed: [] as string[], missing: [] as string[], untracked: [] as string[] }
  const add = (list: keyof Lists, line: string): void => {
    if (lists[list].length < MOST) lists[list].push(line)
  }
  return {
    lists: lists as Lists,
    add,
    problems: (problems: readonly PackageProblem[]): void => {
      for (const { where, text } of problems) add(listOf(text), `${where}: ${text}`)
    },
  }
}

function listOf(text: string): keyof Lists {
  if (/\bmissing$/.test(text)) return 'missing'
  return text.startsWith('it was added') ? 'untracked' : 'changed'
}

/** Rows by table and key, with a hash of what they hold. */
type Rows = Map<string, string>

const hashOf = (row: JsonRow): string => createHash('sha256').update(rowLine(row)).digest('base64url')

async function keysOf(db: Database): Promise<(table: string, row: JsonRow) => string> {
  const covered = new Map((await coveredTables(db.read)).map(({ table, keyColumns }) => [table, keyColumns]))
  return (table, row) => {
    const columns = covered.get(table)
    // Without a known key a row is what it holds: a changed one is missing there and untracked here.
    const key = columns === undefined ? hashOf(row) : columns.map((name) => JSON.stringify(row[name])).join(', ')
    return `${table} ${key}`
  }
}

/** Tables whose rows are compared by a signed tree head, and not one by one. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['imported_entries'])

const isOf = (table: string, row: JsonRow, importId: number): boolean =>
  table.startsWith('import') && Number(row['import_id']) === importId

export interface StationRows {
  readonly rows: Rows
  readonly blobs: ReadonlySet<string>
}

export async function rowsOfStation(
  { db, database }: { readonly db: Database; readonly database: DatabasePlace },
  between: () => void,
  /** Its own records are none of what was exported. */
  withoutImport: number | null = null,
): Promise<StationRows> {
  const keyOf = await keysOf(db)
  const rows: Rows = new Map()
  const blobs = new Set<string>()
  const source = await openRowSource(database)
  try {
    for await (const [table, some] of carriedRows(source))
      for await (const row of some) {
        between()
        if (NOT_COMPARED.has(table) || (withoutImport !== null && isOf(table, row, withoutImport))) continue
        rows.set(keyOf(table, row), hashOf(row))
      }
    for await (const some of source.rows('blobs', ['sha256'])) for (const [sha256] of some) blobs.add(String(sha256))
    for await (const some of source.rows('forwarded_blobs', ['sha256']))
      for (const [sha256] of some) blobs.delete(String(sha256))
  } finally {
    await source.close()
  }
  return { rows, blobs }
}

/** @param asHere the row as it is written here */
export async function rowsOfExport(
  db: Database,
  opened: OpenedExport,
  between: () => void,
  asHere: (table: string, row: JsonRow) => JsonRow = (_, row) => row,
): Promise<Rows> {
  const keyOf = await keysOf(db)
  const rows: Rows = new Map()
  for (const table of Object.keys(CARRIED)) {
    if (NOT_COMPARED.has(table)) continue
    for await (const row of rowsOf(opened, table)) {
      between()
      const here = asHere(table, row)
      rows.set(keyOf(table, here), hashOf(here))
    }
  }
  return rows
}

/** @param from what should be there @param to what is */
export function compareRows(
  from: ReadonlyMap<string, string>,
  to: ReadonlyMap<string, string>,
  add: (list: keyof Lists, line: string) => void,
): void {
  for (const [key, hash] of from) {
    const found = to.get(key)
    if (found === undefined) add('missing', `row ${key}`)
    else if (found !== hash) add('changed', `row ${key}`)
  }
  for (const key of to.keys()) if (!from.has(key)) add('untracked', `row ${key}`)
}

interface Comparing {
  readonly fingerprint: string
  /** Just made: rows that came to the station since are none of it. Otherwise it is compared with the station as it is. */
  readonly isFirst: boolean
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

/** Reads an export back whole, and compares it with the station. */
export async function compareWithStation(
  deps: { readonly db: Database; readonly database: DatabasePlace },
  folder: string,
  { fingerprint, isFirst, signal, onProgress }: Comparing,
): Promise<{ readonly lists: Lists; readonly about: files.About | null }> {
  const { lists, add, problems } = collectLists()
  const between = (): void => signal.throwIfAborted()
  const found = await verifyExport(folder, {
    fingerprint,
    signal,
    onProgress: (text) => onProgress(`reading back: ${text}`),
  })
  problems(found.problems)
  const { opened } = found
  if (opened === null) return { lists, about: null }
  for (const { sha256, what } of opened.about.broken) add(what, `blob ${sha256}: it is ${what} at the station`)
  const station = await rowsOfStation(deps, between)
  const broken = new Set(opened.about.broken.map(({ sha256 }) => sha256))
  for (const sha256 of opened.blobs.keys())
    if (!station.blobs.has(sha256)) add('untracked', `blob ${sha256}: the station does not have it any more`)
  if (isFirst) return { lists, about: opened.about }
  for (const sha256 of station.blobs)
    if (!opened.blobs.has(sha256) && !broken.has(sha256)) add('missing', `blob ${sha256}: it came after the export`)
  compareRows(station.rows, await rowsOfExport(deps.db, opened, between), add)
  return { lists, about: opened.about }
}
