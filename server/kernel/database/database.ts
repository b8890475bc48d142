import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import type { CompiledQuery, Kysely } from 'kysely'
import { makeWhereNone } from '../../platform/files/trees.ts'
import { createLongReaders } from './long-readers.ts'
import {
  directConnection,
  type ReadingConnection,
  type SqlConnection,
  SqlFailure,
  connectionOnUse,
  workerConnection,
} from './sqlite/connections.ts'
import { kyselyOver, type Tx } from './kysely.ts'
export type { Tx } from './kysely.ts'
import { migrate } from './migrate.ts'
import { openRaw } from './sqlite/raw.ts'
import { rightsVersionOf } from './sqlite/rights-version.ts'
import { MOST_ROWS_AN_ENTRY, TAKE_ROW_CHANGES, watchRows } from './row-changes.ts'
import type { Tables } from './tables.ts'
import { createTurns, type Rank } from './turns.ts'

export interface Database {
  /** Committed state, on a read-only connection of this thread. For short reads. */
  readonly read: Kysely<Tables>
  /**
   * The one writer: BEGIN IMMEDIATE, `work`, COMMIT; one after the other, never two at once. Resolves after the commit is durable.
   * @throws whatever `work` throws (rolled back), or UnknownOutcome when the disk failed under COMMIT.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
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
  /**
   * A long read on a thread of its own, on the first of a few read-only connections that is idle.
   * @param signal of the request: when it aborts before the read has begun, the read never begins @throws the signal's reason
   */
  longRead<R>(query: CompiledQuery<R>, signal?: AbortSignal): Promise<R[]>
  /**
   * The version of all rights (sqlite/rights-version.ts) in what `read` sees in this turn of the event loop, and in what a transaction
   * sees that changes none. Null while a change is under way: then nothing that is remembered counts.
   */
  rightsVersion(): number | null
  close(): Promise<void>
}

/**
 * The disk failed under COMMIT: the change may be there or not (docs/guarantees.md, Durability). Nobody may try again in this process;
 * the station stops taking writes and is started anew, and clients settle it by Idempotency-Key.
 */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome'
}

const LONG_READERS = 2

/** Told after each transaction how many milliseconds it held the writer. Costs nothing while nobody listens. */
const held = channel('sallyport:writer-held')

export interface DatabaseOptions {
  file: string
  /** Called once, when an outcome became unknown. The database refuses every further transaction. */
  onUnknownOutcome?: (error: UnknownOutcome) => void
  /**
   * Before anything is written: sees to it that a full disk does not fail the commit, and that the folder is the one that was opened.
   * Where it rejects nothing is written.
   */
  beforeWrite?: () => Promise<void>
  /** Bytes of the file kept free inside it, and of the WAL kept long, so that a disk that fills in this very moment fails no commit. */
  padding?: number
  /** Given: the database is only read. It is not migrated, and every transaction is refused with this error. */
  refusal?: () => Error
}

