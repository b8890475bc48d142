import { join } from 'node:path'
import { keptSnapshots, snapshotTime } from '../../../../shared/integrity/kept-snapshots.ts'
import { fileLength, renameInFolder, namesIn, readText, removeFile, removeTree } from '../../../platform/files/trees.ts'
import { type BackupFolder, listedBlobs, snapshotsIn } from './folder.ts'
import { KEYS, LIST, MANIFEST } from './manifest.ts'

/** Removes the snapshots that the retention rule does not keep, then the blobs that no remaining snapshot names. @returns how many of each */
export async function pruneFolder(folder: BackupFolder): Promise<{ snapshots: number; blobs: number }> {
  const names = await snapshotsIn(folder)
  const kept = keptSnapshots(names.map((name) => snapshotTime(name) as number))
  // The last snapshot with keys stays: later ones without keys do not replace it.
  for (const name of names.toReversed()) {
    if ((await fileLength(join(folder.snapshots, name, KEYS))) === null) continue
    kept.add(snapshotTime(name) as number)
    break
  }
  const expired = names.filter((name) => !kept.has(snapshotTime(name) as number))
  for (const name of expired) {
    // Renamed first: a partly removed snapshot must not look complete.
    const removing = join(folder.snapshots, `.removing-${name}`)
    await renameInFolder(join(folder.snapshots, name), removing)
    await removeTree(removing)
  }
  return { snapshots: expired.length, blobs: expired.length === 0 ? 0 : await sweep(folder) }
}

/** Removes blobs that no snapshot names. It stops when a list cannot be read or was cut, because the needed blobs are then unknown. */
async function sweep(folder: BackupFolder): Promise<number> {
  let removed = 0
  const names = await snapshotsIn(folder)
  for (const name of names) await requireWholeList(join(folder.snapshots, name))
  const named = merged(names.map((name) => listedBlobs(join(folder.snapshots, name, LIST))))
  let next = await named.next()
  const isNamed = async (sha256: string): Promise<boolean> => {
    while (next.done !== true && next.value < sha256) next = await named.next()
    // After the end of the list there is no value.
    return next.value === sha256
  }
  for await (const { sha256, path } of blobsIn(folder.blobs)) {
    if (await isNamed(sha256)) continue
    await removeFile(path)
    removed += 1
  }
  return removed
}

/** A list that was cut between two lines can be read, and names too few. @throws Error */
async function requireWholeList(snapshot: string): Promise<void> {
  const manifest = JSON.parse(await readText(join(snapshot, MANIFEST))) as { blobs?: { list?: { length?: unknown } } }
  if ((await fileLength(join(snapshot, LIST))) !== manifest.blobs?.list?.length)
    throw new Error('The list of blobs is not as it was written.')
}

/** In ascending order. */
async function* blobsIn(root: string): AsyncGenerator<{ sha256: string; path: string }> {
  const two = /^[0-9a-f]{2}$/
  for (const outer of ((await namesIn(root)) ?? []).filter((name) => two.test(name)))
    for (const inner of ((await namesIn(join(root, outer))) ?? []).filter((name) => two.test(name)))
      for (const sha256 of (await namesIn(join(root, outer, inner))) ?? [])
        if (/^[0-9a-f]{64}$/.test(sha256)) yield { sha256, path: join(root, outer, inner, sha256) }
}

/** Merges ascending lists into one, with each name once. */
async function* merged(lists: readonly AsyncGenerator<{ sha256: string }>[]): AsyncGenerator<string> {
  const heads = await Promise.all(lists.map(async (list) => ({ list, at: await list.next() })))
  for (;;) {
    let least: string | null = null
    for (const { at } of heads)
      if (at.done !== true && (least === null || at.value.sha256 < least)) least = at.value.sha256
    if (least === null) return
    yield least
    for (const head of heads)
      if (head.at.done !== true && head.at.value.sha256 === least) head.at = await head.list.next()
  }
}
