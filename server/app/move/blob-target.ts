/** The store that a station moves its blobs to: opened, shown to be this station's or nobody's, and marked until the move ends. */
import { join } from 'node:path'
import { fileThreads } from '../../config/file-threads.ts'
import { floorOf } from '../../kernel/mode.ts'
import { markerIn, putMarker } from '../../platform/files/marked-folder.ts'
import { leastSpace } from '../../platform/files/space.ts'
import { makeFolder, namesIn, removeTree } from '../../platform/files/trees.ts'
import { openBlobStore } from '../../storage/folder/store.ts'
import { STAGING } from '../../storage/layout.ts'
import { type BlockPlace, blocksInFolder, blocksInStore } from '../../storage/move-blocks.ts'
import type { BlobStore } from '../../storage/types.ts'
import type { OpenedKernel } from '../kernel.ts'
import { ARRIVING_MARKER, BLOBS_MARKER, blobsFolder, UPLOADS } from '../own-blobs.ts'
import { arrivingText } from './home.store.ts'
import { blobsName, MoveRefused, type Place } from './places.ts'

export interface BlobTarget {
  readonly store: BlobStore
  /** Of open uploads. */
  readonly blocks: BlockPlace
  /** Null where the volume is not this machine's. */
  readonly room: (() => Promise<number>) | null
  /** The station moved: it may start over these blobs. */
  arrived(): Promise<void>
  close(): Promise<void>
}

interface Options {
  /** Whether the place is marked as filled by a move. A move that is only ended must not: the station may run there already. */
  readonly mark: boolean
}

/** @throws MoveRefused, BucketUnusable, Error */
export async function openBlobTarget(kernel: OpenedKernel, to: Place, options: Options): Promise<BlobTarget> {
  return to.blobUrl === null ? openFolder(kernel, options) : openBucket(kernel, to.blobUrl, options)
}

const OUTER = /^[0-9a-f]{2}$/

async function openFolder(
  { settings, clock, log, origin, store: source }: OpenedKernel,
  { mark }: Options,
): Promise<BlobTarget> {
  const root = blobsFolder(settings)
  const marker = await markerIn(root, BLOBS_MARKER)
  if (marker !== null && marker !== origin)
    throw new MoveRefused(`The folder ${root} has the blobs of another station (${marker}).`)
  if (marker === null && ((await namesIn(root)) ?? []).some((name) => OUTER.test(name)))
    throw new MoveRefused(`The folder ${root} has blobs, and nothing shows whose they are. Name an empty folder.`)
  await makeFolder(root)
  await putMarker(root, BLOBS_MARKER, origin)
  if (mark) await putMarker(root, ARRIVING_MARKER, arrivingText({ origin, from: blobsName(settings.blobUrl ?? null) }))
  const store = await openBlobStore({
    root,
    fileThreads: fileThreads(),
    now: clock.now,
    onProblem: (problem) => log.warn({ err: problem }, 'a problem of the new blob store, without harm'),
  })
  // Where the folder is also the scratch folder of the bucket in use, its temporary files are those of the running station.
  if (mark && root !== source.root) await store.recover(async () => true, [UPLOADS])
  return {
    store,
    blocks: blocksInFolder(store, join(root, STAGING, UPLOADS)),
    room: async () => {
      const { free, total } = await leastSpace([root])
      return free - floorOf(settings.minFreeBytes ?? null, total)
    },
    arrived: () => removeTree(join(root, ARRIVING_MARKER)),
    close: () => store.close(),
  }
}

async function openBucket(
  { settings, clock, log, origin }: OpenedKernel,
  address: NonNullable<Place['blobUrl']>,
  { mark }: Options,
): Promise<BlobTarget> {
  // Loaded only where it is used: the client of the object store is large.
  const { openS3BlobStore } = await import('../../storage/s3/store.ts')
  // A folder of its own: what an interrupted move left in it may be removed.
  const root = join(settings.data, 'moving')
  await removeTree(root)
  await makeFolder(root)
  const store = await openS3BlobStore({
    root,
    address,
    fileThreads: fileThreads(),
    now: clock.now,
    onProblem: (problem) => log.warn({ err: problem }, 'a problem of the new blob store, without harm'),
    owner: { origin, tenant: settings.tenant, hasBlobs: async () => false, mayRecord: () => true, mayArrive: true },
    // Whatever has no row now never gets one: nobody else writes here.
    orphanAge: 0,
  })
  if (mark) await store.markArriving(arrivingText({ origin, from: blobsName(settings.blobUrl ?? null) }))
  const { blocks } = store
  if (blocks === null) throw new Error('An object store keeps blocks as objects.')
  return {
    store,
    blocks: blocksInStore(blocks),
    room: null,
    arrived: () => store.markArriving(null),
    close: async () => {
      await store.close()
      await removeTree(root)
    },
  }
}

/** Where the running station keeps the blocks of open uploads. */
export const ownBlocks = ({ store, staging }: Pick<OpenedKernel, 'store' | 'staging'>): BlockPlace =>
  store.blocks === null ? blocksInFolder(store, staging.root) : blocksInStore(store.blocks)
