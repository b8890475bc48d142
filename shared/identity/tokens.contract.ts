import { z } from 'zod'
import { route } from '../kernel/route.ts'

/** The token service (decisions 1 and 9). Errors of its operations are OAuth's (RFC 6749 5.2), not `ExceptionModel`. */

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export const OAuthErrorModel = z
  .object({ error: z.string(), error_description: z.string() })
  .meta({ id: 'OAuthError', description: 'RFC 6749 5.2. A 400 of the token service carries it.' })

export const CODE_GRANT = 'authorization_code'
export const REFRESH_GRANT = 'refresh_token'

export const TokenRequest = z
  .discriminatedUnion('grant_type', [
    z.object({
      grant_type: z.literal(JWT_BEARER),
      client_id: z.string().meta({ description: '`{ServicePrincipalId}@{TenantId}`' }),
      assertion: z.string().meta({
        description: 'RFC 7523: RS256, RS384, RS512, PS256 or ES256 by the registered key; iss = sub = client_id.',
      }),
    }),
    z.object({
      grant_type: z.literal(CODE_GRANT),
      client_id: z.string().meta({ description: 'As the program is named in the setting `desktopClients`.' }),
      code: z.string().meta({ description: 'Counts once, for 60 s.' }),
      redirect_uri: z.string().meta({ description: 'The one the code was asked for with.' }),
      code_verifier: z.string().meta({ description: 'RFC 7636, S256.' }),
    }),
    z.object({
      grant_type: z.literal(REFRESH_GRANT),
      client_id: z.string(),
      refresh_token: z.string().meta({
        description: 'Counts once; the answer brings the next one. One that is brought again ends them all.',
      }),
    }),
  ])
  .meta({ id: 'TokenRequest' })

export const TokenResponse = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds.' }),
    refresh_token: z.string().optional().meta({ description: 'For programs of people. 14 days without use end it.' }),
    scope: z.string().optional(),
    id_token: z.string().optional().meta({ description: 'With a code that was asked for with the scope `openid`.' }),
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
    revocation_endpoint: z.string(),
    grant_types_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    subject_types_supported: z.array(z.string()),
    id_token_signing_alg_values_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    revocation_endpoint_auth_methods_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    response_modes_supported: z.array(z.string()),
    authorization_response_iss_parameter_supported: z.boolean(),
  })
  .meta({ id: 'DiscoveryDocument' })

export const UserInfo = z
  .object({
    sub: z.string().meta({ description: '`{PrincipalId}@{TenantId}`' }),
    name: z.string(),
    preferred_username: z.string().optional(),
    given_name: z.string().optional(),
    family_name: z.string().optional(),
  })
  .meta({ id: 'UserInfo', description: 'The members after `name` are those of people.' })

export const issueToken = route({
  id: 'issueToken',
  interface: 'token',
  method: 'POST',
  path: '/connect/token',
  aliases: ['/connect/Token'],
  origin: 'decision',
  summary: 'Exchange a signed assertion, a code or a refresh token for an access token',
  description:
    'One assertion, one code and one refresh token give one token each. Refusals are 400 with an OAuthError; of an assertion the `jti`, else the assertion itself, counts once.',
  permission: { kind: 'anyone' },
  audit: { by: 'own', actions: ['token.issued', 'token.refused', 'authorization.ended'] },
  body: TokenRequest,
  accepts: ['application/x-www-form-urlencoded'],
  responses: { 200: TokenResponse },
  errors: ['TooManyRequests', 'ReadOnly', 'NotReady'],
})

const FORM = ['application/x-www-form-urlencoded']

export const authorize = route({
  id: 'authorize',
  interface: 'token',
  method: 'GET',
  path: '/connect/authorize',
  origin: 'decision',
  summary: 'Ask a person to let a program work in their name (authorization code with PKCE)',
  description:
    'response_type `code`, code_challenge_method `S256`. Leads to a page of this station, which has the person sign in where nobody is and asks them each time: nothing proves which program it is (RFC 8252 8.6). A client or redirect address that is not registered is answered 400 with an OAuthError and leads nowhere; every other refusal goes back to the program.',
  permission: { kind: 'anyone' },
  audit: { by: 'none', reason: 'leads to a page; what the person decides there has its own entry' },
  responses: { 303: 'bytes' },
  errors: [],
})

export const authorizeByPost = route({ ...authorize, id: 'authorizeByPost', method: 'POST', accepts: FORM })

export const endSession = route({
  id: 'endSession',
  interface: 'token',
  method: 'GET',
  path: '/connect/endsession',
  origin: 'decision',
  summary: 'Sign out at this browser',
  description:
    'Ends the session of the browser, not what programs were allowed (see `/connect/revocation`). With client_id and one of its registered addresses as post_logout_redirect_uri it leads back there, with `state`; else to the sign-in page.',
  permission: { kind: 'anyone' },
  audit: { by: 'own', actions: ['session.closed'] },
  responses: { 303: 'bytes' },
  errors: [],
  whileLocked: true,
  whilePasswordDue: true,
})

export const endSessionByPost = route({ ...endSession, id: 'endSessionByPost', method: 'POST', accepts: FORM })

export const revokeToken = route({
  id: 'revokeToken',
  interface: 'token',
  method: 'POST',
  path: '/connect/revocation',
  origin: 'extension',
  summary: 'A program gives back what it was allowed (RFC 7009)',
  description:
    'With a refresh token, used or not: it and every access token that came with it stop at once. 200 also for what is no token of that client.',
  permission: { kind: 'anyone' },
  audit: { by: 'own', actions: ['authorization.ended'] },
  accepts: FORM,
  body: z.object({ token: z.string(), client_id: z.string(), token_type_hint: z.string().optional() }),
  responses: { 200: 'bytes' },
  errors: ['TooManyRequests', 'NotReady'],
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
