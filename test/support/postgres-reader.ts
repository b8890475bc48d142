/**
 * Rows of a PostgreSQL database as tests read and change them beside the station: with the calls of better-sqlite3, so that one test is of
 * both databases. Those calls wait, and so do these: a thread asks the server meanwhile.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { WRITE_LOCK } from '../../server/kernel/database/postgres/writer.ts'
import type { RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import type { Answered, Asked } from './postgres-reader.worker.ts'

/** Milliseconds. A lock of the station's own transaction is never released while its thread waits here. */
const LONGEST = 20_000

type Rows = Extract<Answered, { rows: unknown }>

let port: MessagePort | null = null

function startThread(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(new URL('./postgres-reader.worker.ts', import.meta.url), {
    workerData: port2,
    transferList: [port2],
  })
  worker.unref()
  port1.unref()
  return port1
}

function ask(url: string, text: string, parameters: readonly unknown[] = []): Rows {
  port ??= startThread()
  const signal = new SharedArrayBuffer(4)
  port.postMessage({ url, text, parameters, signal } satisfies Asked)
  if (Atomics.wait(new Int32Array(signal), 0, 0, LONGEST) === 'timed-out') throw new Error(`no answer to: ${text}`)
  const answered = receiveMessageOnPort(port)?.message as Answered
  if ('message' in answered) throw Object.assign(new Error(`${answered.message} (${text})`), { code: answered.code })
  return answered
}

/** `?` outside of quotes become `$1`, `$2` and so on. */
function numbered(text: string): string {
  let at = 0
  return text.replaceAll(/'[^']*'|\?/g, (found) => (found === '?' ? `$${++at}` : found))
}

/** Bytes arrive from the thread as plain arrays. */
const valueOf = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value

const rowOf = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, valueOf(value)]))

/** Reads as from the file of SQLite. Statements in words of SQLite's own fail. */
export function readerOf(url: string): RawDatabase {
  const prepare = (text: string, plucks = false): unknown => {
    const statement = numbered(text)
    const rowsFor = (parameters: unknown[]): unknown[] => {
      const rows = ask(url, statement, parameters.flat()).rows.map(rowOf)
      return plucks ? rows.map((row) => Object.values(row)[0]) : rows
    }
    return {
      pluck: () => prepare(text, true),
      all: (...parameters: unknown[]) => rowsFor(parameters),
      get: (...parameters: unknown[]) => rowsFor(parameters)[0],
      run: (...parameters: unknown[]) => {
        // The id is the first column of each table that gives one. The last value of a sequence may be a trigger's.
        const returning = /^\s*insert\b/i.test(statement) && !/\breturning\b/i.test(statement) ? ' RETURNING *' : ''
        const { changes, rows } = ask(url, statement + returning, parameters.flat())
        return { changes, lastInsertRowid: Number(Object.values(rows.at(-1) ?? {})[0]) }
      },
    }
  }
  // Connections belong to the thread.
  const close = (): void => {}
  return { prepare, exec: (text: string) => void ask(url, text), close } as unknown as RawDatabase
}

/** Writes past the station in one transaction, as soon as no node is in one. */
export async function meddleWithPostgres<T>(url: string, work: (db: RawDatabase) => T): Promise<T> {
  for (let tries = 0; ; tries++) {
    ask(url, 'BEGIN')
    try {
      // To wait for the lock in the test's own thread would be to wait for the station that runs in it.
      const [lock] = ask(url, `SELECT pg_try_advisory_xact_lock(${WRITE_LOCK}) AS mine`).rows
      if (lock?.['mine'] === 1) {
        const result = work(readerOf(url))
        ask(url, 'COMMIT')
        return result
      }
      ask(url, 'ROLLBACK')
    } catch (error) {
      ask(url, 'ROLLBACK')
      throw error
    }
    if (tries === 5000) throw new Error('the station never was between two transactions')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
