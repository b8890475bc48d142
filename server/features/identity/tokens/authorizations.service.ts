/**
 * Programs that act for people: authorization, token exchange, refresh, revocation (decisions 9; RFC 6749 4.1 and 6, RFC 7636, RFC 8252).
 * A token family is one permission of one person for one program. Each refresh token replaces the one before, and all end together.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { Fault, fault } from '../../../../shared/kernel/errors.ts'
import type { AllowedProgramModel } from '../../../../shared/identity/own-access.contract.ts'
import type { Principal } from '../../../../shared/kernel/principal.ts'
import { fitsRedirect } from '../../../../shared/identity/redirects.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import {
  ACCESS_TOKEN_LIFE,
  type IssuedToken,
  newAccessToken,
  principalOf,
  secondsOf,
  signAccessToken,
  signIdToken,
  type TokenKeys,
} from './access-token.ts'
import {
  type AuthorizationRequest,
  type Client,
  judgeAuthorization,
  returnAddress,
  VERIFIER,
} from './authorization-request.ts'
import * as store from './authorizations.store.ts'
import { OAuthRefusal } from './refusal.ts'
import { fromForm } from './request-form.ts'
import { enabledMember, groupsOf, type MemberRow } from './tokens.store.ts'
import type { Addresses } from './tokens.service.ts'

/** The tokens of a program; `idToken` only for a code that was requested with the scope `openid`. */
export interface Granted extends IssuedToken {
  readonly refreshToken: string
  readonly scope: string
  readonly idToken: string | null
}

/** The person of a session, who decides. */
export interface AtPage extends Principal {
  readonly sessionId: number
}

export interface Authorizations {
  /**
   * The address to which the browser is redirected: the page that asks the person, or the program with a refusal.
   * @throws OAuthRefusal when it must not be redirected
   */
  address(parameters: ReadonlyMap<string, string>, origin: string): string
  /** @throws Fault InvalidModel when the request is not valid. */
  readRequest(request: string): { client: Client; redirectUri: string }
  /** Records the decision of the person. @returns the address for the redirect. @throws Fault InvalidModel; Unauthorized when the session has ended. */
  decide(call: Call, page: AtPage, given: { request: string; allow: boolean }): Promise<string>
  /** A code is valid once, even when the exchange fails. A reused code ends the family that it created. @throws OAuthRefusal */
  exchangeCode(call: Call, given: CodeGiven): Promise<Granted>
  /** Exchanges a refresh token for the next one. A reused token ends the family (RFC 9700 4.14.2). @throws OAuthRefusal */
  refresh(call: Call, given: { clientId: string; refreshToken: string }): Promise<Granted>
  /** Ends the family of a token; does nothing when there is none of that client (RFC 7009 2.2). */
  revoke(call: Call, given: { clientId: string; token: string }): Promise<void>
  /** The active programs of a person, last used first. */
  allowed(page: AtPage): Promise<z.input<typeof AllowedProgramModel>[]>
  /** Ends one of these. @throws Fault AuthorizationNotFound; Unauthorized when the session has ended. */
  end(call: Call, page: AtPage, familyId: string): Promise<void>
  /** Whether the browser may be redirected to this address of a program after sign-out. */
  isAddressOf(clientId: string, redirectUri: string): boolean
}

export interface CodeGiven {
  readonly clientId: string
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
}

export interface AuthorizationsDeps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append' | 'tally'>
  readonly clock: Clock
  readonly keys: TokenKeys
  readonly addresses: () => Addresses
  readonly clients: readonly Client[]
}

/** Milliseconds. */
export const CODE_LIFE = 60_000
export const IDLE_LIFE = 14 * 86_400_000
/** Milliseconds after which unused rows are deleted. Until then a reused, stolen token is recognised. */
const KEPT_MILLIS = 30 * 86_400_000

const newSecret = (): string => randomBytes(32).toString('base64url')
const digest = (secret: string): string => hash('sha256', secret, 'hex')
const refused = (reason: string): OAuthRefusal =>
  new OAuthRefusal(
    'invalid_grant',
    reason,
    'The code or token is not valid: unknown, used, too old, or of another request.',
  )

