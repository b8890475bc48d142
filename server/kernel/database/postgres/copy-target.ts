/**
 * A PostgreSQL database that takes the rows of another one, in one transaction: until it commits, nobody sees any of them, and a process that
 * is killed leaves the database as it was.
 */
import type pg from 'pg'
import type { DatabasePlace, MarksOfDatabase, RowTarget, RowValue } from '../row-copy.ts'
import { columnsOf, connectToCopy, tablesOf } from './copy-source.ts'
import { migratePostgres } from './migrate.ts'
import { ROW_CHANGES_TABLE } from './row-changes.ts'

/** Held while rows are copied: two moves into one database at a time would wait for each other for hours. */
const COPY_LOCK = 7_460_017
/** A statement of PostgreSQL takes no more parameters than 65,535. */
const MOST_PARAMETERS = 30_000

/** As the triggers make them (schema/search.ts, schema/evidence-list.ts). */
const MAKE_WORDS = [
  'SELECT count(refresh_words(evidence_id)::text) FROM evidence',
  'SELECT count(search_case_words(case_id)::text) FROM cases',
  'SELECT count(search_evidence_words(evidence_id)::text) FROM evidence',
  'SELECT count(search_principal_words(principal_id)::text) FROM principals',
  'SELECT count(search_device_words(device_id)::text) FROM devices',
]

/** The database is taken by another move. */
export class CopyInProgress extends Error {
  override readonly name = 'CopyInProgress'
}

/**
 * @param mark kept in the table `station` under `arriving`, in the same transaction as the rows
 * @throws DatabaseUnsuitable, DatabaseNewer, CopyInProgress, Error
 */
export async function openPostgresTarget(
  { url }: Extract<DatabasePlace, { kind: 'postgres' }>,
  mark: string,
): Promise<RowTarget> {
  await migratePostgres(url, { readOnly: false })
  const client = await connectToCopy(url)
  try {
    const { rows } = await client.query<{ mine: boolean }>(`SELECT pg_try_advisory_lock(${COPY_LOCK}) AS mine`)
    if (rows[0]?.mine !== true) throw new CopyInProgress('Another move into this database is under way.')
    await client.query('BEGIN')
    const tables = await tablesOf(client)
    const references = await dropReferences(client)
    for (const table of tables) await client.query(`ALTER TABLE "${table}" DISABLE TRIGGER USER`)
    await client.query(
      `TRUNCATE ${[...tables, 'evidence_words', 'search_words'].map((name) => `"${name}"`).join(', ')}`,
    )
    return {
      tables,
      columns: (table) => columnsOf(client, table),
      insert: (table, columns, given) => insertRows(client, table, columns, given),
      finish: async (last) => {
        await client.query("INSERT INTO station (name, value) VALUES ('arriving', $1)", [mark])
        await continueNumbers(client, last)
        for (const statement of MAKE_WORDS) await client.query(statement)
        for (const statement of references) await client.query(statement)
        for (const table of tables) await client.query(`ALTER TABLE "${table}" ENABLE TRIGGER USER`)
        await client.query('COMMIT')
        await client.query('ANALYZE')
      },
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

/** Rows come table by table: a reference may come before what it names. Making them again checks every one. @returns the statements that do */
async function dropReferences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS "table", conname AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY 1, 2`,
  )
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`)
  return rows.map(({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT "${name}" ${definition}`)
}

async function insertRows(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly RowValue[])[],
): Promise<void> {
  const atOnce = Math.max(1, Math.floor(MOST_PARAMETERS / columns.length))
  const names = columns.map((name) => `"${name}"`).join(', ')
  for (let from = 0; from < rows.length; from += atOnce) {
    const group = rows.slice(from, from + atOnce)
    const places = group.map(
      (_, row) => `(${columns.map((__, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
    )
    await client
      .query(`INSERT INTO "${table}" (${names}) VALUES ${places.join(', ')}`, group.flat())
      .catch((error: Error) => {
        throw new Error(`PostgreSQL does not take rows of the table ${table}: ${error.message}`, { cause: error })
      })
  }
}

/** New rows get numbers behind every number that was ever given. */
async function continueNumbers(client: pg.Client, last: ReadonlyMap<string, bigint | null>): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_identity = 'YES'`,
  )
  for (const { table, column } of rows) {
    const { rows: found } = await client.query<{ most: bigint | null }>(
      `SELECT max("${column}") AS most FROM "${table}"`,
    )
    const given = last.get(table) ?? null
    const most = found[0]?.most ?? null
    const number = given === null ? most : most === null || given > most ? given : most
    // SQLite writes 0 where rows came and went without a number of their own.
    if (number !== null && number > 0n)
      await client.query(`SELECT setval(pg_get_serial_sequence(format('%I', $1::text), $2), $3)`, [
        table,
        column,
        number,
      ])
  }
}

/** Marks a database in which nothing is as one that a move fills: until rows come, a station must not begin in it. */
export async function markArrivingInPostgres(url: string, mark: string): Promise<void> {
  await migratePostgres(url, { readOnly: false })
  const client = await connectToCopy(url)
  try {
    // The triggers of the schema want it.
    await client.query(ROW_CHANGES_TABLE)
    await client.query(
      "INSERT INTO station (name, value) VALUES ('arriving', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [mark],
    )
  } finally {
    await client.end()
  }
}

/** What lies in a database, without changing it. @throws DatabaseUnsuitable, DatabaseNewer, DatabaseBeforeRelease, or that it cannot be reached */
export async function marksInPostgres(url: string): Promise<MarksOfDatabase> {
  const client = await connectToCopy(url)
  try {
    await migratePostgres(url, { readOnly: true })
    const { rows } = await client.query<{ there: boolean }>(`SELECT to_regclass('station') IS NOT NULL AS there`)
    if (rows[0]?.there !== true) return { origin: null, entries: 0, arriving: null, moved: null }
    const { rows: values } = await client.query<{ name: string; value: string }>('SELECT name, value FROM station')
    const { rows: ledger } = await client.query<{ entries: bigint }>('SELECT count(*) AS entries FROM ledger')
    const value = (name: string): string | null => values.find((row) => row.name === name)?.value ?? null
    return {
      origin: value('origin'),
      entries: Number(ledger[0]?.entries ?? 0n),
      arriving: value('arriving'),
      moved: value('moved'),
    }
  } finally {
    await client.end()
  }
}
