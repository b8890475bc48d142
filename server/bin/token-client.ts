import { importJWK, type JWK, SignJWT } from 'jose'
import { randomUUID } from 'node:crypto'

/** The client's side of decisions 9: knows the connection file and the public protocol, nothing of the server. */

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** Seconds; an assertion is used at once. */
const ASSERTION_LIFE = 300

/** What a connection file must hold for signing in (interfaces 2.8); further members are nobody's business here. */
export interface Connection {
  readonly TenantId: string
  readonly ServicePrincipalId: string
  readonly ServicePrincipalKey: Readonly<Record<string, unknown>>
  readonly SecurityTokenServiceBaseAddresses: readonly string[]
}

/** RFC 6749 5.1. `expires_in` in seconds. */
export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
}

/** The token service said no. `error` is OAuth's word for it (RFC 6749 5.2), or empty when the answer was none of OAuth's. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly status: number
  readonly error: string
  constructor(status: number, error: string, description: string) {
    super(
      `The token service refused (${status}${error === '' ? '' : ` ${error}`})${description === '' ? '' : `: ${description}`}`,
    )
    this.status = status
    this.error = error
  }
}

/** @param value a parsed connection file. @throws Error that names the members which are missing. */
export function asConnection(value: unknown): Connection {
  const given = (typeof value === 'object' ? value : null) as Partial<Record<keyof Connection, unknown>> | null
  const isText = (member: unknown): boolean => typeof member === 'string' && member !== ''
  const addresses = given?.SecurityTokenServiceBaseAddresses
  const missing = [
    ...(['TenantId', 'ServicePrincipalId'] as const).filter((member) => !isText(given?.[member])),
    ...(typeof given?.ServicePrincipalKey === 'object' && given.ServicePrincipalKey !== null
      ? []
      : ['ServicePrincipalKey']),
    ...(Array.isArray(addresses) && isText(addresses[0]) ? [] : ['SecurityTokenServiceBaseAddresses']),
  ]
  if (missing.length > 0) throw new Error(`The connection file lacks ${missing.join(', ')}.`)
  return given as Connection
}

/** An RFC 7523 assertion, good once and for five minutes. @param audience the token endpoint. @param now milliseconds since 1970. */
export async function makeAssertion(
  connection: Connection,
  audience: string,
  now: number = Date.now(),
): Promise<string> {
  const clientId = clientIdOf(connection)
  // Unused members of the key are null in the file, and key importers take null for a value.
  const jwk = Object.fromEntries(
    Object.entries(connection.ServicePrincipalKey).filter(([, member]) => member !== null),
  ) as JWK
  const issuedAt = Math.floor(now / 1000)
  return new SignJWT({})
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(jwk.kid === undefined ? {} : { kid: jwk.kid }) })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ASSERTION_LIFE)
    .setJti(randomUUID())
    .sign(await importJWK(jwk, 'RS256'))
}

/** Signs in. @param file a parsed connection file. @throws TokenRefused, or what fetch throws when nobody answers. */
export async function fetchToken(file: unknown, signal?: AbortSignal): Promise<TokenAnswer> {
  const connection = asConnection(file)
  const endpoint = `${connection.SecurityTokenServiceBaseAddresses[0]}/token`
  const assertion = await makeAssertion(connection, endpoint)
  const body = new URLSearchParams({ grant_type: JWT_BEARER, client_id: clientIdOf(connection), assertion })
  const response = await fetch(endpoint, {
    method: 'POST',
    body,
    redirect: 'error',
    ...(signal === undefined ? {} : { signal }),
  })
  const member = await memberReader(response)
  const token = member('access_token')
  if (!response.ok || typeof token !== 'string') {
    throw new TokenRefused(response.status, String(member('error') ?? ''), String(member('error_description') ?? ''))
  }
  return {
    access_token: token,
    token_type: String(member('token_type') ?? 'Bearer'),
    expires_in: Number(member('expires_in') ?? 0),
  }
}

/** Members of the answer; none when it is not JSON, as a proxy's error page. */
async function memberReader(response: Response): Promise<(member: string) => unknown> {
  try {
    const value = (await response.json()) as Record<string, unknown> | null
    return (member) => value?.[member]
  } catch {
    return () => undefined
  }
}

const clientIdOf = (connection: Connection): string => `${connection.ServicePrincipalId}@${connection.TenantId}`
