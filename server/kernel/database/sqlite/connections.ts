/** Connections to an SQLite file: on this thread for short reads, on a thread of its own for the writer and for long reads. */
import { Worker } from 'node:worker_threads'
import { type RightsVersion, rightsVersion } from '../rights-version.ts'
import { Refused, type TransactionConnection } from '../transactions.ts'
import type { GroupAnswer, UnitGroup } from '../units.ts'
import type {
  ConnectionSettings,
  GroupReply,
  GroupRequest,
  WorkerAnswer,
  WorkerRequest,
} from './connection-messages.ts'
import { openRaw } from './raw.ts'
import { type SqlConnection, SqlFailure, type StatementResult } from './sql-connection.ts'
import { statementRunner } from './statements.ts'

/** A connection that can also run several statements at once, without parameters and results. */
export interface ScriptConnection extends SqlConnection {
  script(sql: string): Promise<void>
}

/** The connection that writes. */
interface WriterConnection extends ScriptConnection {
  /** Runs units of work. The connection must not be used meanwhile. @throws Error when it is unknown whether they are committed */
  runGroup(group: UnitGroup): Promise<GroupAnswer>
}

export interface ReadingConnection extends SqlConnection {
  /** The version of all rights in the state that this turn's reads see; null during a change of rights. */
  rightsVersion(): number | null
}

/**
 * A connection on the calling thread, for short reads, which are fastest without a change of thread. All statements of one turn of the event
 * loop see the same state: taking and releasing the read lock costs twenty times as much as a statement on one row. The answer of a commit
 * arrives in a later turn, so code that awaited a commit reads its changes.
 */
export function directConnection(file: string, rights: RightsVersion = rightsVersion()): ReadingConnection {
  const db = openRaw(file, { readOnly: true })
  const run = statementRunner(db)
  /** The version before the snapshot of this turn was taken. */
  let rightsSeen: number | null = null
  const endTurn = (): void => {
    if (db.open) run('COMMIT', [])
  }
  return {
    run: async (sql, parameters) => {
      try {
        if (!db.inTransaction) {
          rightsSeen = rights.stable()
          run('BEGIN', [])
          process.nextTick(endTurn)
        }
        return run(sql, parameters)
      } catch (error) {
        const { message, code } = error as { message: string; code?: string }
        throw new SqlFailure(message, code ?? 'UNKNOWN')
      }
    },
    rightsVersion: () => (db.inTransaction ? rightsSeen : rights.stable()),
    close: async () => {
      db.close()
    },
  }
}

interface WorkerOptions {
  readonly readOnly: boolean
  /** The module with the units of work, if there are any. */
  readonly units?: URL | undefined
  /** Only for the writer. */
  readonly rights?: RightsVersion
}

/** Megabytes for new objects of the thread: enough for a group of units, and 20 MB less than V8's default. */
const YOUNG_MB = 6

/** A connection on its own thread. */
export async function workerConnection(
  file: string,
  { readOnly, units, rights = rightsVersion() }: WorkerOptions,
): Promise<WriterConnection> {
  const settings: ConnectionSettings = { file, readOnly, units: units?.href ?? null, rights: rights.memory }
  const worker = new Worker(new URL('./connection.worker.ts', import.meta.url), {
    workerData: settings,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })
  const waiting = new Map<number, { resolve(result: StatementResult): void; reject(error: Error): void }>()
  const groups = new Map<number, { resolve(answer: GroupAnswer): void; reject(error: Error): void }>()
  let outbox: WorkerRequest[] = []
  let nextId = 1
  let ended: Error | null = null

  const endAll = (error: Error): void => {
    ended = error
    for (const { reject } of [...waiting.values(), ...groups.values()]) reject(error)
    waiting.clear()
    groups.clear()
  }
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', () => resolve())
  })
  worker.on('error', (error) =>
    endAll(new SqlFailure(`The database thread ended: ${(error as Error).message}`, 'THREAD_ENDED')),
  )
  worker.on('exit', () => endAll(new SqlFailure('The database is closed', 'CLOSED')))
  const answerGroup = (reply: GroupReply): void => {
    const group = groups.get(reply.id)
    groups.delete(reply.id)
    if ('lost' in reply) group?.reject(new SqlFailure(reply.lost, 'GROUP_LOST'))
    else group?.resolve(reply.group)
  }
  worker.on('message', (answers: readonly WorkerAnswer[] | GroupReply | 'closed') => {
    if (answers === 'closed') return
    if ('id' in answers) return answerGroup(answers)
    for (const answer of answers) {
      const call = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('failure' in answer) call?.reject(new SqlFailure(answer.failure.message, answer.failure.code))
      else call?.resolve(answer)
    }
  })
  /** Sends all statements of one tick as one message. */
  const send = (): void => {
    const requests = outbox
    outbox = []
    try {
      worker.postMessage(requests)
    } catch (error) {
      // A parameter cannot be cloned.
      for (const { id } of requests) {
        waiting.get(id)?.reject(error as Error)
        waiting.delete(id)
      }
    }
  }

  const ask = (sql: string, parameters: readonly unknown[] | null): Promise<StatementResult> =>
    new Promise((resolve, reject) => {
      if (ended !== null) return reject(ended)
      const id = nextId++
      waiting.set(id, { resolve, reject })
      if (outbox.push({ id, sql, parameters }) === 1) process.nextTick(send)
    })

  return {
    run: ask,
    script: async (sql) => void (await ask(sql, null)),
    runGroup: (group) =>
      new Promise((resolve, reject) => {
        if (ended !== null) return reject(ended)
        const id = nextId++
        // An input that cannot be cloned fails here, before anything is sent.
        worker.postMessage({ id, group } satisfies GroupRequest)
        groups.set(id, { resolve, reject })
      }),
    close: () =>
      new Promise((resolve) => {
        if (ended !== null) return resolve()
        worker.once('exit', () => resolve())
        if (outbox.length > 0) send()
        worker.postMessage('close')
      }),
  }
}

/** A connection on its own thread, which starts with the first statement. An unused thread would cost 60 ms of processor time and 10 MB. */
export function connectionOnUse(file: string): SqlConnection {
  let opened: Promise<SqlConnection> | null = null
  let closed = false
  const open = async (): Promise<SqlConnection> => {
    try {
      return await workerConnection(file, { readOnly: true })
    } catch (error) {
      // The next statement tries again.
      opened = null
      throw error
    }
  }
  return {
    run: async (sql, parameters) => {
      if (closed) throw new SqlFailure('The database is closed', 'CLOSED')
      return (await (opened ??= open())).run(sql, parameters)
    },
    close: async () => {
      closed = true
      // A connection that could not be opened needs no closing.
      await (await opened?.catch(() => null))?.close()
    },
  }
}

/** The writer, as transactions use it. */
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
