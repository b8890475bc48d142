/** Section 5: tokens by assertion, and who may not call at all. */
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { assertionOf, JWT_BEARER, type Json, tokenForm } from './client.ts'
import { operation, operationNames } from './operations.ts'
import type { Run, Sent } from './run.ts'
import { list, OAuthError, object, TokenResponse } from './shapes.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const asForm = (members: Readonly<Record<string, string>>): Sent => ({
  raw: new URLSearchParams(members).toString(),
  headers: FORM,
  token: null,
})

export async function drive(run: Run): Promise<void> {
  await issue(run)
  await refusals(run)
  const { json: found } = await run.needed('Discovery', 'under the token service', { token: null }, { status: 200 })
  await run.call(
    'Discovery',
    'at the root',
    { address: `${run.connection.ApiBaseAddresses[0]}/.well-known/openid-configuration`, token: null },
    {
      status: 200,
      and: (json) =>
        JSON.stringify(json) === JSON.stringify(found) ? null : 'it differs from the one under the service',
    },
  )
  await run.call(
    'JsonWebKeys',
    'the key of our access token',
    { address: found.jwks_uri, token: null },
    {
      status: 200,
      shape: object({ keys: list(object({})) }),
      and: ({ keys }) => tokenProblem(run, found.issuer, keys),
    },
  )
  await run.call('UserInfo', 'with a token', {}, { status: 200, and: ({ sub }) => (sub ? null : 'it names nobody') })
  await run.call('UserInfo', 'without a token', { token: null }, { status: 401 })
  await run.call(
    'Authorize',
    'an unknown client is not sent anywhere',
    { query: { response_type: 'code', client_id: 'nobody', redirect_uri: 'https://attacker.example/' }, token: null },
    { status: 400, and: (json) => OAuthError(json, 'body')[0] ?? null },
  )
}

async function issue(run: Run): Promise<void> {
  const { connection, call } = run
  const granted = { status: 200, shape: TokenResponse }
  const assertion = assertionOf(connection)
  await call('IssueToken', 'an assertion', asForm(tokenForm(connection, assertion)), granted)
  await refused(run, 'the same assertion again', tokenForm(connection, assertion), 'invalid_grant')
  const fresh = (claims?: Record<string, unknown>) => tokenForm(connection, assertionOf(connection, claims))
  const other = `${connection.SecurityTokenServiceBaseAddresses[0]}/Token`
  await call('IssueToken', 'at /connect/Token', { ...asForm(fresh()), address: other }, granted)
  await call('IssueToken', 'as JSON', { body: fresh(), token: null }, granted)
  const service = fresh({ aud: connection.SecurityTokenServiceBaseAddresses[0] })
  await call('IssueToken', 'meant for the service rather than its endpoint', asForm(service), granted)
}

const refused = (run: Run, what: string, members: Readonly<Record<string, string>>, code: string) =>
  run.call('IssueToken', what, asForm(members), {
    status: 400,
    code,
    and: (json) => OAuthError(json, 'body')[0] ?? null,
  })

async function refusals(run: Run): Promise<void> {
  const { connection } = run
  const now = Math.floor(Date.now() / 1000)
  const wrong: readonly [string, Record<string, unknown>][] = [
    ['meant for somebody else', { aud: 'https://elsewhere.example/connect/token' }],
    ['that has expired', { iat: now - 900, exp: now - 600 }],
    ['good for longer than an hour', { exp: now + 2 * 3600 }],
    ['in the name of another', { sub: '0@nowhere' }],
  ]
  for (const [what, claims] of wrong)
    await refused(run, `an assertion ${what}`, tokenForm(connection, assertionOf(connection, claims)), 'invalid_grant')
  const [header = '', payload = ''] = assertionOf(connection).split('.')
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
  await refused(run, 'an assertion that nobody signed', tokenForm(connection, unsigned), 'invalid_grant')
  const forged = `${header}.${payload}.${Buffer.alloc(256).toString('base64url')}`
  await refused(run, 'an assertion with a forged signature', tokenForm(connection, forged), 'invalid_grant')
  await refused(run, 'no assertion', { grant_type: JWT_BEARER }, 'invalid_request')
  const password = { grant_type: 'password', username: 'x', password: 'x' }
  await refused(run, 'the password grant', password, 'unsupported_grant_type')
}

const decoded = (part: string | undefined): Json => JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'))

/** Our own token as somebody who was given it would check it (RFC 9068, decisions 9). */
function tokenProblem(run: Run, issuer: string, keys: readonly Json[]): string | null {
  const [head, payload, signature] = run.token.split('.')
  const header = decoded(head)
  const key = keys.find(({ kid }) => kid === header.kid)
  if (key === undefined) return `no key has the kid ${header.kid}`
  for (const member of ['d', 'p', 'q', 'k']) if (Object.hasOwn(key, member)) return `the key holds ${member}`
  const signed = Buffer.from(`${head}.${payload}`)
  const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
  const hash = publicKey.asymmetricKeyType?.startsWith('ed') === true ? null : 'sha256'
  const bytes = Buffer.from(signature ?? '', 'base64url')
  if (!verify(hash, signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes)) return 'the token does not verify'
  const claims = decoded(payload)
  const wanted = [
    'iss',
    'aud',
    'sub',
    'client_id',
    'exp',
    'iat',
    'jti',
    'tenantid',
    'primaryid',
    'primarykid',
    'primarytype',
    'groups',
  ]
  const missing = wanted.filter((name) => claims[name] === undefined)
  if (missing.length > 0) return `the token has no ${missing.join(', ')}`
  if (claims.iss !== issuer) return `the token is of ${claims.iss}, not ${issuer}`
  return claims.aud === `${issuer}/resources` ? null : `the token is for ${claims.aud}, not ${issuer}/resources`
}

/** Every operation of the services, without a token and with one that is none (interfaces.md 4 and 5). */
export async function driveUnauthorized(run: Run): Promise<void> {
  const anywhere = {
    caseId: '1',
    categoryId: '1',
    departmentId: '1',
    evidenceId: '1',
    resourceId: '1',
    prefilledFieldId: 'x',
    deviceId: 'x',
    eventId: 'x',
  }
  for (const name of operationNames) {
    const { service, method } = operation(name)
    // An upload address carries its own authority.
    if (service === 'token' || service === 'blob') continue
    const sent = { with: anywhere, ...(['GET', 'HEAD', 'DELETE'].includes(method) ? {} : { body: {} }) }
    const refusedHere = { status: 401, ...(service === 'case' ? { empty: true as const } : {}) }
    await run.call(name, 'without a token', { ...sent, token: null }, refusedHere)
    await run.call(name, 'with a token that is none', { ...sent, token: 'e30.e30.e30' }, refusedHere)
  }
}
