/** What an integrator has: a connection file, an assertion signed with its key, and plain `fetch` (interfaces.md 2.8, 5; decisions 9). */
import { createPrivateKey, type JsonWebKey, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Answers are looked at member by member, as whoever has only the documentation would. */
export type Json = ReturnType<typeof JSON.parse>

export interface ConnectionFile {
  readonly TenantId: string
  readonly ServicePrincipalId: string
  readonly ServicePrincipalKey: JsonWebKey & { readonly kid: string }
  readonly APIKey: string
  readonly ApiBaseAddresses: readonly string[]
  readonly CADApiAddresses: readonly string[]
  readonly CaseServiceBaseAddresses: readonly string[]
  readonly DocumentStoreBaseAddresses: readonly string[]
  readonly DeviceServiceBaseAddresses: readonly string[]
  readonly KeyStoreBaseAddresses: readonly string[]
  readonly SearchServiceBaseAddresses: readonly string[]
  readonly SecurityTokenServiceBaseAddresses: readonly string[]
}

const TEXTS = ['TenantId', 'ServicePrincipalId', 'APIKey'] as const
const ADDRESSES = [
  'ApiBaseAddresses',
  'CADApiAddresses',
  'CaseServiceBaseAddresses',
  'DocumentStoreBaseAddresses',
  'DeviceServiceBaseAddresses',
  'KeyStoreBaseAddresses',
  'SearchServiceBaseAddresses',
  'SecurityTokenServiceBaseAddresses',
] as const

/** Further members may be there and are not looked at (interfaces.md 2.8). @throws Error naming what is missing */
export function readConnectionFile(file: string): ConnectionFile {
  const given = JSON.parse(readFileSync(file, 'utf8')) as Json
  const missing = [
    ...TEXTS.filter((name) => typeof given?.[name] !== 'string'),
    ...ADDRESSES.filter((name) => typeof given?.[name]?.[0] !== 'string'),
    ...(typeof given?.ServicePrincipalKey?.d === 'string' ? [] : ['ServicePrincipalKey']),
  ]
  if (missing.length > 0) throw new Error(`${file} is no connection file: ${missing.join(', ')} missing`)
  return given as ConnectionFile
}

export const clientIdOf = (connection: ConnectionFile): string =>
  `${connection.ServicePrincipalId}@${connection.TenantId}`

export const tokenAddress = (connection: ConnectionFile): string =>
  `${connection.SecurityTokenServiceBaseAddresses[0]}/token`

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A signed RFC 7523 assertion. @param claims replace its own: for those that must be refused. */
export function assertionOf(connection: ConnectionFile, claims: Readonly<Record<string, unknown>> = {}): string {
  const key = connection.ServicePrincipalKey
  const clientId = clientIdOf(connection)
  const now = Math.floor(Date.now() / 1000)
  const own = { iss: clientId, sub: clientId, aud: tokenAddress(connection), iat: now, exp: now + 300 }
  const text = `${part({ alg: 'RS256', typ: 'JWT', kid: key.kid })}.${part({ ...own, jti: randomUUID(), ...claims })}`
  // Members that do not belong to the key's kind are null in the file; node:crypto wants them gone.
  const jwk = Object.fromEntries(Object.entries(key).filter(([, value]) => value !== null)) as JsonWebKey
  const made = sign('RSA-SHA256', Buffer.from(text), createPrivateKey({ key: jwk, format: 'jwk' }))
  return `${text}.${made.toString('base64url')}`
}

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export const tokenForm = (connection: ConnectionFile, assertion: string): Record<string, string> => ({
  grant_type: JWT_BEARER,
  client_id: clientIdOf(connection),
  assertion,
})

/** @throws Error with what the token service said */
export async function signIn(connection: ConnectionFile): Promise<string> {
  const body = new URLSearchParams(tokenForm(connection, assertionOf(connection)))
  const { status, text, json } = await ask('POST', tokenAddress(connection), { body })
  if (status !== 200) throw new Error(`No token: the token service answered ${status} ${text.slice(0, 300)}`)
  return json.access_token
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  /** Null where the body is empty or no JSON. */
  readonly json: Json
}

/** Milliseconds; a station that does not answer in that time does not answer. */
const PATIENCE = 60_000

export async function ask(
  method: string,
  address: string,
  given: { readonly headers?: Readonly<Record<string, string>>; readonly body?: BodyInit } = {},
): Promise<Reply> {
  const response = await fetch(address, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE),
    ...(given.headers === undefined ? {} : { headers: given.headers }),
    ...(given.body === undefined ? {} : { body: given.body }),
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = Buffer.from(bytes).toString('utf8')
  return { status: response.status, headers: response.headers, bytes, text, json: parsed(text) }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
