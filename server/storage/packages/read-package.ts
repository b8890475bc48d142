/** Reads a package that somebody handed over: names, texts and hashes. Links are not followed, and nothing outside of the folder is opened. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { NO_FOLLOW, NO_WAIT } from '../../platform/files/durable.ts'

export interface FoundEntry {
  /** Below the package, with `/`; a folder ends with one. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'other'
}

/** Folders that are read in; whatever lies deeper is none of a package's. */
const DEEPEST = 1

/** Everything in a package and in its folders. @throws Error when there is no such folder */
export async function entriesIn(folder: string): Promise<FoundEntry[]> {
  const found = await lstat(folder).catch(() => null)
  if (found?.isFile() === true)
    throw new Error(
      `${folder} is a file. Unpack it, or mount it when it is a disc image, and name the folder of the package.`,
    )
  if (found?.isDirectory() !== true) throw new Error(`${folder} is no folder.`)
  return [...(await below(folder, '', 0))].sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function below(folder: string, prefix: string, depth: number): Promise<FoundEntry[]> {
  const entries: FoundEntry[] = []
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
    const path = `${prefix}${entry.name}`
    if (entry.isDirectory()) {
      entries.push({ path: `${path}/`, kind: 'folder' })
      if (depth < DEEPEST) entries.push(...(await below(folder, `${path}/`, depth + 1)))
    } else entries.push({ path, kind: entry.isFile() ? 'file' : 'other' })
  }
  return entries
}

/** A text of a package is longer than this only when somebody wants to fill the memory. */
const MOST_TEXT = 512 * 1024 * 1024
const SLICE = 1024 * 1024

/** Null when it is missing. @throws Error when it is too long, or no regular file */
export async function readTextIn(folder: string, path: string): Promise<Buffer | null> {
  const file = await openIn(folder, path)
  if (file === null) return null
  try {
    const { size } = await file.stat()
    if (size > MOST_TEXT) throw new Error(`${path} has ${size} bytes: that is too long.`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** SHA-256 and length of a file; null when it is missing or no regular file. @param onBytes gets the bytes read since its last call */
export async function hashIn(
  folder: string,
  path: string,
  {
    signal,
    onBytes,
  }: { readonly signal?: AbortSignal | undefined; readonly onBytes?: ((bytes: number) => void) | undefined } = {},
): Promise<{ readonly sha256: string; readonly bytes: number } | null> {
  const file = await openIn(folder, path)
  if (file === null) return null
  try {
    const hash = createHash('sha256')
    const slice = Buffer.allocUnsafe(SLICE)
    for (let bytes = 0; ; ) {
      signal?.throwIfAborted()
      const { bytesRead } = await file.read(slice, 0, SLICE, bytes)
      if (bytesRead === 0) return { sha256: hash.digest('hex'), bytes }
      hash.update(slice.subarray(0, bytesRead))
      bytes += bytesRead
      onBytes?.(bytesRead)
    }
  } finally {
    await file.close()
  }
}

async function openIn(folder: string, path: string) {
  const file = await open(join(folder, path), constants.O_RDONLY | NO_FOLLOW | NO_WAIT).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ELOOP' || error.code === 'ENOTDIR') return null
      throw error
    },
  )
  if (file === null || (await file.stat()).isFile()) return file
  await file.close()
  return null
}
