import { closeSync, constants, fsyncSync, openSync } from 'node:fs'
import { link, lstat, mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** With this flag, open fails with ELOOP for a link as last path component. Windows has no such flag and by default no such links. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

/** With this flag, opening a pipe or device without a partner does not wait for ever. */
export const NO_WAIT = constants.O_NONBLOCK ?? 0

/** Windows cannot open folders and need not sync them: NTFS journals names with the file. */
const foldersSync = process.platform !== 'win32'

/** Makes the names in a folder durable. @throws the system's error; after EIO and ENOSPC the outcome is unknown (docs/guarantees.md, Durability) */
export async function syncFolder(path: string): Promise<void> {
  if (!foldersSync) return
  const folder = await open(path, constants.O_RDONLY | NO_FOLLOW)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** `syncFolder` for worker threads, which may block. */
export function syncFolderSync(path: string): void {
  if (!foldersSync) return
  const folder = openSync(path, constants.O_RDONLY | NO_FOLLOW)
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Creates a file for reading and writing, 0600. @returns its descriptor @throws EEXIST, also when the name is a link */
export const createExclusiveSync = (path: string): number =>
  openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600)

/** Creates a folder (0700) and its missing parents, all durable. @returns whether anything was created */
export async function makeFolder(path: string): Promise<boolean> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return false
  // Syncs the parents of all new folders.
  const made = [path]
  while (made[0] !== first) made.unshift(dirname(made[0] as string))
  for (const folder of made) await syncFolder(dirname(folder))
  return true
}

/** Errors of file systems without hard links, such as those of cards and some shares. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/**
 * Gives a complete file its name, unless another file has it: a link fails then, where `rename` would silently replace that file. The
 * temporary name may stay; the caller removes it and syncs the folder.
 * @returns false when another file has the name; that file stays
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
