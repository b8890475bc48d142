/** `node test/ui/dock-sessions-shots.ts`: history, session, receipt and taking a camera as WebP into screens/, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { signIn } from './support/window.ts'
import { dockedStation } from './support/docked.ts'
import { pictureFile } from './support/pictures.ts'

const folder = process.argv[2] ?? mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const
const DAY = '2026-11-21'

await ensureRenderer()
const station = await dockedStation()
const { given } = station
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const shown = await furnish()
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) await draw(theme, { suffix, width, height }, shown)
  await print(shown.good)
} finally {
  await browser.close()
  await station.close()
}

interface Shown {
  readonly good: string
  readonly bad: string
}

async function furnish(): Promise<Shown> {
  const okafor = await station.person('d.okafor', [])
  const lindqvist = await station.person('m.lindqvist', [])
  const worn = async (serial: string, officer: { id: string }, from: string, to: string): Promise<void> => {
    const device = await station.device(serial, '2026-11-20T00:00:00Z')
    await station.send(201, 'POST', `/device/${device.Id}/association`, {
      PrincipalId: officer.id,
      FromUtc: from,
      ToUtc: to,
    })
  }
  await worn('LN-20418', okafor, `${DAY}T06:00:00Z`, `${DAY}T18:00:00Z`)
  await worn('LN-20433', lindqvist, `${DAY}T06:00:00Z`, `${DAY}T08:05:00Z`)
  await station.device('LN-20440')
  for (const [index, serial] of ['LN-20397', 'LN-20402', 'LN-20405'].entries())
    await station.docked(serial, { recordings: [2, 1] }, `1-4.${index + 1}`)
  await station.docked('LN-20440', { recordings: [1, 1], extra: { 'media/notes.txt': 'to do\n' } }, '1-4.4')
  const bad = await station.docked('LN-20433', { recordings: [2, 1, 3], behind: 4_200 }, '1-4.5')
  const away = station.camera('1-4.7', { serial: 'LN-20451', recordings: [6, 6], bytes: 30_000_000 })
  away.plugIn()
  await station.until(
    async () => (await station.sessions()).find(({ Bay, State }) => Bay === '1-4.7' && State === 'copying'),
    'copying',
  )
  away.pull()
  await station.until(
    async () => (await station.sessions()).find(({ Bay, State }) => Bay === '1-4.7' && State === 'pulled'),
    'pulled',
  )
  const good = await station.docked(
    'LN-20418',
    { behind: 72_000, marks: [42], extra: { 'DCIM/thumbs.db': 'x', 'notes/übergabe.txt': 'a note\n' } },
    '1-4.6',
  )
  return { good: good.DockSessionId, bad: bad.DockSessionId }
}

interface Size {
  readonly suffix: string
  readonly width: number
  readonly height: number
}

async function draw(theme: 'light' | 'dark', { suffix, width, height }: Size, { good, bad }: Shown): Promise<void> {
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: theme,
  })
  const page = await context.newPage()
  const name = (what: string): string => `dock-${what}-${theme}${suffix}`
  await page.goto(`${given.url}/dock/take`)
  await page.getByRole('button', { name: 'Take a camera' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Serial number' }).fill('LN-20402')
  await save(page, name('take'))
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await signIn(page, given.url, '/dock/sessions', station.sergeant)
  await page.getByRole('gridcell', { name: 'LN-20418' }).waitFor()
  await save(page, name('sessions'))
  await page.goto(`${given.url}/dock/sessions/${good}`)
  await page.getByRole('row').filter({ hasText: 'R1_1.mp4' }).waitFor()
  await save(page, name('session'))
  await page.goto(`${given.url}/dock/sessions/${bad}?tab=recordings`)
  await page.getByRole('button', { name: 'Assign an officer' }).waitFor()
  await save(page, name('session-whose'))
  await page.goto(`${given.url}/dock/sessions/${good}/receipt`)
  await page.getByRole('article').waitFor()
  await save(page, name('receipt'))
  await context.close()
}

/** The page of a receipt as Chromium prints it, beside the document that the station makes. */
async function print(id: string): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin' })
  const page = await context.newPage()
  await signIn(page, given.url, `/dock/sessions/${id}/receipt`, station.sergeant)
  await page.getByRole('article').waitFor()
  writeFileSync(path.join(folder, 'printed.pdf'), await page.pdf({ format: 'A4' }))
  const { bytes } = await station.get(`/session/${id}/receipt/receipt.pdf`)
  writeFileSync(path.join(folder, 'document.pdf'), bytes)
  for (const file of ['printed', 'document']) {
    execFileSync('pdftoppm', ['-r', '90', '-png', '-singlefile', `${file}.pdf`, `dock-receipt-${file}`], {
      cwd: folder,
    })
    webp(`dock-receipt-${file}`)
  }
  await context.close()
}

async function save(page: Page, name: string): Promise<void> {
  // Where it pressed Sign in something else lies now, and its words would stand over the page.
  await page.mouse.move(2, 2)
  await page.waitForTimeout(900)
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
  webp(name)
}

function webp(name: string): void {
  const file = pictureFile(name)
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-i',
    path.join(folder, `${name}.png`),
    '-c:v',
    'libwebp',
    '-quality',
    '82',
    file,
  ])
  process.stdout.write(`${name}\n`)
}
