/**
 * Copies every row of one database into another, of either dialect, and says what either of them holds: the number of rows and a sum of each
 * table. Both sides are read whole for it, so that equal sums mean equal rows.
 */
import { createHash } from 'node:crypto'

export type RowValue = string | bigint | number | Uint8Array | null
type Row = readonly RowValue[]

export interface RowSource {
  readonly version: number
  readonly tables: readonly string[]
  /** The number of the last entry of the ledger in this state; 0 where there is none. */
  entries(): Promise<number>
  columns(table: string): Promise<readonly string[]>
  /** Groups of rows, all of one consistent state. The values are in the order of `columns`. @param order a column; none: in any order */
  rows(table: string, columns: readonly string[], order?: string): AsyncIterable<readonly Row[]>
  /** The last number that each table gave, null where it gave none. */
  counters(): Promise<ReadonlyMap<string, bigint | null>>
  close(): Promise<void>
}

export interface RowTarget {
  readonly tables: readonly string[]
  columns(table: string): Promise<readonly string[]>
  insert(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void>
  /** Makes triggers, references and indexes of words, and makes the copy durable. */
  finish(last: ReadonlyMap<string, bigint | null>): Promise<void>
  /** Without `finish` before it nothing of the copy stays. */
  close(): Promise<void>
}

/** Where the rows of a station lie. */
export type DatabasePlace =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string }

export interface TableSum {
  readonly rows: number
  /** The sum of the SHA-256 of all rows, modulo 2^256, in hexadecimal: the same in whatever order they come. */
  readonly sum: string
}

export type TableSums = Readonly<Record<string, TableSum>>

/** What a database says of the station in it. */
export interface MarksOfDatabase {
  /** Null: no station has ever been in it. */
  readonly origin: string | null
  readonly entries: number
  readonly arriving: string | null
  readonly moved: string | null
}

/** Names in the table `station` that belong to one place and are neither copied nor counted. */
export const MARKS_OF_PLACE = ['moved', 'arriving'] as const
/** Tables that PostgreSQL alone has: its own work, and indexes of words that are made from the records. */
export const ONLY_POSTGRES: ReadonlySet<string> = new Set([
  'changes',
  'outcomes',
  'schema_version',
  'evidence_words',
  'search_words',
])

/** Tables about the processes at one place, and its keys, which a step of their own carries: neither copied nor counted. */
export const OF_A_PLACE: ReadonlySet<string> = new Set(['nodes', 'task_lease', 'wrapped_keys'])

export type RowProgress = (table: string, rows: number) => void

/** @returns what was read from the source @throws Error where a table or a column of the source has no place in the target */
export async function copyRows(source: RowSource, target: RowTarget, onProgress: RowProgress): Promise<TableSums> {
  const places = new Set(target.tables)
  const homeless = source.tables.find((table) => !places.has(table))
  if (homeless !== undefined) throw new Error(`The table ${homeless} has no place in the other database.`)
  const sums = await sumsOf(source, onProgress, async (table, columns, rows) => {
    await target.insert(table, columns, rows)
  })
  await target.finish(await source.counters())
  return sums
}

/** @param each receives the rows in groups, in the order in which they are read */
export async function sumsOf(
  source: RowSource,
  onProgress: RowProgress,
  each: (table: string, columns: readonly string[], rows: readonly Row[]) => Promise<void> = async () => {},
): Promise<TableSums> {
  const sums: Record<string, TableSum> = {}
  for (const table of source.tables) {
    const columns = (await source.columns(table)).toSorted()
    let count = 0
    let sum = 0n
    for await (const rows of source.rows(table, columns)) {
      await each(table, columns, rows)
      for (const row of rows) sum = (sum + BigInt(`0x${hashOf(row)}`)) & MOST
      count += rows.length
      onProgress(table, count)
    }
    sums[table] = { rows: count, sum: sum.toString(16).padStart(64, '0') }
  }
  return sums
}

const MOST = (1n << 256n) - 1n

/** A value is hashed with its kind and its length: no two rows give the same bytes. */
function hashOf(row: Row): string {
  const hash = createHash('sha256')
  for (const value of row) {
    if (value === null) hash.update('n;')
    else if (typeof value === 'bigint') hash.update(`i${value};`)
    else if (typeof value === 'number') hash.update(`r${value};`)
    else if (typeof value === 'string') hash.update(`s${Buffer.byteLength(value)};${value}`)
    else {
      hash.update(`b${value.length};`)
      hash.update(value)
    }
  }
  return hash.digest('hex')
}

/** The tables in which two sides differ, as sentences; none when they are equal. */
export function differencesOf(one: TableSums, other: TableSums): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].toSorted().flatMap((table) => {
    const [left, right] = [one[table], other[table]]
    if (left === undefined || right === undefined) return [`The table ${table} is on one side only.`]
    if (left.rows !== right.rows) return [`The table ${table} has ${left.rows} rows here and ${right.rows} there.`]
    return left.sum === right.sum ? [] : [`The table ${table} has other rows there: the hashes of its rows differ.`]
  })
}

/** What the thread that copies is asked (row-copy-thread.ts), and what it answers. */
export interface RowCopyRequest {
  readonly from: DatabasePlace
  /** Null: the rows are only added up. */
  readonly to: { readonly place: DatabasePlace; readonly mark: string } | null
}

export type RowCopyAnswer =
  | { readonly table: string; readonly rows: number }
  | { readonly sums: TableSums }
  | { readonly failure: { readonly name: string; readonly message: string } }
