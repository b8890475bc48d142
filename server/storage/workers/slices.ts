import { alignedMemory } from '../../platform/files/aligned.ts'
import { SLICE } from './messages.ts'

/** The buffers of one worker thread. All its tasks share this memory and take turns in the order of their calls. */
export interface Slices {
  /** Waits for a free slice. A task that has a slice must not wait for another one, which could deadlock. */
  take(): Promise<Uint8Array>
  /** A free slice, or null. Also null while a task waits for one. */
  spare(): Uint8Array | null
  give(slice: Uint8Array): void
  /** Runs `read` within the limit of concurrent reads, which block threads shared by the whole process. */
  reading<T>(read: () => Promise<T>): Promise<T>
  /** A buffer for synchronous work only. */
  readonly scratch: Uint8Array
}

export function createSlices(count: number, reads: number): Slices {
  const memory = alignedMemory((count + 1) * SLICE)
  const at = (index: number): Uint8Array => memory.subarray(index * SLICE, (index + 1) * SLICE)
  const free = Array.from({ length: count }, (_, index) => at(index))
  const waiting: ((slice: Uint8Array) => void)[] = []
  const queue: (() => void)[] = []
  let under = 0
  return {
    scratch: at(count),
    take: () => {
      const slice = waiting.length === 0 ? free.pop() : undefined
      return slice === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(slice)
    },
    spare: () => (waiting.length === 0 ? (free.pop() ?? null) : null),
    give: (slice) => {
      const next = waiting.shift()
      if (next === undefined) free.push(slice)
      else next(slice)
    },
    reading: async (read) => {
      if (under >= reads) await new Promise<void>((resolve) => queue.push(resolve))
      else under++
      try {
        return await read()
      } finally {
        // The place passes to the next in the queue directly. No later caller can take it in between.
        const next = queue.shift()
        if (next === undefined) under--
        else next()
      }
    },
  }
}
