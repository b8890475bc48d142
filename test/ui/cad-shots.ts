/** `node test/ui/cad-shots.ts [folder]`: dispatch in the administration and on a case as WebP into screens/, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { cadStation, EVENTS, foreign, MESSAGES } from './support/cad.ts'
import { pictureFile } from './support/pictures.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

await ensureRenderer()
const station = await cadStation()
const { given, sergeant, push, raw, dispatch } = station
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const caseId = await furnish()
  const { items } = await sergeant.send('GET', `${MESSAGES}?state=unreadable`)
  const [first] = items as { messageId: string; eventId: string | null }[]
  for (const [theme, language] of [
    ['light', 'en'],
    ['dark', 'en'],
    ['light', 'fr'],
  ] as const)
    for (const [suffix, width, height] of language === 'fr' ? SIZES.slice(0, 1) : SIZES) {
      const locale = language === 'fr' ? 'fr-FR' : 'en-GB'
      const context = await browser.newContext({ viewport: { width, height }, locale, colorScheme: theme })
      const page = await context.newPage()
      const at = (place: string): Promise<unknown> => page.goto(`${given.url}${place}`)
      await at('/administration/cad')
      await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
      await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
      await page.getByRole('checkbox').check({ force: true })
      await page.locator('button[type=submit]').click()
      await page.getByText(dispatch.name).first().waitFor()
      const kind = language === 'fr' ? 'fr' : `${theme}${suffix}`
      const shot = (name: string): Promise<void> => save(page, `cad-${name}-${kind}`)
      await at(`/administration/cad?open=${dispatch.id}`)
      await page.getByRole('heading', { name: dispatch.name }).waitFor()
      await shot('connection')
      await at(`/administration/cad?view=messages&open=${first?.messageId}`)
      await page.locator('pre').waitFor()
      await shot('messages')
      await at('/administration/cad?view=mapping')
      await page
        .getByText(/of the newest|plus récents/)
        .first()
        .waitFor()
      const paths = page.getByRole('combobox')
      await paths.nth(0).fill('Incident.Number')
      await page.keyboard.press('Escape')
      await paths.nth(1).fill('Incident.Opened')
      await page.keyboard.press('Escape')
      await page.locator('aside tr[data-differs]').first().waitFor()
      await shot('reading')
      await at('/administration/cad?view=linking')
      // With a rule turned on: its figure stands below it, and what saving will do.
      await page.getByRole('checkbox').first().check({ force: true })
      await page.getByRole('status').last().waitFor()
      await shot('linking')
      await page.evaluate(() => sessionStorage.clear())
      await at(`/cases/${caseId}?side=dispatch`)
      await page.getByRole('heading', { name: /^(Dispatch|Répartition)$/ }).waitFor()
      await page.getByRole('heading', { name: /^(Dispatch|Répartition)$/ }).scrollIntoViewIfNeeded()
      await shot('case')
      await context.close()
    }
} finally {
  await browser.close()
  await given.close()
  rmSync(folder, { recursive: true })
}

async function furnish(): Promise<string> {
  const services = `/userservice/api/v1/tenant/station/services/${dispatch.id}`
  await sergeant.send('POST', `${services}/api-keys`, { Name: 'Dispatch desk 2' })
  await sergeant.send('PUT', `${services}/origins`, { Origins: ['https://dispatch.example'] })
  const call = {
    eventId: '2026-118-4471',
    eventStartTimeUtc: '2026-11-20T01:38:00Z',
    name: 'Burglary, 14 Tanner’s Row',
    priority: 'P2',
    district: 'North',
    location: { latitude: 52.52, longitude: 13.405, address: '14 Tanner’s Row' },
    extended: { Caller: 'Neighbour, second floor' },
    transactionId: '1',
  }
  const { caseId } = await push(call)
  await push(call)
  const { ConcurrencyId } = await sergeant.send('GET', `/api/v1/case/station/${caseId}`)
  await sergeant.send('PATCH', `/api/v1/case/station/${caseId}`, {
    Title: 'Burglary, rear of 14 Tanner’s Row',
    ConcurrencyId,
  })
  await push({
    ...call,
    transactionId: '2',
    priority: 'P1',
    name: 'Burglary',
    description: 'Two people seen at the rear window.',
  })
  await push(
    Array.from({ length: 6 }, (_, at) => ({ eventId: `2026-118-45${at}0`, eventStartTimeUtc: '2026-11-20T02:10:00Z' })),
    `${EVENTS}/batch`,
  )
  const closed = await push({
    eventId: '2026-118-4402',
    eventStartTimeUtc: '2026-11-19T21:10:00Z',
    name: 'Lost child, quay',
  })
  await sergeant.send('POST', `/api/v1/case/station/${closed.caseId}/close`)
  await push({ eventId: '2026-118-4402', eventStartTimeUtc: '2026-11-19T21:10:00Z', state: 'Closed' })
  await raw('{"eventId": "2026-118-4480", "eventStartTimeUtc": ')
  await push({ eventId: '2026-118-4481', eventStartTimeUtc: 'yesterday at nine' })
  await push(foreign('N-88213'))
  await push(foreign('N-88214', { Caller: '\u202egnp.exe <script>alert(1)</script>' }))
  return caseId as string
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(900)
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  const webp = pictureFile(name, process.argv[2])
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', webp])
  process.stdout.write(`${name}\n`)
}
