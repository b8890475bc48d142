import { setTimeout as sleep } from 'node:timers/promises'
import type { CompareOptions, Difference, Verified } from './types.ts'

type Verify = (sha256: string, options: { signal?: AbortSignal }) => Promise<Verified>
type Row = { readonly sha256: string; readonly length: number }

/** A file or an object that lies where blobs lie. */
export interface Stored {
  /** What `setAside` takes. */
  readonly path: string
  /** Its path below the root, for people. */
  readonly name: string
  /** Null when it has not the name and the place of a blob. */
  readonly sha256: string | null
  /** Null when the listing does not say. */
  readonly length: number | null
}

/** All that a store keeps, for comparisons. */
export interface StoredBlobs {
  /** Everything where blobs lie, blobs in ascending order of their SHA-256. */
  all(): AsyncGenerator<Stored, void, undefined>
  locate(sha256: string): { readonly path: string; readonly name: string }
  /** Null when there is no such blob. */
  lengthOf(sha256: string): Promise<number | null>
  /** Whether it is there, has no row, and is not being placed. */
  isOrphan(stored: Pick<Stored, 'path' | 'sha256'>, isKnown: CompareOptions['isKnown']): Promise<boolean>
}

/**
 * Compares rows and blobs, both in the order of their SHA-256, so that a million of them need no memory. Reads `concurrency` blobs at the
 * same time. Differences are yielded when they are found, in no order.
 */
export async function* compareAll(
  blobs: StoredBlobs,
  verify: Verify,
  options: CompareOptions,
): AsyncGenerator<Difference, void, undefined> {
  const { rows, isKnown, read = true, concurrency = 2, signal, onProgress } = options
  const pace = createPacer(options.bytesPerSecond, signal)
  const checking = new Set<Promise<void>>()
  const differences: Difference[] = []
  const failures: unknown[] = []
  let counted = 0
  let bytes = 0

  const check = async (row: Row, stored: Stored | null): Promise<void> => {
    const difference = read
      ? await readOne(blobs, verify, row, signal)
      : await compareLength(blobs, row, stored?.length ?? null)
    if (difference !== null) differences.push(difference)
    bytes += row.length
    onProgress?.(++counted, bytes)
  }
  for await (const { row, stored } of sideBySide(blobs, rows)) {
    signal?.throwIfAborted()
    if (row === null && (await blobs.isOrphan(stored, isKnown))) differences.push(untracked(stored))
    if (row !== null) {
      await pace(read ? row.length : 0)
      const running: Promise<void> = check(row, stored)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => checking.delete(running))
      checking.add(running)
      if (checking.size >= concurrency) await Promise.race(checking)
    }
    if (failures.length > 0) break
    yield* differences.splice(0)
  }
  await Promise.all(checking)
  if (failures.length > 0) throw failures[0]
  yield* differences
}

type Pair = { row: Row; stored: Stored | null } | { row: null; stored: Stored }

/** Yields each row, with its blob when that is there, and everything without a row. */
async function* sideBySide(blobs: StoredBlobs, rows: AsyncIterable<Row>): AsyncGenerator<Pair, void, undefined> {
  const files = blobs.all()
  let file = await files.next()
  let last = ''
  for await (const row of rows) {
    if (row.sha256 <= last) throw new Error('The rows to compare with must come in ascending order of their SHA-256')
    last = row.sha256
    while (file.done !== true && (file.value.sha256 === null || file.value.sha256 < row.sha256)) {
      yield { row: null, stored: file.value }
      file = await files.next()
    }
    if (file.done !== true && file.value.sha256 === row.sha256) {
      yield { row, stored: file.value }
      file = await files.next()
    } else yield { row, stored: null }
  }
  for (; file.done !== true; file = await files.next()) yield { row: null, stored: file.value }
}

const untracked = ({ path, name, sha256 }: Stored): Difference => ({
  kind: 'untracked',
  sha256,
  path,
  name,
  found: null,
  problem: null,
})

async function readOne(
  blobs: StoredBlobs,
  verify: Verify,
  row: Row,
  signal: AbortSignal | undefined,
): Promise<Difference | null> {
  const { result, found, length, problem } = await verify(row.sha256, signal === undefined ? {} : { signal })
  if (result === 'ok' && length === row.length) return null
  const kind = result === 'missing' ? 'missing' : 'changed'
  return { kind, sha256: row.sha256, ...blobs.locate(row.sha256), found, problem }
}

async function compareLength(blobs: StoredBlobs, row: Row, listed: number | null): Promise<Difference | null> {
  const { sha256 } = row
  const length = listed ?? (await blobs.lengthOf(sha256))
  if (length === row.length) return null
  const problem = length === null ? null : `It has ${length} bytes, not ${row.length}.`
  return { kind: length === null ? 'missing' : 'changed', sha256, ...blobs.locate(sha256), found: null, problem }
}

/** Limits the bytes that begin in a second. */
function createPacer(
  bytesPerSecond: number | undefined,
  signal: AbortSignal | undefined,
): (bytes: number) => Promise<void> {
  if (bytesPerSecond === undefined) return async () => {}
  let free = performance.now()
  return async (bytes) => {
    const now = performance.now()
    const wait = free - now
    free = Math.max(free, now) + (bytes / bytesPerSecond) * 1000
    if (wait > 0) await sleep(wait, undefined, signal === undefined ? {} : { signal })
  }
}
