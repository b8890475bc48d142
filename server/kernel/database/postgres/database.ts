/** The database of a headquarters: PostgreSQL behind the interface that a station's SQLite has (docs/decisions/0022). */
import pg from 'pg'
import type { CompiledQuery } from 'kysely'
import type { Database } from '../database.ts'
import { kyselyOver } from '../kysely.ts'
import { rightsVersionOf } from '../rights-version.ts'
import { serialTransactions, type UnknownOutcome } from '../serial-transactions.ts'
import { isAway, type SqlConnection } from '../sqlite/sql-connection.ts'
import type { WritePriority } from '../write-queue.ts'
import { configOf, failureOf, runOn } from './connections.ts'
import { migratePostgres } from './migrate.ts'
import { openWriter } from './writer.ts'
import type { Tx } from '../kysely.ts'

/** Connections for short reads, and for long ones, which must not take all of them. */
const READERS = 8
const LONG_READERS = 2

export interface PostgresOptions {
  /** Given: every transaction is refused with this error. */
  readonly refusal?: () => Error
  /** `postgres://…`; TLS is verified unless the address says otherwise. */
  readonly url: string
  readonly onUnknownOutcome?: (error: UnknownOutcome) => void
  readonly beforeWrite?: () => Promise<void> | null
  readonly units?: URL
}

/** @throws DatabaseUnsuitable, DatabaseInUse, DatabaseNewer, DatabaseBeforeRelease, SqlFailure */
export async function openPostgres({
  url,
  onUnknownOutcome,
  beforeWrite,
  units,
  refusal,
}: PostgresOptions): Promise<Database> {
  await migratePostgres(url, { readOnly: false })
  const rights = rightsVersionOf(url)
  const writer = await openWriter({ url, units, rights })
  const readers = pool(url, READERS)
  const longReaders = pool(url, LONG_READERS)
  let last: ((tx: Tx) => Promise<void>) | null = null
  const listeners: (() => void)[] = []
  const { inTurn, run, idle } = serialTransactions({
    connection: writer,
    onUnknownOutcome,
    beforeWrite,
    beforeCommit: async (tx) => last?.(tx),
    rowsChanged: () => {
      for (const listener of listeners) listener()
    },
  })
  const shared = {
    read: kyselyOver(readersConnection(readers), 'postgres'),
    hasUnits: units !== undefined,
    rightsVersion: rights.stable,
    beforeCommit: (work: (tx: Tx) => Promise<void>): void => {
      last = work
    },
    onRowsChanged: (listener: () => void): void => void listeners.push(listener),
    longRead: <R>(query: CompiledQuery<R>, signal?: AbortSignal): Promise<R[]> => longRead(longReaders, query, signal),
    close: async (): Promise<void> => {
      await idle()
      await Promise.all([readers.end(), longReaders.end()])
      await writer.close()
    },
  }
  const writes = (rank: WritePriority): Pick<Database, 'transaction' | 'run'> => ({
    transaction: (work) => (refusal === undefined ? inTurn(rank, work) : Promise.reject(refusal())),
    run: (named, input, now) => (refusal === undefined ? run(rank, named, input, now) : Promise.reject(refusal())),
  })
  const inBackground: Database = {
    ...shared,
    ...writes('background'),
    get inBackground() {
      return inBackground
    },
  }
  return { ...shared, ...writes('request'), inBackground }
}

function pool(url: string, max: number): pg.Pool {
  const made = new pg.Pool({ ...configOf(url), max, options: '-c default_transaction_read_only=on' })
  // A connection that ends is replaced with the next read. Without listeners its end would end the process.
  made.on('error', () => {})
  made.on('connect', (client) => client.on('error', () => {}))
  return made
}

/** Each statement on a connection of its own: it sees what was committed when it began. */
const readersConnection = (readers: pg.Pool): SqlConnection => ({
  run: async (text, parameters) => {
    const client = await connected(readers)
    return using(client, () => runOn(client, text, parameters))
  },
  close: () => readers.end(),
})

/** The server stops a read whose request ended. */
async function longRead<R>(readers: pg.Pool, query: CompiledQuery<R>, signal?: AbortSignal): Promise<R[]> {
  signal?.throwIfAborted()
  const client = await connected(readers)
  const stop = (): void => {
    const { processID } = client as unknown as { processID: number }
    readers.query('SELECT pg_cancel_backend($1)', [processID]).catch(() => {})
  }
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return (await using(client, () => runOn(client, query.sql, query.parameters))).rows as R[]
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

const connected = (readers: pg.Pool): Promise<pg.PoolClient> =>
  readers.connect().catch((error: unknown) => {
    throw failureOf(error)
  })

/** Gives the connection back; a broken one is closed. */
async function using<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  let broken = false
  try {
    return await work()
  } catch (error) {
    broken = isAway(error)
    throw error
  } finally {
    client.release(broken)
  }
}
