import { Fault, fault } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import type { SecurityPolicy } from '../../shared/kernel/permissions.ts'
import type { Principal } from '../../shared/kernel/principal.ts'
import { type HeldOnEvidence, refusalOfLevel } from '../kernel/access/evidence-level.ts'
import type { Authorize, Authorized, AuthorizeRequest } from '../http/ports.ts'
import { tokenFrom } from '../features/identity/sessions/cookie.ts'
import type { SessionPrincipal, SessionsService } from '../features/identity/sessions/sessions.service.ts'
import type { TokensService } from '../features/identity/tokens/tokens.service.ts'

/** Finds the session of a guest who opened a link (decisions 37), by the cookie of guests. Null where there is none that stands. */
export type FindGuest = (request: {
  readonly cookie: string | undefined
  readonly origin: string
  /** The file of the link that is asked for. */
  readonly item: string | undefined
}) => Promise<{
  readonly principal: Principal & { readonly guest: boolean }
  /** Whether the link still shows it; called every few seconds during a download. */
  readonly mayGoOn: () => Promise<boolean>
} | null>

interface Deps {
  readonly findGuest: FindGuest
  readonly tokens: Pick<TokensService, 'verifyAccessToken'>
  readonly sessions: Pick<SessionsService, 'find' | 'stands'>
  /** Null when the key is unknown or no longer valid. */
  readonly byApiKey: (apiKey: string) => Promise<(Principal & { readonly guest: boolean }) | null>
  /** Whether an API key is accepted in the query; the header always is. */
  readonly apiKeyInQuery: boolean
  readonly isAdministrator: (principalId: string) => Promise<boolean>
  /** Whether the principal is in the policy, directly or through a group; for guests see decisions 3. */
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly isEnabled: (principal: Principal) => Promise<boolean>
  /** Null when there is no such evidence. */
  readonly levelOnEvidence: (principal: Principal, id: number) => Promise<HeldOnEvidence | null>
}

interface Recognised extends Authorized {
  readonly principal: (Principal & { readonly guest: boolean }) | null
}

const NOBODY = { principal: null } as const
const KEY_IN_QUERY = 'This station takes no API key in the address. Send it as the header X-Api-Key.'

/**
 * Recognises the caller by a bearer token, an API key (CAD push only) or the session of a page, in this order, and checks the permission that
 * the route names. Levels on evidence are checked here for all routes; levels on cases are checked by the case service inside its transactions.
 * Locked sessions get no answers (decisions 10).
 */
export function createAuthorize(deps: Deps): Authorize {
  const judge = createJudge(deps)
  const byGuest = guestChecker(deps.findGuest)
  return async (route, request) => {
    if (route.permission.kind === 'share-link') return byGuest(request)
    const judged = await judge(route, request)
    const { principal } = judged
    return principal === null ? judged : { ...judged, isStillEnabled: () => deps.isEnabled(principal) }
  }
}

function createJudge({
  tokens,
  sessions,
  byApiKey,
  apiKeyInQuery,
  isAdministrator,
  isInPolicy,
  levelOnEvidence,
}: Deps): Authorize {
  const bySession = sessionChecker(sessions)
  const byToken = tokenChecker(tokens)
  const withKey = async (apiKey: string): Promise<Recognised | null> => {
    const principal = await byApiKey(apiKey)
    return principal === null ? null : { principal }
  }
  return async (route, request) => {
    const { permission } = route
    const { authorization } = request.headers
    if (permission.kind === 'signed-address') return NOBODY
    if (permission.kind === 'anyone') {
      const namesCaller = route.whileLocked === true && authorization === undefined
      return namesCaller ? ((await bySession(route, request)) ?? NOBODY) : NOBODY
    }
    const token = bearerOf(authorization)
    if (permission.kind === 'loopback-or-administrator' && request.arrival === 'local' && token === null) return NOBODY
    if (!apiKeyInQuery && token === null && route.interface === 'cad' && request.apiKey !== undefined)
      return { principal: null, refusal: fault('Unauthorized', KEY_IN_QUERY) }
    const apiKey = token === null && route.interface === 'cad' ? apiKeyOf(request) : null
    const recognised =
      token !== null
        ? await byToken(token)
        : apiKey !== null
          ? await withKey(apiKey)
          : authorization === undefined
            ? await bySession(route, request)
            : null
    if (recognised === null)
      return {
        principal: null,
        refusal: fault('Unauthorized', 'Sign in first, or send an access token as "Authorization: Bearer …".'),
      }
    const { principal } = recognised
    if (principal === null || recognised.refusal !== undefined) return recognised
    if (
      (permission.kind === 'administrator' || permission.kind === 'loopback-or-administrator') &&
      !(await isAdministrator(principal.id))
    ) {
      return { principal, refusal: fault('Forbidden', 'This needs an account administrator.') }
    }
    if (permission.kind === 'policy' && !(await isInPolicy(principal.id, permission.policy)))
      return {
        principal,
        refusal: new Fault(
          'Forbidden',
          `This needs the policy ${permission.policy}. An account administrator grants it.`,
          permission.policy === 'CreateCases' ? { reason: 'UserCannotCreateCase' } : {},
        ),
      }
    if (permission.kind === 'member' && !permission.guests && principal.guest)
      return { principal, refusal: fault('Forbidden', 'Guests may not do this.') }
    if (permission.kind === 'level' && permission.on === 'evidence') {
      return { ...recognised, ...(await judgedOnEvidence(permission, request, (id) => levelOnEvidence(principal, id))) }
    }
    return recognised
  }
}

