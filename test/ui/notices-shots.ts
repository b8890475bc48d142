/** `node test/ui/notices-shots.ts`: the bell, its panel and the choice of what it tells, as WebP into screens/, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { CASES, type Person } from './support/cases.ts'
import { signIn } from './support/window.ts'
import { integrityStation } from './support/integrity.ts'
import { bell, panel, shareWith } from './support/notices.ts'
import { pictureFile } from './support/pictures.ts'

const folder = process.argv[2] ?? mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const
const DAY = 86_400_000

await ensureRenderer()
const station = await integrityStation()
const { given, sergeant, okafor, lindqvist } = station
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  await happenings()
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES)
      for (const language of theme === 'light' && suffix === '' ? (['en', 'fr'] as const) : (['en'] as const)) {
        const french = language === 'fr' ? '-fr' : ''
        const page = await visit({ width, height }, theme, language)
        const shot = (name: string): Promise<void> => save(page, `${name}${french}-${theme}${suffix}`)
        await signIn(page, given.url, '/cases', sergeant)
        await page.getByRole('button', { name: language === 'fr' ? /^Avis/ : /^Notices/ }).click()
        await page.getByText('Metro CAD').waitFor()
        await shot('notices-panel')
        await page.keyboard.press('Escape')
        await page.goto(`${given.url}/account#notices`)
        await page.getByRole('radiogroup').nth(5).waitFor()
        await shot('notices-choice')
        await page.context().close()
      }
  const page = await visit({ width: 1440, height: 900 }, 'light', 'en')
  await signIn(page, given.url, '/cases', lindqvist)
  await bell(page).click()
  await panel(page).getByText('No notices yet').waitFor()
  await save(page, 'notices-empty-light')
  await page.context().close()
  await urgent()
} finally {
  await browser.close()
  await given.close()
  if (process.argv[2] === undefined) rmSync(folder, { recursive: true, force: true })
}

function visit(viewport: { width: number; height: number }, colorScheme: 'light' | 'dark', language: 'en' | 'fr') {
  const locale = language === 'fr' ? 'fr-FR' : 'en-GB'
  return browser.newContext({ viewport, colorScheme, locale, timezoneId: 'Europe/Berlin' }).then((one) => one.newPage())
}

/** Of the sergeant's, who keeps the station: one of each kind, some of them of the day before. */
async function happenings(): Promise<void> {
  const old = await station.made({ Title: 'Thefts at the quay' }, okafor)
  await share(old.CaseId, okafor, 'Same car as in Tanner’s Row? Please look at the second film.')
  await given.meddle((db) => {
    db.prepare('UPDATE notices SET created_utc = ?, seen_utc = created_utc').run(
      new Date(Date.now() - DAY).toISOString(),
    )
  })
  await sergeant.send('POST', `${CASES}/${old.CaseId}/follow`)
  const followed = await station.made({ Title: 'Burglary, 14 Tanner’s Row' })
  await shareWith(station, followed.CaseId, okafor, 'Manage')
  await sergeant.send('POST', `${CASES}/${followed.CaseId}/follow`)
  await okafor.send('PATCH', `${CASES}/${followed.CaseId}`, { Description: 'Side door forced.' })
  await okafor.send('PATCH', `${CASES}/${followed.CaseId}`, { Tags: ['night'] })
  await okafor.send('POST', `${CASES}/${followed.CaseId}/close`, {})
  const { APIKey } = await given.integration('Metro CAD', ['PushCadEvents'])
  await given.call('POST', '/cadservice/api/v1/events/station/batch', {
    token: null,
    headers: { 'x-api-key': String(APIKey) },
    body: Array.from({ length: 38 }, (_, at) => ({ eventId: at })),
  })
  await cameraFails()
  await station.damage(await station.evidence('Front desk, Friday'))
  await station.run()
}

async function share(caseId: string, by: Person, message: string): Promise<void> {
  const policy = { Permissions: 'Edit', PrincipalId: sergeant.id, KId: sergeant.kId, PrincipalType: 'user' }
  await by.send('POST', `${CASES}/${caseId}/share`, { AccessPolicies: [policy], Message: message })
}

/** As the dock writes it: this station has no bays. */
async function cameraFails(): Promise<void> {
  await given.meddle((db) => {
    db.prepare(
      `INSERT INTO dock_sessions (tenant_id, volume_id, camera_key, bay, label, state, clear_rule, detected_at)
       VALUES ('station', 'v', 'k', 'Bay 7', 'x', 'failed', 'never', 0)`,
    ).run()
    db.prepare(
      `INSERT INTO notices (tenant_id, principal_id, kind, message, object_type, object_id, created_utc, created_by, count, first_utc)
       VALUES ('station', ?, 'camera.failed', ?, 'dockSession', '1', ?, ?, 6, ?)`,
    ).run(
      Number(sergeant.id),
      'The card answers no more: input/output error.',
      new Date().toISOString(),
      JSON.stringify({ PrincipalId: '0', KId: '', Name: 'internal', Username: 'internal', PrincipalType: 'internal' }),
      new Date(Date.now() - 90_000).toISOString(),
    )
  })
}

/** The line over the page, as somebody is at work. */
async function urgent(): Promise<void> {
  const page = await visit({ width: 1440, height: 900 }, 'dark', 'en')
  await signIn(page, given.url, '/cases', sergeant)
  await bell(page).click()
  await panel(page).getByRole('button', { name: 'Mark all as seen' }).click()
  await panel(page).getByRole('button', { name: 'Mark all as seen' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await station.damage(await station.evidence('Corridor, Saturday'))
  await station.run()
  await page.getByText('The station raised an alarm').waitFor()
  await save(page, 'notices-urgent-dark')
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(700)
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  const webp = pictureFile(name)
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', webp])
  process.stdout.write(`${name}\n`)
}
