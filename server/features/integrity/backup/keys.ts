import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'

/** Export and import of the station's keys, always wrapped by a passphrase (decisions 12). */

interface Wrapped {
  readonly format: 1
  readonly kdf: {
    readonly name: 'scrypt'
    readonly N: number
    readonly r: number
    readonly p: number
    readonly salt: string
  }
  readonly cipher: { readonly name: 'aes-256-gcm'; readonly iv: string; readonly tag: string }
  readonly bytes: string
}

/** 128 MiB and about half a second for each guess (RFC 7914). */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const
const MAXMEM = 256 * 1024 * 1024
const ABOUT = 'sallyport keys 1'
/** Shorter passphrases are too easy to guess. */
export const SHORTEST_PASSPHRASE = 12

export class WrongPassphrase extends Error {
  override readonly name = 'WrongPassphrase'
  constructor() {
    super('The passphrase does not open the keys in this snapshot, or they were changed.')
  }
}

/** @param files names and texts of the files in `keys/` */
export async function wrapKeys(files: Readonly<Record<string, string>>, passphrase: string): Promise<string> {
  const salt = randomBytes(16)
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await derive(passphrase, salt, COST), iv).setAAD(Buffer.from(ABOUT))
  const bytes = Buffer.concat([cipher.update(JSON.stringify(files), 'utf8'), cipher.final()])
  const wrapped: Wrapped = {
    format: 1,
    kdf: { name: 'scrypt', ...COST, salt: salt.toString('base64') },
    cipher: { name: 'aes-256-gcm', iv: iv.toString('base64'), tag: cipher.getAuthTag().toString('base64') },
    bytes: bytes.toString('base64'),
  }
  return `${JSON.stringify(wrapped)}\n`
}

/** @throws WrongPassphrase */
export async function unwrapKeys(text: string, passphrase: string): Promise<Record<string, string>> {
  try {
    const { kdf, cipher, bytes } = JSON.parse(text) as Wrapped
    // A file must not decide how much memory is used.
    if (kdf.N !== COST.N || kdf.r !== COST.r || kdf.p !== COST.p) throw new WrongPassphrase()
    const key = await derive(passphrase, Buffer.from(kdf.salt, 'base64'), COST)
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(cipher.iv, 'base64'), { authTagLength: 16 })
    decipher.setAAD(Buffer.from(ABOUT)).setAuthTag(Buffer.from(cipher.tag, 'base64'))
    const plain = Buffer.concat([decipher.update(Buffer.from(bytes, 'base64')), decipher.final()])
    return JSON.parse(plain.toString('utf8')) as Record<string, string>
  } catch {
    // Without a cause: a parser's message quotes the text that it could not read.
    throw new WrongPassphrase()
  }
}

const derive = (passphrase: string, salt: Buffer, cost: typeof COST): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, { ...cost, maxmem: MAXMEM }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
