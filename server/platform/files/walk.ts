import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { skipped } from './walk-sync.ts'
import type { WalkMessage, WalkTask } from './walk.worker.ts'
import type { FoundFolder, WalkEntry } from './walk.types.ts'
export type { FoundFile, FoundFolder, SkipOutcome, Skipped, WalkEntry } from './walk.types.ts'

export interface WalkLimits {
  /** Folders below a given path. */
  readonly depth?: number
  /** Files and folders altogether. */
  readonly entries?: number
  /** How long one call to the system may take until the walk is given up. */
  readonly stallMs?: number
  readonly signal?: AbortSignal
}

/** Batches on their way that nobody has taken yet. */
const AHEAD = 8

/**
 * Every regular file under the given paths, a folder's in the order of their names' bytes, and everything passed over with the reason
 * (docs/guarantees.md, S12). Links are never followed, other volumes never entered. Looks in a thread of its own, so that a disk that does not
 * answer holds up nothing but this walk. @throws nothing the disk does: that is an entry too; the signal's reason
 */
export async function* walk(
  paths: readonly (string | Uint8Array)[],
  limits: WalkLimits = {},
): AsyncGenerator<WalkEntry, void, undefined> {
  for await (const entry of walkWithFolders(paths, limits)) if (entry.kind !== 'folder') yield entry
}

/** `walk`, with the folders: a card that was emptied still shows whose it is by them. */
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
        for (const location of locations)
          yield skipped(location, 'unreadable', `The disk did not answer for ${seconds} s; the rest was not looked at.`)
        return
      }
      if (message === 'ended') return
      for (const entry of message) yield { ...entry, location: Buffer.from(entry.location) }
      Atomics.add(shared, 0, 1)
      Atomics.notify(shared, 0)
    }
  } finally {
    inbox.close()
    // Not waited for: a thread that is stuck in the kernel ends when the kernel lets it go.
    worker.unref()
    void worker.terminate()
  }
}

/** What the thread says, in order. @param beat moves on while the thread does */
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
