/** A client of encrypted uploads, written from decisions 6 alone: nothing of the product is used here. */
import { constants, createCipheriv, createPublicKey, type JsonWebKey, publicEncrypt, randomBytes } from 'node:crypto'

export interface PublishedKey {
  readonly kty: string
  readonly n: string
  readonly e: string
  readonly kid: string
}

export interface Encrypted {
  readonly ciphertext: Buffer
  /** The header `x-ms-meta-encryptiondata` before it is text. */
  readonly data: EncryptionData
}

export interface EncryptionData {
  ContentEncryptionIV: string
  EncryptionAgent: { EncryptionAlgorithm: string; Protocol: string }
  EncryptionMode: string
  KeyWrappingMetadata: Record<string, string>
  WrappedContentKey: { Algorithm: string; EncryptedKey: string; KeyId: string }
}

/** A content key for somebody else, as base64. */
export const wrap = (contentKey: Uint8Array, key: PublishedKey, oaepHash = 'sha1'): string =>
  publicEncrypt(
    {
      key: createPublicKey({ key: key as unknown as JsonWebKey, format: 'jwk' }),
      padding: constants.RSA_PKCS1_OAEP_PADDING,
      oaepHash,
    },
    contentKey,
  ).toString('base64')

/** AES-256-CBC with PKCS7 padding, under a fresh key that is wrapped for the station. @param padded false: `plain` is padded already, rightly or not */
export function encrypted(plain: Uint8Array, key: PublishedKey, { padded = true } = {}): Encrypted {
  const contentKey = randomBytes(32)
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', contentKey, iv).setAutoPadding(padded)
  return {
    ciphertext: Buffer.concat([cipher.update(plain), cipher.final()]),
    data: {
      ContentEncryptionIV: iv.toString('base64'),
      EncryptionAgent: { EncryptionAlgorithm: 'AES_CBC_256', Protocol: '1.0' },
      EncryptionMode: 'FullBlob',
      KeyWrappingMetadata: { EncryptionLibrary: 'node:crypto' },
      WrappedContentKey: { Algorithm: 'RSA-OAEP', EncryptedKey: wrap(contentKey, key), KeyId: key.kid },
    },
  }
}
