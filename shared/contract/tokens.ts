import { z } from 'zod'
import { route } from './route.ts'

/** The token service (decisions 1 and 9). Errors of its operations are OAuth's (RFC 6749 5.2), not `ExceptionModel`. */

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export const OAuthErrorModel = z
  .object({ error: z.string(), error_description: z.string() })
  .meta({ id: 'OAuthError', description: 'RFC 6749 5.2. A 400 of the token service carries it.' })

export const TokenRequest = z
  .object({
    grant_type: z.literal(JWT_BEARER),
    client_id: z.string().meta({ description: '`{ServicePrincipalId}@{TenantId}`' }),
    assertion: z.string().meta({
      description: 'RFC 7523: RS256, RS384, RS512, PS256 or ES256 by the registered key; iss = sub = client_id.',
    }),
  })
  .meta({ id: 'TokenRequest' })

export const TokenResponse = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds.' }),
  })
  .meta({ id: 'TokenResponse' })

export const JsonWebKeySet = z
  .object({ keys: z.array(z.record(z.string(), z.unknown())) })
  .meta({ id: 'JsonWebKeySet' })

export const DiscoveryDocument = z
  .object({
    issuer: z.string(),
    token_endpoint: z.string(),
    jwks_uri: z.string(),
    authorization_endpoint: z.string(),
    userinfo_endpoint: z.string(),
    end_session_endpoint: z.string(),
    grant_types_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    subject_types_supported: z.array(z.string()),
    id_token_signing_alg_values_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
  })
  .meta({ id: 'DiscoveryDocument' })

export const UserInfo = z.object({ sub: z.string(), name: z.string() }).meta({ id: 'UserInfo' })

export const issueToken = route({
  id: 'issueToken',
  interface: 'token',
  method: 'POST',
  path: '/connect/token',
  aliases: ['/connect/Token'],
  origin: 'decision',
  summary: 'Exchange a signed assertion for an access token',
  description:
    'One assertion gives one token. Refusals are 400 with an OAuthError; a `jti`, else the assertion itself, counts once.',
  permission: { kind: 'anyone' },
  audit: { by: 'own', actions: ['token.issued', 'token.refused'] },
  body: TokenRequest,
  accepts: ['application/x-www-form-urlencoded'],
  responses: { 200: TokenResponse },
  errors: ['TooManyRequests', 'ReadOnly', 'NotReady'],
})

const LATER = 'People sign in with a later version of the station; until then this answers 400 with an OAuthError.'
const nothingHappens = { by: 'none', reason: 'nobody signs in here yet; nothing is read or changed' } as const

export const authorize = route({
  id: 'authorize',
  interface: 'token',
  method: 'GET',
  path: '/connect/authorize',
  origin: 'decision',
  summary: 'Sign in (authorization code)',
  description: LATER,
  permission: { kind: 'anyone' },
  audit: nothingHappens,
  responses: { 200: 'bytes' },
  errors: [],
})

export const authorizeByPost = route({
  ...authorize,
  id: 'authorizeByPost',
  method: 'POST',
  accepts: ['application/x-www-form-urlencoded'],
})

export const endSession = route({ ...authorize, id: 'endSession', path: '/connect/endsession', summary: 'Sign out' })

export const endSessionByPost = route({
  ...endSession,
  id: 'endSessionByPost',
  method: 'POST',
  accepts: ['application/x-www-form-urlencoded'],
})

export const userInfo = route({
  id: 'userInfo',
  interface: 'token',
  method: 'GET',
  path: '/connect/userinfo',
  origin: 'decision',
  summary: 'Whom the access token speaks for',
  permission: { kind: 'member', guests: true },
  audit: { by: 'none', reason: "gives the caller only the caller's own name" },
  responses: { 200: UserInfo },
  errors: ['Unauthorized'],
})

export const userInfoByPost = route({
  ...userInfo,
  id: 'userInfoByPost',
  method: 'POST',
  accepts: ['application/x-www-form-urlencoded'],
})

const published = { by: 'none', reason: 'public: the same for everybody, before anybody signed in' } as const

export const discovery = route({
  id: 'discovery',
  interface: 'token',
  method: 'GET',
  path: '/.well-known/openid-configuration',
  aliases: ['/connect/.well-known/openid-configuration'],
  origin: 'decision',
  summary: 'What the token service offers, and where',
  permission: { kind: 'anyone' },
  audit: published,
  responses: { 200: DiscoveryDocument },
  errors: [],
})

export const jsonWebKeys = route({
  id: 'jsonWebKeys',
  interface: 'token',
  method: 'GET',
  path: '/connect/.well-known/jwks',
  origin: 'decision',
  summary: 'Public keys that access tokens are signed with',
  permission: { kind: 'anyone' },
  audit: published,
  responses: { 200: JsonWebKeySet },
  errors: [],
})
