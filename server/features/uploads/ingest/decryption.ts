import { quarantineReason } from '../../../../shared/messages/quarantine-reasons.ts'
import { constants, type KeyObject, privateDecrypt, randomBytes } from 'node:crypto'
import { type BlobStore, StorageFault } from '../../../storage/store.ts'
import type { StagedBlob } from '../../../storage/types.ts'
import { readEncryptionData } from './encryption-data.ts'

/** The result of decrypting an upload, or the reason of the failure. */
export type Decrypted =
  | { readonly plain: StagedBlob; readonly keyId: string }
  /** The reason, for the ledger only. The caller learns only that decryption failed. */
  | { readonly refused: string }

/** @throws StorageFault when the disk failed or is full: then the result is unknown */
export type Decrypt = (cipher: StagedBlob, header: string) => Promise<Decrypted>

interface Deps {
  readonly store: Pick<BlobStore, 'decrypt' | 'discard'>
  /** Null when the station has no such key. */
  readonly privateKey: (keyId: string) => Promise<KeyObject | null>
}

const CONTENT_KEY_BYTES = 32
/** The same sentence for every fault of key, length and padding: distinguishing them would help to guess a key (padding oracle). */
const NOT_DECRYPTABLE = quarantineReason('notDecryptable')

/**
 * Turns an encrypted upload into the file that it holds (decisions 6): AES-256-CBC with PKCS7 padding, its key wrapped for the station by
 * RSA-OAEP with SHA-1. The ciphertext is not removed.
 */
export function createDecryption({ store, privateKey }: Deps): Decrypt {
  return async (cipher, header) => {
    const data = readEncryptionData(header)
    if (typeof data === 'string') return { refused: data }
    const key = await privateKey(data.keyId)
    if (key === null) return { refused: quarantineReason('unknownKey') }
    const unwrapped = unwrap(key, data.wrappedKey)
    // A key that could not be unwrapped is replaced by a random one, so that both cases take the same path to the same end.
    const contentKey = unwrapped ?? new Uint8Array(randomBytes(CONTENT_KEY_BYTES))
    try {
      const plain = await store.decrypt(cipher, { key: contentKey, iv: data.iv })
      if (unwrapped !== null) return { plain, keyId: data.keyId }
      await store.discard(plain)
    } catch (error) {
      if (!(error instanceof StorageFault) || error.code !== 'NotDecryptable') throw error
    } finally {
      contentKey.fill(0)
    }
    return { refused: NOT_DECRYPTABLE }
  }
}

function unwrap(key: KeyObject, wrapped: Uint8Array): Uint8Array | null {
  try {
    const bytes = privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }, wrapped)
    return bytes.length === CONTENT_KEY_BYTES ? new Uint8Array(bytes) : null
  } catch {
    return null
  }
}
