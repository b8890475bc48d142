/** Connections to PostgreSQL. Values come as SQLite gives them: whole numbers and truth as numbers, bytes as they are. */
import { createHash } from 'node:crypto'
import pg from 'pg'
import { SqlFailure } from '../sqlite/sql-connection.ts'
import type { StatementResult } from '../sqlite/sql-connection.ts'
import { LARGEST } from './expressions.ts'

/** Object ids of types, from PostgreSQL's catalogue `pg_type`. */
const BOOL = 16
const INT8 = 20
const NUMERIC = 1700

const number = (text: string): number => Number(text)
const truth = (text: string): number => (text === 't' ? 1 : 0)

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary') {
      if (oid === INT8 || oid === NUMERIC) return number
      if (oid === BOOL) return truth
    }
    return pg.types.getTypeParser(oid, format as 'text')
  },
}

/** Milliseconds. A server that does not answer at all must not hold a request. */
const CONNECT_MS = 10_000

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost', ''])

/** TLS with a verified certificate, unless the address says otherwise or names this machine. `sslrootcert=FILE` names the authority. */
export function withVerifiedTls(url: string): string {
  const address = new URL(url)
  if (address.searchParams.has('sslmode') || LOOPBACK.has(address.hostname)) return url
  address.searchParams.set('sslmode', 'verify-full')
  return address.href
}

export const configOf = (url: string): pg.ClientConfig => ({
  connectionString: withVerifiedTls(url),
  types,
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  application_name: 'sallyport',
})

/** Statements are prepared once a connection, up to this number; rarer ones are parsed each time. */
const MOST_PREPARED = 1000
const names = new Map<string, string>()
let generation = 0

/** One statement that reads or changes rows. Several in one text cannot be prepared. */
const PREPARED = /^\s*(?:select|insert|update|delete|with)\b[^;]*$/i

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MOST_PREPARED || !PREPARED.test(text)) return known
  const name = createHash('sha256').update(`${generation} ${text}`).digest('base64url')
  names.set(text, name)
  return name
}

/** After a step of the schema: a prepared statement keeps the columns that it had. The server forgets the old ones with their connection. */
export function prepareAnew(): void {
  generation += 1
  names.clear()
}

/** The server refuses a prepared statement whose columns changed, and did nothing. */
const isOfEarlierSchema = (error: unknown): boolean => {
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** A statement that changes nothing. */
const READS = /^\s*(?:SELECT|WITH)\b(?!.*\b(?:INSERT|UPDATE|DELETE)\b)/is

/**
 * A number as SQLite binds it: none at all is null, and one beyond every id is larger than all of them. No text here holds the character NUL:
 * what is compared with one that does equals nothing, and comes before the others. A statement that writes one is refused by the server.
 */
function bound(value: unknown, text: string): unknown {
  if (typeof value === 'string')
    return value.includes('\0') && READS.test(text) ? value.replaceAll('\0', '\u0001') : value
  if (typeof value !== 'number') return value
  if (Number.isNaN(value)) return null
  if (Math.abs(value) < Number(LARGEST) || (Number.isFinite(value) && !Number.isInteger(value))) return value
  return value > 0 ? LARGEST : -LARGEST
}

interface PostgresResult extends StatementResult {
  /** What the server did: `COMMIT`, or `ROLLBACK` instead of it. */
  readonly command: string
}

/** @throws SqlFailure with the SQLSTATE; `08006` for a connection that was lost */
export async function runOn(
  client: Pick<pg.Client, 'query'>,
  text: string,
  parameters: readonly unknown[],
): Promise<PostgresResult> {
  try {
    const name = nameOf(text)
    const query: pg.QueryConfig = {
      text,
      values: parameters.map((value) => bound(value, text)),
      ...(name === undefined ? {} : { name }),
    }
    const { rows, rowCount, command } = await client.query(query)
    return { rows, changes: rowCount ?? 0, lastInsertRowid: 0, command }
  } catch (error) {
    if (!isOfEarlierSchema(error)) throw failureOf(error)
    prepareAnew()
    return runOn(client, text, parameters)
  }
}

const CONNECTION_LOST = '08006'

/** Only the server says a SQLSTATE. Everything else is of the network: the connection was lost. Its codes can look alike, such as EPIPE. */
export function failureOf(error: unknown): SqlFailure {
  const { message } = error as Error
  return new SqlFailure(message, (error instanceof pg.DatabaseError ? error.code : undefined) ?? CONNECTION_LOST)
}
