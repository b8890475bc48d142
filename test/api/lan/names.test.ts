import { once } from 'node:events'
import { connect } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LanWorld, lanWorld, type Over } from './world.ts'

/** S13 at the listener of the LAN: its names are answered there, those of loopback are not, and the other way round. */
let world: LanWorld
let over: Over
let words: Readonly<Record<string, string>>
beforeAll(async () => {
  world = await lanWorld()
  await world.change({ Enabled: true, Names: ['evidence.pd.example'] })
  over = await world.over()
  const { MachineName, LocalName } = await world.status()
  // P is the port of the LAN, Q that of loopback, M the machine's name, L its name for mDNS.
  words = { P: String(over.port), Q: new URL(world.given.url).port, M: MachineName, L: LocalName }
})
afterAll(() => world?.close())

interface Variant {
  readonly name: string
  readonly at: 'lan' | 'loopback'
  readonly hosts: readonly string[]
  readonly target?: string
  readonly origins?: readonly string[]
  readonly method?: string
  readonly status: number
}

const PATH = '/api/v1/pairing'
const host = (value: string, status: number, at: Variant['at'] = 'lan'): Variant => ({
  name: `Host: ${value} at ${at}`,
  at,
  hosts: [value],
  status,
})
const target = (value: string, hostValue: string, status: number): Variant => ({
  name: `${value} with Host ${hostValue}`,
  at: 'lan',
  hosts: [hostValue],
  target: value,
  status,
})
const from = (value: string, status: number, method = 'GET'): Variant => ({
  name: `${method} from Origin ${value}`,
  at: 'lan',
  hosts: ['M:P'],
  origins: [value],
  method,
  status,
})

const VARIANTS: readonly Variant[] = [
  host('M:P', 200),
  host('L:P', 200),
  host('evidence.pd.example:P', 200),
  host('EVIDENCE.PD.EXAMPLE:P', 200),
  host('localhost:P', 200),
  host('127.0.0.1:P', 200),
  host('M', 421),
  host('M:443', 421),
  host('M:Q', 421),
  host('M.:P', 421),
  host('M.evil.example:P', 421),
  host('L.:P', 421),
  host('x.L:P', 421),
  host('L.evil.example:P', 421),
  host('evidence.pd.example', 421),
  host('evidence.pd.example.:P', 421),
  host('x.evidence.pd.example:P', 421),
  host('pd.example:P', 421),
  host('evidence.pd.example.evil:P', 421),
  host('evidence-pd.example:P', 421),
  host('evil.example:P', 421),
  host('evil.example', 421),
  host('localhost:Q', 421),
  host('127.0.0.1:Q', 421),
  host('127.0.0.1', 421),
  host('127.1:P', 421),
  host('127.0.0.2:P', 421),
  host('2130706433:P', 421),
  host('0x7f000001:P', 421),
  host('0.0.0.0:P', 421),
  host('[::1]:P', 421),
  host('[::ffff:127.0.0.1]:P', 421),
  host('10.0.0.1:P', 421),
  host('192.168.255.254:P', 421),
  host('user@M:P', 421),
  host('M:P@evil.example', 421),
  host('evil.example@M:P', 421),
  host('M:P/evil.example', 421),
  host('M:P?evil', 421),
  host('M:P#evil', 421),
  host('https://M:P', 421),
  host('M:P, evil.example', 421),
  host('M:P:P', 421),
  host('M:0P', 421),
  host('M :P', 421),
  host('', 421),
  // A name of the LAN is none at loopback: links and cookies of TLS would go out in the clear.
  host('M:P', 421, 'loopback'),
  host('L:P', 421, 'loopback'),
  host('evidence.pd.example:P', 421, 'loopback'),
  host('evidence.pd.example:Q', 421, 'loopback'),
  host('localhost:P', 421, 'loopback'),
  host('M:Q', 421, 'loopback'),
  host('127.0.0.1:Q', 200, 'loopback'),
  { name: 'no Host', at: 'lan', hosts: [], status: 400 },
  { name: 'Host twice, the same', at: 'lan', hosts: ['M:P', 'M:P'], status: 400 },
  { name: 'Host twice, ours first', at: 'lan', hosts: ['M:P', 'evil.example'], status: 400 },
  { name: 'Host twice, ours last', at: 'lan', hosts: ['evil.example', 'M:P'], status: 400 },
  target(`https://M:P${PATH}`, 'M:P', 200),
  target(`https://evil.example${PATH}`, 'M:P', 421),
  target(`https://M:P${PATH}`, 'evil.example', 421),
  target(`https://M:P@evil.example${PATH}`, 'M:P', 421),
  target(`https://L:P${PATH}`, 'M:P', 421),
  target(`//evil.example${PATH}`, 'M:P', 404),
  from('https://M:P', 200),
  from('https://L:P', 403),
  from('https://evidence.pd.example:P', 403),
  from('http://M:P', 403),
  from('https://M', 403),
  from('https://M:Q', 403),
  from('http://127.0.0.1:Q', 403),
  from('http://localhost:Q', 403),
  from('null', 403),
  from('', 403),
  from('https://evil.example', 403),
  from('https://M:P.evil.example', 403),
  from('https://M:P/', 403),
  from('HTTPS://M:P', 403),
  from('https://M:P, https://evil.example', 403),
  from('https://evil.example', 403, 'OPTIONS'),
  from('https://evil.example', 403, 'POST'),
  {
    name: 'Origin twice',
    at: 'lan',
    hosts: ['M:P'],
    origins: ['https://M:P', 'https://evil.example'],
    status: 403,
  },
]

test('S13: there are at least 60 variants of the LAN’s names', () => expect(VARIANTS.length).toBeGreaterThanOrEqual(60))

test.each(VARIANTS)(
  'S13: $name → $status',
  async ({ at, hosts, target: asked, origins = [], method = 'GET', status }) => {
    const filled = (text: string): string =>
      text.replaceAll(/(?<![A-Za-z])[PQML](?![A-Za-z])/g, (key) => words[key] as string)
    const lines = [
      `${method} ${filled(asked ?? PATH)} HTTP/1.1`,
      ...hosts.map((value) => `Host: ${filled(value)}`),
      ...origins.map((value) => `Origin: ${filled(value)}`),
      'Content-Length: 0',
      'Connection: close',
    ]
    const text = await said(at, `${lines.join('\r\n')}\r\n\r\n`)
    expect(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])).toBe(status)
    expect(text).not.toMatch(/^access-control/im)
    if (status !== 200) expect(text).not.toContain('evil')
  },
)

/** All that comes back until the station closes. */
async function said(at: Variant['at'], request: string): Promise<string> {
  const socket =
    at === 'lan'
      ? connect({ host: '127.0.0.1', port: over.port, ca: over.ca, servername: over.name })
      : (await import('node:net')).connect(Number(words['Q']), '127.0.0.1')
  let text = ''
  socket.on('data', (part: Buffer) => {
    text += part.toString('latin1')
  })
  await once(socket, at === 'lan' ? 'secureConnect' : 'connect')
  socket.write(request)
  await once(socket, 'close')
  return text
}
