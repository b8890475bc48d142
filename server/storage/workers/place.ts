import { closeSync, constants, linkSync, lstatSync, mkdirSync, openSync, renameSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NO_FOLLOW, syncFolderSync } from '../../platform/files/durable.ts'
import { faultOf, StorageFault } from '../faults.ts'
import { INTENTS, intentOf, placeOf } from '../layout.ts'
import type { Placed } from './messages.ts'
import { attempt, readPass } from './passes.ts'
import type { TaskContext } from './pump.ts'

/** Folders whose names this thread has synced. */
export type DurableFolders = Set<string>

interface PlaceOptions {
  readonly root: string
  readonly volume: number
  readonly durable: DurableFolders
}

interface PlaceTask {
  readonly staged: string
  readonly sha256: string
  readonly length: number
  /** Path for a damaged blob that is found in the place. */
  readonly quarantine: string
}

/**
 * Places a staged file: intent, rename, folders. The caller ensures that no other task places the same SHA-256 meanwhile.
 * Each fsync is needed after a power cut:
 * 1. the folder of intents, before the rename: a blob without a row must be found without a comparison of the whole store. The intent is an
 *    empty file with all information in its name, so the folder's fsync is enough;
 * 2. the blob's folder, after the rename;
 * 3. the folders above, the first time this thread uses one: its name may not have been synced when it was created.
 * The file itself was synced when it was staged.
 */
export async function placePass(
  context: TaskContext,
  direct: boolean,
  { root, volume, durable: sure }: PlaceOptions,
  task: PlaceTask,
): Promise<Placed> {
  const { outer, inner, path } = placeOf(root, task.sha256)
  // Checks for a volume that was mounted over the folder: a file staged before is not found, one staged since is on that volume.
  if (attempt('open', task.staged, () => lstatSync(task.staged)).dev !== volume)
    throw new StorageFault('StoreFailed', 'Another volume lies where the blobs were.', { path: task.staged })
  declareIntent(root, task.sha256)
  ensureFolder(outer)
  ensureFolder(inner)
  const existing = await readExisting(context, direct, path, task)
  if (existing === 'same') {
    // The second copy may be removed only now, after the first has been read.
    try {
      unlinkSync(task.staged)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw faultOf(error, 'unlink', task.staged)
    }
  } else {
    if (existing !== 'nothing') keepDamaged(path, task.quarantine)
    attempt('rename', path, () => renameSync(task.staged, path))
  }
  attempt('sync', inner, () => syncFolderSync(inner))
  for (const folder of [inner, outer]) {
    if (sure.has(folder)) continue
    attempt('sync', folder, () => syncFolderSync(dirname(folder)))
    sure.add(folder)
  }
  return { existed: existing === 'same', replaced: typeof existing === 'string' ? null : existing }
}

function declareIntent(root: string, sha256: string): void {
  const path = intentOf(root, sha256)
  attempt('open', path, () => closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | NO_FOLLOW, 0o600)))
  const folder = join(root, INTENTS)
  attempt('sync', folder, () => syncFolderSync(folder))
}

function ensureFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw faultOf(error, 'open', path)
  }
}

/** Reads an existing blob. It counts as the same only when its SHA-256, read from the disk, is its name. */
async function readExisting(
  context: TaskContext,
  direct: boolean,
  path: string,
  { sha256, length }: PlaceTask,
): Promise<'nothing' | 'same' | { length: number; sha256: string | null }> {
  let size: number
  try {
    size = lstatSync(path).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'nothing'
    throw faultOf(error, 'open', path)
  }
  try {
    const found = await readPass(context, direct, path, [])
    return found.sha256 === sha256 && found.length === length ? 'same' : found
  } catch (error) {
    // A blob that cannot be read is damaged. A cancelled read says nothing about it.
    if (error instanceof StorageFault) return { length: size, sha256: null }
    throw error
  }
}

/** Links the damaged blob into quarantine, so that the following rename leaves no moment without a blob. */
function keepDamaged(path: string, quarantine: string): void {
  try {
    linkSync(path, quarantine)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // FAT has no hard links, and a folder or symbolic link in this place cannot be linked.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS')
      throw faultOf(error, 'rename', path)
    attempt('rename', path, () => renameSync(path, quarantine))
  }
  const folder = dirname(quarantine)
  attempt('sync', folder, () => syncFolderSync(folder))
}
