/** A page with its cookie, as a browser keeps and sends it; and requests that no browser would send. */
import { request as httpRequest } from 'node:http'
import type { Json } from '../../support/given.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Json
  readonly correlationId: string
}

export interface Sent {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A page with its cookie, as a browser keeps and sends it. */
export interface Page {
  cookie: string | null
  send(method: string, address: string, sent?: Sent): Promise<Answer>
  signIn(username: string, password: string): Promise<Answer>
  state(): Promise<string>
}

export function newPage(url: string): Page {
  const page: Page = {
    cookie: null,
    send: async (method, address, { body, headers = {} } = {}) => {
      const response = await fetch(`${url}${address}`, {
        method,
        headers: {
          ...(page.cookie === null ? {} : { cookie: page.cookie }),
          ...(method === 'GET' || method === 'HEAD' ? {} : { origin: url }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const set = response.headers.get('set-cookie')
      if (set !== null) page.cookie = /Max-Age=0/.test(set) ? null : (set.split(';')[0] as string)
      return answerOf(response.status, response.headers, await response.text())
    },
    signIn: (Username, Password) =>
      page.send('POST', '/connect/session', { body: { Username, Password, NoticeId: 'default' } }),
    state: async () => (await page.send('GET', '/connect/session')).json.State as string,
  }
  return page
}

/** From an address of loopback, with headers as they are given and no others. */
export function rawRequest(
  port: number,
  method: string,
  address: string,
  sent: Sent & { from?: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { body, headers = {}, from } = sent
    const text = body === undefined ? '' : JSON.stringify(body)
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path: address,
        headers: {
          ...(text === '' ? {} : { 'content-type': 'application/json' }),
          'content-length': Buffer.byteLength(text),
          ...headers,
        },
        ...(from === undefined ? {} : { localAddress: from }),
      },
      (response) => {
        let said = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          said += chunk
        })
        response.on('error', reject)
        response.on('end', () => {
          const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)])
          resolve(answerOf(response.statusCode ?? 0, new Headers(pairs), said))
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}

const answerOf = (status: number, headers: Headers, text: string): Answer => ({
  status,
  headers,
  text,
  json: parsed(text),
  correlationId: headers.get('x-correlation-id') ?? '',
})

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
