import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { intentOf, isSha256, placeOf } from '../layout.ts'
import type { CompareOptions, Difference, Verified } from '../types.ts'
import { lstat } from 'node:fs/promises'

type Verify = (sha256: string, options: { signal?: AbortSignal }) => Promise<Verified>
type Row = { readonly sha256: string; readonly length: number }

/**
 * Compares rows and blobs, both in the order of their SHA-256, so that a million of them need no memory. Reads `concurrency` blobs at the
 * same time. Differences are yielded when they are found, in no order.
 */
export async function* compareAll(
  root: string,
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

  const check = async (row: Row): Promise<void> => {
    const difference = read ? await readOne(root, verify, row, signal) : await compareLength(root, row)
    if (difference !== null) differences.push(difference)
    bytes += row.length
    onProgress?.(++counted, bytes)
  }
  for await (const { row, orphan } of sideBySide(root, rows)) {
    signal?.throwIfAborted()
    if (orphan !== null && (await isOrphan(root, orphan, isKnown))) differences.push(untracked(orphan))
    if (row !== null) {
      await pace(read ? row.length : 0)
      const running: Promise<void> = check(row)
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

interface Orphan {
  readonly path: string
  readonly sha256: string | null
}

/** Yields each row, and each file without a row. */
async function* sideBySide(
  root: string,
  rows: AsyncIterable<Row>,
): AsyncGenerator<{ row: Row | null; orphan: Orphan | null }, void, undefined> {
  const files = filesInOrder(root)
  let file = await files.next()
  let last = ''
  for await (const row of rows) {
    if (row.sha256 <= last) throw new Error('The rows to compare with must come in ascending order of their SHA-256')
    last = row.sha256
    while (file.done !== true && (file.value.sha256 === null || file.value.sha256 < row.sha256)) {
      yield { row: null, orphan: file.value }
      file = await files.next()
    }
    if (file.done !== true && file.value.sha256 === row.sha256) file = await files.next()
    yield { row, orphan: null }
  }
  for (; file.done !== true; file = await files.next()) yield { row: null, orphan: file.value }
}

/** All files under the root except the store's own folders; blobs in ascending order. */
async function* filesInOrder(root: string): AsyncGenerator<Orphan, void, undefined> {
  for (const outer of await sorted(root)) {
    if (outer.name.startsWith('.')) continue
    if (!outer.folder || !/^[0-9a-f]{2}$/.test(outer.name)) {
      yield { path: join(root, outer.name), sha256: null }
      continue
    }
    for (const inner of await sorted(join(root, outer.name))) {
      const folder = join(root, outer.name, inner.name)
      if (!inner.folder || !/^[0-9a-f]{2}$/.test(inner.name)) {
        yield { path: folder, sha256: null }
        continue
      }
      for (const { name, folder: isFolder } of await sorted(folder)) {
        const inPlace = !isFolder && isSha256(name) && name.startsWith(outer.name + inner.name)
        yield { path: join(folder, name), sha256: inPlace ? name : null }
      }
    }
  }
}

async function sorted(folder: string): Promise<{ name: string; folder: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // Only a person can have removed the folder. Its blobs are reported as missing by their rows.
    if (error.code === 'ENOENT') return []
    throw error
  })
  return entries
    .map((entry) => ({ name: entry.name, folder: entry.isDirectory() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

const untracked = ({ path, sha256 }: Orphan): Difference => ({
  kind: 'untracked',
  sha256,
  path,
  found: null,
  problem: null,
})

/** Whether a file has neither an intent nor a row. A blob that is being placed has an intent, or got its row during the comparison. */
export async function isOrphan(
  root: string,
  { sha256, path }: Orphan,
  isKnown: CompareOptions['isKnown'],
): Promise<boolean> {
  if (sha256 === null) return (await lengthAt(path)) !== null
  if ((await lengthAt(intentOf(root, sha256))) !== null) return false
  return !(await isKnown(sha256)) && (await lengthAt(path)) !== null
}

async function readOne(
  root: string,
  verify: Verify,
  row: Row,
  signal: AbortSignal | undefined,
): Promise<Difference | null> {
  const { path } = placeOf(root, row.sha256)
  const { result, found, length, problem } = await verify(row.sha256, signal === undefined ? {} : { signal })
  if (result === 'ok' && length === row.length) return null
  const kind = result === 'missing' ? 'missing' : 'changed'
  return { kind, sha256: row.sha256, path, found, problem }
}

async function compareLength(root: string, row: Row): Promise<Difference | null> {
  const { path } = placeOf(root, row.sha256)
  const length = await lengthAt(path)
  if (length === row.length) return null
  const problem = length === null ? null : `It has ${length} bytes, not ${row.length}.`
  return { kind: length === null ? 'missing' : 'changed', sha256: row.sha256, path, found: null, problem }
}

async function lengthAt(path: string): Promise<number | null> {
  try {
    return (await lstat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
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
