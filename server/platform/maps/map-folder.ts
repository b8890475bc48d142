/**
 * The folder of street maps, beside the database: a folder for each map with its file and what is known of it. A map that is not complete
 * has `.new` behind its name, one that is being removed `.gone`.
 */
import { type FileHandle, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { constants } from 'node:fs'
import { makeFolder, NO_FOLLOW, syncFolder } from '../files/durable.ts'

export interface RandomReader {
  readonly size: number
  /** @returns fewer bytes at the end of the file */
  read(offset: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

export interface NewMapFile {
  append(bytes: Uint8Array): Promise<void>
  /** The bytes so far, on the disk. */
  sync(): Promise<void>
  close(): Promise<void>
}

export interface MapFolder {
  /** Names of folders with their ending. */
  list(): Promise<readonly { readonly id: string; readonly state: 'complete' | 'new' | 'gone' }[]>
  begin(id: string): Promise<NewMapFile>
  openNew(id: string): Promise<RandomReader>
  open(id: string): Promise<RandomReader>
  describe(id: string, facts: string): Promise<void>
  /** @throws the system's error where there is none */
  facts(id: string): Promise<string>
  /** What was read out of a complete map; null where nothing was kept. */
  names(id: string): Promise<string | null>
  keepNames(id: string, names: string): Promise<void>
  complete(id: string): Promise<void>
  discard(id: string): Promise<void>
  remove(id: string): Promise<void>
}

const TILES = 'tiles.pmtiles'
const FACTS = 'map.json'
const NAMES = 'names.json'
const NAME = /^([0-9a-f]{32})(\.new|\.gone)?$/
const STATES = { '.new': 'new', '.gone': 'gone' } as const

/** @param root is made with the first import */
export function mapFolder(root: string): MapFolder {
  const at = (id: string, ending = ''): string => join(root, `${id}${ending}`)
  return {
    list: async () => {
      const names = await readdir(root).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      return names.flatMap((name) => {
        const [, id, ending] = NAME.exec(name) ?? []
        if (id === undefined) return []
        return [{ id, state: ending === undefined ? 'complete' : STATES[ending as keyof typeof STATES] }] as const
      })
    },
    begin: async (id) => {
      await makeFolder(at(id, '.new'))
      return appender(
        await open(
          join(at(id, '.new'), TILES),
          constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW,
          0o600,
        ),
      )
    },
    openNew: (id) => openReader(join(at(id, '.new'), TILES)),
    open: (id) => openReader(join(at(id), TILES)),
    describe: async (id, facts) => {
      await writeFile(join(at(id, '.new'), FACTS), facts, { mode: 0o600, flush: true })
      await syncFolder(at(id, '.new'))
    },
    facts: (id) => readFile(join(at(id), FACTS), 'utf8'),
    names: (id) => readFile(join(at(id), NAMES), 'utf8').catch(() => null),
    // They can be read again: what a power cut leaves of them is found out when it is parsed.
    keepNames: (id, names) => writeFile(join(at(id), NAMES), names, { mode: 0o600 }),
    complete: async (id) => {
      await rename(at(id, '.new'), at(id))
      await syncFolder(root)
    },
    discard: (id) => rm(at(id, '.new'), { recursive: true, force: true }),
    remove: async (id) => {
      await rename(at(id), at(id, '.gone')).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
      await rm(at(id, '.gone'), { recursive: true, force: true })
      await syncFolder(root)
    },
  }
}

function appender(file: FileHandle): NewMapFile {
  return {
    append: async (bytes) => {
      for (let at = 0; at < bytes.byteLength; )
        at += (await file.write(bytes, at, bytes.byteLength - at, null)).bytesWritten
    },
    sync: () => file.sync(),
    close: () => file.close(),
  }
}

async function openReader(path: string): Promise<RandomReader> {
  const file = await open(path, constants.O_RDONLY | NO_FOLLOW)
  const { size } = await file.stat()
  return {
    size,
    read: async (offset, length) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)))
      let got = 0
      while (got < bytes.length) {
        const { bytesRead } = await file.read(bytes, got, bytes.length - got, offset + got)
        if (bytesRead === 0) break
        got += bytesRead
      }
      return bytes.subarray(0, got)
    },
    close: () => file.close(),
  }
}
