import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'

/**
 * Checkpoints as signed notes: C2SP tlog-checkpoint over signed-note, Ed25519. The text is
 * `origin \n size \n base64(root) \n`, then an empty line and `— name base64(key id ‖ signature)`; the key's name is the origin.
 */
export interface Checkpoint {
  readonly origin: string
  /** Number of entries. */
  readonly size: number
  readonly root: Uint8Array
}

/** A signing key. `publicKey` is the raw key of 32 bytes. */
export interface Signer {
  readonly publicKey: Uint8Array
  sign(bytes: Uint8Array): Uint8Array
}

export class BadNote extends Error {
  override readonly name = 'BadNote'
}

/** C2SP signed-note: the number of Ed25519. */
const ED25519 = 1
const SIGNATURE_BYTES = 64

/** A key's name: no spaces, no plus (C2SP signed-note). */
export const isOrigin = (name: string): boolean => /^[^\s+\u0000-\u001f]{1,200}$/u.test(name)

/** First four bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ public key). */
export const keyIdOf = (name: string, publicKey: Uint8Array): Uint8Array =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), publicKey]), 'buffer').subarray(0, 4)

/** The public key in the form that verifiers of signed notes take. */
export const verifierKey = (name: string, publicKey: Uint8Array): string =>
  `${name}+${Buffer.from(keyIdOf(name, publicKey)).toString('hex')}+${Buffer.concat([Buffer.of(ED25519), publicKey]).toString('base64')}`

/** The station's public key as kept on paper: the key with its origin, and the SHA-256 of its bytes in hexadecimal. */
export interface ShownKey {
  readonly key: string
  readonly fingerprint: string
}

export const shownKey = (origin: string, publicKey: Uint8Array): ShownKey => ({
  key: verifierKey(origin, publicKey),
  fingerprint: hash('sha256', publicKey, 'hex'),
})

/** @throws BadNote when the origin cannot be a key's name. */
export function signCheckpoint({ origin, size, root }: Checkpoint, signer: Signer): string {
  if (!isOrigin(origin)) throw new BadNote(`"${origin}" cannot be the origin of a checkpoint`)
  const text = `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`
  const signature = signer.sign(Buffer.from(text))
  const line = Buffer.concat([keyIdOf(origin, signer.publicKey), signature]).toString('base64')
  return `${text}\n— ${origin} ${line}\n`
}

/** The text of a note, which is what is signed. */
export const textOfNote = (note: string): string => note.slice(0, note.lastIndexOf('\n\n') + 1)

/** The size that a note says, signed or not. */
export const sizeInNote = (note: string): number => Number(note.split('\n')[1])

/**
 * @param keys raw public keys that may have signed.
 * @returns the signed checkpoint and its key @throws BadNote when the form is wrong or none of the keys signed it
 */
export function openCheckpoint(
  note: string,
  keys: readonly Uint8Array[],
): Checkpoint & { readonly signedBy: Uint8Array } {
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n')) throw new BadNote('It is no signed note')
  const text = note.slice(0, end + 1)
  const checkpoint = parseText(text)
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const match = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(line)
    if (match === null) throw new BadNote('A line of signature has the wrong form')
    const [, name = '', encoded = ''] = match
    const bytes = Buffer.from(encoded, 'base64')
    if (name !== checkpoint.origin || bytes.length !== 4 + SIGNATURE_BYTES) continue
    for (const key of keys) {
      if (Buffer.compare(bytes.subarray(0, 4), keyIdOf(name, key)) !== 0) continue
      if (verify(null, Buffer.from(text), ed25519PublicKey(key), bytes.subarray(4)))
        return { ...checkpoint, signedBy: key }
      throw new BadNote('Its signature does not hold')
    }
  }
  throw new BadNote("It is not signed by a key of this station's")
}

function parseText(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...more] = text.slice(0, -1).split('\n')
  if (!isOrigin(origin)) throw new BadNote('Its origin has the wrong form')
  if (!/^(0|[1-9][0-9]{0,15})$/.test(size)) throw new BadNote('Its size is no number')
  const bytes = Buffer.from(root, 'base64')
  if (bytes.length !== 32 || bytes.toString('base64') !== root) throw new BadNote('Its root is no hash')
  if (more.some((line) => line === '')) throw new BadNote('It has an empty line in its text')
  return { origin, size: Number(size), root: bytes }
}

const opened = new WeakMap<Uint8Array, KeyObject>()

/** @param raw 32 bytes. */
export function ed25519PublicKey(raw: Uint8Array): KeyObject {
  let key = opened.get(raw)
  if (key === undefined) {
    key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(raw).toString('base64url') },
      format: 'jwk',
    })
    opened.set(raw, key)
  }
  return key
}
