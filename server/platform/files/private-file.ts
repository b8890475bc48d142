import { constants } from 'node:fs'
import { type FileHandle, open, readFile, rm, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { nameExclusively, syncFolder } from './durable.ts'

/** A file that only its owner can read. It is created before its content is made. */
export interface PrivateFile {
  write(content: string | Uint8Array): Promise<void>
  /** Removes the file when no content was made. */
  abandon(): Promise<void>
}

/** Creates a file with mode 0600. @throws Error when the file exists, since a secret never replaces a file */
export async function claimPrivateFile(path: string): Promise<PrivateFile> {
  const file: FileHandle = await open(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0),
    0o600,
  )
  return {
    write: async (content) => {
      try {
        await file.writeFile(content)
        await file.sync()
      } finally {
        await file.close()
      }
    },
    abandon: async () => {
      await file.close()
      await unlink(path)
    },
  }
}

/**
 * The text of a small private file, which is created with this text when it is missing: durably, and whole or not at all.
 * @throws the system's error
 */
export async function keepPrivateText(path: string, text: string): Promise<string> {
  const found = await read(path)
  if (found !== null) return found
  const fresh = `${path}.new`
  await rm(fresh, { force: true })
  const file = await claimPrivateFile(fresh)
  try {
    await file.write(text)
    await nameExclusively(fresh, path)
  } finally {
    await rm(fresh, { force: true })
  }
  await syncFolder(dirname(path))
  return (await read(path)) ?? text
}

async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
