/**
 * One SQLite connection on its own thread; for the writer, so that a slow fsync delays writers and never the event loop, and for long
 * reads. Statements run in order. Those of one message are answered together, since waking a sleeping thread costs more than most
 * statements.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { UnitGroup, UnitsModule } from '../units.ts'
import type {
  ConnectionSettings,
  GroupReply,
  GroupRequest,
  WorkerAnswer,
  WorkerRequest,
} from './connection-messages.ts'
import { openRaw } from './raw.ts'
import { rightsVersion } from '../rights-version.ts'
import { createUnitRunner, statementRunner } from './statements.ts'

const port = parentPort
if (port === null) throw new Error('connection.worker.ts runs only as a worker thread')

const { file, readOnly, units, rights: memory } = workerData as ConnectionSettings
const db = openRaw(file, { readOnly })
const rights = rightsVersion(memory)
const run = statementRunner(db, readOnly ? undefined : rights)
let runGroup: ReturnType<typeof createUnitRunner> | null = null

/** An answer waits about this long at most for the following ones. */
const HELD_MS = 2

port.on('message', (requests: readonly WorkerRequest[] | GroupRequest | 'close') => {
  if (typeof requests === 'object' && 'group' in requests) return void answerGroup(requests)
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

async function answerGroup({ id, group }: GroupRequest): Promise<void> {
  port?.postMessage(await groupReply(id, group))
}

async function groupReply(id: number, group: UnitGroup): Promise<GroupReply> {
  try {
    runGroup ??= createUnitRunner(db, run, (await import(units ?? '')) as UnitsModule)
    return { id, group: await runGroup(group) }
  } catch (error) {
    return { id, lost: (error as Error).message }
  }
}

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
