import { afterAll, beforeAll, expect, test } from 'vitest'
import { loopbackOrigins } from '../../../server/http/host.ts'
import { bytes } from '../../../server/http/handlers.ts'
import { type Frame, startFrame } from './frame.ts'
import { raw } from './raw.ts'
import * as r from './routes.ts'

let frame: Frame
let reached = 0
beforeAll(async () => {
  const handler = async ({ origin }: { origin: string }) => {
    reached++
    return { status: 200, headers: { 'Content-Type': 'text/plain' }, body: origin }
  }
  frame = await startFrame(
    [bytes(r.content, handler), bytes(r.withDefinition(r.content, { id: 'post', method: 'POST' }), handler)],
    {
      origins: (port) => [
        ...loopbackOrigins(port),
        'https://station.example',
        `http://evidence.local:${port}`,
        // As the settings name it: SALLYPORT_HOST_NAMES at port 80.
        'http://Desk.Example:80',
      ],
    },
  )
})
afterAll(() => frame.close())

const PATH = '/api/v1/tenant/station/content/x'
interface Variant {
  readonly name: string
  /** P stands for the port. */
  readonly hosts: readonly string[]
  readonly target?: string
  readonly origins?: readonly string[]
  readonly method?: string
  readonly status: number
  readonly origin?: string
}

const host = (value: string, status: number, origin?: string): Variant => ({
  name: `Host: ${value}`,
  hosts: [value],
  status,
  ...(origin === undefined ? {} : { origin }),
})
const target = (value: string, hostValue: string, status: number): Variant => ({
  name: `${value} with Host ${hostValue}`,
  hosts: [hostValue],
  target: value,
  status,
})
const from = (value: string, status: number, method = 'POST'): Variant => ({
  name: `${method} from Origin ${value}`,
  hosts: ['127.0.0.1:P'],
  origins: [value],
  method,
  status,
})

const VARIANTS: readonly Variant[] = [
  host('127.0.0.1:P', 200, 'http://127.0.0.1:P'),
  host('localhost:P', 200, 'http://localhost:P'),
  host('LOCALHOST:P', 200, 'http://localhost:P'),
  host('[::1]:P', 200, 'http://[::1]:P'),
  host('station.example', 200, 'https://station.example'),
  host('Station.Example', 200, 'https://station.example'),
  host('station.example:443', 200, 'https://station.example'),
  host('evidence.local:P', 200, 'http://evidence.local:P'),
  host('desk.example', 200, 'http://Desk.Example:80'),
  host('desk.example:80', 200, 'http://Desk.Example:80'),
  host('desk.example:81', 421),
  host('evil.example', 421),
  host('evil.example:P', 421),
  host('127.0.0.1', 421),
  host('127.0.0.1:80', 421),
  host('127.0.0.1:1', 421),
  host('localhost', 421),
  host('localhost.:P', 421),
  host('localhost.evil.example:P', 421),
  host('127.0.0.1.evil.example:P', 421),
  host('127.0.0.1.nip.io:P', 421),
  host('127.0.0.2:P', 421),
  host('127.1:P', 421),
  host('127.000.000.001:P', 421),
  host('0x7f000001:P', 421),
  host('2130706433:P', 421),
  host('0.0.0.0:P', 421),
  host('0:P', 421),
  host('[::]:P', 421),
  host('[::ffff:127.0.0.1]:P', 421),
  host('[0:0:0:0:0:0:0:1]:P', 421),
  host('::1:P', 421),
  host('[::1%25lo]:P', 421),
  host('user@127.0.0.1:P', 421),
  host('127.0.0.1:P@evil.example', 421),
  host('evil.example@127.0.0.1:P', 421),
  host('127.0.0.1:P/evil.example', 421),
  host('127.0.0.1:P?evil.example', 421),
  host('127.0.0.1:P#evil.example', 421),
  host('evil.example#127.0.0.1:P', 421),
  host('http://127.0.0.1:P', 421),
  host('127.0.0.1:P, evil.example', 421),
  host('127.0.0.1:P:P', 421),
  host('127.0.0.1:0P', 421),
  host('127.0.0.1 :P', 421),
  host('station.example:80', 421),
  host('evidence.local', 421),
  host('xn--localhost-9za:P', 421),
  host('', 421),
  { name: 'no Host', hosts: [], status: 400 },
  { name: 'Host twice, the same', hosts: ['127.0.0.1:P', '127.0.0.1:P'], status: 400 },
  { name: 'Host twice, ours first', hosts: ['127.0.0.1:P', 'evil.example'], status: 400 },
  { name: 'Host twice, ours last', hosts: ['evil.example', '127.0.0.1:P'], status: 400 },
  target(`http://127.0.0.1:P${PATH}`, '127.0.0.1:P', 200),
  target(`http://evil.example${PATH}`, '127.0.0.1:P', 421),
  target(`http://127.0.0.1:P${PATH}`, 'evil.example', 421),
  target(`http://evil.example${PATH}`, 'evil.example', 421),
  target(`http://127.0.0.1:P@evil.example${PATH}`, '127.0.0.1:P', 421),
  target(`http://localhost:P${PATH}`, '127.0.0.1:P', 421),
  target(`ftp://127.0.0.1:P${PATH}`, '127.0.0.1:P', 421),
  target(`//evil.example${PATH}`, '127.0.0.1:P', 404),
  from('http://127.0.0.1:P', 200),
  from('http://localhost:P', 403),
  from('https://127.0.0.1:P', 403),
  from('http://127.0.0.1:1', 403),
  from('http://127.0.0.1', 403),
  from('null', 403),
  from('', 403),
  from('http://evil.example', 403),
  from('http://127.0.0.1:P.evil.example', 403),
  from('http://127.0.0.1:P, http://evil.example', 403),
  from('http://127.0.0.1:P/', 403),
  from('HTTP://127.0.0.1:P', 403),
  from('https://station.example', 403),
  from('http://evil.example', 403, 'GET'),
  from('http://evil.example', 403, 'OPTIONS'),
  {
    name: 'Origin twice',
    hosts: ['127.0.0.1:P'],
    origins: ['http://127.0.0.1:P', 'http://evil.example'],
    method: 'POST',
    status: 403,
  },
]

test('S13: there are at least 60 variants', () => expect(VARIANTS.length).toBeGreaterThanOrEqual(60))

test.each(VARIANTS)('S13: $name → $status', async (variant) => {
  const withPort = (text: string): string => text.replaceAll(/(?<![A-Za-z])P(?![A-Za-z])/g, String(frame.port))
  const lines = [
    `${variant.method ?? 'GET'} ${variant.target === undefined ? PATH : withPort(variant.target)} HTTP/1.1`,
    ...variant.hosts.map((value) => `Host: ${withPort(value)}`),
    ...(variant.origins ?? []).map((value) => `Origin: ${withPort(value)}`),
    'Connection: close',
  ]
  const before = reached
  const reply = await raw(frame.port, `${lines.join('\r\n')}\r\n\r\n`)
  expect(reply.status).toBe(variant.status)
  expect(reached - before).toBe(variant.status === 200 ? 1 : 0)
  if (variant.origin !== undefined) expect(reply.body).toBe(withPort(variant.origin))
  expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  expect(reply.headers['x-correlation-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
  expect(reply.headers['x-content-type-options']).toBe('nosniff')
  expect(reply.headers['x-powered-by']).toBeUndefined()
})
