/**
 * `node test/ui/walk-shots.ts FOLDER [role ...]`: every page that each role is offered, at a desk (1440×900), on a small screen (1024×700, dark,
 * French) and on a phone (390×844), as WebP into FOLDER. For walking through the window before a release. `LOOKS=contrast-light,contrast-dark`
 * chooses other looks: the theme of high contrast in both faces.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { type Somebody, todayStation } from './support/today.ts'
import { signIn } from './support/window.ts'

const [folder = 'screens', ...chosen] = process.argv.slice(2)
const USERS = '/userservice/api/v1/tenant/station/users'
mkdirSync(folder, { recursive: true })
const LOOKS = [
  { name: 'desk', viewport: { width: 1440, height: 900 }, locale: 'en-GB', colorScheme: 'light' },
  { name: 'small', viewport: { width: 1024, height: 700 }, locale: 'fr-FR', colorScheme: 'dark' },
  { name: 'phone', viewport: { width: 390, height: 844 }, locale: 'en-GB', colorScheme: 'light' },
  {
    name: 'contrast-light',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    colorScheme: 'light',
    contrast: 'more',
  },
  {
    name: 'contrast-dark',
    viewport: { width: 1024, height: 700 },
    locale: 'fr-FR',
    colorScheme: 'dark',
    contrast: 'more',
  },
] as const
const looks = (process.env['LOOKS'] ?? 'desk,small,phone').split(',')
/** Of the administration the rail has one link; its own menu leads on. */
const SECTIONS = [
  'users',
  'groups',
  'policies',
  'categories',
  'departments',
  'templates',
  'prefilled',
  'cad',
  'maps',
  'network',
]
const KEEPER = [
  'ManageDevices',
  'ApproveDisposition',
  'ProtectFromDeletion',
  'RestoreFromRecycleBin',
  'AccessAuditTrail',
]

await ensureRenderer()
const station = await todayStation()
const { given } = station
const made = async (first: string, last: string, policies: readonly string[]): Promise<Somebody> => {
  const one = await station.person(policies)
  const names = { FirstName: first, LastName: last }
  await given.expecting(200, station.as(station.chief, 'PATCH', `${USERS}/${one.id}`, names))
  return one
}
const people: Readonly<Record<string, { readonly username: string; readonly password: string }>> = {
  officer: station.reyes,
  administrator: station.sergeant,
  guest: station.guest,
  keeper: await made('Eszter', 'Varga', KEEPER),
  newcomer: await made('Jan', 'Novák', []),
}
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  for (const [role, who] of Object.entries(people)) {
    if (chosen.length > 0 && !chosen.includes(role)) continue
    let addresses: readonly string[] = []
    for (const { name, ...look } of LOOKS.filter((one) => looks.includes(one.name))) {
      const context = await browser.newContext({ ...look, timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' })
      const page = await context.newPage()
      await signIn(page, given.url, '/today', who)
      if (addresses.length === 0) addresses = await offered(page, role)
      for (const address of addresses) {
        await page.goto(`${given.url}${address}`)
        await page.waitForTimeout(1_200)
        await save(page, `${role}-${name}-${address.slice(1).replaceAll(/[^a-z0-9]+/gi, '-') || 'start'}`)
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
  await given.close()
}

/** What the rail leads to, a recording and its case, and what everybody has. */
async function offered(page: Page, role: string): Promise<readonly string[]> {
  await page.locator('nav a[href="/evidence"]').waitFor()
  const sections = role === 'administrator' ? SECTIONS.map((section) => `/administration/${section}`) : []
  const found = [`/evidence/${station.recordings['R2']}`, `/cases/${station.caseId}`]
  return [...new Set([...(await hrefs(page, 'nav a')), ...found, ...sections, '/cases/new', '/account', '/help'])]
}

function hrefs(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? '/'))
}

async function save(page: Page, name: string): Promise<void> {
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-i',
    png,
    '-c:v',
    'libwebp',
    '-quality',
    '82',
    png.replace(/png$/, 'webp'),
  ])
  rmSync(png)
}
