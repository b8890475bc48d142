import { closeSync, constants, fsyncSync, openSync } from 'node:fs'
import { link, lstat, mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A last path component that is a link fails the open with ELOOP. Windows has no such flag and no such links by default. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

/** Opening a pipe or a device that nobody answers on must not wait for ever. */
export const NO_WAIT = constants.O_NONBLOCK ?? 0

/** Windows opens no folders and needs none synced: NTFS journals names with the file. */
const foldersSync = process.platform !== 'win32'

/** Makes the names in a folder durable. @throws the system's error; EIO and ENOSPC leave the outcome unknown (docs/guarantees.md, Durability) */
export async function syncFolder(path: string): Promise<void> {
  if (!foldersSync) return
  const folder = await open(path, constants.O_RDONLY | NO_FOLLOW)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** `syncFolder` for worker threads, where waiting is what they are for. */
export function syncFolderSync(path: string): void {
  if (!foldersSync) return
  const folder = openSync(path, constants.O_RDONLY | NO_FOLLOW)
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** A new file for reading and writing, 0600. @returns its descriptor @throws EEXIST, also where the name is a link */
export const createExclusiveSync = (path: string): number =>
  openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600)

/** Makes a folder (0700) and whatever is missing above it, all durable. @returns whether anything was made */
export async function makeFolder(path: string): Promise<boolean> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return false
  // From the topmost new name down: each lies in a folder that must know it.
  const made = [path]
  while (made[0] !== first) made.unshift(dirname(made[0] as string))
  for (const folder of made) await syncFolder(dirname(folder))
  return true
}

/** File systems of cards and some shares know no second name for a file. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/**
 * Gives a whole file its name where no file has it: `rename` puts a file in the place of another without a word, a link does not. The
 * temporary name may stay; the caller removes it, and syncs the folder.
 * @returns false where a file has the name; that one stays
 */
export async function nameExclusively(temporary: string, name: string): Promise<boolean> {
  try {
    await link(temporary, name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!NO_LINKS.has(code ?? '')) throw error
    if ((await lstat(name).catch(() => null)) !== null) return false
    await rename(temporary, name)
  }
  return true
}
