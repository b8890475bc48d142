/**
 * Copies a PostgreSQL database into a file of SQLite with the same schema version: one consistent state, row by row. `verify` and custody
 * checks read the copy with the same code as a station's own file, and so does a person with SQLite's tools.
 */
import pg from 'pg'
import { type CopyTarget, openCopyTarget } from '../sqlite/copy-target.ts'
import { configOf } from './connections.ts'

const ROWS_AT_ONCE = 2000
/** Indexes of words have another form on each engine; they are made from the records and are not copied. */
const NOT_COPIED = /^(evidence_words|search_words|sqlite_)/

/** Whole numbers stay whole: times in ticks are beyond what a JavaScript number holds. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20 && format !== 'binary' ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format as 'text'),
}

/** @param file must not exist @returns the number of rows of each table */
export async function copyToSqlite(url: string, file: string, signal?: AbortSignal): Promise<Map<string, number>> {
  const client = new pg.Client({ ...configOf(url), types })
  client.on('error', () => {})
  await client.connect()
  let target: CopyTarget | null = null
  try {
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows } = await client.query<{ version: bigint }>('SELECT max(version) AS version FROM schema_version')
    target = openCopyTarget(file, Number(rows[0]?.version))
    const copied = new Map<string, number>()
    for (const table of target.tables.filter((name) => !NOT_COPIED.test(name)))
      copied.set(table, await copyTable(client, target, table, signal))
    target.finish(await counters(client))
    return copied
  } finally {
    target?.close()
    await client.end()
  }
}

async function copyTable(client: pg.Client, target: CopyTarget, table: string, signal?: AbortSignal): Promise<number> {
  const columns = target.columns(table)
  const insert = target.inserter(table)
  await client.query(
    `DECLARE copied NO SCROLL CURSOR FOR SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM "${table}"`,
  )
  let count = 0
  for (;;) {
    signal?.throwIfAborted()
    const { rows } = await client.query<unknown[]>({ text: `FETCH ${ROWS_AT_ONCE} FROM copied`, rowMode: 'array' })
    if (rows.length === 0) break
    insert(rows)
    count += rows.length
  }
  await client.query('CLOSE copied')
  return count
}

/** The last number that each table gave; null where it gave none. */
async function counters(client: pg.Client): Promise<ReadonlyMap<string, bigint | null>> {
  const { rows } = await client.query<{ table: string; last: bigint | null }>(
    `SELECT c.table_name AS "table", pg_sequence_last_value(pg_get_serial_sequence(format('%I', c.table_name), c.column_name)::regclass) AS last
     FROM information_schema.columns c WHERE c.table_schema = current_schema() AND c.is_identity = 'YES'`,
  )
  return new Map(rows.map(({ table, last }) => [table, last]))
}
