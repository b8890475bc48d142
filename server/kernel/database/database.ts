import type { CompiledQuery } from 'kysely'
import { createIfMissing } from '../../platform/files/trees.ts'
import { createLongReaders } from './long-readers.ts'
import {
  connectionOnUse,
  directConnection,
  type ReadingConnection,
  transactionConnection,
  workerConnection,
} from './sqlite/connections.ts'
import type { SqlConnection } from './sqlite/sql-connection.ts'
import { kyselyOver } from './kysely.ts'
export type { Database } from './database-over.ts'
export type { Tx } from './kysely.ts'
export { UnknownOutcome } from './transactions.ts'
import { migrate } from './migrate.ts'
import { openRaw } from './sqlite/raw.ts'
import { rightsVersionOf } from './rights-version.ts'
import { watchRows } from './sqlite/row-changes.ts'
import { type Database, databaseOver } from './database-over.ts'
import type { UnknownOutcome } from './transactions.ts'

const LONG_READERS = 2

/** Bytes of `padding` in a station: enough for a few thousand ledger entries, and for the WAL at the length of a checkpoint (`PAGES_IN_WAL`). */
export const PADDING = 8 * 1024 * 1024

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
  return databaseOver({
    connection: transactionConnection(writer),
    onUnknownOutcome,
    beforeWrite,
    refusal,
    read: kyselyOver(reader),
    hasUnits: units !== undefined,
    rightsVersion: reader.rightsVersion,
    longRead: async <R>(query: CompiledQuery<R>, signal?: AbortSignal): Promise<R[]> =>
      (await longReaders.run(query.sql, query.parameters, signal)).rows as R[],
    close: async () => {
      await Promise.all([longReaders.close(), reader.close()])
      // Last, so that it can check the WAL in and remove it.
      await writer.close()
    },
  })
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
