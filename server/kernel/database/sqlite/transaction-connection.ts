/** SQLite's writer, as transactions use it. */
import { Refused, type TransactionConnection } from '../serial-transactions.ts'
import { SqlFailure, type WriterConnection } from './connections.ts'

export function transactionConnection(writer: WriterConnection): TransactionConnection {
  return {
    dialect: 'sqlite',
    run: writer.run,
    begin: async () => void (await writer.run('BEGIN IMMEDIATE', [])),
    commit: async () => {
      try {
        await writer.run('COMMIT', [])
      } catch (error) {
        // A failed constraint at COMMIT (deferred foreign keys) is a plain failure; everything else is the disk or the file.
        if (!(error instanceof SqlFailure && error.code.startsWith('SQLITE_CONSTRAINT'))) throw error
        await rollback(writer)
        throw new Refused(error)
      }
    },
    rollback: () => rollback(writer),
    runGroup: async (group) => {
      try {
        return await writer.runGroup(group)
      } catch (error) {
        // Everything else failed before a statement ran: an input that does not cross to another thread.
        throw error instanceof SqlFailure ? error : new Refused(error)
      }
    },
  }
}

async function rollback(writer: WriterConnection): Promise<void> {
  try {
    await writer.run('ROLLBACK', [])
  } catch (error) {
    // SQLite rolls back by itself after some failures (a full disk); then there is nothing left to roll back.
    if (!(error instanceof SqlFailure && error.message.includes('no transaction is active'))) throw error
  }
}
