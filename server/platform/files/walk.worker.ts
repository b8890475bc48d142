import { parentPort, workerData } from 'node:worker_threads'
import type { FoundFolder, WalkEntry } from './walk.types.ts'
import { walkSync } from './walk-sync.ts'

export interface WalkTask {
  readonly locations: readonly Uint8Array[]
  readonly depth: number
  readonly entries: number
  /** [0]: number of batches that may still be sent. [1]: counter that increases with every system call. */
  readonly shared: Int32Array<SharedArrayBuffer>
}

export type WalkMessage = readonly (WalkEntry | FoundFolder)[] | 'ended'

const MOST = 256
/** Milliseconds after which a small batch is sent. */
const SOON = 200

const { locations, depth, entries, shared } = workerData as WalkTask
let batch: (WalkEntry | FoundFolder)[] = []
let since = performance.now()

function send(): void {
  if (batch.length > 0) {
    while (Atomics.load(shared, 0) <= 0) Atomics.wait(shared, 0, 0)
    Atomics.sub(shared, 0, 1)
    parentPort?.postMessage(batch satisfies WalkMessage)
    batch = []
  }
  since = performance.now()
}

for (const entry of walkSync(locations, { depth, entries, step: () => Atomics.add(shared, 1, 1) })) {
  batch.push(entry)
  if (batch.length >= MOST || performance.now() - since > SOON) send()
}
send()
parentPort?.postMessage('ended' satisfies WalkMessage)
