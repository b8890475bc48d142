import { Fault } from '../../../../shared/kernel/errors.ts'
import { nameKey } from '../../../../shared/kernel/names.ts'
import type { Principal } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import { createRightsCache } from '../../../kernel/access/rights-cache.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import {
  ACCESS_TOKEN_LIFE,
  accessTokenChecker,
  type IssuedToken,
  newAccessToken,
  principalOf,
  secondsOf,
  signAccessToken,
  subjectOf,
  type TokenKeys,
} from './access-token.ts'
import * as rules from './assertion.ts'
import { type Compact, readCompact } from './compact.ts'
import { OAuthRefusal } from './refusal.ts'
import * as store from './tokens.store.ts'

/** The addresses of the station. The issuer is the setting `publicUrl`, else the bound loopback origin (decisions 9). */
export interface Addresses {
  readonly issuer: string
  /** Every configured origin, loopback included: scheme, host, port. */
  readonly origins: readonly string[]
}

/** The principal of a token, with its current data. */
export interface TokenPrincipal extends Principal {
  readonly tenantId: string
  readonly guest: boolean
  readonly clientId: string
  readonly tokenId: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export interface TokensService {
  /**
   * Grant `jwt-bearer` (decisions 9, RFC 7523): an assertion is valid once. Returns when its use and the ledger entry are durable. @throws OAuthRefusal, counted in the ledger.
   */
  exchange(call: Call, given: { clientId: string; assertion: string }): Promise<IssuedToken>
  /** Counts the refusal of a request that was refused before its assertion was read. */
  refused(call: Call, refusal: OAuthRefusal): void
  /**
   * Checks signature, issuer, audience, expiry, type, and that the principal is enabled. Cached results are dropped when any right changes:
   * tokens of a disabled principal, and of a program whose permission ended, stop at once.
   * @throws Fault Unauthorized, with one word for the ledger in `reason`
   */
  verifyAccessToken(token: string): Promise<TokenPrincipal>
  /** `sub` as in the principal's tokens, and the current name. @throws Fault Unauthorized when there is no such principal. */
  userInfo(principal: Principal): Promise<UserInfo>
  publicKeys(): Promise<{ keys: Record<string, unknown>[] }>
}

export interface UserInfo {
  readonly sub: string
  readonly name: string
  /** Only for people, as the two below. */
  readonly preferred_username?: string
  readonly given_name?: string
  readonly family_name?: string
}

export interface TokensDeps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append' | 'tally'>
  readonly clock: Clock
  readonly keys: TokenKeys
  /** Called at each use, because the bound port is known only later. */
  readonly addresses: () => Addresses
}

/** Milliseconds between deletions of expired used assertions. */
const FORGET_EVERY = 600_000

export function createTokens(deps: TokensDeps): TokensService {
  const { db, ledger, clock, keys, addresses } = deps
  const checkAccessToken = accessTokenChecker(keys)
  const standings = createRightsCache<Standing>(db.rightsVersion)
  let forgotten = Number.NEGATIVE_INFINITY

  const forgetUsed = async (tx: Tx): Promise<void> => {
    if (clock.monotonic() - forgotten < FORGET_EVERY) return
    forgotten = clock.monotonic()
    await store.forgetUsed(tx, clock.now())
  }

  const refused = (call: Call, refusal: OAuthRefusal): void => {
    ledger.tally(call, {
      action: 'token.refused',
      object: { type: 'token', id: '', name: '' },
      outcome: 'denied',
      reason: refusal.reason,
    })
  }

  const spend = (call: Call, accepted: Accepted, issuer: string) =>
    db.transaction(async (tx) => {
      await forgetUsed(tx)
      // Checked again inside the write transaction: the account may have been disabled or the key revoked meanwhile.
      const member = await store.enabledMember(tx, accepted.principalId)
      if (member === null || (await store.isRevoked(tx, accepted.key.id))) throw unknownSigner()
      const clientId = subjectOf(member)
      const once = {
        clientId,
        assertionId: rules.onceKey(accepted.compact),
        expiresAt: rules.rememberUntil(accepted.compact),
      }
      if (!(await store.useOnce(tx, once))) throw replayed()
      const groups = await store.groupsOf(tx, member.principal_id)
      const claims = newAccessToken({ member, clientId, groups }, issuer, secondsOf(clock))
      await ledger.append(
        tx,
        { ...call, actor: principalOf(member) },
        {
          action: 'token.issued',
          object: { type: member.kind, id: String(member.principal_id), name: member.name },
          outcome: 'ok',
          detail: { tokenId: claims.jti, keyThumbprint: accepted.key.thumbprint, expires: claims.exp },
        },
      )
      return claims
    })

  return {
    exchange: async (call, given) => {
      try {
        const { issuer, origins } = addresses()
        const accepted = await acceptAssertion(deps, given, audiencesOf(issuer, origins))
        const claims = await spend(call, accepted, issuer)
        // Signed after the commit: a crash in between loses a token that nobody has; no token exists without a ledger entry.
        return { token: await signAccessToken(claims, keys), id: claims.jti, expiresIn: ACCESS_TOKEN_LIFE }
      } catch (error) {
        if (error instanceof OAuthRefusal) refused(call, error)
        throw error
      }
    },
    refused,
    verifyAccessToken: async (token) => {
      const checked = await checkAccessToken(token, addresses().issuer, secondsOf(clock))
      if ('reason' in checked) throw unauthorized(checked.reason)
      const { claims } = checked
      const { primaryid: id, sid } = claims
      const { member, stands } = await standings(`${id} ${sid ?? ''}`, () => standingOf(db, id, sid))
      if (member === null || member.k_id !== claims.primarykid || member.tenant_id !== claims.tenantid)
        throw unauthorized('principal')
      if (!stands) throw unauthorized('ended')
      return {
        ...principalOf(member),
        tenantId: member.tenant_id,
        guest: member.guest === 1,
        clientId: claims.client_id,
        tokenId: claims.jti,
        expiresAt: claims.exp * 1000,
      }
    },
    userInfo: async ({ id }) => {
      const member = await memberWithId(db, id)
      if (member === null) throw unauthorized('principal')
      const info = { sub: subjectOf(member), name: member.name }
      if (member.kind !== 'user') return info
      const { first_name: first, last_name: last } = member
      const names = { ...(first === '' ? {} : { given_name: first }), ...(last === '' ? {} : { family_name: last }) }
      return { ...info, preferred_username: member.name, ...names }
    },
    publicKeys: async () => {
      await keys.refresh()
      return { keys: keys.all().map((jwk) => ({ ...jwk })) }
    },
  }
}

