/**
 * Compares `sqlite_schema` with the schema that the migrations of its version make. A planted trigger or view would run with the station's
 * own writes; without its triggers the ledger is not protected.
 */
import Sqlite from 'better-sqlite3'
import type { SqlConnection } from './sql-connection.ts'
import { stepsTo } from '../migrate.ts'
import { differenceOf, type SchemaDifference } from '../schema-difference.ts'
import type { RawDatabase } from './raw.ts'

interface SchemaRow {
  readonly type: 'table' | 'index' | 'trigger' | 'view'
  readonly name: string
  readonly tbl_name: string
  /** Null for the indexes that SQLite makes for a constraint. */
  readonly sql: string | null
}

const ROWS = 'SELECT type, name, tbl_name, sql FROM sqlite_schema'
/** SQLite's own tables of ANALYZE, which may exist. */
const STATISTICS = new Set([
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
])

/** @returns the differences from the schema of the migrations @throws DatabaseNewer, DatabaseBeforeRelease */
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
  const expected = new Map(schemaOf(version).map((row) => [keyOf(row), row]))
  const differences: SchemaDifference[] = []
  for (const row of found) {
    const same = expected.get(keyOf(row))
    expected.delete(keyOf(row))
    if (same === undefined) {
      if (!STATISTICS.has(row.sql ?? '')) differences.push(difference('foreign', row))
    } else if (same.tbl_name !== row.tbl_name || normalised(same.sql) !== normalised(row.sql))
      differences.push(difference('changed', row))
  }
  for (const row of expected.values()) differences.push(difference('missing', row))
  return differences
}

const difference = (what: SchemaDifference['what'], { type, name, tbl_name }: SchemaRow): SchemaDifference =>
  differenceOf(what, { type, name, table: type === 'table' || type === 'view' ? null : tbl_name })

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Statements that restore triggers, indexes and views. Tables are in `beyond`: they hold rows and are not repaired. */
export function schemaRepairs(
  differences: readonly SchemaDifference[],
  version: number,
): { readonly statements: readonly string[]; readonly beyond: readonly SchemaDifference[] } {
  const beyond = differences.filter(({ type }) => type === 'table')
  const repairable = differences.filter(({ type }) => type !== 'table')
  const expected = new Map(schemaOf(version).map((row) => [keyOf(row), row]))
  const removed = repairable.filter(({ what }) => what !== 'missing')
  const created = repairable
    .filter(({ what }) => what !== 'foreign')
    .map((row) => expected.get(keyOf(row))?.sql ?? null)
  return {
    statements: [
      ...removed.map(({ type, name }) => `DROP ${type} ${quoted(name)}`),
      ...created.filter((statement) => statement !== null),
    ],
    beyond,
  }
}

/** Of two rows with the same type and name the second one is foreign. */
const keyOf = ({ type, name }: Pick<SchemaDifference, 'type' | 'name'>): string => `${type} ${name}`

/** Removes whitespace differences outside quotes. A text with a comment stays unchanged, since a line end may end the comment. */
function normalised(sql: string | null): string | null {
  if (sql === null || typeof sql !== 'string' || sql.includes('--')) return sql
  return sql
    .replaceAll(
      /'(?:[^']|'')*'|"(?:[^"]|"")*"|\s*([(),])\s*|\s+/g,
      (part, mark?: string) => mark ?? (/^\s/.test(part) ? ' ' : part),
    )
    .trim()
}

const schemas = new Map<number, readonly SchemaRow[]>()

function schemaOf(version: number): readonly SchemaRow[] {
  let rows = schemas.get(version)
  if (rows === undefined) {
    const db = new Sqlite(':memory:')
    try {
      for (const step of stepsTo(version)) db.exec(step.sql)
      rows = db.prepare(ROWS).all() as SchemaRow[]
    } finally {
      db.close()
    }
    schemas.set(version, rows)
  }
  return rows
}
