import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { snapshotName } from '../../../../shared/integrity/kept-snapshots.ts'
import type { Signer } from '../../../kernel/ledger/signed-note.ts'
import { copyDatabase, type DatabaseCopy, openCopy } from '../../../kernel/database/sqlite/copy.ts'
import { type FolderStore, openBlobStore } from '../../../storage/folder/store.ts'
import { type BlobStore, type LocalCopy, StorageFault } from '../../../storage/store.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import {
  fileLength,
  renameInFolder,
  makeFolderIn,
  removeTree,
  sumOf,
  syncFile,
  syncFolder,
  writeLines,
  writeNew,
} from '../../../platform/files/trees.ts'
import { type BackupFolder, removeUnfinished, unfinishedName } from './folder.ts'
import { wrapKeys } from './keys.ts'
import { DATABASE, KEYS, LIST, MANIFEST, type Manifest, SIGNATURE, signManifest } from './manifest.ts'

export interface SnapshotSource {
  /** The station's database; it may be in use. */
  readonly database: string
  readonly blobs: Pick<BlobStore, 'localCopy'>
  readonly signer: Signer
  readonly publicKeys: readonly Uint8Array[]
  readonly program: string
  /** Whether a row still names this blob: a blob that was destroyed during the snapshot is not missing. */
  readonly isExpected: (sha256: string) => Promise<boolean>
}

export interface SnapshotOptions {
  readonly now: () => number
  /** Texts of the key files, and the passphrase that wraps them. */
  readonly keys?: { readonly files: Readonly<Record<string, string>>; readonly passphrase: string }
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((text: string) => void) | undefined
}

export interface Snapshot {
  readonly name: string
  readonly manifest: Manifest
  readonly newBlobs: number
  readonly newBytes: number
}

/** Parallel copies: small files wait for the disk, not for the processor. */
const PARALLEL_COPIES = 4

/**
 * Makes a snapshot of one moment: the database, every blob that it names, and a signed manifest. Blobs of earlier snapshots are not copied
 * again. The snapshot gets its name only when all of it is on the disk and was read back.
 * @throws Fault, StorageFault (NoSpace …) or the system's error; then there is no new snapshot, and earlier ones are unchanged
 */
export async function makeSnapshot(
  folder: BackupFolder,
  source: SnapshotSource,
  options: SnapshotOptions,
): Promise<Snapshot> {
  await removeUnfinished(folder)
  const making = join(folder.snapshots, unfinishedName(randomUUID()))
  const target = await openBlobStore({ root: folder.blobs, workers: 1, now: options.now })
  try {
    // Removes temporary files of an interrupted snapshot. Finished blobs belong to a snapshot or are removed by the next pruning.
    await target.recover(async () => true, [])
    await makeFolderIn(making)
    const created = options.now()
    options.onProgress?.('database')
    const database = await copyOfDatabase(source.database, join(making, DATABASE))
    const copy = openCopy(join(making, DATABASE))
    try {
      const blobs = await copyBlobs(copy, { target, source, file: join(making, LIST), options })
      const facts = await copy.facts()
      const manifest: Manifest = {
        format: 1,
        origin: facts.origin,
        snapshot: snapshotName(created),
        createdUtc: isoMillis(created),
        program: source.program,
        database: { ...database, schema: facts.schema },
        ledger: { entries: facts.entries, head: facts.head },
        checkpoint: facts.checkpoint,
        counts: facts.counts,
        blobs: {
          count: blobs.count,
          bytes: blobs.bytes,
          list: blobs.list,
          damaged: blobs.damaged,
          ...(facts.forwarded.count === 0 ? {} : { forwarded: facts.forwarded }),
        },
        keys: options.keys === undefined ? null : await writeKeys(join(making, KEYS), options.keys),
        publicKeys: source.publicKeys.map((key) => Buffer.from(key).toString('base64')),
      }
      const { text, signature } = signManifest(manifest, source.signer)
      await writeNew(join(making, MANIFEST), text)
      await writeNew(join(making, SIGNATURE), signature)
      await syncFolder(making)
      options.signal?.throwIfAborted()
      await renameInFolder(making, join(folder.snapshots, manifest.snapshot))
      return { name: manifest.snapshot, manifest, newBlobs: blobs.newBlobs, newBytes: blobs.newBytes }
    } finally {
      await copy.close()
    }
  } catch (error) {
    await removeTree(making).catch(() => {})
    throw error
  } finally {
    await target.close()
  }
}