/** Opens the database and brings its schema up to date. @throws when a rule of docs/guarantees.md does not hold or a migration fails. */
export async function openDatabase({
  file,
  onUnknownOutcome,
  beforeWrite,
  padding = 0,
  refusal,
}: DatabaseOptions): Promise<Database> {
  // SQLite lays a journal beside the name while it makes a database: where a volume is mounted in that moment the journal would lie beside
  // the database of that volume.
  if (refusal === undefined) await makeWhereNone(file, (fresh) => openRaw(fresh).close())
  const rights = rightsVersionOf(file)
  const writer = await workerConnection(file, refusal !== undefined, rights)
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
  const { inTurn, idle } = serialTransactions(writer, onUnknownOutcome, beforeWrite, async (tx) => last?.(tx))

  const shared = {
    read: kyselyOver(reader),
    rightsVersion: reader.rightsVersion,
    beforeCommit: (work: (tx: Tx) => Promise<void>): void => {
      last = work
    },
    longRead: async <R>(query: CompiledQuery<R>, signal?: AbortSignal): Promise<R[]> =>
      (await longReaders.run(query.sql, query.parameters, signal)).rows as R[],
    close: async (): Promise<void> => {
      await idle()
      await Promise.all([longReaders.close(), reader.close()])
      // Last, so that it can check the WAL in and remove it.
      await writer.close()
    },
  }
  const inBackground: Database = {
    ...shared,
    transaction: (work) => (refusal === undefined ? inTurn('background', work) : Promise.reject(refusal())),
    get inBackground() {
      return inBackground
    },
  }
  const transaction: Database['transaction'] = (work) =>
    refusal === undefined ? inTurn('request', work) : Promise.reject(refusal())
  return { ...shared, transaction, inBackground }
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

interface SerialTransactions {
  inTurn<T>(rank: Rank, work: (tx: Tx) => Promise<T>): Promise<T>
  idle(): Promise<void>
}

function serialTransactions(
  writer: SqlConnection,
  onUnknownOutcome: DatabaseOptions['onUnknownOutcome'],
  beforeWrite: DatabaseOptions['beforeWrite'],
  beforeCommit: (tx: Tx) => Promise<void>,
): SerialTransactions {
  const inside = new AsyncLocalStorage<true>()
  const turns = createTurns()
  let lost: UnknownOutcome | null = null

  const lose = (error: unknown): UnknownOutcome => {
    lost = new UnknownOutcome(
      `The disk failed under a commit; whether it took place is unknown. ${(error as Error).message}`,
      { cause: error },
    )
    onUnknownOutcome?.(lost)
    return lost
  }

  const one = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    if (lost !== null) throw lost
    await beforeWrite?.()
    const began = performance.now()
    try {
      return await committed(work)
    } finally {
      if (held.hasSubscribers) held.publish(performance.now() - began)
    }
  }

  const committed = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    await writer.run('BEGIN IMMEDIATE', [])
    const { tx, end, changed } = openTx(writer)
    let result: T
    try {
      result = await inside.run(true, () => work(tx))
      if (changed()) await inside.run(true, () => beforeCommit(tx))
    } catch (error) {
      end()
      await rollback(writer).catch((failure) => {
        throw lose(failure)
      })
      throw error
    }
    end()
    try {
      await writer.run('COMMIT', [])
    } catch (error) {
      // A failed constraint at COMMIT (deferred foreign keys) is a plain failure; everything else is the disk or the file.
      if (error instanceof SqlFailure && error.code.startsWith('SQLITE_CONSTRAINT')) {
        await rollback(writer)
        throw error
      }
      throw lose(error)
    }
    return result
  }

  return {
    inTurn: (rank, work) =>
      // Waiting for the writer while holding it would wait for ever.
      inside.getStore() === true
        ? Promise.reject(new Error('A transaction was opened inside a transaction'))
        : turns.take(rank, () => one(work)),
    idle: turns.idle,
  }
}

/**
 * A transaction's own way to the writer, which closes when its work has ended. Without that a statement nobody waited for would run
 * after ROLLBACK, outside every transaction, and stay.
 */
function openTx(writer: SqlConnection): { tx: Tx; end: () => void; changed: () => boolean } {
  let ended = false
  let changed = false
  const tx = kyselyOver({
    run: async (sql, parameters) => {
      if (ended) throw new Error('This transaction has ended')
      const taken = sql === TAKE_ROW_CHANGES
      if (taken) changed = false
      else if (!CHANGES_NO_RECORD.test(sql)) changed = true
      const result = await writer.run(sql, parameters)
      if (taken && result.rows.length === MOST_ROWS_AN_ENTRY) changed = true
      return result
    },
    close: () => Promise.reject(new Error('A transaction does not close the database')),
  })
  return {
    tx,
    end: () => {
      ended = true
    },
    /** Whether rows may have been changed since they were last taken into the ledger. */
    changed: () => changed,
  }
}

/** Reads, and the ledger's own entries. */
const CHANGES_NO_RECORD = /^\s*(select|insert into "ledger" )/i

async function rollback(writer: SqlConnection): Promise<void> {
  try {
    await writer.run('ROLLBACK', [])
  } catch (error) {
    // SQLite rolls back by itself after some failures (a full disk); then there is nothing left to roll back.
    if (!(error instanceof SqlFailure && error.message.includes('no transaction is active'))) throw error
  }
}
