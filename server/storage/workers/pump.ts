import { SLICE } from './messages.ts'
import type { Slices } from './slices.ts'

/** One task at work on a thread, among others. */
export interface Lane {
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

/** Fills a slice from a position, as far as there are bytes. @returns how many */
export type ReadInto = (into: Uint8Array, position: number) => Promise<number>

/**
 * Takes `length` bytes through the thread, slice by slice: the next is being read while `each` has the last one, when there is memory to
 * spare; when lanes wait for it, every lane gets one slice in turn. `each` must be through with the bytes when it returns.
 * @param torn makes the error for bytes that are missing, or more than there should be
 */
export async function pump(
  lane: Lane,
  length: number,
  read: ReadInto,
  each: (bytes: Uint8Array, position: number) => void,
  torn: (position: number) => Error,
): Promise<void> {
  const { slices } = lane
  const begin = (slice: Uint8Array, position: number) => ({
    slice,
    count: slices.reading(() => read(slice, position)),
  })
  let ahead: ReturnType<typeof begin> | null = null
  try {
    for (let position = 0; position < length; ) {
      if (lane.pace !== undefined) await lane.pace(Math.min(SLICE, length - position))
      lane.check()
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
        lane.progress(count)
      } finally {
        slices.give(current.slice)
      }
    }
  } finally {
    if (ahead !== null) {
      // Its memory is being written to until the read is over.
      await ahead.count.catch(() => {})
      slices.give(ahead.slice)
    }
  }
}