/** The result of a transaction. A refusal is thrown after the commit, so that used codes and ended families stay recorded. */
type Outcome<T> = { readonly good: T } | { readonly refusal: OAuthRefusal }

export function createAuthorizations(deps: AuthorizationsDeps): Authorizations {
  const { db, clock, clients } = deps
  const issuer = (): string => deps.addresses().issuer
  return {
    address: (parameters, origin) => addressFor(deps, parameters, origin),
    readRequest: (text) => requestOf(clients, text),
    decide: async (call, page, { request: text, allow }) => {
      const request = requestOf(clients, text)
      const code = allow ? newSecret() : null
      await db.transaction((tx) => writeDecision(deps, tx, call, { page, request, code }))
      if (code !== null) return returnAddress(request, issuer(), { code })
      return refusalAddress({ ...request, error: 'access_denied', description: 'The person said no.' }, issuer())
    },
    exchangeCode: async (call, given) => {
      const codeHash = digest(given.code)
      // Wrong codes are refused here, so that many guesses do not occupy the write transaction.
      if ((await store.codeByHash(db.read, codeHash)) === null)
        return resultOf(deps, call, { refusal: refused('code') })
      const outcome = await db.transaction((tx) => useCode(deps, tx, call, codeHash, given))
      return signGrant(deps, resultOf(deps, call, outcome))
    },
    refresh: async (call, { clientId, refreshToken }) => {
      const tokenHash = digest(refreshToken)
      if ((await store.refreshTokenByHash(db.read, tokenHash)) === null)
        return resultOf(deps, call, { refusal: refused('refresh') })
      const outcome = await db.transaction((tx) => useRefreshToken(deps, tx, call, tokenHash, clientId))
      return signGrant(deps, resultOf(deps, call, outcome))
    },
    revoke: async (call, { clientId, token }) => {
      const known = await store.refreshTokenByHash(db.read, digest(token))
      if (known === null) return
      await db.transaction(async (tx) => {
        const family = await store.familyById(tx, known.family_id)
        if (family !== null && family.client_id === clientId && family.ended_at === null)
          await endFamily(deps, tx, call, family.family_id, 'givenBack')
      })
    },
    allowed: async ({ id }) => {
      const rows = await store.familiesOf(db.read, Number(id), clock.now() - IDLE_LIFE)
      // A program that is no longer registered is shown with its id.
      const nameOf = (clientId: string): string => clients.find((client) => client.id === clientId)?.name ?? clientId
      return rows.map(({ family_id: family, client_id: clientId, created_at: given, used_at: used }) => ({
        AuthorizationId: String(family),
        Client: { Id: clientId, Name: nameOf(clientId) },
        GivenUtc: isoMillis(given),
        LastUsedUtc: isoMillis(used),
      }))
    },
    end: (call, page, familyId) => db.transaction((tx) => endProgram(deps, tx, call, page, familyId)),
    isAddressOf: (clientId, redirectUri) =>
      clients.some(
        ({ id, redirects }) => id === clientId && redirects.some((registered) => fitsRedirect(registered, redirectUri)),
      ),
  }
}

function addressFor(
  { clients, addresses }: AuthorizationsDeps,
  parameters: ReadonlyMap<string, string>,
  origin: string,
): string {
  const issuer = (): string => addresses().issuer
  const judged = judgeAuthorization(parameters, clients)
  if ('returned' in judged) return refusalAddress(judged.returned, issuer())
  // Without a page the person cannot be asked, and no program is authorized without asking.
  if (judged.request.prompt === 'none')
    return refusalAddress(
      { ...judged.request, error: 'interaction_required', description: 'The person is always asked.' },
      issuer(),
    )
  // As one parameter: a page's router may rewrite single ones, and a challenge or a state has one spelling.
  return `${origin}/authorize?${new URLSearchParams({ request: `${new URLSearchParams([...parameters])}` })}`
}

