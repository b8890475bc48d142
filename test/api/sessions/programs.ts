/** A program on somebody's desk: it asks, is answered, and goes on, as any OAuth client does. */
import { createHash, randomBytes } from 'node:crypto'
import type { Answer, Page } from './page.ts'
import type { World } from './world.ts'

export const CALLBACK = 'http://127.0.0.1:51004/callback'

export interface Asked {
  readonly verifier: string
  readonly request: string
}

/** The query of a good request, but for what `changed` says; undefined takes a member out. */
export function asking(changed: Readonly<Record<string, string | undefined>> = {}): Asked {
  const verifier = randomBytes(32).toString('base64url')
  const members = {
    response_type: 'code',
    client_id: 'viewer',
    redirect_uri: CALLBACK,
    scope: 'openid offline_access',
    state: 'a state',
    nonce: 'a nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changed,
  }
  const pairs = Object.entries(members).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return { verifier, request: new URLSearchParams(pairs).toString() }
}

export const decide = (page: Page, request: string, Allow = true): Promise<Answer> =>
  page.send('POST', '/connect/authorization', { body: { Request: request, Allow } })

/** What came back with the browser. */
export const back = ({ json }: Answer): URLSearchParams => new URL(json.RedirectTo as string).searchParams

export interface TokenAnswer {
  readonly status: number
  readonly body: Record<string, string>
  readonly correlationId: string
}

export async function post(world: World, place: string, form: Readonly<Record<string, string>>): Promise<TokenAnswer> {
  const response = await fetch(`${world.url}${place}`, { method: 'POST', body: new URLSearchParams(form) })
  const text = await response.text()
  const correlationId = response.headers.get('x-correlation-id') ?? ''
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, string>),
    correlationId,
  }
}

export const exchange = (
  world: World,
  code: string,
  verifier: string,
  changed: Readonly<Record<string, string>> = {},
): Promise<TokenAnswer> =>
  post(world, '/connect/token', {
    grant_type: 'authorization_code',
    client_id: 'viewer',
    redirect_uri: CALLBACK,
    code,
    code_verifier: verifier,
    ...changed,
  })

export const refresh = (world: World, token: string, clientId = 'viewer'): Promise<TokenAnswer> =>
  post(world, '/connect/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token })

/** A code that `page` gave. */
export async function codeFrom(page: Page, changed: Readonly<Record<string, string | undefined>> = {}) {
  const { verifier, request } = asking(changed)
  const code = back(await decide(page, request)).get('code') as string
  return { code, verifier }
}

/** Let in, with its first tokens. */
export async function letIn(world: World, page: Page): Promise<{ access: string; refresh: string; id: string }> {
  const { code, verifier } = await codeFrom(page)
  const { body } = await exchange(world, code, verifier)
  return {
    access: body['access_token'] as string,
    refresh: body['refresh_token'] as string,
    id: body['id_token'] as string,
  }
}

/** Whether a token opens anything. */
export async function opens(world: World, token: string): Promise<number> {
  return (await fetch(`${world.url}/api/v1/tenant/x/who`, { headers: { authorization: `Bearer ${token}` } })).status
}
