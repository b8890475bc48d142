/** Statements of a test on PostgreSQL, each on a connection that is kept for its database. The test's own thread waits (postgres-reader.ts). */
import { type MessagePort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { configOf, runOn } from '../../server/kernel/database/postgres/connections.ts'
import { ROW_CHANGES_TABLE } from '../../server/kernel/database/postgres/row-changes.ts'

export interface Asked {
  readonly url: string
  readonly text: string
  readonly parameters: readonly unknown[]
  /** Becomes 1 when the answer was posted. */
  readonly signal: SharedArrayBuffer
}

export type Answered =
  | { readonly rows: readonly Record<string, unknown>[]; readonly changes: number }
  | { readonly message: string; readonly code: string }

const clients = new Map<string, Promise<pg.Client>>()

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...configOf(url), application_name: 'test' })
  client.on('error', () => clients.delete(url))
  await client.connect()
  // Triggers of covered tables write into it. What a test changes past the station is recorded nowhere.
  await client.query(ROW_CHANGES_TABLE)
  return client
}

function clientAt(url: string): Promise<pg.Client> {
  const known = clients.get(url) ?? connect(url)
  clients.set(url, known)
  return known
}

async function answer({ url, text, parameters }: Asked): Promise<Answered> {
  try {
    const { rows, changes } = await runOn(await clientAt(url), text, parameters)
    return { rows: rows as Record<string, unknown>[], changes }
  } catch (error) {
    const { message, code } = error as { message: string; code: string }
    return { message, code }
  }
}

const port = workerData as MessagePort
port.on('message', async (asked: Asked) => {
  port.postMessage(await answer(asked))
  const signal = new Int32Array(asked.signal)
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
})
