import { verify } from 'node:crypto'
import { ed25519PublicKey, type Signer } from './signed-note.ts'

/**
 * The entry `key.rotated` of the signing key. Its `detail` is a statement signed by both keys. The old signature extends trust to the new key;
 * the new signature proves possession of the new key.
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

/** The statement in `detail`; null when it is about another kind of key or a signature is wrong. */
export function readRotation(detail: unknown): Rotation | null {
  const statement = detail as Partial<Rotation> | null
  if (statement === null || statement.key !== 'signing') return null
  const { oldKey, newKey, oldSignature, newSignature } = statement
  const texts = [oldKey, newKey, oldSignature, newSignature]
  if (!texts.every((text) => typeof text === 'string')) return null
  const rotation = statement as Rotation
  const text = Buffer.from(rotationText(rotation.oldKey, rotation.newKey))
  const signed = (key: string, signature: string): boolean => {
    const raw = Buffer.from(key, 'base64')
    return raw.length === 32 && verify(null, text, ed25519PublicKey(raw), Buffer.from(signature, 'base64'))
  }
  return signed(rotation.oldKey, rotation.oldSignature) && signed(rotation.newKey, rotation.newSignature)
    ? rotation
    : null
}
