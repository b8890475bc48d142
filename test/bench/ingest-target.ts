import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { volumeOf } from '../../server/platform/files/marked-folder.ts'
import { intentOf, placeOf } from '../../server/storage/layout.ts'
import { openBlobStore } from '../../server/storage/folder/store.ts'
import { createWorkerPool } from '../../server/storage/workers/worker-pool.ts'

/** What ingest.bench.ts measures: something that takes files in. A module given with `--target` exports one as `open`. */
export interface IngestTarget {
  /** Resolves when the file is as durable as the target makes it. */
  ingest(file: string): Promise<void>
  close(): Promise<void>
}

export type OpenTarget = (
  root: string,
  options: { workers: number; slices: number; reads: number },
) => Promise<IngestTarget>

/** The blob store as the station uses it; the transaction between `place` and `confirm` is left out. */
export const openStore: OpenTarget = async (root, { workers }) => {
  const store = await openBlobStore({ root, workers, now: Date.now })
  return {
    ingest: async (file) => store.confirm(await store.place(await store.copyIn(file))),
    close: () => store.close(),
  }
}

/** The same threads told not to read back: to be compared with `cp`, which does not either. No station can be made to do so. */
export const openWithoutReadBack: OpenTarget = async (root, { workers, slices, reads }) => {
  const store = await openBlobStore({ root, workers: 1, now: Date.now })
  await store.close()
  const pool = createWorkerPool(workers, { root, volume: await volumeOf(root), direct: true, slices, reads })
  return {
    ingest: async (file) => {
      const target = join(root, '.staging', `copy-${randomUUID()}`)
      const { sha256, length } = await pool.run<'copy'>({
        kind: 'copy',
        source: file,
        target,
        expect: {},
        readBack: false,
      })
      const quarantine = join(root, '.quarantine', randomUUID())
      await pool.run<'place'>({ kind: 'place', staged: target, sha256, length, quarantine })
      await rm(intentOf(root, sha256), { force: true })
      if (!placeOf(root, sha256).path.endsWith(sha256)) throw new Error('Not in its place')
    },
    close: () => pool.close(),
  }
}
