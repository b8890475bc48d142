/** The rows of a PostgreSQL database in one consistent state, while it may be in use. */
import pg from 'pg'
import {
  type DatabasePlace,
  MARKS_OF_PLACE,
  OF_A_PLACE,
  ONLY_POSTGRES,
  type RowSource,
  type RowValue,
} from '../row-copy.ts'
import { configOf } from './connections.ts'

const ROWS_AT_ONCE = 500
const MARKS = `name NOT IN (${MARKS_OF_PLACE.map((name) => `'${name}'`).join(', ')})`

/** Whole numbers stay whole: times in ticks are beyond what a JavaScript number holds. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20 && format !== 'binary' ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format as 'text'),
}

/** A connection whose whole numbers are bigint. It never ends the process when it breaks. */
export async function connectToCopy(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...configOf(url), types })
  client.on('error', () => {})
  await client.connect()
  return client
}

export const tablesOf = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name COLLATE "C"`,
  )
  return rows.map(({ name }) => name).filter((name) => !ONLY_POSTGRES.has(name) && !OF_A_PLACE.has(name))
}

export const columnsOf = async (client: pg.Client, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`,
    [table],
  )
  return rows.map(({ name }) => name)
}

export async function openPostgresSource({ url }: Extract<DatabasePlace, { kind: 'postgres' }>): Promise<RowSource> {
  const client = await connectToCopy(url)
  try {
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows } = await client.query<{ version: bigint }>('SELECT max(version) AS version FROM schema_version')
    return {
      version: Number(rows[0]?.version),
      tables: await tablesOf(client),
      entries: async () =>
        Number((await client.query('SELECT coalesce(max(seq), 0) AS last FROM ledger')).rows[0]?.last ?? 0),
      columns: (table) => columnsOf(client, table),
      rows: (table, columns, order) => rowsOf(client, table, columns, order),
      counters: () => counters(client),
      close: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

async function* rowsOf(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  order?: string,
): AsyncGenerator<RowValue[][], void, undefined> {
  const where = table === 'station' ? ` WHERE ${MARKS}` : ''
  await client.query(
    `DECLARE copied NO SCROLL CURSOR FOR SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM "${table}"${where}${order === undefined ? '' : ` ORDER BY "${order}"`}`,
  )
  for (;;) {
    const { rows } = await client.query<RowValue[]>({ text: `FETCH ${ROWS_AT_ONCE} FROM copied`, rowMode: 'array' })
    if (rows.length === 0) break
    yield rows
  }
  await client.query('CLOSE copied')
}

async function counters(client: pg.Client): Promise<ReadonlyMap<string, bigint | null>> {
  const { rows } = await client.query<{ table: string; last: bigint | null }>(
    `SELECT c.table_name AS "table", pg_sequence_last_value(pg_get_serial_sequence(format('%I', c.table_name), c.column_name)::regclass) AS last
     FROM information_schema.columns c WHERE c.table_schema = current_schema() AND c.is_identity = 'YES'`,
  )
  return new Map(rows.map(({ table, last }) => [table, last]))
}

/** Bytes that the database takes on its server. */
export async function sizeOfPostgres(url: string): Promise<number> {
  const client = await connectToCopy(url)
  try {
    const { rows } = await client.query<{ size: bigint }>('SELECT pg_database_size(current_database()) AS size')
    return Number(rows[0]?.size ?? 0n)
  } finally {
    await client.end()
  }
}
