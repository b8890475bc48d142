import { createHash } from 'node:crypto'
import { constants, createReadStream, existsSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, mkdtemp, open, readdir, realpath, rename, rm, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { alignedMemory, openAligned } from './aligned.ts'
import { nameExclusively, NO_FOLLOW, syncFolder } from './durable.ts'

/** Operations on whole folders such as snapshots and restored stations. All writes are durable. */

export { makeFolder, syncFolder } from './durable.ts'
export { readText } from './read-text.ts'

/** Names in a folder; null when it is missing. @throws Error when it is not a folder */
export async function namesIn(folder: string): Promise<string[] | null> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Length of a regular file; null when it is missing. */
export async function fileLength(path: string): Promise<number | null> {
  try {
    const found = await lstat(path)
    return found.isFile() ? found.size : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Creates a folder (0700) in an existing one: an unmounted drive must not become a folder of the disk below. */
export async function makeFolderIn(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await syncFolder(dirname(path))
}

/**
 * Creates a folder in an existing one. Its parent is never created: a disconnected drive must not become a folder of the disk below.
 * @returns false when the parent is missing
 */
export async function makeLastFolder(path: string): Promise<boolean> {
  if ((await namesIn(dirname(path))) === null) return false
  await makeFolderIn(path)
  return true
}

/** Whether one path is or contains the other. Links are resolved as far as the paths exist. */
export async function overlap(one: string, other: string): Promise<boolean> {
  const [a, b] = [await realPath(one), await realPath(other)]
  return a === b || a.startsWith(b + sep) || b.startsWith(a + sep)
}

/** The path without links, as far as it exists. */
export async function realPath(path: string): Promise<string> {
  const whole = resolve(path)
  try {
    return await realpath(whole)
  } catch {
    const above = dirname(whole)
    return above === whole ? whole : join(await realPath(above), whole.slice(above.length).replace(/^[/\\]/, ''))
  }
}

/** Writes a new file and syncs it. @throws EEXIST */
export async function writeNew(path: string, bytes: string | Uint8Array): Promise<void> {
  const file = await createNew(path)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

const createNew = (path: string): Promise<FileHandle> =>
  open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600)

export interface LineWriter {
  add(line: string): Promise<void>
  /** Syncs the file. @returns the hash and length of the written bytes */
  end(): Promise<{ sha256: string; length: number }>
  abandon(): Promise<void>
}

const LINES_AT_ONCE = 64 * 1024

/** Writes a new file line by line and hashes it. */
export async function writeLines(path: string): Promise<LineWriter> {
  const file = await createNew(path)
  const hash = createHash('sha256')
  let waiting = ''
  let length = 0
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(waiting)
    waiting = ''
    hash.update(bytes)
    length += bytes.length
    await file.writeFile(bytes)
  }
  return {
    add: async (line) => {
      waiting += `${line}\n`
      if (waiting.length >= LINES_AT_ONCE) await flush()
    },
    end: async () => {
      try {
        await flush()
        await file.sync()
      } finally {
        await file.close()
      }
      return { sha256: hash.digest('hex'), length }
    },
    abandon: () => file.close(),
  }
}

/** Writes a new file of what is made meanwhile, and hashes it. It is for a file that is read again soon, and is not synced. */
export async function writeChunks(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ sha256: string; length: number }> {
  const file = await createNew(path)
  try {
    const hash = createHash('sha256')
    let length = 0
    for await (const chunk of chunks) {
      hash.update(chunk)
      length += chunk.length
      await file.writeFile(chunk)
    }
    return { sha256: hash.digest('hex'), length }
  } finally {
    await file.close()
  }
}

/** Lines as `writeLines` wrote them: only a line feed ends one. */
export async function* readLines(path: string): AsyncGenerator<string> {
  const input = createReadStream(path, { encoding: 'utf8' })
  let rest = ''
  try {
    for await (const chunk of input) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') yield rest
  } finally {
    input.destroy()
  }
}

const SLICE = 1024 * 1024

/** SHA-256 and length of a file, read directly from the disk if the filesystem allows it. @throws the system's error */
export async function sumOf(path: string): Promise<{ sha256: string; length: number }> {
  return withSlices(path, async () => {})
}

async function withSlices(
  path: string,
  each: (bytes: Uint8Array) => Promise<void>,
): Promise<{ sha256: string; length: number }> {
  const reader = openAligned(path, true)
  try {
    if (!reader.stat.isFile()) throw new Error(`${path} is no regular file`)
    const slice = alignedMemory(SLICE)
    const hash = createHash('sha256')
    let length = 0
    for (;;) {
      const count = await reader.read(slice, length)
      const bytes = slice.subarray(0, count)
      hash.update(bytes)
      await each(bytes)
      length += count
      if (count < SLICE) return { sha256: hash.digest('hex'), length }
    }
  } finally {
    reader.close()
  }
}

/** Copies to a new file, syncs it and reads it back. @returns hash and length of the bytes read back @throws the system's error; `target` is then removed */
export async function copyFileDurably(source: string, target: string): Promise<{ sha256: string; length: number }> {
  const file = await createNew(target)
  try {
    try {
      await withSlices(source, async (bytes) => {
        await file.writeFile(bytes)
      })
      await file.sync()
    } finally {
      await file.close()
    }
    return await sumOf(target)
  } catch (error) {
    await rm(target, { force: true })
    throw error
  }
}

/** Syncs a file that another program wrote. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | NO_FOLLOW)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Creates a file under a temporary name and gives it its name when it is complete, without replacing another file. Does nothing when a file
 * has the name.
 * @param make creates the file at the given path, which no file has
 */
export async function createIfMissing(path: string, make: (fresh: string) => void): Promise<void> {
  if (existsSync(path)) return
  const fresh = `${path}.new`
  await rm(fresh, { force: true })
  make(fresh)
  await syncFile(fresh)
  await nameExclusively(fresh, path)
  await rm(fresh, { force: true })
  await syncFolder(dirname(path))
}

/** Renames within one folder, durably. @throws Error when a non-empty folder has the new name */
export async function renameInFolder(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** A new folder among the system's temporary ones that nobody else may read. */
export const makeTemporaryFolder = (label: string): Promise<string> => mkdtemp(join(tmpdir(), `sallyport-${label}-`))

export const removeTree = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 2 })

export const removeFile = (path: string): Promise<void> => unlink(path)

/** Removes everything in a folder, but not the folder. */
export async function emptyFolder(folder: string): Promise<void> {
  for (const name of (await namesIn(folder)) ?? []) await removeTree(join(folder, name))
}
