import { closeSync, constants, linkSync, lstatSync, mkdirSync, openSync, renameSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NO_FOLLOW, syncFolderSync } from '../../platform/files/durable.ts'
import { faultOf, StorageFault } from '../faults.ts'
import { INTENTS, intentOf, placeOf } from '../layout.ts'
import type { Placed } from './messages.ts'
import { attempt, readPass } from './passes.ts'
import type { Lane } from './pump.ts'

/** Folders whose own names this thread knows to be durable. */
export type SureFolders = Set<string>

interface Ground {
  readonly root: string
  readonly volume: number
  readonly sure: SureFolders
}

interface PlaceTask {
  readonly staged: string
  readonly sha256: string
  readonly length: number
  /** Where a damaged blob goes that is found in the place. */
  readonly quarantine: string
}

/**
 * The disk's part of placing: intent, rename, folders. The caller makes sure that no other task places the same SHA-256 meanwhile.
 * Each fsync here is one that a power cut can tell the absence of:
 * 1. the folder of intents, before the rename: an unknown blob must be found without a comparison of the whole store. The intent is
 *    an empty file, its name is all it says, so the folder's fsync is enough;
 * 2. the blob's folder, after the rename;
 * 3. the folders above, the first time this thread uses one: its name may not have been synced when it was made.
 * The file itself was synced when it was staged.
 */
export async function placePass(
  lane: Lane,
  direct: boolean,
  { root, volume, sure }: Ground,
  task: PlaceTask,
): Promise<Placed> {
  const { outer, inner, path } = placeOf(root, task.sha256)
  // A file that was staged before a volume was mounted here is not found by the rename; one that was staged since lies on that volume.
  if (attempt('open', task.staged, () => lstatSync(task.staged)).dev !== volume)
    throw new StorageFault('StoreFailed', 'Another volume lies where the blobs were.', { path: task.staged })
  declareIntent(root, task.sha256)
  ensureFolder(outer)
  ensureFolder(inner)
  const there = await whatIsThere(lane, direct, path, task)
  if (there === 'same') {
    // Only now may the second copy go: the first has just been read.
    try {
      unlinkSync(task.staged)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw faultOf(error, 'unlink', task.staged)
    }
  } else {
    if (there !== 'nothing') keepDamaged(path, task.quarantine)
    attempt('rename', path, () => renameSync(task.staged, path))
  }
  attempt('sync', inner, () => syncFolderSync(inner))
  for (const folder of [inner, outer]) {
    if (sure.has(folder)) continue
    attempt('sync', folder, () => syncFolderSync(dirname(folder)))
    sure.add(folder)
  }
  return { existed: there === 'same', replaced: typeof there === 'string' ? null : there }
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

/** An existing blob counts only after it was read whole and its SHA-256 is its name. */
async function whatIsThere(
  lane: Lane,
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
    const found = await readPass(lane, direct, path, [])
    return found.sha256 === sha256 && found.length === length ? 'same' : found
  } catch (error) {
    // What cannot be read is damaged; but a cancelled reading says nothing.
    if (error instanceof StorageFault) return { length: size, sha256: null }
    throw error
  }
}

/** A second name in quarantine, so that the rename over the first leaves no moment without a blob. */
function keepDamaged(path: string, quarantine: string): void {
  try {
    linkSync(path, quarantine)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // FAT and its kin know no second names; nor may a folder or a link that someone put here have one.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS')
      throw faultOf(error, 'rename', path)
    attempt('rename', path, () => renameSync(path, quarantine))
  }
  const folder = dirname(quarantine)
  attempt('sync', folder, () => syncFolderSync(folder))
}