/** The current principal, and whether the token's program may still act for it. */
interface Standing {
  readonly member: store.MemberRow | null
  readonly stands: boolean
}

async function standingOf(db: Database, id: string, familyId: string | undefined): Promise<Standing> {
  const member = /^\d{1,15}$/.test(id) ? await store.enabledMember(db.read, Number(id)) : null
  if (member === null || familyId === undefined) return { member, stands: true }
  return { member, stands: await store.familyStands(db.read, Number(familyId), member.principal_id) }
}

interface Accepted {
  readonly principalId: number
  readonly compact: Compact
  readonly key: rules.CandidateKey
}

/** All checks that need no write. An accepted assertion may still be a simultaneous replay. */
async function acceptAssertion(
  { db, clock }: TokensDeps,
  given: { clientId: string; assertion: string },
  audiences: readonly string[],
): Promise<Accepted> {
  const compact = readCompact(given.assertion)
  if (compact === null)
    throw new OAuthRefusal('invalid_grant', 'malformed', 'The assertion is no signed JWT in its compact form.')
  object(rules.checkHeader(compact))
  object(rules.checkParties(compact, given.clientId))
  const member = await clientNamed(db, given.clientId)
  if (member === null) throw unknownSigner()
  const key = await rules.signerOf(compact, await validKeys(db, member.principal_id, clock.now()))
  if (key === null) throw unknownSigner()
  object(rules.checkAudience(compact, audiences))
  object(rules.checkTimes(compact, secondsOf(clock)))
  object(rules.checkId(compact))
  // Replays are refused here, so that many of them do not occupy the write transaction.
  if (await store.isUsed(db.read, subjectOf(member), rules.onceKey(compact))) throw replayed()
  return { principalId: member.principal_id, compact, key }
}

/** Finds `{ServicePrincipalId}@{TenantId}`. The tenant is compared without case (decisions 1); the id has one spelling. */
async function clientNamed(db: Database, clientId: string): Promise<store.MemberRow | null> {
  const match = /^(\d{1,15})@(.{1,64})$/u.exec(clientId)
  if (match === null) return null
  const member = await memberWithId(db, match[1] as string)
  const named =
    member !== null && member.kind === 'service' && nameKey(member.tenant_id) === nameKey(match[2] as string)
  return named ? member : null
}

async function memberWithId(db: Database, id: string): Promise<store.MemberRow | null> {
  return /^[1-9]\d{0,14}$/.test(id) ? store.enabledMember(db.read, Number(id)) : null
}

async function validKeys(db: Database, principalId: number, now: number): Promise<rules.CandidateKey[]> {
  const rows = await store.serviceKeysOf(db.read, principalId)
  const valid = rows.filter(
    ({ not_before_utc: from, expires_utc: to }) =>
      (from === null || Date.parse(from) <= now) && (to === null || now < Date.parse(to)),
  )
  return valid.map((row) => ({
    id: row.service_key_id,
    thumbprint: row.thumbprint,
    jwk: JSON.parse(row.jwk) as rules.CandidateKey['jwk'],
  }))
}

/** Decisions 9: the issuer, `{origin}/connect`, `{origin}/connect/token`. */
function audiencesOf(issuer: string, origins: readonly string[]): string[] {
  return [issuer, ...origins.flatMap((origin) => [`${origin}/connect`, `${origin}/connect/token`])]
}

function object(found: rules.Objection | null): void {
  if (found !== null) throw new OAuthRefusal('invalid_grant', found.reason, found.sentence)
}

/** The same answer for a client that does not exist, is disabled, has no valid key, or did not sign. */
const unknownSigner = () =>
  new OAuthRefusal('invalid_grant', 'signature', 'The assertion is not signed by a key registered for this client.')
const replayed = () => new OAuthRefusal('invalid_grant', 'replayed', 'The assertion was used before.')

const INVALID = 'The access token is not valid.'
const unauthorized = (reason: string) =>
  new Fault('Unauthorized', INVALID, { details: [{ Path: 'Authorization', Message: INVALID }], reason })
