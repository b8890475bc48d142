/** Checks that the folder of the blobs belongs to this station. It may be on its own volume, which may not be mounted, like that of the data. */
import { join } from 'node:path'
import type { Tx } from '../kernel/database/database.ts'
import { INTENTS, STAGING } from '../storage/layout.ts'
import { markerIn, putMarker } from '../platform/files/marked-folder.ts'
import { namesIn } from '../platform/files/trees.ts'
import { MoveUnfinished } from './move/left-home.ts'
import type { Log } from '../platform/log/log.ts'

/** The folder in the store's staging area that the upload protocol manages itself. */
export const UPLOADS = 'uploads'

/** File with the origin of the station, as in its checkpoints. */
export const BLOBS_MARKER = '.station'
/** File beside it while a move fills the folder. */
export const ARRIVING_MARKER = '.arriving'
const OUTER = /^[0-9a-f]{2}$/

interface Folders {
  readonly data: string
  /** Given by the setting; then blobs and scratch files have the same folder. */
  readonly ownBlobsDir?: string | undefined
}

export const blobsFolder = ({ data, ownBlobsDir }: Folders): string => ownBlobsDir ?? join(data, 'blobs')
/** Where the blobs lie in an object store. */
export const scratchFolder = ({ data, ownBlobsDir }: Folders): string => ownBlobsDir ?? join(data, 'scratch')

/** The folder of the blobs belongs to another station, or is empty although the station has blobs. */
export class NotOwnBlobs extends Error {
  override readonly name = 'NotOwnBlobs'
}

interface Station {
  readonly origin: string
  /** Whether the station had entries or checkpoints when it began to start. */
  readonly established: boolean
  readonly mayRecord: () => boolean
  /** The folder is the scratch folder of blobs that lie in an object store: it may be empty. */
  readonly inObjectStore?: boolean
}

/** @throws NotOwnBlobs */
export type RequireOwn = () => Promise<void>

/**
 * To be called before recovery, which removes files without a row: a new station over the blobs of another one would remove that one's
 * unfinished uploads and last blobs. Marks a folder that has no mark yet.
 * @returns the same check, to be repeated before each removal, since a volume may be mounted meanwhile
 * @throws NotOwnBlobs
 */
export async function requireOwnBlobs(folder: string, db: Tx, station: Station, log: Log): Promise<RequireOwn> {
  await markOwnBlobs(folder, db, station, log)
  const marker = await markerIn(folder, BLOBS_MARKER)
  return async () => {
    if ((await markerIn(folder, BLOBS_MARKER)) !== marker)
      throw new NotOwnBlobs(
        `Another folder is in the place of the folder of the blobs, ${folder}: its volume was mounted or taken away while the station ` +
          'started. Nothing was removed from it. Make sure that the volume is mounted before the station starts, then start again.',
      )
  }
}

async function markOwnBlobs(folder: string, db: Tx, station: Station, log: Log): Promise<void> {
  const marker = await markerIn(folder, BLOBS_MARKER)
  if (station.inObjectStore !== true && (await markerIn(folder, ARRIVING_MARKER)) !== null)
    throw new MoveUnfinished(`The folder of the blobs, ${folder},`)
  if (marker === station.origin) return
  if (marker !== null)
    throw new NotOwnBlobs(
      `The folder of the blobs, ${folder}, belongs to another station (${marker}); this one is ${station.origin}. Nothing was changed ` +
        'in it. If this is the same machine, a volume is not mounted: mount it, then start again. A new station needs a folder of its own (SALLYPORT_BLOBS_DIR).',
    )
  const names = (await namesIn(folder)) ?? []
  if (!station.established && (await holdsWork(folder, names)))
    throw new NotOwnBlobs(
      `The folder of the blobs, ${folder}, has files, and there is no station in the data folder yet. Nothing was changed in it. ` +
        'If this is the same machine, the volume of the data is not mounted: mount it, then start again. A new station needs a folder of its own (SALLYPORT_BLOBS_DIR).',
    )
  const ofStore = names.includes(STAGING) || names.some((name) => OUTER.test(name))
  if (!ofStore && station.inObjectStore !== true && (await hasBlobRows(db)))
    throw new NotOwnBlobs(
      `The folder of the blobs, ${folder}, is empty, and the station has files. Mount its volume, then start again. ` +
        `If the blobs are lost for good, make an empty folder ${STAGING} in it: the station starts, and "verify" names every file that is missing.`,
    )
  if (!station.mayRecord()) return
  await putMarker(folder, BLOBS_MARKER, station.origin).catch((error: unknown) =>
    log.warn(
      { err: error },
      'the folder of the blobs could not be marked as this station’s; the next start tries again',
    ),
  )
}

export const hasBlobRows = async (db: Tx): Promise<boolean> =>
  (await db.selectFrom('blobs').select('sha256').limit(1).executeTakeFirst()) !== undefined

/** Whether the folder has acknowledged bytes: blobs, blobs being placed, or blocks of uploads. Other temporary files do not matter. */
async function holdsWork(folder: string, names: readonly string[]): Promise<boolean> {
  if (names.some((name) => OUTER.test(name))) return true
  for (const inner of [INTENTS, join(STAGING, UPLOADS)])
    if (((await namesIn(join(folder, inner))) ?? []).length > 0) return true
  return false
}
