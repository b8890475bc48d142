import { isAbsolute, join } from 'node:path'
import { Fault, fault } from '../../../../shared/kernel/errors.ts'
import { snapshotTime } from '../../../../shared/integrity/kept-snapshots.ts'
import {
  makeFolderIn,
  makeLastFolder,
  namesIn,
  overlap,
  readLines,
  readText,
  removeTree,
  writeNew,
} from '../../../platform/files/trees.ts'

/**
 * A folder of snapshots: `sallyport-backup.json` names its station, `blobs/` is laid out like the station's own, `snapshots/` has one
 * folder for each snapshot. Names that begin with a dot are being made or removed, and are no snapshots.
 */
export interface BackupFolder {
  readonly path: string
  readonly blobs: string
  readonly snapshots: string
}

const MARK = 'sallyport-backup.json'
const UNFINISHED = '.making-'

export const backupFolder = (path: string): BackupFolder => ({
  path,
  blobs: join(path, 'blobs'),
  snapshots: join(path, 'snapshots'),
})

const unusable = (message: string): Fault => fault('TargetUnusable', message)

/**
 * Claims a folder for the snapshots of one station, or confirms that this station has claimed it. The folder itself must exist: a missing
 * drive must not become a folder on the disk of its mount point.
 * @param own folders of the station, which must not contain a backup @throws Fault TargetUnusable
 */
export async function claimFolder(
  path: string,
  origin: string,
  own: readonly string[],
  /** True when a person adds the folder now: it may be created. In a scheduled run a missing folder is a missing drive. */
  mayMake = false,
): Promise<BackupFolder> {
  if (!isAbsolute(path)) throw unusable('Name the folder by its whole path.')
  for (const folder of own)
    if (await overlap(path, folder)) throw unusable('A copy inside the station’s own folders would be lost with them.')
  const unreadable = (error: Error): never => {
    throw unusable(`The folder cannot be read: ${error.message}`)
  }
  let names = await namesIn(path).catch(unreadable)
  if (names === null && mayMake && (await makeLastFolder(path).catch(unreadable))) names = []
  if (names === null) throw unusable('There is no such folder. Is the drive there?')
  if (!names.includes(MARK)) {
    // A new ext4 volume contains this folder.
    if (names.some((name) => name !== 'lost+found'))
      throw unusable('Something else lies in this folder. Name an empty one.')
    await writeNew(join(path, MARK), `${JSON.stringify({ format: 1, origin })}\n`).catch((error: Error) => {
      throw unusable(`The folder cannot be written: ${error.message}`)
    })
  } else if ((await ownerOf(path)) !== origin) throw unusable('The snapshots in this folder are another station’s.')
  const folder = backupFolder(path)
  await makeFolderIn(folder.blobs)
  await makeFolderIn(folder.snapshots)
  return folder
}

/** The station whose snapshots are in the folder; null when it is no backup folder. */
export async function ownerOf(path: string): Promise<string | null> {
  try {
    const { format, origin } = JSON.parse(await readText(join(path, MARK))) as { format?: unknown; origin?: unknown }
    return format === 1 && typeof origin === 'string' ? origin : null
  } catch {
    return null
  }
}

/** Names of complete snapshots, oldest first. */
export async function snapshotsIn({ snapshots }: BackupFolder): Promise<string[]> {
  return ((await namesIn(snapshots)) ?? []).filter((name) => snapshotTime(name) !== null)
}

/** Removes the remains of interrupted snapshots. */
export async function removeUnfinished({ snapshots }: BackupFolder): Promise<void> {
  for (const name of (await namesIn(snapshots)) ?? []) if (name.startsWith('.')) await removeTree(join(snapshots, name))
}

export const unfinishedName = (id: string): string => `${UNFINISHED}${id}`

const LINE = /^([0-9a-f]{64}) (0|[1-9][0-9]{0,15})$/

/** The blobs that a snapshot names. @throws Error when the list was changed or is out of order */
export async function* listedBlobs(file: string): AsyncGenerator<{ sha256: string; length: number }> {
  let last = ''
  for await (const line of readLines(file)) {
    const [, sha256 = '', length = ''] = LINE.exec(line) ?? []
    // A malformed line gives an empty hash, which is never greater than the last one.
    if (sha256 <= last) throw new Error('The list of blobs is not as it was written.')
    last = sha256
    yield { sha256, length: Number(length) }
  }
}
