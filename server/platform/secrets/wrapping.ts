/**
 * Wrapping keys: what the keys in a database are encrypted with (docs/decisions/0028). They come from a file or the environment, are the
 * same on every node, and never lie in the database.
 */
import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { KEY_PURPOSES, type KeyName } from './key-store.ts'
import { createSealer } from './seal.ts'

export interface WrappingKey {
  /** Recognises the key and does not reveal it. */
  readonly id: string
  wrap(text: string, row: WrappedAs): string
  /** Null when the row was changed, cut off, or exchanged for another one. */
  unwrap(wrapped: string, row: WrappedAs): string | null
}

/** What a wrapped text is bound to. */
export interface WrappedAs {
  readonly name: KeyName
  /** Counts the changes of the key. */
  readonly version: number
}

export interface WrappingKeys {
  /** The key for what is wrapped anew: the last one. */
  newest(): WrappingKey
  /** A file is read again for an unknown id, since an operator may have added the key. */
  find(id: string): Promise<WrappingKey | null>
}

/** No usable wrapping key is there, or the keys in the database cannot be unwrapped with it. */
export class KeysUnusable extends Error {
  override readonly name = 'KeysUnusable'
  readonly code = 'KeysUnusable'
}

const BYTES = 32
/** 32 bytes in base64url or base64, with or without padding. */
const ENCODED = /^[A-Za-z0-9_+/-]{43}=?$/

/** A new wrapping key, as it stands in a file or the environment. */
export const newWrappingKey = (): string => randomBytes(BYTES).toString('base64url')

/** @param encoded see `newWrappingKey` @throws KeysUnusable */
export function wrappingKeyOf(encoded: string, source: string): WrappingKey {
  // The message must not quote the text, which is a secret.
  if (!ENCODED.test(encoded))
    throw new KeysUnusable(
      `${source} holds no wrapping key: it must be 32 bytes in base64url, 43 characters, as \`sallyport key make-wrapping\` writes them.`,
    )
  const secret = Buffer.from(encoded, 'base64')
  // The id and the cipher have a key of their own each, so that neither tells anything about the other.
  const id = createHash('sha256').update('sallyport wrapping key id\n').update(secret).digest('hex').slice(0, 16)
  const sealer = createSealer(Buffer.from(hkdfSync('sha256', secret, '', 'sallyport wrapping key', BYTES)))
  const about = ({ name, version }: WrappedAs): string => `sallyport key\n${name}\n${KEY_PURPOSES[name]}\n${version}`
  return {
    id,
    wrap: (text, row) => sealer.seal(Buffer.from(text), about(row)),
    unwrap: (wrapped, row) => {
      const bytes = sealer.open(wrapped, about(row))
      return bytes === null ? null : Buffer.from(bytes).toString('utf8')
    },
  }
}

/** One key a line. While a key is replaced there are two: the old one, then the new one. @throws KeysUnusable */
function keysIn(text: string, source: string): WrappingKey[] {
  const lines = text.split(/\s+/).filter((line) => line !== '')
  if (lines.length === 0) throw new KeysUnusable(`${source} holds no wrapping key.`)
  return lines.map((line) => wrappingKeyOf(line, source))
}

export interface WrappingSource {
  /** Path of a file with the keys. */
  readonly file: string | undefined
  /** The keys themselves. */
  readonly text: string | undefined
}

/**
 * @returns the keys, and a warning for people when others can read the file
 * @throws KeysUnusable when none is given, or both ways are, or one cannot be used
 */
export async function openWrappingKeys({
  file,
  text,
}: WrappingSource): Promise<WrappingKeys & { readonly warning: string | null }> {
  if (file === undefined && text === undefined)
    throw new KeysUnusable(
      'The database is PostgreSQL, where the keys lie wrapped, and no wrapping key is given. Name its file in SALLYPORT_WRAPPING_KEY_FILE, ' +
        'the same on every node; `sallyport key make-wrapping --out FILE` makes one (docs/operate/headquarters.md).',
    )
  if (file !== undefined && text !== undefined)
    throw new KeysUnusable('Give SALLYPORT_WRAPPING_KEY_FILE or SALLYPORT_WRAPPING_KEY, not both.')
  const read = async (): Promise<WrappingKey[]> =>
    file === undefined
      ? keysIn(text ?? '', 'SALLYPORT_WRAPPING_KEY')
      : keysIn(
          await readFile(file, 'utf8').catch((error: Error) => {
            throw new KeysUnusable(`The wrapping key cannot be read: ${error.message}.`)
          }),
          file,
        )
  let known = await read()
  const others = file !== undefined && process.platform !== 'win32' && ((await stat(file)).mode & 0o007) !== 0
  return {
    warning: others ? `Every account of this machine can read the wrapping key in ${file}.` : null,
    newest: () => known.at(-1) as WrappingKey,
    find: async (id) => {
      const found = known.find((key) => key.id === id)
      if (found !== undefined || file === undefined) return found ?? null
      known = await read()
      return known.find((key) => key.id === id) ?? null
    },
  }
}
