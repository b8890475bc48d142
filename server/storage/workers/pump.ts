import { SLICE } from './messages.ts'
import type { Slices } from './slices.ts'

/** The context of one task on a thread that runs several. */
export interface TaskContext {
  readonly slices: Slices
  /** @throws Cancelled */
  check(): void
  progress(bytes: number): void
  /** Awaited before each slice, for tasks with a limited rate. */
  pace?(bytes: number): Promise<void>
}

export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Fills a slice from a position on, up to the end of the bytes. @returns the number of bytes */
export type ReadInto = (into: Uint8Array, position: number) => Promise<number>

/**
 * Passes `length` bytes to `each`, slice by slice. With spare memory, the next slice is read while `each` handles the last one; when tasks
 * wait for memory, each gets one slice in turn. `each` must be done with the bytes when it returns.
 * @param torn makes the error for missing or additional bytes
 */
export async function pump(
  context: TaskContext,
  length: number,
  read: ReadInto,
  each: (bytes: Uint8Array, position: number) => void,
  torn: (position: number) => Error,
): Promise<void> {
  const { slices } = context
  const begin = (slice: Uint8Array, position: number) => ({
    slice,
    count: slices.reading(() => read(slice, position)),
  })
  let ahead: ReturnType<typeof begin> | null = null
  try {
    for (let position = 0; position < length; ) {
      if (context.pace !== undefined) await context.pace(Math.min(SLICE, length - position))
      context.check()
      const current = ahead ?? begin(await slices.take(), position)
      ahead = null
      try {
        const count = await current.count
        if (count !== Math.min(SLICE, length - position)) throw torn(position + count)
        const next = position + count
        const spare = next < length ? slices.spare() : null
        if (spare !== null) ahead = begin(spare, next)
        each(current.slice.subarray(0, count), position)
        position = next
        context.progress(count)
      } finally {
        slices.give(current.slice)
      }
    }
  } finally {
    if (ahead !== null) {
      // The read writes into this memory until it ends.
      await ahead.count.catch(() => {})
      slices.give(ahead.slice)
    }
  }
}
