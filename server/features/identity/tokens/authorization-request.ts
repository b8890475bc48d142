/** Authorization requests of programs (RFC 6749 4.1.1, RFC 7636, RFC 8252): pure rules over the parameters of `/connect/authorize`. */
import { fitsRedirect } from '../../../../shared/identity/redirects.ts'
import { type OAuthError, OAuthRefusal } from './refusal.ts'

/** As registered by the setting `desktopClients`. */
export interface Client {
  readonly id: string
  readonly name: string
  readonly redirects: readonly string[]
}

export interface AuthorizationRequest {
  readonly client: Client
  readonly redirectUri: string
  readonly state: string | undefined
  readonly nonce: string | undefined
  readonly challenge: string
  /** The known scopes of the request, separated by spaces. */
  readonly scope: string
  readonly prompt: string | undefined
}

/** A refusal that is returned to the program at its registered address. */
export interface Returned {
  readonly error: OAuthError
  readonly description: string
  readonly redirectUri: string
  readonly state: string | undefined
}

export type Judged = { readonly request: AuthorizationRequest } | { readonly returned: Returned }

export const SCOPES = ['openid', 'profile', 'offline_access'] as const
/** BASE64URL of 32 bytes; the last character carries four bits. */
const CHALLENGE = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/
export const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/
/** The most characters of `state` and `nonce`, which are returned unchanged. */
const LONGEST_WORD = 1024

/**
 * @throws OAuthRefusal when the program or its return address is not registered. The browser is then not redirected: otherwise a link could
 *   make the station redirect to any address.
 */
export function judgeAuthorization(parameters: ReadonlyMap<string, string>, clients: readonly Client[]): Judged {
  const client = clients.find(({ id }) => id === parameters.get('client_id'))
  if (client === undefined)
    throw new OAuthRefusal('invalid_request', 'client', 'client_id names no registered program.')
  const redirectUri = parameters.get('redirect_uri') ?? ''
  if (!client.redirects.some((registered) => fitsRedirect(registered, redirectUri)))
    throw new OAuthRefusal('invalid_request', 'redirect', 'redirect_uri is not registered for this program.')
  const sent = parameters.get('state')
  const state = sent !== undefined && sent.length <= LONGEST_WORD ? sent : undefined
  const returned = (error: OAuthError, description: string): Judged => ({
    returned: { error, description, redirectUri, state },
  })
  if (sent !== state) return returned('invalid_request', `state is longer than ${LONGEST_WORD} characters.`)
  const nonce = parameters.get('nonce')
  if (nonce !== undefined && nonce.length > LONGEST_WORD)
    return returned('invalid_request', `nonce is longer than ${LONGEST_WORD} characters.`)
  if (parameters.get('response_type') !== 'code')
    return returned('unsupported_response_type', 'The only response_type is code.')
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    return returned('invalid_request', 'The only response_mode is query.')
  if (parameters.get('code_challenge_method') !== 'S256')
    return returned('invalid_request', 'code_challenge_method is not S256; it is needed.')
  const challenge = parameters.get('code_challenge') ?? ''
  if (!CHALLENGE.test(challenge))
    return returned('invalid_request', 'code_challenge is not the base64url of a SHA-256; it is needed.')
  if (parameters.has('request') || parameters.has('request_uri'))
    return returned('invalid_request', 'Requests as objects are not taken.')
  const scopes = (parameters.get('scope') ?? '').split(' ')
  const scope = SCOPES.filter((known) => scopes.includes(known)).join(' ')
  return { request: { client, redirectUri, state, nonce, challenge, scope, prompt: parameters.get('prompt') } }
}

/** The return address with an answer for the program. It names the issuer, so that a program cannot confuse two issuers (RFC 9207). */
export function returnAddress(
  to: { readonly redirectUri: string; readonly state: string | undefined },
  issuer: string,
  members: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({ ...members, ...(to.state === undefined ? {} : { state: to.state }), iss: issuer })
  // Registered addresses hold neither ? nor # (shared/identity/redirects.ts).
  return `${to.redirectUri}?${query}`
}
