import { constants } from 'node:fs'
import { open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Reads parts of one file. `at` returns fewer bytes than requested only at the end of the file. */
export interface ByteReader {
  readonly size: number
  at(offset: number, length: number): Promise<Uint8Array>
}

/** Opens a file for reading parts of it while `use` runs. Never follows a link, never waits for a pipe. */
export async function withReader<T>(path: string, use: (reader: ByteReader) => Promise<T>): Promise<T> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const info = await handle.stat()
    if (!info.isFile()) throw new Error('not a regular file')
    return await use({
      size: info.size,
      at: async (offset, length) => {
        if (offset < 0 || offset >= info.size || length <= 0) return new Uint8Array(0)
        const bytes = new Uint8Array(Math.min(length, info.size - offset))
        let filled = 0
        while (filled < bytes.length) {
          const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, offset + filled)
          if (bytesRead === 0) break
          filled += bytesRead
        }
        return bytes.subarray(0, filled)
      },
    })
  } finally {
    await handle.close()
  }
}

/** File operations of derivations in a private folder of the store's staging area. */
export interface Scratch {
  /** Writes a new file; refuses to replace one. */
  write(dir: string, name: string, bytes: string | Uint8Array): Promise<string>
  /** Length in bytes of `dir/name`; null when it is not a regular file. */
  lengthOf(dir: string, name: string): Promise<number | null>
  /** Plain names only, sorted. */
  list(dir: string): Promise<string[]>
  remove(dir: string, name: string): Promise<void>
}

export const scratch: Scratch = {
  write: async (dir, name, bytes) => {
    const path = join(dir, name)
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
    return path
  },
  lengthOf: async (dir, name) => {
    const info = await stat(join(dir, name)).catch(() => null)
    return info?.isFile() ? info.size : null
  },
  list: async (dir) => (await readdir(dir)).sort(),
  remove: (dir, name) => rm(join(dir, name), { force: true }),
}