async function useCode(
  deps: AuthorizationsDeps,
  tx: Tx,
  call: Call,
  codeHash: string,
  given: CodeGiven,
): Promise<Outcome<Unsigned>> {
  const row = await store.codeByHash(tx, codeHash)
  // Deleted since the first read.
  if (row === null) return { refusal: refused('code') }
  if (row.used_at !== null) {
    if (row.family_id !== null) await endFamily(deps, tx, call, row.family_id, 'codeReused')
    return { refusal: refused('replayed') }
  }
  await store.useCode(tx, codeHash, deps.clock.now())
  const reason = problemOf(row, given, deps.clock.now())
  const member = reason === null ? await enabledMember(tx, row.principal_id) : null
  if (member === null) return { refusal: refused(reason ?? 'principal') }
  const now = deps.clock.now()
  const { client_id: clientId, scope } = row
  const familyId = await store.insertFamily(tx, { principalId: member.principal_id, clientId, scope, now })
  await store.giveFamily(tx, codeHash, familyId)
  const idFor = scope.split(' ').includes('openid') ? { signedIn: row.signed_in_at, nonce: row.nonce } : null
  return { good: await writeGrant(deps, tx, call, { member, familyId, clientId, scope, by: 'code', idFor }) }
}

async function useRefreshToken(
  deps: AuthorizationsDeps,
  tx: Tx,
  call: Call,
  tokenHash: string,
  clientId: string,
): Promise<Outcome<Unsigned>> {
  const row = await store.refreshTokenByHash(tx, tokenHash)
  const family = row === null ? null : await store.familyById(tx, row.family_id)
  if (row === null || family === null || family.client_id !== clientId) return { refusal: refused('refresh') }
  if (family.ended_at !== null) return { refusal: refused('ended') }
  const { family_id: familyId, scope } = family
  const over = row.used_at !== null ? 'reused' : deps.clock.now() - family.used_at >= IDLE_LIFE ? 'idle' : null
  if (over !== null) {
    await endFamily(deps, tx, call, familyId, over)
    return { refusal: refused(over) }
  }
  const member = await enabledMember(tx, family.principal_id)
  if (member === null) return { refusal: refused('principal') }
  await store.useRefreshToken(tx, tokenHash, deps.clock.now())
  await store.useFamily(tx, familyId, deps.clock.now())
  return { good: await writeGrant(deps, tx, call, { member, familyId, clientId, scope, by: 'refresh', idFor: null }) }
}

async function endProgram(deps: AuthorizationsDeps, tx: Tx, call: Call, page: AtPage, familyId: string) {
  if ((await store.sessionBegan(tx, page.sessionId)) === null) throw noSession()
  const families = await store.familiesOf(tx, Number(page.id), deps.clock.now() - IDLE_LIFE)
  const family = families.find((row) => String(row.family_id) === familyId)
  if (family === undefined)
    throw fault('AuthorizationNotFound', `You let in no program under ${familyId} that goes on.`)
  await endFamily(deps, tx, call, family.family_id, 'person')
}

/** @throws Fault InvalidModel */
function requestOf(clients: readonly Client[], text: string): AuthorizationRequest {
  try {
    const judged = judgeAuthorization(fromForm(text), clients)
    if ('returned' in judged) throw new Fault('InvalidModel', judged.returned.description)
    return judged.request
  } catch (error) {
    if (error instanceof OAuthRefusal) throw new Fault('InvalidModel', error.message)
    throw error
  }
}

/** Gives the result, or counts the refusal in the ledger and throws it. The caller does not learn the reason. */
function resultOf<T>({ ledger }: AuthorizationsDeps, call: Call, outcome: Outcome<T>): T {
  if ('good' in outcome) return outcome.good
  const { reason } = outcome.refusal
  ledger.tally(call, {
    action: 'token.refused',
    object: { type: 'token', id: '', name: '' },
    outcome: 'denied',
    reason,
  })
  throw outcome.refusal
}

function refusalAddress(
  { error, description, ...to }: { error: string; description: string; redirectUri: string; state: string | undefined },
  issuer: string,
): string {
  return returnAddress(to, issuer, { error, error_description: description })
}

const noSession = (): Fault =>
  new Fault('Unauthorized', 'Nobody is signed in here. Sign in first.', { reason: 'NoSession' })

