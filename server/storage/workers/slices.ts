import { alignedMemory } from '../../platform/files/aligned.ts'
import { SLICE } from './messages.ts'

/** The buffers of one worker thread. However many lanes there are, this is all the memory they have; they take turns in order of asking. */
export interface Slices {
  /** Waits its turn. A lane that holds a slice must not wait for a second: all would wait for each other. */
  take(): Promise<Uint8Array>
  /** A free slice, or null. Null too while a lane waits for one. */
  spare(): Uint8Array | null
  give(slice: Uint8Array): void
  /** Runs when fewer than the allowed number of reads wait in the kernel: they block threads that the whole process shares. */
  reading<T>(read: () => Promise<T>): Promise<T>
  /** For work that does not wait between the read and the last use. */
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
