import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import type { Signer } from '../../kernel/ledger/signed-note.ts'

/** A key for scratch data alone: what it signs can never be taken for something of the station. */
export function throwawayKey(): Signer {
  const { privateKey } = generateKeyPairSync('ed25519')
  return {
    publicKey: new Uint8Array(
      Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x as string, 'base64url'),
    ),
    sign: (bytes) => sign(null, bytes, privateKey),
  }
}
