/**
 * One SQLite connection on a thread of its own. The writer lives here, so that an fsync that takes long holds up writers
 * and never the event loop; so do long reads. Statements are run in order; those of one message are answered together, since waking
 * a sleeping thread costs more than most statements do.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openRaw } from './raw.ts'
import { rightsVersion } from './rights-version.ts'
import { statementRunner } from './statements.ts'

export interface WorkerRequest {
  id: number
  sql: string
  /** Null: `sql` is several statements, which give no rows. */
  parameters: readonly unknown[] | null
}

export interface WorkerFailure {
  message: string
  code: string
}

export type WorkerAnswer =
  | { id: number; rows: unknown[]; changes: number; lastInsertRowid: number | bigint }
  | { id: number; failure: WorkerFailure }

const port = parentPort
if (port === null) throw new Error('connection.worker.ts runs only as a worker thread')

const db = openRaw(workerData.file as string, { readOnly: workerData.readOnly === true })
const rights = rightsVersion(workerData.rights as SharedArrayBuffer)
const run = statementRunner(db, workerData.readOnly === true ? undefined : rights)

/** No answer waits longer than about this for those behind it. */
const HELD_MS = 2

port.on('message', (requests: readonly WorkerRequest[] | 'close') => {
  if (requests === 'close') {
    db.close()
    port.postMessage('closed')
    port.close()
    return
  }
  let answers: WorkerAnswer[] = []
  let since = performance.now()
  for (const request of requests) {
    answers.push(answer(request))
    if (performance.now() - since < HELD_MS) continue
    port.postMessage(answers)
    answers = []
    since = performance.now()
  }
  if (answers.length > 0) port.postMessage(answers)
})
port.postMessage('open')

function answer({ id, sql, parameters }: WorkerRequest): WorkerAnswer {
  try {
    if (parameters !== null) return { id, ...run(sql, parameters) }
    rights.begin()
    db.exec(sql)
    if (!db.inTransaction) rights.end()
    return { id, rows: [], changes: 0, lastInsertRowid: 0 }
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    return { id, failure: { message, code: code ?? 'UNKNOWN' } }
  }
}
