import { createHash } from 'node:crypto'
import { compactVerify, type JWK } from 'jose'
import type { Compact } from './compact.ts'

/** The rules of an assertion (decisions 9, RFC 7523). Pure; times are seconds since 1970. */

export const ASSERTION_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256'] as const
export const CLOCK_SKEW = 60
/** Seconds that `exp` may lie ahead at most. */
export const LONGEST_ASSERTION = 3600
const JTI_LENGTH = 1024

/** Why an assertion is refused: `reason` for the ledger, `sentence` for the caller. */
export interface Objection {
  readonly reason: string
  readonly sentence: string
}

const objection = (reason: string, sentence: string): Objection => ({ reason, sentence })

/** Members that supply a key or ask for other rules. Only registered keys and these rules count. */
const REFUSED_MEMBERS = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64', 'zip', 'enc']
const TYPES = ['jwt', 'authorization-grant+jwt', 'client-authentication+jwt']

export function checkHeader({ header }: Compact): Objection | null {
  const { alg, typ, kid } = header
  if (!ASSERTION_ALGORITHMS.some((allowed) => allowed === alg))
    return objection('algorithm', `alg is none of ${ASSERTION_ALGORITHMS.join(', ')}.`)
  const refused = REFUSED_MEMBERS.find((member) => member in header)
  if (refused !== undefined) return objection('header', `The header may not hold ${refused}.`)
  if (kid !== undefined && typeof kid !== 'string') return objection('header', 'kid is not a string.')
  if (
    typ !== undefined &&
    !(typeof typ === 'string' && TYPES.includes(typ.toLowerCase().replace(/^application\//, '')))
  ) {
    return objection('type', 'typ is not JWT.')
  }
  return null
}

export interface CandidateKey {
  readonly id: number
  readonly thumbprint: string
  /** The public key as registered. */
  readonly jwk: JWK
}

/** The most keys tried for one request, so that a request cannot cost more signature checks. */
const MOST_TRIED = 10

/**
 * The registered, valid key of the client that signed the assertion; null when none did. A `kid` narrows the choice to keys with that
 * thumbprint or that name in the connection file. A `kid` that matches none of them is ignored (decisions 13): other products write the
 * client's id there. It never selects a key that is not registered for this client.
 */
export async function signerOf(assertion: Compact, keys: readonly CandidateKey[]): Promise<CandidateKey | null> {
  const alg = assertion.header['alg'] as string
  const { kid } = assertion.header
  const named = keys.filter(({ jwk, thumbprint }) => kid === jwk.kid || kid === thumbprint)
  const fitting = (named.length > 0 ? named : keys).filter(({ jwk }) => jwk.kty === (alg === 'ES256' ? 'EC' : 'RSA'))
  for (const key of fitting.slice(0, MOST_TRIED)) {
    if (await isSignedBy(assertion.text, key.jwk, alg)) return key
  }
  return null
}

async function isSignedBy(text: string, jwk: JWK, alg: string): Promise<boolean> {
  const { kty, n, e, crv, x, y } = jwk
  const key = (kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }) as JWK
  try {
    await compactVerify(text, key, { algorithms: [alg] })
    return true
  } catch {
    return false
  }
}

/** Issuer and subject must both be the client. */
export function checkParties({ payload }: Compact, clientId: string): Objection | null {
  const { iss, sub } = payload
  if (iss !== clientId) return objection('issuer', 'iss is not the client_id.')
  if (sub !== clientId) return objection('subject', 'sub is not the client_id.')
  return null
}

export function checkAudience({ payload }: Compact, audiences: readonly string[]): Objection | null {
  const { aud } = payload
  const only: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud
  const known = typeof only === 'string' && audiences.includes(only)
  return known ? null : objection('audience', 'aud is not exactly one of the addresses of this token service.')
}

export function checkTimes({ payload }: Compact, now: number): Objection | null {
  const { exp, nbf, iat } = payload
  if (!isTime(exp)) return objection('expiry', 'exp is missing or no number.')
  if (exp + CLOCK_SKEW <= now) return objection('expired', 'The assertion has expired.')
  if (exp > now + LONGEST_ASSERTION + CLOCK_SKEW) return objection('too-far-ahead', 'exp is more than an hour ahead.')
  if (nbf !== undefined && !(isTime(nbf) && nbf <= now + CLOCK_SKEW))
    return objection('not-yet', 'nbf is ahead or no number.')
  if (iat !== undefined && !(isTime(iat) && iat <= now + CLOCK_SKEW))
    return objection('issued-ahead', 'iat is ahead or no number.')
  return null
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

export function checkId({ payload }: Compact): Objection | null {
  const { jti } = payload
  if (jti === undefined) return null
  const usable = typeof jti === 'string' && jti !== '' && jti.length <= JTI_LENGTH
  return usable ? null : objection('jti', `jti is not a string of 1 to ${JTI_LENGTH} characters.`)
}

/**
 * The key that is remembered so that an assertion is valid once: its `jti`, else its SHA-256 (decisions 9). The hash covers the signing
 * input only: one input can have several valid signatures (ES256 without the key, PS256 with it).
 */
export function onceKey({ payload, signingInput }: Compact): string {
  const { jti } = payload
  const [kind, text] = typeof jti === 'string' ? ['jti', jti] : ['sha256', signingInput]
  return `${kind}:${createHash('sha256').update(text).digest('hex')}`
}

/** Milliseconds since 1970 until which the assertion is remembered: a day longer than it is valid, in case the clock is set back. */
export function rememberUntil({ payload }: Compact): number {
  return Math.ceil((payload['exp'] as number) + CLOCK_SKEW) * 1000 + 24 * 3600_000
}
