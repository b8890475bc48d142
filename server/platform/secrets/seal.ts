/** Encrypts secrets that the station must read again, for the database (promise S3): AES-256-GCM with the station's secrets key. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export interface Sealer {
  /** @param about the owner; the secret opens only under the same owner, so that rows cannot be exchanged. */
  seal(secret: Uint8Array, about: string): string
  /** Null when another key sealed it, the owner is another one, or it was changed. */
  open(sealed: string, about: string): Uint8Array | null
}

const VERSION = 'v1'
const IV = 12
const TAG = 16

export function createSealer(key: Uint8Array): Sealer {
  return {
    seal: (secret, about) => {
      const iv = randomBytes(IV)
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG }).setAAD(Buffer.from(about))
      const bytes = Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
      return `${VERSION}.${bytes.toString('base64url')}`
    },
    open: (sealed, about) => {
      const [version, text = ''] = sealed.split('.')
      const bytes = Buffer.from(text, 'base64url')
      if (version !== VERSION || bytes.length < IV + TAG) return null
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV), { authTagLength: TAG })
        decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(-TAG))
        return Buffer.concat([decipher.update(bytes.subarray(IV, -TAG)), decipher.final()])
      } catch {
        return null
      }
    },
  }
}
