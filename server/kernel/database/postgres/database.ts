/** The database of a headquarters: PostgreSQL behind the interface that a station's SQLite has (docs/decisions/0022). */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { CompiledQuery } from 'kysely'
import { type Database, databaseOver, type NewsOfNodes } from '../database-over.ts'
import { kyselyOver, runCompiled, type Tx } from '../kysely.ts'
import type { UnknownOutcome } from '../transactions.ts'
import { isAway, type SqlConnection } from '../sqlite/sql-connection.ts'
import { configOf, failureOf, runOn } from './connections.ts'
import { migratePostgres } from './migrate.ts'
import { joinNodes, type NodeLink, type NodeSelf } from './node-link.ts'
import { sharedRead } from './shared-read.ts'
import { openWriter } from './writer.ts'

/** Connections for short reads, and for long ones, which must not take all of them. */
const READERS = 8
const LONG_READERS = 2
/** Connections that write. All but the first run only groups of units that lock their rows. */
const WRITERS = 2

/** To compile a query takes longer than nearly all queries here; the server would decide by costs, which are far too high for a page of a list. */
const READING = '-c default_transaction_read_only=on -c client_connection_check_interval=1000 -c jit=off'
/**
 * Planned for what is asked: a plan for any word would be a plan for none of them, rare or common. With the server's 4 MB, places of 200,000 rows
 * would be kept by their pages alone, and all rows of these read.
 */
const READING_LONG = `${READING} -c plan_cache_mode=force_custom_plan -c work_mem=64MB`
/** Where few of these rows are read: with 4 MB the index of words gives 250,000 places in 65 ms, and with 64 MB in 170. */
const READING_FEW = `${READING} -c plan_cache_mode=force_custom_plan -c work_mem=4MB`

export interface PostgresOptions {
  /** Given: every transaction is refused with this error. */
  readonly refusal?: () => Error
  /** `postgres://…`; TLS is verified unless the address says otherwise. */
  readonly url: string
  readonly onUnknownOutcome?: (error: UnknownOutcome) => void
  readonly beforeWrite?: () => Promise<void> | null
  readonly units?: URL
  /** Connections that write; with one of them every group has the lock of the database alone. For measurements. */
  readonly writers?: number
}

export interface PostgresDatabase extends Database {
  /**
   * Enters this process into the list of nodes, and hears of the commits of the others from then on. `close` leaves the list.
   * @param onLost called once when this process must end: another one took its identity or its place
   * @throws NodeRefused
   */
  joinNodes(self: NodeSelf, onLost: (reason: string) => void): Promise<NodeLink>
}

/** @throws DatabaseUnsuitable, DatabaseNewer, DatabaseBeforeRelease, SqlFailure */
export async function openPostgres({
  url,
  onUnknownOutcome,
  beforeWrite,
  units,
  refusal,
  writers = WRITERS,
}: PostgresOptions): Promise<PostgresDatabase> {
  await migratePostgres(url, { readOnly: false, besideNewer: true })
  const mark = randomUUID()
  const writer = await openWriter({ url, units, mark })
  const beside = await Promise.all(Array.from({ length: writers - 1 }, () => openWriter({ url, units, mark })))
  const readers = pool(url, READERS, READING)
  const longReaders = pool(url, LONG_READERS, READING_LONG)
  const readersOfFew = pool(url, LONG_READERS, READING_FEW)
  const read = kyselyOver(readersConnection(readers), 'postgres')
  const committedRights = sharedRead(() => committedVersion(read))
  let news: NewsOfNodes = { rowsChanged: () => {}, told: () => {} }
  let link: NodeLink | null = null
  const database = databaseOver({
    connection: writer,
    beside,
    onUnknownOutcome,
    beforeWrite,
    refusal,
    read,
    hasUnits: units !== undefined,
    rightsVersion: (from) => (from === undefined || from === read ? committedRights() : writer.rightsVersion()),
    longRead: (query, signal, passes) => longRead(passes === 'few' ? readersOfFew : longReaders, query, signal),
    announce: (tell) => {
      news = tell
    },
    close: async () => {
      await link?.leave()
      await Promise.all([readers.end(), longReaders.end(), readersOfFew.end()])
      await Promise.all([writer, ...beside].map((one) => one.close()))
    },
  })
  const join: PostgresDatabase['joinNodes'] = async (self, onLost) => {
    link = await joinNodes({ url, self, mark, news, onLost })
    return link
  }
  return { ...database, joinNodes: join }
}

async function committedVersion(read: Tx): Promise<string> {
  const [row] = (await runCompiled(read, 'SELECT rights FROM changes', [])) as { rights: string }[]
  if (row === undefined) throw new Error('The table changes has lost its row')
  return row.rights
}

function pool(url: string, max: number, options: string): pg.Pool {
  const made = new pg.Pool({ ...configOf(url), max, options })
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

/**
 * The connection of a read whose request ended is closed, and the server then stops the read (`client_connection_check_interval`). To cancel
 * by the number of the session could meet the next read on the same connection.
 */
async function longRead<R>(readers: pg.Pool, query: CompiledQuery<R>, signal?: AbortSignal): Promise<R[]> {
  signal?.throwIfAborted()
  const client = await connected(readers)
  const stop = (): void => {
    void (client as pg.PoolClient & Pick<pg.Client, 'end'>).end().catch(() => {})
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
