import { isOnVolume, markerIn, putMarker, volumeOfFolder } from '../../../platform/files/marked-folder.ts'
import type { ReadThrough } from '../../../platform/files/aligned.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { openBlobStore } from '../../../storage/folder/store.ts'
import { type BlobStore, StorageFault } from '../../../storage/store.ts'

/**
 * A second copy of what cameras bring, on another volume: a store of its own, laid out as the first one is, so that whoever has nothing but
 * this volume has every file under its SHA-256. No camera is committed before it is durable and read back there.
 */
export interface SecondCopy {
  readonly folder: string
  /** @throws SecondCopyAway, StorageFault */
  keep(
    file: { readonly path: string; readonly sha256: string; readonly length: number },
    signal: AbortSignal,
  ): Promise<ReadThrough>
  close(): Promise<void>
}

/** The volume is not there, or is another one: whoever waits goes on when it is back. */
export class SecondCopyAway extends Error {
  override readonly name = 'SecondCopyAway'
}

/** In the folder: it is that of this station. Where a volume is not mounted, an empty folder lies in its place. */
const MARKER = 'sallyport-second-copy'

interface Deps {
  /** Made by whoever set the station up, never by the station: it must not appear on the wrong volume. */
  readonly folder: string
  /** Folders of the station: a copy on one of their volumes would go with the first. */
  readonly notBeside: readonly string[]
  readonly station: string
  /** Whether something was kept there before: then its marker must be there. */
  readonly wasUsed: () => Promise<boolean>
  readonly clock: Clock
}

export function createSecondCopy({ folder, notBeside, station, wasUsed, clock }: Deps): SecondCopy {
  let opening: Promise<BlobStore> | null = null
  const begin = async (): Promise<BlobStore> => {
    await requireVolume(folder, notBeside)
    await requireMarker(folder, station, wasUsed)
    const store = await openBlobStore({ root: folder, workers: 1, now: clock.now })
    // What a run that was cut off put into place stays: the next one finds it there.
    await store.recover(async () => true, [])
    return store
  }
  const drop = async (): Promise<void> => {
    const before = opening
    opening = null
    await (await before?.catch(() => null))?.close()
  }
  const opened = async (): Promise<BlobStore> => {
    opening ??= begin()
    let store: BlobStore
    try {
      store = await opening
    } catch (error) {
      opening = null
      throw error
    }
    const away = await store.whyAway()
    if (away === null) return store
    await drop()
    throw new SecondCopyAway(`The volume of the second copies is not there: ${folder}. ${away} Connect it.`)
  }
  return {
    folder,
    keep: async ({ path, sha256, length }, signal) => {
      const store = await opened()
      try {
        const there = await store.verifyBlob(sha256, { signal })
        if (there.result === 'ok') return there.readBack
        const staged = await store.copyIn(path, { signal, expect: { length, sha256 } })
        const placed = await store.place(staged)
        await store.confirm(placed)
        return placed.readBack
      } catch (error) {
        // A disk that failed under a write is opened anew by the next attempt, and looked at.
        if (error instanceof StorageFault && error.code === 'IoUnknown') await drop()
        throw error
      }
    },
    close: drop,
  }
}

async function requireVolume(folder: string, notBeside: readonly string[]): Promise<void> {
  const volume = await volumeOfFolder(folder)
  if (volume === null)
    throw new SecondCopyAway(`The folder of the second copies is not there: ${folder}. Connect its volume.`)
  for (const own of notBeside)
    if (await isOnVolume(own, volume))
      throw new SecondCopyAway(
        `The folder of the second copies lies on the same volume as the station's own: ${folder}. Connect its volume, or set another folder.`,
      )
}

async function requireMarker(folder: string, station: string, wasUsed: () => Promise<boolean>): Promise<void> {
  const said = await markerIn(folder, MARKER)
  if (said === station) return
  if (said !== null)
    throw new SecondCopyAway(
      `The folder of the second copies is that of another station: ${folder}. Connect the right volume.`,
    )
  if (await wasUsed())
    throw new SecondCopyAway(`Another volume lies where the second copies were: ${folder}. Connect the right one.`)
  await putMarker(folder, MARKER, station)
}
