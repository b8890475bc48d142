/**
 * `node test/ui/lan-shots.ts`: the pages of the network as WebP into screens/, in the manner of shots.ts. As root on Linux: it takes a
 * network and a name of its own, so that addresses and names are those of a police station and not of whoever takes the pictures.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { casesStation, type Person } from './support/cases.ts'
import { signInByForm } from './support/window.ts'
import { LAN } from './support/lan.ts'
import { pictureFile } from './support/pictures.ts'

const INSIDE = 'LAN_SHOTS_INSIDE'
const STATION = '10.20.3.4'
/** Of other hosts; held by loopback, so that they are none of the station's. */
const OTHERS = ['10.20.3.17', '10.20.3.42', '10.20.7.9'] as const
const NETWORK = '/administration/network'
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

if (process.env[INSIDE] === undefined) {
  await ensureRenderer()
  const rooms = [
    'ip link set lo up',
    'ip link add quay0 type veth peer name quay1',
    `ip address add ${STATION}/16 dev quay0`,
    'ip link set quay0 up',
    'ip link set quay1 up',
    ...OTHERS.map((address) => `ip address add ${address}/32 dev lo`),
    'hostname harrow-quay',
    'exec "$0" "$@"',
  ].join(' && ')
  const again = ['--net', '--uts', 'sh', '-c', rooms, process.execPath, ...process.argv.slice(1)]
  const { status } = spawnSync('unshare', again, { stdio: 'inherit', env: { ...process.env, [INSIDE]: 'yes' } })
  process.exit(status ?? 1)
}

const folder = process.argv[2] ?? mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const station = await casesStation({ lanPort: 7443 })
const { given, sergeant, okafor, lindqvist } = station
const launch = (...args: string[]): Promise<Browser> =>
  chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', ...args] })
const here = await launch()
// Names lead to the station, and its certificate is taken as a paired computer takes it.
const there = await launch(`--host-resolver-rules=MAP *.local ${STATION}`, '--ignore-certificate-errors')
const agents: Agent[] = []
try {
  await draw(here, given.url, NETWORK, 'network-off', (page) => page.getByText('What that means').waitFor())
  await furnish()
  await draw(here, given.url, NETWORK, 'network', async (page) => {
    await page.getByRole('row').filter({ hasText: OTHERS[1] }).getByText('lindqvist').waitFor()
  })
  await draw(here, given.url, `${NETWORK}/pair`, 'network-pair', (page) => page.getByRole('img').first().waitFor())
  const origin = 'https://harrow-quay.local:7443'
  await draw(there, origin, '/pair', 'pairing', (page) => page.locator('details[open]').first().waitFor(), false)
  await draw(there, origin, '/evidence', 'network-over', async (page) => {
    await page.getByRole('button', { name: 'Over the network' }).click()
    await page.getByText('You are not at the station itself').waitFor()
  })
} finally {
  for (const agent of agents) agent.destroy()
  await here.close()
  await there.close()
  await given.close()
  if (process.argv[2] === undefined) rmSync(folder, { recursive: true })
}
process.exit(0)

async function furnish(): Promise<void> {
  await sergeant.send('PATCH', LAN, {
    Enabled: true,
    Names: ['evidence.harrow-quay.example'],
    AllowList: ['10.20.0.0/16', '10.31.4.0/24'],
    NewCa: true,
  })
  for (const name of ['Front desk', 'Interview room 2', 'Tanner’s Row, statement', 'Harbour gate'])
    await station.evidence(name)
  for (const [at, who] of [okafor, lindqvist, ADMINISTRATOR].entries()) await atWork(OTHERS[at] ?? '', who)
}

/** Signs in from another address and looks at the list, as a browser there would. */
async function atWork(localAddress: string, who: Pick<Person, 'username' | 'password'>): Promise<void> {
  // Its authority is not what is looked at here.
  const agent = new Agent({ keepAlive: true, localAddress, rejectUnauthorized: false, timeout: 600_000 })
  agents.push(agent)
  const host = 'evidence.harrow-quay.example:7443'
  const ask = async (method: string, place: string, headers: Record<string, string>, body?: unknown) => {
    const asked = request({ agent, host: STATION, port: 7443, method, path: place, headers: { host, ...headers } })
    asked.end(body === undefined ? undefined : JSON.stringify(body))
    const [answer] = (await once(asked, 'response')) as [import('node:http').IncomingMessage]
    answer.resume()
    await once(answer, 'end')
    return answer
  }
  const signedIn = await ask(
    'POST',
    '/connect/session',
    { origin: `https://${host}`, 'content-type': 'application/json' },
    { Username: who.username, Password: who.password, NoticeId: 'default' },
  )
  const cookie = (signedIn.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
  for (let times = 0; times < 3; times++) await ask('GET', `${given.documents}/evidence`, { cookie })
}

type Ready = (page: Page) => Promise<void>

async function draw(browser: Browser, origin: string, at: string, name: string, ready: Ready, signed = true) {
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({
        viewport: { width, height },
        locale: 'en-GB',
        colorScheme: theme,
        ignoreHTTPSErrors: true,
      })
      const page = await context.newPage()
      if (signed) await signInByForm(page, origin, at, sergeant)
      else await page.goto(`${origin}${at}`)
      await ready(page)
      await save(page, `${name}-${theme}${suffix}`)
      await context.close()
    }
}

async function save(page: Page, name: string): Promise<void> {
  await page.mouse.move(2, 2)
  await page.waitForTimeout(900)
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  const webp = pictureFile(name)
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', webp])
  process.stdout.write(`${name}\n`)
}
