import { Worker } from 'node:worker_threads'
import type { RowCopyAnswer, RowCopyRequest, RowProgress, TableSums } from './row-copy.ts'

/**
 * Copies the rows of a database, or adds them up, on a thread of its own. When the signal aborts, the thread ends where it is: a copy to
 * PostgreSQL is rolled back there, and one to SQLite is a file that nobody opens.
 * @throws Error, or the signal's reason
 */
export function copyOnThread(
  request: RowCopyRequest,
  onProgress: RowProgress,
  signal: AbortSignal,
): Promise<TableSums> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./row-copy.worker.ts', import.meta.url), { workerData: request })
  const stop = (): void => void worker.terminate()
  signal.addEventListener('abort', stop, { once: true })
  return new Promise<TableSums>((resolve, reject) => {
    let end = (): void => reject(signal.aborted ? signal.reason : new Error('The thread that copies rows ended early.'))
    worker.on('message', (answer: RowCopyAnswer) => {
      if ('sums' in answer) end = () => resolve(answer.sums)
      else if ('failure' in answer) {
        const { name, message } = answer.failure
        end = () => reject(Object.assign(new Error(message), { name }))
      } else onProgress(answer.table, answer.rows)
    })
    worker.on('error', (error) => (end = () => reject(error)))
    worker.on('exit', () => end())
  }).finally(() => signal.removeEventListener('abort', stop))
}
