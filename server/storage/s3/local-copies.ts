import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageFault } from '../faults.ts'
import { STAGING } from '../layout.ts'
import type { Staging } from '../staged-files.ts'
import type { LocalCopy } from '../types.ts'
import type { Bucket, ObjectFacts } from './bucket.ts'
import { keyOf } from './keys.ts'
import type { Transfers } from './transfers.ts'

/**
 * Copies of blobs in the scratch folder, for programs that read files only (ffmpeg, exiftool, a backup to a disk). Those who need the same
 * blob at the same time share a copy, and it is removed with the last of them. All copies together take no more than `most` bytes: further
 * ones wait, and a blob that would never fit is refused.
 */
export function localCopies(
  { root, space }: Pick<Staging, 'root' | 'space'>,
  most: number,
  { bucket, transfers }: { readonly bucket: Pick<Bucket, 'head'>; readonly transfers: Transfers },
): (sha256: string, options?: { readonly signal?: AbortSignal }) => Promise<LocalCopy> {
  const copies = new Map<string, { readonly path: Promise<string>; users: number }>()
  const waiting: (() => void)[] = []
  let taken = 0

  const reserve = async (length: number): Promise<void> => {
    if (length > most)
      throw new StorageFault(
        'NoSpace',
        `The file has ${length} bytes, and copies in the scratch folder may take ${most} (SALLYPORT_SCRATCH_BYTES). It cannot be opened by media programs or copied to a disk.`,
      )
    while (taken + length > most) await new Promise<void>((resolve) => waiting.push(resolve))
    taken += length
  }
  const giveBack = (length: number): void => {
    taken -= length
    for (const wake of waiting.splice(0)) wake()
  }
  const fetch = async (sha256: string, path: string, facts: ObjectFacts): Promise<void> => {
    const found = await transfers.run<'fetch'>({ kind: 'fetch', key: keyOf(sha256), facts, path })
    if (found !== sha256)
      throw new StorageFault('BlobDamaged', 'The object store gave back other bytes than were stored.', {
        path: sha256,
      })
  }
  const make = async (sha256: string): Promise<string> => {
    const facts = await bucket.head(keyOf(sha256))
    if (facts === null) throw new StorageFault('BlobMissing', 'There is no such blob.', { path: sha256 })
    const { length } = facts
    await reserve(length)
    const path = join(root, STAGING, `local-${sha256}-${randomUUID()}`)
    try {
      await space(length, () => fetch(sha256, path, facts))
      lengths.set(path, length)
      return path
    } catch (error) {
      await rm(path, { force: true }).catch(() => {})
      giveBack(length)
      throw error
    }
  }
  const lengths = new Map<string, number>()

  return async (sha256, { signal } = {}) => {
    signal?.throwIfAborted()
    const known = copies.get(sha256)
    const copy = known ?? { path: make(sha256), users: 0 }
    if (known === undefined) copies.set(sha256, copy)
    copy.users += 1
    let released = false
    const release = async (): Promise<void> => {
      if (released) return
      released = true
      copy.users -= 1
      if (copy.users > 0) return
      copies.delete(sha256)
      const path = await copy.path.catch(() => null)
      if (path === null) return
      // A copy that stays is removed by the next start.
      await rm(path, { force: true }).catch(() => {})
      giveBack(lengths.get(path) ?? 0)
      lengths.delete(path)
    }
    try {
      return { path: await copy.path, release }
    } catch (error) {
      await release()
      throw error
    }
  }
}
