/**
 * Assertions and tokens made by hand with node:crypto alone: right ones, and every wrong one that a test can think of. Nothing of the
 * product is used, so that a mistake of its JWT library cannot hide here too.
 */
import { constants, createHmac, createPrivateKey, type JsonWebKey, type KeyObject, randomUUID, sign } from 'node:crypto'

export interface Signer {
  readonly clientId: string
  readonly kid: string
  readonly privateKey: KeyObject
}

/** What of a connection file an assertion needs (interfaces 2.8). */
export interface ConnectionLike {
  readonly TenantId: string
  readonly ServicePrincipalId: string
  readonly ServicePrincipalKey: object
}

export function signerOf(connection: ConnectionLike): Signer {
  const members = Object.entries(connection.ServicePrincipalKey).filter(([, value]) => value !== null)
  const jwk = Object.fromEntries(members) as JsonWebKey & { kid: string }
  return {
    clientId: `${connection.ServicePrincipalId}@${connection.TenantId}`,
    kid: jwk.kid,
    privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
  }
}

export const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const HASHES: Readonly<Record<string, string>> = { '256': 'sha256', '384': 'sha384', '512': 'sha512' }

/** A JWS signature in JWA's form; `HS…` takes the secret from `key`. */
export function signature(alg: string, input: string, key: KeyObject | Buffer | string): Buffer {
  const hash = HASHES[alg.slice(2)] ?? 'sha256'
  if (alg.startsWith('HS')) return createHmac(hash, key).update(input).digest()
  if (!(typeof key === 'object' && 'asymmetricKeyType' in key)) throw new Error('An asymmetric key is needed')
  if (alg.startsWith('PS')) {
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    return sign(hash, Buffer.from(input), { key, ...padding })
  }
  if (alg === 'EdDSA') return sign(null, Buffer.from(input), key)
  return sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
}

export interface Craft {
  readonly audience: string
  /** Replaces members; `undefined` leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  /** Instead of the header or payload made of the above: JSON as it is. */
  readonly rawHeader?: string
  readonly rawPayload?: string
  /** How it is signed, whatever the header says; the header's `alg` unless given. */
  readonly signAs?: string
  readonly signWith?: KeyObject | Buffer | string
  /** Seconds since 1970. */
  readonly now: number
}

/** An RFC 7523 assertion, right in everything that is not asked for otherwise. */
export function craft(signer: Signer, given: Craft): string {
  const header = { alg: 'RS256', typ: 'JWT', kid: signer.kid, ...given.header }
  const claims = {
    iss: signer.clientId,
    sub: signer.clientId,
    aud: given.audience,
    iat: given.now,
    exp: given.now + 300,
    jti: randomUUID(),
    ...given.claims,
  }
  const input = `${part(given.rawHeader ?? header)}.${part(given.rawPayload ?? claims)}`
  const made = signature(given.signAs ?? String(header.alg), input, given.signWith ?? signer.privateKey)
  return `${input}.${made.toString('base64url')}`
}

/** The same token with another signature. */
export function withSignature(token: string, bytes: Buffer): string {
  const [header, payload] = token.split('.')
  return `${header}.${payload}.${bytes.toString('base64url')}`
}

export const signatureOf = (token: string): Buffer => Buffer.from(token.split('.')[2] ?? '', 'base64url')

/** The other spellings of its last character: a lenient decoder reads the same bytes from all of them. */
export function respellings(token: string): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const bytes = signatureOf(token)
  return [...alphabet]
    .map((last) => token.slice(0, -1) + last)
    .filter((other) => other !== token && signatureOf(other).equals(bytes))
}

const P256_ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')

/** ECDSA's other signature of the same thing: (r, n − s), which verifies too and needs no key. */
export function malleated(token: string): string {
  const bytes = signatureOf(token)
  const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const other = Buffer.from((P256_ORDER - s).toString(16).padStart(64, '0'), 'hex')
  return withSignature(token, Buffer.concat([bytes.subarray(0, 32), other]))
}

/** (r, s) as ASN.1, which JWA does not allow. */
export function inDer(token: string): string {
  const integer = (bytes: Buffer): Buffer => {
    const trimmed = bytes.subarray(bytes.findIndex((byte) => byte !== 0))
    const positive = ((trimmed[0] ?? 0) & 0x80) === 0 ? trimmed : Buffer.concat([Buffer.from([0]), trimmed])
    return Buffer.concat([Buffer.from([0x02, positive.length]), positive])
  }
  const bytes = signatureOf(token)
  const body = Buffer.concat([integer(bytes.subarray(0, 32)), integer(bytes.subarray(32))])
  return withSignature(token, Buffer.concat([Buffer.from([0x30, body.length]), body]))
}
