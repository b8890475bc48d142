import type { SqlConnection, StatementResult } from './sqlite/sql-connection.ts'

/** Runs long reads on a few connections, each on its own thread. */
export interface LongReaders {
  /**
   * Runs on the first idle connection. Reads wait in the order of the calls.
   * @param signal aborts a read that has not begun. A running read of SQLite is not interrupted. @throws the signal's reason
   */
  run(sql: string, parameters: readonly unknown[], signal?: AbortSignal): Promise<StatementResult>
  close(): Promise<void>
}

interface Waiting {
  begin(connection: SqlConnection): void
}

export function createLongReaders(connections: readonly SqlConnection[]): LongReaders {
  const idle = [...connections]
  const waiting = new Set<Waiting>()

  const next = (connection: SqlConnection): void => {
    const [first] = waiting
    if (first === undefined) {
      // The connection used last is used next: its cache is warm, and threads that are not needed do not start.
      idle.unshift(connection)
      return
    }
    waiting.delete(first)
    first.begin(connection)
  }
  const connectionFor = (signal: AbortSignal | undefined): Promise<SqlConnection> => {
    const free = idle.shift()
    if (free !== undefined) return Promise.resolve(free)
    return new Promise((resolve, reject) => {
      const waiter: Waiting = {
        begin: (connection) => {
          signal?.removeEventListener('abort', giveUp)
          resolve(connection)
        },
      }
      const giveUp = (): void => {
        waiting.delete(waiter)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      waiting.add(waiter)
    })
  }

  return {
    run: async (sql, parameters, signal) => {
      signal?.throwIfAborted()
      const connection = await connectionFor(signal)
      try {
        return await connection.run(sql, parameters)
      } finally {
        next(connection)
      }
    },
    close: async () => {
      await Promise.all(connections.map((connection) => connection.close()))
    },
  }
}
