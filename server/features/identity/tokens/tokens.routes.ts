import * as contract from '../../../../shared/identity/tokens.contract.ts'
import { type BoundRoute, bytes, type HttpCall, json } from '../../../http/handlers.ts'
import { SCOPES } from './authorization-request.ts'
import { authorizationRoutes, type SigningOut } from './authorizations.routes.ts'
import type { Authorizations, Granted } from './authorizations.service.ts'
import { JSON_TYPE, NO_STORE, refusalAnswer } from './answers.ts'
import { OAuthRefusal } from './refusal.ts'
import { readParameters } from './request-form.ts'
import type { Addresses, TokensService } from './tokens.service.ts'

/** Keys and addresses may be cached for a minute. Clients that meet an unknown `kid` ask again. */
const CACHED = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'public, max-age=60' }

export interface TokenRoutesDeps {
  readonly tokens: TokensService
  readonly authorizations: Authorizations
  readonly addresses: () => Addresses
  readonly signingOut: SigningOut
}

/** The token service's routes (shared/identity/tokens.contract.ts). OAuth has its own bodies, errors and headers, so these are bytes handlers. */
export function tokenRoutes({ tokens, authorizations, addresses, signingOut }: TokenRoutesDeps): BoundRoute[] {
  const grants = grantsOf(tokens, authorizations)
  return [
    bytes(contract.issueToken, async (request, call) => {
      let parameters: ReadonlyMap<string, string>
      try {
        parameters = await readParameters(request.headers['content-type'], request.body)
        checkGrant(parameters)
      } catch (error) {
        if (!(error instanceof OAuthRefusal)) throw error
        tokens.refused(call, error)
        const refusal = refusalAnswer(error)
        // The unread rest of the body would block the connection.
        return { ...refusal, headers: { ...refusal.headers, Connection: 'close' } }
      }
      try {
        const given = await grants[parameters.get('grant_type') as Grant](call, parameters)
        return { status: 200, headers: NO_STORE, body: JSON.stringify(given) }
      } catch (error) {
        if (error instanceof OAuthRefusal) return refusalAnswer(error)
        throw error
      }
    }),
    ...authorizationRoutes(authorizations, signingOut),
    json(contract.userInfo, async ({ call }) => tokens.userInfo(call.actor)),
    json(contract.userInfoByPost, async ({ call }) => tokens.userInfo(call.actor)),
    bytes(contract.discovery, async ({ origin }) => ({
      status: 200,
      headers: CACHED,
      body: JSON.stringify(discoveryDocument(addresses().issuer, origin)),
    })),
    bytes(contract.jsonWebKeys, async () => ({
      status: 200,
      headers: CACHED,
      body: JSON.stringify(await tokens.publicKeys()),
    })),
  ]
}

/** Parameters that each grant needs. */
const NEEDED = {
  [contract.JWT_BEARER]: ['client_id', 'assertion'],
  [contract.CODE_GRANT]: ['client_id', 'code', 'redirect_uri', 'code_verifier'],
  [contract.REFRESH_GRANT]: ['client_id', 'refresh_token'],
} as const
type Grant = keyof typeof NEEDED

function checkGrant(parameters: ReadonlyMap<string, string>): void {
  const grant = parameters.get('grant_type')
  if (grant === undefined) throw new OAuthRefusal('invalid_request', 'parameters', 'grant_type is missing.')
  if (!Object.hasOwn(NEEDED, grant))
    throw new OAuthRefusal('unsupported_grant_type', 'grant', `The grants are ${Object.keys(NEEDED).join(', ')}.`)
  for (const name of NEEDED[grant as Grant]) {
    if (!parameters.has(name)) throw new OAuthRefusal('invalid_request', 'parameters', `${name} is missing.`)
  }
}

type GrantHandler = (call: HttpCall, parameters: ReadonlyMap<string, string>) => Promise<Record<string, unknown>>

function grantsOf(tokens: TokensService, authorizations: Authorizations): Readonly<Record<Grant, GrantHandler>> {
  return {
    [contract.JWT_BEARER]: async (call, sent) => {
      const given = { clientId: sent.get('client_id') ?? '', assertion: sent.get('assertion') ?? '' }
      const { token, expiresIn } = await tokens.exchange(call, given)
      return { access_token: token, token_type: 'Bearer', expires_in: expiresIn }
    },
    [contract.CODE_GRANT]: async (call, sent) =>
      grantedAnswer(
        await authorizations.exchangeCode(call, {
          clientId: sent.get('client_id') ?? '',
          code: sent.get('code') ?? '',
          redirectUri: sent.get('redirect_uri') ?? '',
          verifier: sent.get('code_verifier') ?? '',
        }),
      ),
    [contract.REFRESH_GRANT]: async (call, sent) => {
      const given = { clientId: sent.get('client_id') ?? '', refreshToken: sent.get('refresh_token') ?? '' }
      return grantedAnswer(await authorizations.refresh(call, given))
    },
  }
}

const grantedAnswer = ({ token, expiresIn, refreshToken, scope, idToken }: Granted): Record<string, unknown> => ({
  access_token: token,
  token_type: 'Bearer',
  expires_in: expiresIn,
  refresh_token: refreshToken,
  ...(scope === '' ? {} : { scope }),
  ...(idToken === null ? {} : { id_token: idToken }),
})

/** OpenID Connect Discovery 1.0, RFC 8414. @param origin the configured one that the request's Host matched (decisions 1). */
function discoveryDocument(issuer: string, origin: string) {
  return {
    issuer,
    token_endpoint: `${origin}/connect/token`,
    jwks_uri: `${origin}/connect/.well-known/jwks`,
    authorization_endpoint: `${origin}/connect/authorize`,
    userinfo_endpoint: `${origin}/connect/userinfo`,
    end_session_endpoint: `${origin}/connect/endsession`,
    revocation_endpoint: `${origin}/connect/revocation`,
    grant_types_supported: Object.keys(NEEDED),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: [...SCOPES],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    // Desktop programs have no secret; services sign their assertion.
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  }
}