async function writeDecision(
  { ledger, clock }: AuthorizationsDeps,
  tx: Tx,
  call: Call,
  { page, request, code }: { page: AtPage; request: AuthorizationRequest; code: string | null },
): Promise<void> {
  const began = await store.sessionBegan(tx, page.sessionId)
  if (began === null) throw noSession()
  const { client, scope, redirectUri, challenge, nonce } = request
  if (code !== null) {
    await store.forgetBefore(tx, clock.now() - KEPT_MILLIS)
    await store.insertCode(tx, {
      code_hash: digest(code),
      principal_id: Number(page.id),
      client_id: client.id,
      redirect_uri: redirectUri,
      challenge,
      scope,
      nonce: nonce ?? null,
      signed_in_at: Math.floor(began / 1000),
      created_at: clock.now(),
    })
  }
  await ledger.append(tx, call, {
    action: code === null ? 'authorization.declined' : 'authorization.given',
    object: { type: 'user', id: page.id, name: page.name },
    detail: { client: client.id, returnsTo: redirectUri, scope },
  })
}

/** Why a code may not be exchanged, one word for the ledger; null when it may. */
function problemOf(row: store.CodeRow, { clientId, redirectUri, verifier }: CodeGiven, now: number): string | null {
  if (row.client_id !== clientId) return 'client'
  if (row.redirect_uri !== redirectUri) return 'redirect'
  // In both directions: setting the clock back must not extend the life of a code.
  if (Math.abs(now - row.created_at) >= CODE_LIFE) return 'expired'
  if (!VERIFIER.test(verifier)) return 'verifier'
  const challenge = Buffer.from(hash('sha256', verifier, 'base64url'))
  return timingSafeEqual(challenge, Buffer.from(row.challenge)) ? null : 'verifier'
}

type Ending = 'reused' | 'codeReused' | 'idle' | 'givenBack' | 'person'

/** Ends a family, once, with a ledger entry. */
async function endFamily({ ledger, clock }: AuthorizationsDeps, tx: Tx, call: Call, familyId: number, reason: Ending) {
  const family = await store.familyById(tx, familyId)
  if (family === null || family.ended_at !== null) return
  await store.endFamily(tx, familyId, clock.now())
  const person = await enabledMember(tx, family.principal_id)
  await ledger.append(tx, call, {
    action: 'authorization.ended',
    object: { type: 'user', id: String(family.principal_id), name: person?.name ?? '' },
    reason,
    detail: { client: family.client_id, family: String(familyId) },
  })
}

interface Grant {
  readonly member: MemberRow
  readonly familyId: number
  readonly clientId: string
  readonly scope: string
  readonly by: 'code' | 'refresh'
  readonly idFor: { readonly signedIn: number; readonly nonce: string | null } | null
}

/** A grant that is stored but not yet signed. */
interface Unsigned {
  readonly grant: Grant
  readonly claims: ReturnType<typeof newAccessToken>
  readonly refreshToken: string
}

async function writeGrant(deps: AuthorizationsDeps, tx: Tx, call: Call, grant: Grant): Promise<Unsigned> {
  const { member, familyId, clientId, by } = grant
  const refreshToken = newSecret()
  await store.insertRefreshToken(tx, digest(refreshToken), familyId)
  const groups = await groupsOf(tx, member.principal_id)
  const claims = newAccessToken({ member, clientId, groups, familyId }, deps.addresses().issuer, secondsOf(deps.clock))
  await deps.ledger.append(
    tx,
    { ...call, actor: principalOf(member) },
    {
      action: 'token.issued',
      object: { type: member.kind, id: String(member.principal_id), name: member.name },
      outcome: 'ok',
      detail: { tokenId: claims.jti, client: clientId, family: String(familyId), by, expires: claims.exp },
    },
  )
  return { grant, claims, refreshToken }
}

/** Called after the commit. A crash in between loses a token that nobody has; no token exists without a ledger entry. */
async function signGrant({ keys }: AuthorizationsDeps, { grant, claims, refreshToken }: Unsigned): Promise<Granted> {
  const { member, clientId, familyId, idFor, scope } = grant
  const subject = { member, clientId, familyId, groups: [] }
  const idToken =
    idFor === null ? null : await signIdToken(subject, { issuer: claims.iss, now: claims.iat, ...idFor }, keys)
  const token = await signAccessToken(claims, keys)
  return { token, id: claims.jti, expiresIn: ACCESS_TOKEN_LIFE, refreshToken, scope, idToken }
}
