import { lstat, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Stored, StoredBlobs } from '../compare.ts'
import { faultOf } from '../faults.ts'
import { intentOf, isSha256, placeOf } from '../layout.ts'

export function blobFiles(root: string): StoredBlobs {
  const locate = (sha256: string) => {
    const { path } = placeOf(root, sha256)
    return { path, name: relative(root, path) }
  }
  return {
    all: () => filesInOrder(root),
    locate,
    lengthOf: (sha256) => lengthAt(locate(sha256).path),
    // A blob that is being placed has an intent, or got its row during the comparison.
    isOrphan: async ({ path, sha256 }, isKnown) => {
      if (sha256 === null) return (await lengthAt(path)) !== null
      if ((await lengthAt(intentOf(root, sha256))) !== null) return false
      return !(await isKnown(sha256)) && (await lengthAt(path)) !== null
    },
  }
}

/** All files under the root except the store's own folders; blobs in ascending order. */
async function* filesInOrder(root: string): AsyncGenerator<Stored, void, undefined> {
  const at = (path: string, sha256: string | null): Stored => ({
    path,
    name: relative(root, path),
    sha256,
    length: null,
  })
  for (const outer of await sorted(root)) {
    if (outer.name.startsWith('.')) continue
    if (!outer.folder || !/^[0-9a-f]{2}$/.test(outer.name)) {
      yield at(join(root, outer.name), null)
      continue
    }
    for (const inner of await sorted(join(root, outer.name))) {
      const folder = join(root, outer.name, inner.name)
      if (!inner.folder || !/^[0-9a-f]{2}$/.test(inner.name)) {
        yield at(folder, null)
        continue
      }
      for (const { name, folder: isFolder } of await sorted(folder)) {
        const inPlace = !isFolder && isSha256(name) && name.startsWith(outer.name + inner.name)
        yield at(join(folder, name), inPlace ? name : null)
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

async function lengthAt(path: string): Promise<number | null> {
  try {
    return (await lstat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export async function isPresent(path: string): Promise<boolean> {
  try {
    return (await lengthAt(path)) !== null
  } catch (error) {
    throw faultOf(error, 'open', path)
  }
}