/**
 * Checks the level on the id as parsed by the contract, which is the id that the service uses. A request without an id is refused.
 * @returns the caller's level, and the refusal if it is not enough
 */
async function judgedOnEvidence(
  { level, playing }: Extract<RouteDefinition['permission'], { kind: 'level' }>,
  { params, query }: AuthorizeRequest,
  levelOn: (id: number) => Promise<HeldOnEvidence | null>,
): Promise<Pick<Authorized, 'refusal' | 'decision'>> {
  const id = params?.['evidenceId']
  if (id === undefined) return { refusal: fault('InvalidModel', 'The request names no evidence.') }
  const needed = playing !== undefined && query?.['purpose'] === 'play' ? playing : level
  // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
  const found = String(Number(id)) === id ? await levelOn(Number(id)) : null
  const refusal = refusalOfLevel(id, found, needed)
  return {
    decision: { on: 'evidence', id, held: found?.level ?? 'None' },
    ...(refusal === null ? {} : { refusal }),
  }
}

function tokenChecker(tokens: Deps['tokens']) {
  return async (token: string): Promise<Recognised> => {
    try {
      const principal = await tokens.verifyAccessToken(token)
      return { principal, isStillAllowed: () => tokens.verifyAccessToken(token).then(() => true, isNoFault) }
    } catch (error) {
      if (error instanceof Fault) return { principal: null, refusal: error }
      throw error
    }
  }
}

/** False for a refusal. Rethrows every other error, which is a failure. */
function isNoFault(error: unknown): false {
  if (error instanceof Fault) return false
  throw error
}

/** Methods that change nothing. Browsers send no Origin with them. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** The refusal of a valid session that only some routes answer; null for a session without such a limit. */
function refusalOf({ locked, passwordDue }: SessionPrincipal, route: RouteDefinition): Fault | null {
  if (locked && route.whileLocked !== true)
    return fault('SessionLocked', 'The screen is locked. Unlock it with the password first.')
  if (passwordDue && route.whilePasswordDue !== true)
    return fault('PasswordChangeNeeded', 'Somebody else chose your password. Choose another one first.')
  return null
}

/** Recognises a session; null when the request has no valid one. */
function sessionChecker(sessions: Deps['sessions']) {
  return async (route: RouteDefinition, request: AuthorizeRequest): Promise<Recognised | null> => {
    const token = tokenFrom(request.headers.cookie, request.origin)
    const principal = token === null ? null : await sessions.find(token, request.correlationId)
    if (principal === null) return null
    if (!READS.has(request.method) && request.headers.origin !== request.origin)
      return { principal, refusal: withoutOrigin() }
    const refusal = refusalOf(principal, route)
    if (refusal !== null) return { principal, refusal }
    return {
      principal,
      isStillAllowed: async () => {
        const now = await sessions.stands(principal, request.correlationId)
        return now !== null && refusalOf(now, route) === null
      },
    }
  }
}

/** Sessions of people, tokens and keys open nothing of a link, and its cookie opens nothing else: no other checker reads it. */
function guestChecker(findGuest: FindGuest) {
  return async ({ method, headers, params, origin }: AuthorizeRequest): Promise<Authorized> => {
    const found = await findGuest({ cookie: headers.cookie, origin, item: params?.['item'] })
    if (found === null)
      return { principal: null, refusal: fault('Unauthorized', 'Open the link with its address and code first.') }
    const { principal, mayGoOn } = found
    const refusal = READS.has(method) || headers.origin === origin ? null : withoutOrigin()
    return { principal, isStillEnabled: mayGoOn, ...(refusal === null ? {} : { refusal }) }
  }
}

/** Browsers send cookies automatically, so a change must also prove that it comes from the station's page (promise S13). */
const withoutOrigin = (): Fault =>
  new Fault('OriginNotAllowed', 'Changes made with a session must say from which page they come: send Origin.', {
    reason: 'OriginMissing',
  })

/** The API key in the query, or in a header that pages of other origins cannot send (decisions 8). */
function apiKeyOf({ apiKey, headers }: AuthorizeRequest): string | null {
  const header = headers['x-api-key']
  return apiKey ?? (typeof header === 'string' ? header : null)
}

function bearerOf(header: string | undefined): string | null {
  const match = /^Bearer +([^\s]+)$/i.exec(header ?? '')
  return match?.[1] ?? null
}
