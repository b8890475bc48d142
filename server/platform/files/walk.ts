import { dockReason } from '../../../shared/messages/dock-reasons.ts'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { skipped } from './walk-sync.ts'
import type { WalkMessage, WalkTask } from './walk.worker.ts'
import type { FoundFolder, WalkEntry } from './walk.types.ts'
export type { FoundFile, FoundFolder, SkipOutcome, Skipped, WalkEntry } from './walk.types.ts'

export interface WalkLimits {
  /** Levels of folders below a given path. */
  readonly depth?: number
  /** Total number of files and folders. */
  readonly entries?: number
  /** Milliseconds for one system call, after which the walk ends. */
  readonly stallMs?: number
  readonly signal?: AbortSignal
}

/** Most batches that were sent but not taken yet. */
const AHEAD = 8

/**
 * Yields every regular file under the given paths, in the order of the names' bytes within a folder, and every skipped entry with its reason
 * (docs/guarantees.md, S12). Links are never followed, and other volumes never entered. Runs on its own thread, so that a disk that does not
 * answer blocks only this walk. @throws the signal's reason only; errors of the disk become entries
 */
export async function* walk(
  paths: readonly (string | Uint8Array)[],
  limits: WalkLimits = {},
): AsyncGenerator<WalkEntry, void, undefined> {
  for await (const entry of walkWithFolders(paths, limits)) if (entry.kind !== 'folder') yield entry
}

/** `walk` with folders, which identify the owner of a card that was emptied. */
export async function* walkWithFolders(
  paths: readonly (string | Uint8Array)[],
  { depth = 16, entries = 200_000, stallMs = 30_000, signal }: WalkLimits = {},
): AsyncGenerator<WalkEntry | FoundFolder, void, undefined> {
  signal?.throwIfAborted()
  const locations = paths.map((path) => (typeof path === 'string' ? Buffer.from(resolve(path)) : Buffer.from(path)))
  const shared = new Int32Array(new SharedArrayBuffer(8))
  Atomics.store(shared, 0, AHEAD)
  const task: WalkTask = { locations, depth, entries, shared }
  const worker = new Worker(new URL('./walk.worker.ts', import.meta.url), { workerData: task })
  const inbox = messages(worker, () => Atomics.load(shared, 1), stallMs, signal)
  try {
    for (;;) {
      const message = await inbox.next()
      if (message === 'stalled') {
        const seconds = Math.round(stallMs / 1000)
        for (const location of locations) yield skipped(location, 'unreadable', dockReason('noAnswer', { seconds }))
        return
      }
      if (message === 'ended') return
      for (const entry of message) yield { ...entry, location: Buffer.from(entry.location) }
      Atomics.add(shared, 0, 1)
      Atomics.notify(shared, 0)
    }
  } finally {
    inbox.close()
    // Not awaited: a thread that hangs in the kernel ends only when its system call returns.
    worker.unref()
    void worker.terminate()
  }
}

/** Messages of the thread in order. @param beat a counter that changes while the thread makes progress */
function messages(
  worker: Worker,
  beat: () => number,
  stallMs: number,
  signal: AbortSignal | undefined,
): { next(): Promise<WalkMessage | 'stalled'>; close(): void } {
  const waiting: WalkMessage[] = []
  let failure: unknown = null
  let wake = (): void => {}
  const fail = (error: unknown): void => {
    failure ??= error
    wake()
  }
  const onAbort = (): void => fail(signal?.reason)
  worker.on('message', (message: WalkMessage) => {
    waiting.push(message)
    wake()
  })
  worker.on('error', fail)
  signal?.addEventListener('abort', onAbort, { once: true })
  return {
    next: async () => {
      let last = beat()
      for (let quiet = 0; waiting.length === 0 && failure === null; ) {
        const slice = Math.max(1, Math.ceil(stallMs / 10))
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, slice)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        const now = beat()
        quiet = now === last ? quiet + slice : 0
        last = now
        if (waiting.length === 0 && failure === null && quiet >= stallMs) return 'stalled'
      }
      if (failure !== null) throw failure
      return waiting.shift() ?? 'ended'
    },
    close: () => signal?.removeEventListener('abort', onAbort),
  }
}
