import { createHash, createPublicKey, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { type Fault, fault } from '../../../../shared/kernel/errors.ts'
import { parseTime, type Time, timeOf } from '../../../../shared/kernel/time.ts'

const RSA_BITS = 3072
const RSA_LEAST_BITS = 2048
const RSA_MOST_BITS = 8192
const LEAST_EXPONENT = 65_537n

export interface PublicServiceKey {
  /** Only the members of the public key, and the `kid` by which assertions may name it. */
  readonly jwk: JWK
  /** RFC 7638, SHA-256. */
  readonly thumbprint: string
}

/** An RSA pair for a new integration, generated off the main thread. The private key is only in the connection file. */
export async function makeServiceKeys(): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  return promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS, publicExponent: 0x10001 })
}

/** 256 random bits, and their SHA-256, which is stored. */
export function makeApiKey(): { apiKey: string; keyHash: string } {
  const apiKey = randomBytes(32).toString('base64url')
  return { apiKey, keyHash: createHash('sha256').update(apiKey).digest('hex') }
}

/**
 * Checks a public key for registration: RSA of 2048 to 8192 bits, or EC P-256 (decisions 9). A key with private members is refused, not
 * stripped: its owner has to learn that the private key was sent.
 * @throws Fault InvalidJsonWebKeys naming the member (decisions 2).
 */
export async function registrableKey(given: Readonly<Record<string, unknown>>, kid: string): Promise<PublicServiceKey> {
  for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']) {
    if (given[member] !== undefined && given[member] !== null)
      throw unusable(member, 'is private; send the public key only')
  }
  const members = membersOf(given)
  let key: KeyObject
  try {
    key = createPublicKey({ key: members, format: 'jwk' })
  } catch {
    throw unusable('', 'is no public key')
  }
  if (members.kty === 'RSA') checkRsa(key)
  const jwk = { ...(key.export({ format: 'jwk' }) as JWK), kid }
  return { jwk, thumbprint: await calculateJwkThumbprint(jwk, 'sha256') }
}

/** The period in which a key is valid; null for no bound. */
export interface Validity {
  readonly notBefore: Time | null
  readonly expires: Time | null
}

/**
 * The validity of a newly registered key. `nbf` and `exp` inside the key count like the times sent beside it; the narrower bound wins
 * (decisions 13). @throws Fault InvalidJsonWebKeyValidityPeriod (decisions 2).
 */
export function validityOf(key: Readonly<Record<string, unknown>>, beside: Validity, now: number): Validity {
  const starts = [timeIn(key, 'nbf'), bound(beside.notBefore)].filter((time) => time !== null)
  const ends = [timeIn(key, 'exp'), bound(beside.expires)].filter((time) => time !== null)
  const latest = starts.reduce<Time | null>(
    (found, time) => (found === null || time.ticks > found.ticks ? time : found),
    null,
  )
  const earliest = ends.reduce<Time | null>(
    (found, time) => (found === null || time.ticks < found.ticks ? time : found),
    null,
  )
  if (earliest !== null) {
    const path = bound(beside.expires) === earliest ? 'ExpiresUtc' : 'Key.exp'
    if (earliest.ticks <= timeOf(now).ticks) throw invalidPeriod(path, 'is past')
    if (latest !== null && latest.ticks >= earliest.ticks)
      throw invalidPeriod(path, 'is not after the time from which it counts')
  }
  return { notBefore: latest, expires: earliest }
}

const invalidPeriod = (path: string, why: string): Fault =>
  fault('InvalidJsonWebKeyValidityPeriod', 'The key would never be valid.', [
    { Path: path, Message: `${path} ${why}.` },
  ])

/** Means "not set", as in the connection file. */
const NOT_SET = parseTime('0001-01-01T00:00:00Z', { utcMember: true }) as Time
const bound = (time: Time | null): Time | null => (time === null || time.ticks === NOT_SET.ticks ? null : time)

/** A time in the form of the connection file, or in seconds since 1970. */
function timeIn(key: Readonly<Record<string, unknown>>, member: 'nbf' | 'exp'): Time | null {
  const value = key[member]
  if (value === undefined || value === null) return null
  const seconds = typeof value === 'number' && Number.isFinite(value) && value >= 0 && value < 253_402_300_800
  const time = seconds
    ? timeOf(Math.floor(value * 1000))
    : typeof value === 'string'
      ? parseTime(value, { utcMember: true })
      : null
  if (time === null) throw invalidPeriod(`Key.${member}`, 'is no time')
  return bound(time)
}

function membersOf(
  given: Readonly<Record<string, unknown>>,
): { kty: 'RSA'; n: string; e: string } | { kty: 'EC'; crv: string; x: string; y: string } {
  const text = (member: string): string => {
    const value = given[member]
    if (typeof value !== 'string' || !/^[A-Za-z0-9_-]+$/.test(value)) throw unusable(member, 'is not base64url')
    return value
  }
  if (given['kty'] === 'RSA') return { kty: 'RSA', n: text('n'), e: text('e') }
  if (given['kty'] === 'EC' && given['crv'] === 'P-256') return { kty: 'EC', crv: 'P-256', x: text('x'), y: text('y') }
  throw unusable('kty', 'is neither RSA nor EC with P-256')
}

function checkRsa(key: KeyObject): void {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
  if (modulusLength < RSA_LEAST_BITS)
    throw unusable('n', `has ${modulusLength} bits; at least ${RSA_LEAST_BITS} are needed`)
  if (modulusLength > RSA_MOST_BITS)
    throw unusable('n', `has ${modulusLength} bits; at most ${RSA_MOST_BITS} are taken`)
  if (publicExponent < LEAST_EXPONENT || publicExponent % 2n === 0n)
    throw unusable('e', 'is smaller than 65537 or even')
}

const unusable = (member: string, why: string) =>
  fault('InvalidJsonWebKeys', 'The key cannot be used.', [
    { Path: member, Message: `${member === '' ? 'It' : member} ${why}.` },
  ])
