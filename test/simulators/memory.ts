import { createHash } from 'node:crypto'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What a simulated camera that speaks HTTP has in it: the folder of a card, and a note of how far it is with its uploads. */
export interface Memory {
  /** The manifest, parsed, and when it was written by true time: milliseconds since 1970. */
  manifest(): Promise<{ value: unknown; writtenMs: number }>
  length(path: string): Promise<number>
  /** SHA-256 of a file as it is read now. */
  sum(path: string): Promise<string>
  read(path: string, at: number, length: number): Promise<Buffer>
  remove(path: string): Promise<void>
  /** Null where nothing was noted yet. */
  noted(): Promise<unknown>
  /** Whole or not at all: a plug is drawn at any time. */
  note(value: unknown): Promise<void>
}

const NOTE = '.uploads.json'

export function memoryOf(folder: string): Memory {
  const at = (path: string): string => join(folder, path)
  const read = async (path: string, from: number, length: number): Promise<Buffer> => {
    const handle = await open(at(path))
    try {
      const into = Buffer.alloc(length)
      const { bytesRead } = await handle.read(into, 0, length, from)
      return into.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  }
  return {
    manifest: async () => ({
      value: JSON.parse(await readFile(at('camera.json'), 'utf8')) as unknown,
      writtenMs: (await stat(at('camera.json'))).mtimeMs,
    }),
    length: async (path) => (await stat(at(path))).size,
    sum: async (path) => {
      const hash = createHash('sha256')
      const handle = await open(at(path))
      try {
        for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk as Buffer)
      } finally {
        await handle.close()
      }
      return hash.digest('hex')
    },
    read,
    remove: (path) => rm(at(path)),
    noted: async () => {
      const text = await readFile(at(NOTE), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      return text === null ? null : (JSON.parse(text) as unknown)
    },
    note: async (value) => {
      const fresh = `${at(NOTE)}.new`
      const handle = await open(fresh, 'w')
      try {
        await handle.writeFile(JSON.stringify(value))
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(fresh, at(NOTE))
    },
  }
}
