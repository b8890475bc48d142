import { Worker } from 'node:worker_threads'
import { SqlFailure } from './sql-connection.ts'
import type { CopyAnswer, CopyFacts, CopyRequest } from './copy.worker.ts'

export type { CopyFacts } from './copy.worker.ts'

/** A copy of the database that is inspected outside a station. */
export interface DatabaseCopy {
  facts(): Promise<CopyFacts>
  /** In ascending order of hash. */
  blobs(): AsyncGenerator<{ readonly sha256: string; readonly length: number }>
  /** `detail` of the entries `key.rotated`, oldest first. */
  rotations(): Promise<unknown[]>
  /** Signed checkpoints, oldest first. */
  notes(): AsyncGenerator<{ readonly size: number; readonly note: string }>
  /** Differences from the schema of the migrations, and problems found by SQLite; one sentence each. */
  integrity(): Promise<string[]>
  /** Converts it into a database that a station can open. */
  ready(): Promise<void>
  close(): Promise<void>
}

const AT_ONCE = 2000

/**
 * Copies a consistent state of the database while it is in use. Ordinary file calls must not be used: they drop SQLite's locks. The copy is
 * not synced. @throws SqlFailure
 */
export async function copyDatabase(source: string, target: string): Promise<void> {
  const thread = openThread(target)
  try {
    await thread.ask({ op: 'make', source, target })
  } finally {
    await thread.close()
  }
}

/**
 * Creates `target` with the station's own migrations and copies the rows of `source` into it.
 * @returns differences of the source's schema, one sentence each; then there is no target @throws SqlFailure
 */
export async function rebuildCopy(source: string, target: string): Promise<string[]> {
  const thread = openThread(target)
  try {
    return (await thread.ask({ op: 'rebuild', source, target })) as string[]
  } finally {
    await thread.close()
  }
}

/** @throws SqlFailure at the first call when the file is not a database */
export function openCopy(file: string): DatabaseCopy {
  const thread = openThread(file)
  return {
    facts: () => thread.ask({ op: 'facts' }) as Promise<CopyFacts>,
    blobs: async function* () {
      for (let after = ''; ; ) {
        const rows = (await thread.ask({ op: 'blobs', after, count: AT_ONCE })) as { sha256: string; length: number }[]
        yield* rows
        if (rows.length < AT_ONCE) return
        after = rows.at(-1)?.sha256 ?? ''
      }
    },
    notes: async function* () {
      for (let after = 0; ; ) {
        const rows = (await thread.ask({ op: 'notes', after, count: AT_ONCE })) as { size: number; note: string }[]
        yield* rows
        if (rows.length < AT_ONCE) return
        after = rows.at(-1)?.size ?? 0
      }
    },
    rotations: () => thread.ask({ op: 'rotations' }) as Promise<unknown[]>,
    integrity: () => thread.ask({ op: 'integrity' }) as Promise<string[]>,
    ready: async () => void (await thread.ask({ op: 'ready' })),
    close: thread.close,
  }
}

/** A thread that handles one request after the other. */
function openThread(file: string) {
  const worker = new Worker(new URL('./copy.worker.ts', import.meta.url), { workerData: { file } })
  let last: Promise<unknown> = Promise.resolve()
  const once = (request: CopyRequest): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const over = (): void => {
        worker.off('message', onAnswer)
        worker.off('error', onError)
      }
      const onAnswer = (answer: CopyAnswer): void => {
        over()
        if ('failure' in answer) reject(new SqlFailure(answer.failure.message, answer.failure.code))
        else resolve(answer.value)
      }
      const onError = (error: Error): void => {
        over()
        reject(new SqlFailure(`The thread that copies the database ended: ${error.message}`, 'THREAD_ENDED'))
      }
      worker.on('message', onAnswer)
      worker.on('error', onError)
      worker.postMessage(request)
    })
  return {
    ask: (request: CopyRequest): Promise<unknown> => {
      const result = last.then(() => once(request))
      last = result.catch(() => {})
      return result
    },
    close: async (): Promise<void> => {
      await last
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
      worker.postMessage({ op: 'close' } satisfies CopyRequest)
      await ended
    },
  }
}
