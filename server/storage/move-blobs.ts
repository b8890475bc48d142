/** Copies the blobs of one store into another. A blob that is there already is read and hashed, and not copied again. */
import { createWriteStream } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { faultOf, StorageFault } from './faults.ts'
import type { BlobStore, OpenBlob, StagedBlob } from './types.ts'

export interface BlobRow {
  readonly sha256: string
  readonly length: number
}

export interface QuarantineRow {
  readonly path: string
  readonly reason: string
  /** Null when the bytes were not read. */
  readonly sha256: string | null
}

export interface MovedBlobs {
  readonly copied: number
  readonly copiedBytes: number
  /** Those that were there already, by an earlier run, and have the right hash. */
  readonly present: number
}

export interface BlobMover {
  /**
   * Copies what is not there. Called again it takes only rows that came since.
   * @throws StorageFault BlobDamaged, BlobMissing of the source; ReadBackMismatch, NoSpace, StoreAway … of the target
   */
  copy(rows: AsyncIterable<BlobRow>, signal: AbortSignal, onBlob: (row: BlobRow) => void): Promise<MovedBlobs>
  /**
   * Compares names and lengths at the target with the rows, each of which was read and hashed there by `copy`. Bytes that may go are removed.
   * @param mayGo whether bytes without a row are gone by right: destroyed, or at headquarters only
   * @throws Error for a blob that is missing, has another length, or is not this station's
   */
  compare(
    rows: AsyncIterable<BlobRow>,
    mayGo: (sha256: string) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<{ readonly removed: number }>
  /** Copies bytes in quarantine under the same name. @returns how many are not at the source any more */
  copyQuarantine(rows: readonly QuarantineRow[], signal: AbortSignal): Promise<{ copied: number; missing: number }>
}

const AT_ONCE = 4
/** A bit can be flipped on the way where there is no TLS. */
const READS = 2

export function createBlobMover(source: BlobStore, target: BlobStore): BlobMover {
  const done = new Set<string>()

  const moveOne = async (row: BlobRow, signal: AbortSignal): Promise<'copied' | 'present'> => {
    const there = await target.verifyBlob(row.sha256, { signal })
    if (there.result === 'ok' && there.length === row.length) return 'present'
    const staged = await staging(target, `The blob ${row.sha256}`, () => source.open(row.sha256), row.sha256, signal)
    try {
      await target.confirm(await target.place(staged.blob))
    } finally {
      await staged.dispose()
    }
    return 'copied'
  }

  return {
    copy: async (rows, signal, onBlob) => {
      const moved = { copied: 0, copiedBytes: 0, present: 0 }
      await inLanes(rows, signal, async (row, either) => {
        if (done.has(row.sha256)) return
        if ((await moveOne(row, either)) === 'present') moved.present += 1
        else {
          moved.copied += 1
          moved.copiedBytes += row.length
        }
        done.add(row.sha256)
        onBlob(row)
      })
      return moved
    },

    compare: async (rows, mayGo, signal) => {
      let removed = 0
      for await (const one of target.compare({ rows, isKnown: async () => false, read: false, signal })) {
        const { kind, sha256, name } = one
        if (kind === 'untracked' && sha256 !== null && (await mayGo(sha256))) {
          await target.remove(sha256, async () => false)
          removed += 1
        } else if (kind === 'untracked')
          throw new Error(`The new place has bytes that are not this station’s: ${name}. Nothing was removed there.`)
        else throw new Error(`At the new place the blob ${sha256} is ${kind}. Run the command again.`)
      }
      return { removed }
    },

    copyQuarantine: async (rows, signal) => {
      const there = new Set(await target.quarantined())
      let copied = 0
      let missing = 0
      for (const { path, reason, sha256 } of rows) {
        const name = basename(path)
        if (there.has(name)) continue
        const open = (): Promise<OpenBlob> => source.openQuarantined(name)
        const staged = await staging(target, `The quarantined file ${name}`, open, sha256, signal).catch(
          (error: unknown) => {
            if (error instanceof StorageFault && error.code === 'BlobMissing') return null
            throw error
          },
        )
        if (staged === null) missing += 1
        else {
          await target.receiveQuarantined(name, staged.blob, reason)
          await staged.dispose()
          copied += 1
        }
      }
      return { copied, missing }
    },
  }
}

/**
 * Writes a blob of the source into the target's staging area and reads it back there.
 * @param sha256 what it must have; null: what it has when it is read a second time
 */
async function staging(
  target: BlobStore,
  what: string,
  open: () => Promise<OpenBlob>,
  sha256: string | null,
  signal: AbortSignal,
): Promise<{ readonly blob: StagedBlob; dispose(): Promise<void> }> {
  let expected = sha256
  for (let read = 1; ; read++) {
    const folder = await target.temporary('move')
    try {
      const path = join(folder.dir, 'blob')
      const blob = await open()
      const { size } = blob
      await pipeline(blob.stream(), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal }).catch(
        (error: unknown) => {
          signal.throwIfAborted()
          throw error instanceof StorageFault ? error : faultOf(error, 'write', path)
        },
      )
      const staged = await target.adopt(path, { signal })
      if (staged.length === size && staged.sha256 === expected) return { blob: staged, dispose: folder.dispose }
      // Without a hash to go by, two reads must agree.
      expected ??= staged.sha256
    } catch (error) {
      await folder.dispose()
      throw error
    }
    await folder.dispose()
    if (read >= READS + (sha256 === null ? 1 : 0))
      throw new StorageFault('BlobDamaged', `${what} has other bytes than it should, or they change on the way.`)
  }
}

/** Several at a time, until one fails. */
export async function inLanes<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]()
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const lane = async (): Promise<void> => {
    for (;;) {
      either.throwIfAborted()
      const next = await iterator.next()
      if (next.done === true) return
      await work(next.value, either)
    }
  }
  const lanes = Array.from({ length: AT_ONCE }, () =>
    lane().catch((error: unknown) => {
      stop.abort(error)
      throw error
    }),
  )
  const failed = (await Promise.allSettled(lanes)).find((end) => end.status === 'rejected')
  if (failed !== undefined) throw signal.aborted ? signal.reason : (stop.signal.reason ?? failed.reason)
}
