import type { CompiledQuery, Kysely } from 'kysely'
import { createIfMissing } from '../../platform/files/trees.ts'
import { createLongReaders } from './long-readers.ts'
import {
  directConnection,
  type ReadingConnection,
  type SqlConnection,
  connectionOnUse,
  workerConnection,
} from './sqlite/connections.ts'
import { kyselyOver, type Tx } from './kysely.ts'
export type { Tx } from './kysely.ts'
export { UnknownOutcome } from './serial-transactions.ts'
import { migrate } from './migrate.ts'
import { openRaw } from './sqlite/raw.ts'
import { rightsVersionOf } from './rights-version.ts'
import { watchRows } from './sqlite/row-changes.ts'
import type { Tables } from './tables.ts'
import { transactionConnection } from './sqlite/transaction-connection.ts'
import { serialTransactions, type UnknownOutcome } from './serial-transactions.ts'
import type { WritePriority } from './write-queue.ts'
import type { Unit } from './units.ts'

export interface Database {
  /** Committed state, on a read-only connection of this thread. For short reads. */
  readonly read: Kysely<Tables>
  /**
   * The one writer: BEGIN IMMEDIATE, `work`, COMMIT; one after the other, never two at once. Resolves after the commit is durable.
   * @throws whatever `work` throws (rolled back), or UnknownOutcome when the disk failed under COMMIT.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs a unit of work whole on the database's thread. Units that wait share a commit, each in a savepoint of its own; none is answered
   * before the commit is durable. Not inside a transaction.
   * @param now told when the unit begins; milliseconds since 1970
   * @throws what the unit throws, then it left nothing; UnknownOutcome as `transaction`
   */
  run<Input, Output>(named: Unit<Input, Output>, input: Input, now: () => number): Promise<Output>
  /** Whether it was opened with units of work. */
  readonly hasUnits: boolean
  /**
   * The same database for work that nobody sits and waits for (docking, jobs): its transactions let those of requests go first. Of the two
   * kinds neither knows in which order it meets the other; within each, first come is first served.
   */
  readonly inBackground: Database
  /**
   * Called at the end of each transaction in which rows were changed that nobody has taken yet (row-changes.ts). What it throws undoes the
   * transaction. One for each database: the ledger's.
   */
  beforeCommit(work: (tx: Tx) => Promise<void>): void
  /** Calls a listener after each commit that changed rows; a commit of nothing but entries of reads does not count. */
  onRowsChanged(listener: () => void): void
  /**
   * A long read on a thread of its own, on the first of a few read-only connections that is idle.
   * @param signal of the request: when it aborts before the read has begun, the read never begins @throws the signal's reason
   */
  longRead<R>(query: CompiledQuery<R>, signal?: AbortSignal): Promise<R[]>
  /**
   * The version of all rights (rights-version.ts) in what `read` sees in this turn of the event loop, and in what a transaction
   * sees that changes none. Null while a change is under way: then nothing that is remembered counts.
   */
  rightsVersion(): number | null
  close(): Promise<void>
}

const LONG_READERS = 2

export interface DatabaseOptions {
  file: string
  /** Called once, when an outcome became unknown. The database refuses every further transaction. */
  onUnknownOutcome?: (error: UnknownOutcome) => void
  /**
   * Before anything is written: sees to it that a full disk does not fail the commit, and that the folder is the one that was opened.
   * Null: nothing stands in the way. Where it throws or rejects nothing is written.
   */
  beforeWrite?: () => Promise<void> | null
  /** Bytes of the file kept free inside it, and of the WAL kept long, so that a disk that fills in this very moment fails no commit. */
  padding?: number
  /** The module with the units of work (units.ts); where it is not given there are none. */
  units?: URL
  /** Given: the database is only read. It is not migrated, and every transaction is refused with this error. */
  refusal?: () => Error
}

/** Opens the database and brings its schema up to date. @throws when a rule of docs/guarantees.md does not hold or a migration fails. */
export async function openDatabase({
  file,
  onUnknownOutcome,
  beforeWrite,
  padding = 0,
  units,
  refusal,
}: DatabaseOptions): Promise<Database> {
  // SQLite lays a journal beside the name while it makes a database: where a volume is mounted in that moment the journal would lie beside
  // the database of that volume.
  if (refusal === undefined) await createIfMissing(file, (fresh) => openRaw(fresh).close())
  const rights = rightsVersionOf(file)
  const writer = await workerConnection(file, { readOnly: refusal !== undefined, units, rights })
  const opened: SqlConnection[] = [writer]
  let reader: ReadingConnection
  try {
    if (refusal === undefined) {
      // Opened one after the other, the file and its WAL may lie in two folders: a write would spoil a WAL that is another station's.
      await beforeWrite?.()
      await migrate(writer)
      await pad(writer, padding)
      await watchRows(writer)
    }
    reader = directConnection(file, rights)
    opened.push(reader)
    for (let index = 0; index < LONG_READERS; index++) opened.push(connectionOnUse(file))
  } catch (error) {
    // The writer last, as below.
    for (const connection of opened.reverse()) await connection.close()
    throw error
  }
  const longReaders = createLongReaders(opened.slice(2))
  let last: ((tx: Tx) => Promise<void>) | null = null
  const listeners: (() => void)[] = []
  const { inTurn, run, idle } = serialTransactions({
    connection: transactionConnection(writer),
    onUnknownOutcome,
    beforeWrite,
    beforeCommit: async (tx) => last?.(tx),
    rowsChanged: () => {
      for (const listener of listeners) listener()
    },
  })

  const shared = {
    read: kyselyOver(reader),
    hasUnits: units !== undefined,
    rightsVersion: reader.rightsVersion,
    beforeCommit: (work: (tx: Tx) => Promise<void>): void => {
      last = work
    },
    onRowsChanged: (listener: () => void): void => void listeners.push(listener),
    longRead: async <R>(query: CompiledQuery<R>, signal?: AbortSignal): Promise<R[]> =>
      (await longReaders.run(query.sql, query.parameters, signal)).rows as R[],
    close: async (): Promise<void> => {
      await idle()
      await Promise.all([longReaders.close(), reader.close()])
      // Last, so that it can check the WAL in and remove it.
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

/**
 * SQLite takes new pages from its free list before it lengthens the file, and writes its WAL from the start again once it is checked
 * in: both are brought to size here. The WAL is gone with every clean end, so this is done at each start.
 */
async function pad(writer: SqlConnection, bytes: number): Promise<void> {
  if (bytes === 0) return
  await writer.run('BEGIN IMMEDIATE', [])
  await writer.run('INSERT INTO padding (bytes) VALUES (zeroblob(?))', [bytes])
  await writer.run('COMMIT', [])
  await writer.run('DELETE FROM padding', [])
  await writer.run('PRAGMA wal_checkpoint(PASSIVE)', [])
}
