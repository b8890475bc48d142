import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto'
import type { KeptKey } from './key-store.ts'

/** ECDSA P-256 (docs/decisions/0013): a stranger verifies a package with `openssl dgst`, which takes no Ed25519. */
export interface PackageSigner {
  /** Of its public key, as `openssl pkey -pubin -outform DER | sha256sum` prints it. */
  readonly fingerprint: string
  /** PEM, SubjectPublicKeyInfo. */
  readonly publicKey: string
  /** ECDSA over the SHA-256 of the bytes, in DER. */
  sign(bytes: Uint8Array): Uint8Array
}

/** The key that signs packages. It is made at the start of a station that has none. */
export interface PackageKey {
  /** Null before it was made. */
  current(): PackageSigner | null
  /** The current key, which is created and stored when there is none. */
  ensure(): Promise<PackageSigner>
}

export interface PackageKeyFile {
  format: 1
  current: JsonWebKey
}

/** Null where no key was ever made. */
export function checkPackageKey(file: PackageKeyFile | null): PackageKeyFile | null {
  if (file !== null) signerOf(privateKeyOf(file))
  return file
}

export function packageKey(kept: KeptKey<PackageKeyFile | null>): PackageKey {
  const of = (file: PackageKeyFile | null): PackageSigner | null =>
    file === null ? null : signerOf(privateKeyOf(file))
  return {
    current: () => of(kept.now()),
    ensure: async () => of(kept.now() ?? (await kept.change((file) => file ?? newPackageKey()))) as PackageSigner,
  }
}

const newPackageKey = (): PackageKeyFile => ({
  format: 1,
  current: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
})

function privateKeyOf({ current }: PackageKeyFile): KeyObject {
  const key = createPrivateKey({ key: current, format: 'jwk' })
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Error('it is no key of P-256')
  return key
}

function signerOf(privateKey: KeyObject): PackageSigner {
  const publicKey = createPublicKey(privateKey)
  return {
    fingerprint: fingerprintOf(publicKey),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    sign: (bytes) => sign('sha256', bytes, privateKey),
  }
}

/** SHA-256 of the DER form of a public key, in hexadecimal. */
export const fingerprintOf = (publicKey: KeyObject): string =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
