import { verify } from 'node:crypto'
import { ed25519PublicKey, type Signer } from './signed-note.ts'

/**
 * The entry `key.rotated` of the signing key: `detail` is a statement that both keys signed, so that whoever trusts the old one can
 * trust the new one, and nobody can hand over to a key that is not theirs.
 */
export interface Rotation {
  readonly key: 'signing'
  /** Raw Ed25519 public keys in base64. */
  readonly oldKey: string
  readonly newKey: string
  /** Over `rotationText`, in base64. */
  readonly oldSignature: string
  readonly newSignature: string
}

export const rotationText = (oldKey: string, newKey: string): string =>
  `sallyport signing key rotation\n${oldKey}\n${newKey}\n`

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

export function signRotation(old: Signer, next: Signer): Rotation {
  const [oldKey, newKey] = [base64(old.publicKey), base64(next.publicKey)]
  const text = Buffer.from(rotationText(oldKey, newKey))
  return {
    key: 'signing',
    oldKey,
    newKey,
    oldSignature: base64(old.sign(text)),
    newSignature: base64(next.sign(text)),
  }
}

/** The statement in `detail` when both signatures hold; null when it is another key's rotation or does not hold. */
export function readRotation(detail: unknown): Rotation | null {
  const given = detail as Partial<Rotation> | null
  if (given === null || given.key !== 'signing') return null
  const { oldKey, newKey, oldSignature, newSignature } = given
  const texts = [oldKey, newKey, oldSignature, newSignature]
  if (!texts.every((text) => typeof text === 'string')) return null
  const rotation = given as Rotation
  const text = Buffer.from(rotationText(rotation.oldKey, rotation.newKey))
  const signed = (key: string, signature: string): boolean => {
    const raw = Buffer.from(key, 'base64')
    return raw.length === 32 && verify(null, text, ed25519PublicKey(raw), Buffer.from(signature, 'base64'))
  }
  return signed(rotation.oldKey, rotation.oldSignature) && signed(rotation.newKey, rotation.newSignature)
    ? rotation
    : null
}
