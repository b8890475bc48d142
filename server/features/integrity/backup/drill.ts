import { randomInt, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { verifyDatabase } from '../verification/verify.ts'
import { verifyLedger } from '../verification/verify-ledger.ts'
import { openCopy } from '../../../kernel/database/sqlite/copy.ts'
import { openBlobStore } from '../../../storage/folder/store.ts'
import { type BlobStore, StorageFault } from '../../../storage/store.ts'
import { makeFolderIn, removeTree } from '../../../platform/files/trees.ts'
import { listedBlobs } from './folder.ts'
import { LIST } from './manifest.ts'
import { compareList, type FoundSnapshot, checkBlobLength, MOST_PROBLEMS, takeDatabase } from './reader.ts'
import { OF_SOURCE } from './snapshot.ts'
import { openRoots, OriginUnproven, type Roots, signedSnapshot } from './trust.ts'

export interface DrillReport {
  /** Sentences; empty when the snapshot is complete and unchanged. */
  readonly problems: readonly string[]
  readonly entries: number
  /** Blobs that were restored for trial, out of `of`. */
  readonly blobs: number
  readonly of: number
  readonly bytes: number
}

export interface DrillOptions {
  /** A folder with room for the database and the sample. The trial creates a folder in it and removes it again. */
  readonly room: string
  /** Raw keys of this station: a snapshot signed by another key is not its own. */
  readonly publicKeys: readonly Uint8Array[]
  /** The chain hash of an entry in the station's current ledger, in hexadecimal; null when there is no such entry. */
  readonly hashAt: (seq: number) => Promise<string | null>
  /** Further roots of trust that must verify. */
  readonly roots?: Roots | undefined
  readonly sample: number
  readonly now: () => number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((text: string) => void) | undefined
}

/**
 * Trial restore of a snapshot: restores the whole database and a sample of the blobs to a temporary folder, and compares them with the
 * signed manifest and with the ledger of the station. @throws the system's error when the trial cannot run
 */
export async function drill(found: FoundSnapshot, options: DrillOptions): Promise<DrillReport> {
  const room = join(options.room, `.drill-${randomUUID()}`)
  await makeFolderIn(room)
  try {
    const problems: string[] = []
    const own = options.publicKeys.map((key) => Buffer.from(key).toString('base64'))
    if (!own.includes(found.signedBy)) problems.push('The snapshot is signed by another station.')
    options.onProgress?.('database')
    const file = join(room, 'drill.db')
    const changed = await takeDatabase(found, file)
    // The later checks mean nothing for a database that was changed.
    if (changed !== null) return { problems: [...problems, changed], entries: 0, blobs: 0, of: 0, bytes: 0 }
    const entries = await tryDatabase(found, file, options, problems)
    const tried = await tryBlobs(found, room, options, problems)
    return { problems, entries, ...tried }
  } finally {
    await removeTree(room)
  }
}

async function tryDatabase(
  found: FoundSnapshot,
  file: string,
  { hashAt, signal, roots = { signedBy: null, checkpoints: null } }: DrillOptions,
  problems: string[],
): Promise<number> {
  const copy = openCopy(file)
  let outside: readonly string[] = []
  try {
    problems.push(...(await copy.integrity()), ...(await compareList(found, copy)))
    try {
      outside = (await openRoots(roots, signedSnapshot(found))).fitting(await copy.rotations())
    } catch (error) {
      if (!(error instanceof OriginUnproven)) throw error
      problems.push(error.message)
    }
    await copy.ready()
  } finally {
    await copy.close()
  }
  const publicKeys = found.manifest.publicKeys.map((key) => new Uint8Array(Buffer.from(key, 'base64')))
  const report = await verifyLedger({ file, publicKeys, outside, ...(signal === undefined ? {} : { signal }) })
  const rows = await verifyDatabase(file, false, signal)
  problems.push(...[...report.problems, ...rows.problems].map(({ what, message }) => `${what}: ${message}`))
  const { entries, head } = found.manifest.ledger
  if ((await hashAt(entries)) !== head)
    problems.push(`The station’s own ledger has another entry ${entries}: it does not go on from this snapshot.`)
  return report.entries
}

/** Checks all blobs by name and length, and a sample by its bytes. */
async function tryBlobs(
  found: FoundSnapshot,
  room: string,
  { sample, now, signal, onProgress }: DrillOptions,
  problems: string[],
): Promise<{ blobs: number; of: number; bytes: number }> {
  const target = await openBlobStore({ root: join(room, 'blobs'), workers: 1, now })
  const chosen: { sha256: string; length: number }[] = []
  const place = (sha256: string): string => join(found.folder.blobs, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  let of = 0
  let bytes = 0
  try {
    for await (const row of listedBlobs(found.path(LIST))) {
      signal?.throwIfAborted()
      of += 1
      const wrong = await checkBlobLength(place(row.sha256), row)
      if (wrong !== null) {
        if (problems.length < MOST_PROBLEMS) problems.push(wrong)
        continue
      }
      // Reservoir sampling: equal chances without keeping the whole list.
      if (chosen.length < sample) chosen.push(row)
      else if (randomInt(of) < sample) chosen[randomInt(sample)] = row
    }
    for (const [index, row] of chosen.entries()) {
      onProgress?.(`blobs: ${index + 1} of ${chosen.length}`)
      const wrong = await tryBlob(target, place(row.sha256), row, signal)
      if (wrong === null) bytes += row.length
      else problems.push(wrong)
    }
    return { blobs: chosen.length, of, bytes }
  } finally {
    await target.close()
  }
}

/** Copies a blob from the backup to a store and reads it back. @returns a sentence when it differs from the manifest, else null */
export async function tryBlob(
  target: BlobStore,
  source: string,
  { sha256, length }: { sha256: string; length: number },
  signal: AbortSignal | undefined,
): Promise<string | null> {
  try {
    const staged = await target.copyIn(source, {
      expect: { sha256, length },
      ...(signal === undefined ? {} : { signal }),
    })
    await target.confirm(await target.place(staged))
    return null
  } catch (error) {
    if (!(error instanceof StorageFault) || !OF_SOURCE.has(error.code)) throw error
    if (error.code === 'SourceMissing') return `Blob ${sha256} is missing in the backup.`
    return `Blob ${sha256} is not as it was: ${error.message}`
  }
}
