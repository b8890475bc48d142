/** A finished file beside or instead of a package, for handing it out. */
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import type { Readable } from 'node:stream'

export interface PackageFile {
  readonly size: number
  /** Both ends inclusive. */
  stream(start: number, endInclusive: number): Readable
}

/** Null when there is no such file. */
export async function openPackageFile(path: string): Promise<PackageFile | null> {
  const found = await lstat(path).catch(() => null)
  if (found?.isFile() !== true) return null
  return { size: found.size, stream: (start, end) => createReadStream(path, { start, end }) }
}
