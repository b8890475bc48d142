/**
 * What stands in `sqlite_schema` against what the migrations of that version make. A trigger or view that somebody planted runs with the
 * station's own writes; a trigger that is missing leaves the ledger unguarded.
 */
import Sqlite from 'better-sqlite3'
import type { SqlConnection } from './connections.ts'
import { stepsTo } from '../migrate.ts'
import type { RawDatabase } from './raw.ts'

export interface SchemaDifference {
  readonly what: 'missing' | 'foreign' | 'changed'
  readonly type: 'table' | 'index' | 'trigger' | 'view'
  readonly name: string
  /** A sentence for people. */
  readonly message: string
}

interface SchemaRow {
  readonly type: SchemaDifference['type']
  readonly name: string
  readonly tbl_name: string
  /** Null for the indexes that SQLite makes for a constraint. */
  readonly sql: string | null
}

const ROWS = 'SELECT type, name, tbl_name, sql FROM sqlite_schema'
/** SQLite's own tables of ANALYZE, which may be there or not. */
const STATISTICS = new Set([
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
])
/** A row of `sqlite_schema` may say anything. It is shown as far as a line goes. */
const MOST_NAME = 100

/** @returns none when it is what the migrations of its version make @throws DatabaseNewer, DatabaseBeforeRelease */
export async function schemaDifferences(connection: Pick<SqlConnection, 'run'>): Promise<SchemaDifference[]> {
  const { rows } = await connection.run('PRAGMA user_version', [])
  const found = await connection.run(ROWS, [])
  return compare(found.rows as SchemaRow[], Number((rows[0] as { user_version: number | bigint }).user_version))
}

/** The same on a connection of the calling thread. @throws DatabaseNewer, DatabaseBeforeRelease */
export function schemaDifferencesRaw(db: RawDatabase): SchemaDifference[] {
  return compare(db.prepare(ROWS).all() as SchemaRow[], Number(db.pragma('user_version', { simple: true })))
}

function compare(found: readonly SchemaRow[], version: number): SchemaDifference[] {
  const wanted = new Map(schemaOf(version).map((row) => [keyOf(row), row]))
  const differences: SchemaDifference[] = []
  for (const row of found) {
    const same = wanted.get(keyOf(row))
    wanted.delete(keyOf(row))
    if (same === undefined) {
      if (!STATISTICS.has(row.sql ?? '')) differences.push(difference('foreign', row))
    } else if (same.tbl_name !== row.tbl_name || normalised(same.sql) !== normalised(row.sql))
      differences.push(difference('changed', row))
  }
  for (const row of wanted.values()) differences.push(difference('missing', row))
  return differences
}

const SAYS = {
  missing: 'is missing',
  foreign: 'is not the station’s',
  changed: 'is not as the station made it',
} as const

function difference(what: SchemaDifference['what'], { type, name, tbl_name }: SchemaRow): SchemaDifference {
  const shown = `${name}`.slice(0, MOST_NAME)
  const of = type === 'table' || type === 'view' ? '' : ` of the table ${`${tbl_name}`.slice(0, MOST_NAME)}`
  return { what, type, name, message: `The ${type} ${shown}${of} ${SAYS[what]}.` }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** How triggers, indexes and views become those of the migrations again. Tables are beyond it, since they hold rows. */
export function schemaRepairs(
  differences: readonly SchemaDifference[],
  version: number,
): { readonly statements: readonly string[]; readonly beyond: readonly SchemaDifference[] } {
  const beyond = differences.filter(({ type }) => type === 'table')
  const repairable = differences.filter(({ type }) => type !== 'table')
  const wanted = new Map(schemaOf(version).map((row) => [keyOf(row), row]))
  const removed = repairable.filter(({ what }) => what !== 'missing')
  const made = repairable.filter(({ what }) => what !== 'foreign').map((row) => wanted.get(keyOf(row))?.sql ?? null)
  return {
    statements: [
      ...removed.map(({ type, name }) => `DROP ${type} ${quoted(name)}`),
      ...made.filter((statement) => statement !== null),
    ],
    beyond,
  }
}

/** Two rows of the same type and name cannot both be the station's: the second one is foreign. */
const keyOf = ({ type, name }: Pick<SchemaRow, 'type' | 'name'>): string => `${type} ${name}`

/** Whitespace outside quotes says nothing beside brackets and commas, and elsewhere not how much of it there is; except where it ends a comment. */
function normalised(sql: string | null): string | null {
  if (sql === null || typeof sql !== 'string' || sql.includes('--')) return sql
  return sql
    .replaceAll(
      /'(?:[^']|'')*'|"(?:[^"]|"")*"|\s*([(),])\s*|\s+/g,
      (part, mark?: string) => mark ?? (/^\s/.test(part) ? ' ' : part),
    )
    .trim()
}

const made = new Map<number, readonly SchemaRow[]>()

function schemaOf(version: number): readonly SchemaRow[] {
  let rows = made.get(version)
  if (rows === undefined) {
    const db = new Sqlite(':memory:')
    try {
      for (const step of stepsTo(version)) db.exec(step.sql)
      rows = db.prepare(ROWS).all() as SchemaRow[]
    } finally {
      db.close()
    }
    made.set(version, rows)
  }
  return rows
}
