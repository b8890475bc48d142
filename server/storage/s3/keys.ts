import { isSha256 } from '../layout.ts'

/** Keys below the prefix of a station. */
export const BLOB_KEYS = 'blobs/'
export const QUARANTINE_KEYS = 'quarantine/'
/** Blocks of open uploads. */
export const STAGING_KEYS = 'staging/'
export const PROBE_KEYS = 'probe/'
/** Whose bucket it is. */
export const MARKER_KEY = 'station.json'
/** There while a move fills the bucket. */
export const ARRIVING_KEY = 'arriving.json'

/** `blobs/ab/cd/<sha256>`. @throws Error for anything but a SHA-256 */
export function keyOf(sha256: string): string {
  if (!isSha256(sha256)) throw new Error('Not a SHA-256 in lower-case hexadecimal')
  return `${BLOB_KEYS}${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
}

/** The SHA-256 in the key of a blob; null for any other key. */
export function sha256In(key: string): string | null {
  const name = key.slice(key.lastIndexOf('/') + 1)
  return isSha256(name) && keyOf(name) === key ? name : null
}

const NAME = /^[0-9A-Za-z_-]{1,80}$/

/** `staging/<upload>/<file>`. @throws Error for names with other characters than letters, digits, `-` and `_` */
export function stagingKeyOf(upload: string, file: string): string {
  if (!NAME.test(upload) || !NAME.test(file)) throw new Error('Not a name of a staged block')
  return `${STAGING_KEYS}${upload}/${file}`
}

/** The names in the key of a staged block; null for any other key. */
export function blockIn(key: string): { upload: string; file: string } | null {
  const [upload = '', file = '', ...more] = key.slice(STAGING_KEYS.length).split('/')
  const isOne = key.startsWith(STAGING_KEYS) && more.length === 0 && NAME.test(upload) && NAME.test(file)
  return isOne ? { upload, file } : null
}
