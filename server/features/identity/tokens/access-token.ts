import { hash, type KeyObject, randomUUID } from 'node:crypto'
import { compactVerify, importJWK, type JWK, SignJWT } from 'jose'
import type { Principal } from '../../../../shared/kernel/principal.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { readCompact } from './compact.ts'
import type { MemberRow } from './tokens.store.ts'

/** Seconds (decisions 9). */
export const ACCESS_TOKEN_LIFE = 3600
/** Seconds. A token from further in the future was issued before the clock was set back, and would live too long. */
const CLOCK_SKEW = 60

/** The station's token keys. Private keys never leave it; old public keys stay until the last token signed by them has expired. */
export interface TokenKeys {
  current(): { readonly kid: string; readonly privateKey: KeyObject }
  /** Public keys as published, each with its `kid`. */
  all(): readonly JWK[]
  /** Takes up keys that other nodes made. */
  refresh(): Promise<void>
}

export interface IssuedToken {
  readonly token: string
  readonly id: string
  /** Seconds. */
  readonly expiresIn: number
}

/** Members (decisions 9) that every checked token has. */
interface AccessClaims {
  readonly sub: string
  readonly client_id: string
  readonly jti: string
  /** Seconds since 1970. */
  readonly exp: number
  readonly tenantid: string
  readonly primaryid: string
  readonly primarykid: string
  /** The token family: the permission of a person for a program. Absent in tokens of services. */
  readonly sid?: string
}

interface Subject {
  readonly member: MemberRow
  readonly clientId: string
  readonly groups: readonly string[]
  readonly familyId?: number
}

const resourcesOf = (issuer: string): string => `${issuer}/resources`

/** An RFC 9068 token with a fresh id. @param now seconds since 1970. */
export function newAccessToken({ member, clientId, groups, familyId }: Subject, issuer: string, now: number) {
  return {
    iss: issuer,
    aud: resourcesOf(issuer),
    sub: subjectOf(member),
    client_id: clientId,
    iat: now,
    exp: now + ACCESS_TOKEN_LIFE,
    jti: randomUUID(),
    tenantid: member.tenant_id,
    primaryid: String(member.principal_id),
    primarykid: member.k_id,
    primarytype: member.kind as Principal['kind'],
    groups,
    ...(familyId === undefined ? {} : { sid: String(familyId) }),
  }
}

export async function signAccessToken(claims: ReturnType<typeof newAccessToken>, keys: TokenKeys): Promise<string> {
  const { kid, privateKey } = keys.current()
  return new SignJWT({ ...claims, groups: [...claims.groups] })
    .setProtectedHeader({ alg: algorithmOf(privateKey), typ: 'at+jwt', kid })
    .sign(privateKey)
}

/** The identity token for a program (OpenID Connect Core 2). The station does not accept it as an access token: its type differs. */
export async function signIdToken(
  { member, clientId, familyId }: Subject & { readonly familyId: number },
  { issuer, now, signedIn, nonce }: { issuer: string; now: number; signedIn: number; nonce: string | null },
  keys: TokenKeys,
): Promise<string> {
  const { kid, privateKey } = keys.current()
  const claims = {
    iss: issuer,
    aud: clientId,
    sub: subjectOf(member),
    iat: now,
    exp: now + ACCESS_TOKEN_LIFE,
    auth_time: signedIn,
    sid: String(familyId),
    preferred_username: member.name,
    ...(nonce === null ? {} : { nonce }),
  }
  return new SignJWT(claims).setProtectedHeader({ alg: algorithmOf(privateKey), typ: 'JWT', kid }).sign(privateKey)
}

/** The result of a check: the claims, or the reason of the refusal, one word for the ledger. */
type Checked = { readonly claims: AccessClaims } | { readonly reason: string }

/** Size of the cache of checked signatures; the least recently used one is dropped. */
const MAX_CHECKED = 2_000

