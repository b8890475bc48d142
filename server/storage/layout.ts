import { join } from 'node:path'

/** Folders under the store's root. All are on one volume, so that a rename is atomic. */
export const STAGING = '.staging'
/** In staging: partial copies, which are resumed when their source is back. */
export const PARTIAL_COPIES = 'carried'
export const INTENTS = '.intents'
export const QUARANTINE = '.quarantine'

const SHA256 = /^[0-9a-f]{64}$/

/** 64 lower-case hexadecimal digits. */
export const isSha256 = (text: string): boolean => SHA256.test(text)

/** The two folders and the path of a blob: `ab/cd/<sha256>`. 65,536 folders hold a million blobs at 15 each. @throws Error for anything but a SHA-256 */
export function placeOf(root: string, sha256: string): { outer: string; inner: string; path: string } {
  if (!isSha256(sha256)) throw new Error('Not a SHA-256 in lower-case hexadecimal')
  const outer = join(root, sha256.slice(0, 2))
  const inner = join(outer, sha256.slice(2, 4))
  return { outer, inner, path: join(inner, sha256) }
}

export const intentOf = (root: string, sha256: string): string => join(root, INTENTS, sha256)
