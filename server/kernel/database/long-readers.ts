import type { SqlConnection } from './sqlite/connections.ts'
import type { StatementResult } from './sqlite/statements.ts'

/** Long reads over a few connections, each on a thread of its own. */
export interface LongReaders {
  /**
   * Runs on the first connection that is idle; until one is, it waits behind those that came before.
   * @param signal of whoever waits for the rows: a read that has not begun when it aborts never begins. SQLite is not interrupted in the
   * middle of one. @throws the signal's reason
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
      // The last one is the next one: its pages are in its cache, and a thread that is not needed never starts.
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
      const one: Waiting = {
        begin: (connection) => {
          signal?.removeEventListener('abort', giveUp)
          resolve(connection)
        },
      }
      const giveUp = (): void => {
        waiting.delete(one)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      waiting.add(one)
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
