/** Blocks of open uploads, as objects under `staging/<upload>/` (docs/decisions/0026). */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { StorageFault } from '../faults.ts'
import { STAGING } from '../layout.ts'
import { countProgress, removeQuietly, type Staging } from '../staged-files.ts'
import type { StagedBlocks, StoreOptions } from '../types.ts'
import { type Bucket, IN_FLIGHT } from './bucket.ts'
import { blockIn, STAGING_KEYS, stagingKeyOf } from './keys.ts'
import type { Transfers } from './transfers.ts'

interface Parts {
  readonly bucket: Bucket
  readonly transfers: Transfers
  readonly staging: Staging
  /** Reads an object and hashes it, twice where it differs. */
  readonly hashObject: (key: string, length: number, expected: string) => Promise<string>
  /** Removes an object for good, with the versions that the bucket keeps. */
  readonly purge: (key: string) => Promise<void>
  readonly keepsVersions: () => Promise<boolean>
  /** Whether a time of the store is longer ago than what counts as left over. */
  readonly isOld: (time: number) => boolean
  readonly onProblem: NonNullable<StoreOptions['onProblem']>
}

/** Uploads of a block that is read back otherwise than it was sent. */
const ATTEMPTS = 3
const REMOVED_AT_ONCE = 8

export function stagedBlocks(parts: Parts): StagedBlocks {
  const { bucket, transfers, staging, hashObject, purge, isOld, onProblem } = parts
  const inMemory = limitBytes(IN_FLIGHT)

  const isThere = async (key: string, length: number, sha256: string): Promise<boolean> => {
    const found = await hashObject(key, length, sha256).catch((error: unknown) => {
      // Missing, or of another length: nobody else writes this name.
      if (error instanceof StorageFault && (error.code === 'BlobMissing' || error.code === 'BlobDamaged')) return null
      throw error
    })
    return found === sha256
  }
  const store = async (key: string, path: string, length: number, sha256: string): Promise<void> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await transfers.run<'put'>({ kind: 'put', key, path, length, ifAbsent: false }).catch(async (error: unknown) => {
        if (error instanceof StorageFault && error.code === 'NoSpace') throw error
        // It may have been done, and its answer was lost: what is there is read below.
        if ((await bucket.head(key, 'write')) === null) throw error
      })
      if (await isThere(key, length, sha256)) return
    }
    throw new StorageFault('ReadBackMismatch', 'The object store gave back other bytes than were sent.', { path: key })
  }
  const removeEach = async (
    keys: AsyncIterable<string>,
    removeOne: (key: string) => Promise<void>,
  ): Promise<number> => {
    let removed = 0
    const lanes = new Set<Promise<void>>()
    for await (const key of keys) {
      while (lanes.size >= REMOVED_AT_ONCE) await Promise.race(lanes)
      const lane = removeOne(key)
        // One that cannot be removed, such as under Object Lock, does not stop the others; the sweep tries again.
        .then(
          () => void (removed += 1),
          (error: unknown) => onProblem(error as StorageFault),
        )
        .finally(() => lanes.delete(lane))
      lanes.add(lane)
    }
    await Promise.all(lanes)
    return removed
  }

  return {
    keep: (upload, { file, length, sha256 }, path) =>
      inMemory(length, () => store(stagingKeyOf(upload, file), path, length, sha256)),
    has: (upload, { file, length, sha256 }) => isThere(stagingKeyOf(upload, file), length, sha256),
    join: async (upload, blocks, { signal, onProgress, toFile = false } = {}) => {
      const length = blocks.reduce((sum, block) => sum + block.length, 0)
      const objects = blocks.map((block) => ({
        key: stagingKeyOf(upload, block.file),
        length: block.length,
        crc32: block.crc32,
      }))
      const only = blocks.length === 1 ? blocks[0] : undefined
      const hashed = async (path: string | null): Promise<string> =>
        transfers.run<'join'>(
          { kind: 'join', objects, path },
          { signal, onProgress: countProgress(onProgress, length) },
        )
      if (!toFile) {
        // The one block was hashed when it came, and read back.
        const sha256 = only?.sha256 ?? (await hashed(null))
        return { path: `${STAGING_KEYS}${upload}/`, objects, sha256, length, readBack: 'direct' }
      }
      const path = join(staging.root, STAGING, `joined-${randomUUID()}`)
      return staging.space(length, async () => {
        const sha256 = await hashed(path).catch(async (error: unknown) => {
          await removeQuietly(path, onProblem)
          throw error
        })
        return { path, sha256, length, readBack: 'direct' }
      })
    },
    remove: (upload, file) => purge(stagingKeyOf(upload, file)),
    removeAll: async (upload) => {
      const prefix = `${STAGING_KEYS}${upload}/`
      const keys = async function* () {
        for await (const { key } of bucket.list(prefix)) yield key
      }
      await removeEach(keys(), bucket.remove)
      if (await parts.keepsVersions()) await bucket.removeVersions(prefix, { below: true })
    },
    removeLeftovers: (isNeeded) => {
      const keys = async function* () {
        for await (const { key, modified } of bucket.list(STAGING_KEYS)) {
          if (!isOld(modified)) continue
          const block = blockIn(key)
          if (block === null || !(await isNeeded(block.upload, block.file))) yield key
        }
      }
      return removeEach(keys(), purge)
    },
  }
}

/** Lets work run while what it holds in memory is below a limit. Work that needs more than the limit runs alone. */
function limitBytes(limit: number): <T>(bytes: number, work: () => Promise<T>) => Promise<T> {
  let used = 0
  const waiting: { readonly bytes: number; readonly start: () => void }[] = []
  const startWaiting = (): void => {
    for (let first = waiting[0]; first !== undefined && used + first.bytes <= limit; first = waiting[0]) {
      waiting.shift()
      used += first.bytes
      first.start()
    }
  }
  return async (bytes, work) => {
    const held = Math.min(bytes, limit)
    await new Promise<void>((resolve) => {
      waiting.push({ bytes: held, start: resolve })
      startWaiting()
    })
    try {
      return await work()
    } finally {
      used -= held
      startWaiting()
    }
  }
}
