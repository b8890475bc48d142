import * as contract from '../../../shared/contract/tokens.ts'
import type { BytesAnswer } from '../../platform/bytes/bytes.ts'
import { type BoundRoute, bytes, json } from '../handlers.ts'
import { readParameters } from './request-form.ts'
import { type Addresses, OAuthRefusal, type TokensService } from './tokens.service.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
/** Token answers are never kept (RFC 6749 5.1). */
const NOT_KEPT = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', Pragma: 'no-cache' }
/** Keys and addresses may be kept for a minute; whoever meets a `kid` that is not among the kept ones asks again. */
const KEPT = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'public, max-age=60' }

/** The token service's routes (shared/contract/tokens.ts). OAuth has its own bodies, errors and headers, hence bytes handlers. */
export function tokenRoutes(tokens: TokensService, addresses: () => Addresses): BoundRoute[] {
  const later = async (): Promise<BytesAnswer> =>
    refusalAnswer(
      new OAuthRefusal(
        'unsupported_response_type',
        'later',
        'People sign in with a later version; services use the jwt-bearer grant.',
      ),
    )
  const noSession = async (): Promise<BytesAnswer> =>
    refusalAnswer(
      new OAuthRefusal('invalid_request', 'later', 'There is no session to end: people sign in with a later version.'),
    )
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
        // What was not read would hold up the connection.
        return { ...refusal, headers: { ...refusal.headers, Connection: 'close' } }
      }
      try {
        const given = { clientId: parameters.get('client_id') ?? '', assertion: parameters.get('assertion') ?? '' }
        const { token, expiresIn } = await tokens.exchange(call, given)
        const body = { access_token: token, token_type: 'Bearer', expires_in: expiresIn }
        return { status: 200, headers: NOT_KEPT, body: JSON.stringify(body) }
      } catch (error) {
        if (error instanceof OAuthRefusal) return refusalAnswer(error)
        throw error
      }
    }),
    bytes(contract.authorize, later),
    bytes(contract.authorizeByPost, later),
    bytes(contract.endSession, noSession),
    bytes(contract.endSessionByPost, noSession),
    json(contract.userInfo, async ({ call }) => tokens.userInfo(call.actor)),
    json(contract.userInfoByPost, async ({ call }) => tokens.userInfo(call.actor)),
    bytes(contract.discovery, async ({ origin }) => ({
      status: 200,
      headers: KEPT,
      body: JSON.stringify(discoveryDocument(addresses().issuer, origin)),
    })),
    bytes(contract.jsonWebKeys, async () => ({
      status: 200,
      headers: KEPT,
      body: JSON.stringify(tokens.publicKeys()),
    })),
  ]
}

function checkGrant(parameters: ReadonlyMap<string, string>): void {
  const grant = parameters.get('grant_type')
  if (grant === undefined) throw new OAuthRefusal('invalid_request', 'parameters', 'grant_type is missing.')
  if (grant !== contract.JWT_BEARER)
    throw new OAuthRefusal('unsupported_grant_type', 'grant', `The only grant is ${contract.JWT_BEARER}.`)
  for (const name of ['client_id', 'assertion']) {
    if (!parameters.has(name)) throw new OAuthRefusal('invalid_request', 'parameters', `${name} is missing.`)
  }
}

function refusalAnswer({ error, message }: OAuthRefusal): BytesAnswer {
  return { status: 400, headers: NOT_KEPT, body: JSON.stringify({ error, error_description: message }) }
}

/** OpenID Connect Discovery 1.0, RFC 8414. @param origin the configured one that the request's Host matched (decisions 1). */
function discoveryDocument(issuer: string, origin: string) {
  return {
    issuer,
    token_endpoint: `${origin}/connect/token`,
    jwks_uri: `${origin}/connect/.well-known/jwks`,
    authorization_endpoint: `${origin}/connect/authorize`,
    userinfo_endpoint: `${origin}/connect/userinfo`,
    end_session_endpoint: `${origin}/connect/endsession`,
    grant_types_supported: [contract.JWT_BEARER],
    // No response type and no id token until people sign in here.
    response_types_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['none'],
  }
}
