/** A station whose LAN is heard on loopback alone, an administrator by token, and a client that knows nothing but the CA. */
import { request as secureRequest } from 'node:https'
import type { Settings } from '../../../server/config/settings.ts'
import { type Given, givenStation, type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'

export const LAN = '/api/v1/tenant/station/station/lan'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: Json
}

export interface Over {
  readonly port: number
  /** PEM of what is trusted; nothing else is. */
  readonly ca: string
  /** By which name the station is called. */
  readonly name: string
}

/** One request over TLS on a connection of its own. */
export function overLan(
  { port, ca, name }: Over,
  method: string,
  path: string,
  given: { body?: unknown; headers?: Record<string, string>; token?: string; host?: string } = {},
): Promise<Answer> {
  const sent = given.body === undefined ? undefined : JSON.stringify(given.body)
  return new Promise((resolve, reject) => {
    const request = secureRequest(
      {
        host: '127.0.0.1',
        port,
        ca,
        servername: name,
        method,
        path,
        agent: false,
        headers: {
          host: given.host ?? `${name}:${port}`,
          ...(given.token === undefined ? {} : { authorization: `Bearer ${given.token}` }),
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
          ...given.headers,
        },
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.once('error', reject)
        response.once('end', () => {
          const text = Buffer.concat(parts).toString('utf8')
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) })
        })
      },
    )
    request.once('error', reject)
    request.end(sent)
  })
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export type LanWorld = Awaited<ReturnType<typeof lanWorld>>

export async function lanWorld(settings: Partial<Record<keyof Settings, unknown>> = {}) {
  const given = await givenStation({ settings: { lanHost: '127.0.0.1', lanPort: 0, ...settings } })
  const chief = await administrator(given)
  const asked = (method: string, path: string, body?: unknown) =>
    given.call(method, `${LAN}${path}`, { token: chief, ...(body === undefined ? {} : { body }) })
  const status = (): Promise<Json> => given.expecting(200, asked('GET', ''))
  const change = (body: unknown): Promise<Json> => given.expecting(200, asked('PATCH', '', body))
  return {
    given,
    chief,
    asked,
    status,
    change,
    /** The CA as any host gets it. */
    ca: async (): Promise<string> => (await given.call('GET', '/pairing/ca.pem', { token: null })).text,
    over: async (name?: string): Promise<Over> => {
      const { Port, MachineName } = await status()
      return {
        port: Port,
        ca: (await given.call('GET', '/pairing/ca.pem', { token: null })).text,
        name: name ?? MachineName,
      }
    },
    acts: (after: number) =>
      given
        .ledger(after)
        .filter(({ action }) => action.startsWith('lan.') && action !== 'lan.read')
        .map(({ action, outcome }) => [action, outcome]),
    last: () => given.ledger().at(-1)?.seq ?? 0,
    close: given.close,
  }
}

async function administrator(given: Given): Promise<string> {
  const { connection } = await given.command('integration.create', {
    name: 'network desk',
    policies: [],
    group: 'Account Administrators',
    baseUrl: given.url,
  })
  return signIn(connection, given.url)
}