/** Copies the database and reads the copy back from the disk before it is trusted. */
async function copyOfDatabase(file: string, target: string): Promise<{ sha256: string; length: number }> {
  await copyDatabase(file, target)
  await syncFile(target)
  return sumOf(target)
}

async function writeKeys(
  path: string,
  { files, passphrase }: NonNullable<SnapshotOptions['keys']>,
): Promise<{ sha256: string; length: number }> {
  await writeNew(path, await wrapKeys(files, passphrase))
  return sumOf(path)
}

interface Copied {
  readonly count: number
  readonly bytes: number
  readonly list: { sha256: string; length: number }
  readonly damaged: string[]
  readonly newBlobs: number
  readonly newBytes: number
}

/** Copies every blob of the database to the backup's store, a few at a time, and writes the list of blobs. */
async function copyBlobs(
  copy: DatabaseCopy,
  work: { target: FolderStore; source: SnapshotSource; file: string; options: SnapshotOptions },
): Promise<Copied> {
  const { target, source, options } = work
  const rows = copy.blobs()
  const seen = { count: 0, bytes: 0, newBlobs: 0, newBytes: 0 }
  const damaged: string[] = []
  const left = new Set<string>()
  const copyWorker = async (): Promise<void> => {
    for (;;) {
      options.signal?.throwIfAborted()
      const { value: row, done } = await rows.next()
      if (done === true) return
      const had = (await fileLength(target.pathOf(row.sha256))) === row.length
      if (!had && !(await copyBlob(target, source, row, options.signal))) {
        left.add(row.sha256)
        if (await source.isExpected(row.sha256)) damaged.push(row.sha256)
        continue
      }
      seen.count += 1
      seen.bytes += row.length
      if (!had) {
        seen.newBlobs += 1
        seen.newBytes += row.length
      }
      options.onProgress?.(`blobs: ${seen.count}, ${Math.round(seen.newBytes / 1e6)} MB new`)
    }
  }
  await allOrFirst(Array.from({ length: PARALLEL_COPIES }, copyWorker))
  const list = await writeLines(work.file)
  try {
    for await (const row of copy.blobs()) if (!left.has(row.sha256)) await list.add(`${row.sha256} ${row.length}`)
  } catch (error) {
    await list.abandon()
    throw error
  }
  return { ...seen, damaged: damaged.sort(), list: await list.end() }
}

/** Waits for all promises, even when one fails. @throws the first error */
async function allOrFirst(work: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(work)
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** @returns false when the blob is missing or damaged in the station itself. @throws StorageFault for failures of the target */
async function copyBlob(
  target: BlobStore,
  source: SnapshotSource,
  { sha256, length }: { sha256: string; length: number },
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let local: LocalCopy | null = null
  try {
    local = await source.blobs.localCopy(sha256, signal === undefined ? {} : { signal })
    const staged = await target.copyIn(local.path, {
      expect: { sha256, length },
      ...(signal === undefined ? {} : { signal }),
    })
    await target.confirm(await target.place(staged))
    return true
  } catch (error) {
    if (error instanceof StorageFault && OF_SOURCE.has(error.code)) return false
    throw error
  } finally {
    await local?.release()
  }
}

export const OF_SOURCE: ReadonlySet<StorageFault['code']> = new Set([
  'SourceMissing',
  'SourceNotRegular',
  'SourceUnreadable',
  'SourceChanged',
  'NotAsExpected',
  'BlobMissing',
  'BlobDamaged',
])