/** The signer and content of a token, which never change. */
interface Signed {
  readonly kid: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Checks tokens against the station's own keys: signature, typ, issuer, audience, times, members. It does not look up principals. */
export function accessTokenChecker(keys: TokenKeys) {
  const imported = new Map<string, { alg: string; key: Awaited<ReturnType<typeof importJWK>> }>()
  /** By the hash of the token, so that no secret is kept. */
  const checked = new Map<string, Signed>()

  const published = (kid: unknown): JWK | undefined => keys.all().find((jwk) => jwk.kid === kid)
  const keyOf = async (kid: string) => {
    // A token of a key that another node made a moment ago is valid here at once.
    if (published(kid) === undefined) await keys.refresh()
    const jwk = published(kid)
    if (jwk === undefined) return null
    const known = imported.get(kid)
    if (known !== undefined) return known
    const alg = jwk.alg ?? algorithmOfJwk(jwk)
    const made = { alg, key: await importJWK({ ...jwk }, alg) }
    imported.set(kid, made)
    return made
  }

  const checkSignature = async (token: string): Promise<Signed | { readonly reason: string }> => {
    const compact = readCompact(token)
    if (compact === null) return { reason: 'malformed' }
    const { header, payload } = compact
    if (typeof header['typ'] !== 'string' || !/^(application\/)?at\+jwt$/i.test(header['typ']))
      return { reason: 'type' }
    const { kid } = header
    const signer = typeof kid === 'string' ? await keyOf(kid) : null
    if (signer === null || header['alg'] !== signer.alg) return { reason: 'key' }
    try {
      await compactVerify(token, signer.key, { algorithms: [signer.alg] })
    } catch {
      return { reason: 'signature' }
    }
    // The station does not read the groups, and there may be many.
    return { kid: kid as string, payload: { ...payload, groups: undefined } }
  }

  const signedBy = async (token: string): Promise<Signed | { readonly reason: string }> => {
    const key = hash('sha256', token)
    const known = checked.get(key)
    // Tokens of a withdrawn key are no longer valid.
    const signed = known !== undefined && published(known.kid) !== undefined ? known : await checkSignature(token)
    checked.delete(key)
    if ('reason' in signed) return signed
    // Moved to the end, as the most recently used.
    checked.set(key, signed)
    if (checked.size > MAX_CHECKED) checked.delete(checked.keys().next().value as string)
    return signed
  }

  return async (token: string, issuer: string, now: number): Promise<Checked> => {
    const signed = await signedBy(token)
    if ('reason' in signed) return signed
    const { payload } = signed
    if (payload['iss'] !== issuer) return { reason: 'issuer' }
    if (payload['aud'] !== resourcesOf(issuer)) return { reason: 'audience' }
    const { exp, iat } = payload
    if (typeof exp !== 'number' || exp <= now) return { reason: 'expired' }
    if (typeof iat !== 'number' || iat > now + CLOCK_SKEW) return { reason: 'issued-ahead' }
    const texts = ['sub', 'client_id', 'jti', 'tenantid', 'primaryid', 'primarykid']
    if (texts.some((member) => typeof payload[member] !== 'string')) return { reason: 'members' }
    const { sid } = payload
    if (sid !== undefined && !(typeof sid === 'string' && /^\d{1,15}$/.test(sid))) return { reason: 'members' }
    return { claims: payload as unknown as AccessClaims }
  }
}

function algorithmOf(key: KeyObject): string {
  return algorithmOfKind(key.asymmetricKeyType)
}

function algorithmOfJwk({ kty }: JWK): string {
  return algorithmOfKind(kty === 'RSA' ? 'rsa' : kty === 'EC' ? 'ec' : 'ed25519')
}

/** One algorithm for each kind of key. The token never chooses it. */
function algorithmOfKind(kind: string | undefined): string {
  if (kind === 'rsa') return 'RS256'
  return kind === 'ec' ? 'ES256' : 'EdDSA'
}

/** `{PrincipalId}@{TenantId}`: the subject of tokens and the client_id of a service. */
export const subjectOf = (member: MemberRow): string => `${member.principal_id}@${member.tenant_id}`

export const principalOf = (member: MemberRow): Principal => ({
  kind: member.kind as Principal['kind'],
  id: String(member.principal_id),
  name: member.name,
  kId: member.k_id,
})

export const secondsOf = (clock: Clock): number => Math.floor(clock.now() / 1000)
