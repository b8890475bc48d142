import { type BigIntStats, closeSync, constants, fstatSync, openSync, read, readSync, writeSync } from 'node:fs'
import { NO_FOLLOW, NO_WAIT } from './durable.ts'

/**
 * Reads and writes that bypass the page cache (O_DIRECT). Evidence that is taken in so does not displace videos under review from the cache,
 * and copying costs a fifth of the processor time. Node has no posix_fadvise, so used pages cannot be released afterwards.
 */

/** Offsets, lengths and addresses must be multiples of this. No disk has larger logical blocks. */
export const BLOCK = 4096

/** TypeScript's library declares WebAssembly only with the DOM. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
}
const WASM_PAGE = 65_536

/** Zeroed, page-aligned memory, which O_DIRECT requires and a Buffer does not guarantee. @param bytes a multiple of 64 KiB */
export function alignedMemory(bytes: number): Uint8Array {
  const pages = bytes / WASM_PAGE
  return new Uint8Array(new WebAssembly.Memory({ initial: pages, maximum: pages }).buffer)
}

/** Source of read bytes: the disk, or possibly the page cache. */
export type ReadThrough = 'direct' | 'cache'

export interface AlignedReader {
  /** For fsync. */
  readonly fd: number
  /** State at the time of opening. */
  readonly stat: BigIntStats
  /** May change to `cache` during reading, on a filesystem that accepts O_DIRECT when opening but not when reading. */
  through(): ReadThrough
  /** Fills `into` (aligned, whole blocks) from `position` (aligned) on, as far as the file goes. @returns bytes read, which may be past `stat.size` */
  read(into: Uint8Array, position: number): Promise<number>
  readSync(into: Uint8Array, position: number): number
  statNow(): BigIntStats
  close(): void
}

const refused = (error: unknown): boolean => {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EINVAL' || code === 'EOPNOTSUPP' || code === 'ENOTSUP'
}

/**
 * Never follows a link in the last component, never waits for a pipe or device. The caller checks `stat` for a regular file.
 * @param direct false for reads through the cache
 */
export function openAligned(path: string | Buffer, direct: boolean): AlignedReader {
  const flags = constants.O_RDONLY | NO_FOLLOW | NO_WAIT
  const first = openPreferring(path, flags, direct)
  let { fd, through } = first
  // Opens the same file through its descriptor; its path could lead to another file by now.
  const fallBack = (): void => {
    const cached = openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY)
    closeSync(fd)
    fd = cached
    through = 'cache'
  }
  const readOnce = (into: Uint8Array, position: number): Promise<number> =>
    new Promise((resolve, reject) => {
      read(fd, into, 0, into.length, position, (error, count) => (error === null ? resolve(count) : reject(error)))
    })
  let stat: BigIntStats
  try {
    stat = fstatSync(fd, { bigint: true })
  } catch (error) {
    closeSync(fd)
    throw error
  }
  // A direct read that ends inside a block has reached the end of the file. The next read would be unaligned.
  const ended = (count: number, total: number): boolean => count === 0 || (through === 'direct' && total % BLOCK !== 0)
  return {
    get fd() {
      return fd
    },
    stat,
    through: () => through,
    read: async (into, position) => {
      let total = 0
      while (total < into.length) {
        let count: number
        try {
          count = await readOnce(into.subarray(total), position + total)
        } catch (error) {
          if (through === 'cache' || !refused(error)) throw error
          fallBack()
          continue
        }
        total += count
        if (ended(count, total)) break
      }
      return total
    },
    readSync: (into, position) => {
      let total = 0
      while (total < into.length) {
        let count: number
        try {
          count = readSync(fd, into, total, into.length - total, position + total)
        } catch (error) {
          if (through === 'cache' || !refused(error)) throw error
          fallBack()
          continue
        }
        total += count
        if (ended(count, total)) break
      }
      return total
    },
    statNow: () => fstatSync(fd, { bigint: true }),
    close: () => closeSync(fd),
  }
}

function openPreferring(path: string | Buffer, flags: number, direct: boolean): { fd: number; through: ReadThrough } {
  if (direct && constants.O_DIRECT !== undefined) {
    try {
      return { fd: openSync(path, flags | constants.O_DIRECT), through: 'direct' }
    } catch (error) {
      if (!refused(error)) throw error
    }
  }
  return { fd: openSync(path, flags), through: 'cache' }
}

export interface AlignedWriter {
  /** Writes all bytes at `position`. Whole blocks of aligned memory at aligned positions bypass the cache. Blocks the thread. */
  write(bytes: Uint8Array, position: number): void
  /** Descriptor for fsync, which covers direct and cached writes. A failed fsync must never be repeated. */
  readonly fd: number
  /** Bytes written through the cache so far. */
  cached(): number
  close(): void
}

/** Writes to an open descriptor of the file at `path`, and closes it. @param direct whether to try direct I/O */
export function alignedWriter(fd: number, path: string, direct: boolean): AlignedWriter {
  let passing = direct ? openForPassing(path) : null
  let cached = 0
  const putAll = (target: number, bytes: Uint8Array, position: number): void => {
    for (let done = 0; done < bytes.length; )
      done += writeSync(target, bytes, done, bytes.length - done, position + done)
  }
  const stopPassing = (): void => {
    if (passing !== null) closeSync(passing)
    passing = null
  }
  return {
    fd,
    cached: () => cached,
    write: (bytes, position) => {
      let done = 0
      if (passing !== null && position % BLOCK === 0 && bytes.byteOffset % BLOCK === 0) {
        const whole = bytes.subarray(0, bytes.length - (bytes.length % BLOCK))
        try {
          if (whole.length > 0) putAll(passing, whole, position)
          done = whole.length
        } catch (error) {
          // The bytes written so far are written again through the cache.
          if (!refused(error)) throw error
          stopPassing()
        }
      }
      cached += bytes.length - done
      putAll(fd, bytes.subarray(done), position + done)
    },
    close: () => {
      stopPassing()
      closeSync(fd)
    },
  }
}

function openForPassing(path: string): number | null {
  if (constants.O_DIRECT === undefined) return null
  try {
    return openSync(path, constants.O_WRONLY | NO_FOLLOW | constants.O_DIRECT)
  } catch (error) {
    if (refused(error)) return null
    throw error
  }
}
