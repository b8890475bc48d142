import type { Database } from '../../../kernel/database/database.ts'
import { blobRowsAfter, knownBlobs } from './verify.store.ts'
import { collectProblems, type Problem } from './verify.types.ts'

/** The blob store's comparison of rows and files, which yields only differences. */
export interface BlobsToVerify {
  compare(options: {
    /** In ascending order of hash. */
    readonly rows: AsyncIterable<BlobRow>
    readonly isKnown: (sha256: string) => Promise<boolean>
    /** False: names and lengths only. */
    readonly read: boolean
    readonly signal?: AbortSignal
    readonly onProgress?: (rows: number, bytes: number) => void
  }): AsyncIterable<BlobDifference>
}

export interface BlobRow {
  readonly sha256: string
  readonly length: number
}

export interface BlobDifference {
  readonly kind: 'changed' | 'missing' | 'untracked'
  /** Null for a file whose name is no blob's. */
  readonly sha256: string | null
  readonly path: string
  /** The current hash of the bytes. */
  readonly found: string | null
  /** Why they could not be read. */
  readonly problem: string | null
}

export interface BlobReport {
  readonly problems: readonly Problem[]
  readonly leftOut: number
  readonly blobs: number
  /** Bytes that were read; 0 with `fast`. */
  readonly bytes: number
}

interface Options {
  readonly db: Database
  readonly blobs: BlobsToVerify
  /** Names and lengths only. */
  readonly fast: boolean
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, bytes: number) => void
}

const ROWS_AT_ONCE = 500

/** Compares rows with files and files with rows (promise I5: `changed`, `missing`, `untracked`). @throws the signal's reason */
export async function verifyBlobs({ db, blobs, fast, signal, onProgress }: Options): Promise<BlobReport> {
  const problems = collectProblems()
  const seen = { blobs: 0, bytes: 0 }
  const differences = blobs.compare({
    rows: expectedBlobs(db),
    isKnown: async (sha256) => (await knownBlobs(db.read, [sha256])).has(sha256),
    read: !fast,
    ...(signal && { signal }),
    onProgress: (done, bytes) => {
      seen.blobs = done
      seen.bytes = fast ? 0 : bytes
      onProgress?.(done, seen.bytes)
    },
  })
  for await (const difference of differences) problems.add(problemOf(difference))
  signal?.throwIfAborted()
  return { problems: problems.list, leftOut: problems.leftOut, ...seen }
}

/**
 * Every blob that must be in the store, by hash. Properly destroyed blobs, and those that are at headquarters only, are left out here and
 * nowhere else. The rows that say so are covered by the ledger.
 */
export async function* expectedBlobs(db: Database): AsyncGenerator<BlobRow> {
  for (let after = ''; ; ) {
    const page = await blobRowsAfter(db.read, after, ROWS_AT_ONCE)
    if (page.length === 0) return
    for (const row of page) {
      yield row
      after = row.sha256
    }
  }
}

function problemOf({ kind, sha256, path, found, problem }: BlobDifference): Problem {
  const what = sha256 ?? path
  if (kind === 'missing') return { kind, what, message: 'The blob is not in the store.' }
  if (kind === 'untracked')
    return { kind, what, message: `${path} lies among the blobs, and nothing in the database points to it.` }
  const how = found === null ? 'its length is another one, or it cannot be read' : `its bytes hash to ${found} now`
  return { kind, what, message: `The blob was changed: ${problem ?? how}.` }
}
