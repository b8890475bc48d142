/** `node test/ui/disclosure-shots.ts`: disclosure as WebP into screens/, in the manner of shots.ts: asking for one, how it goes, the list. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { disclosureStation } from './support/disclosure.ts'
import { pictureFile } from './support/pictures.ts'
import { signIn } from './support/window.ts'

const folder = process.argv[2] ?? mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const LOOKS = [
  ['light', 1440, 900, 'en-GB', 'light', null],
  ['dark-1024', 1024, 700, 'en-GB', 'dark', null],
  ['fr-light-1024', 1024, 700, 'fr-FR', 'light', null],
  ['fr-dark', 1440, 900, 'fr-FR', 'dark', null],
  ['fr-phone', 390, 844, 'fr-FR', 'light', null],
] as const

await ensureRenderer()
const station = await disclosureStation()
const { given, okafor, caseId, ids } = station
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const ofCase = `/cases/${caseId}/disclosure`
  await draw('station-empty', '/disclosure')
  await draw('none', ofCase)
  await draw('record', ofCase, (page) => press(page, /^(Record a disclosure|Enregistrer une)/))
  await station.inEveryState()
  await draw('station', '/disclosure')
  await draw('ledger', ofCase)
  await draw('case', `/cases/${caseId}`, async (page) => {
    await page.locator('#case-disclosure').scrollIntoViewIfNeeded({ timeout: 2_000 })
  })
  await draw('case-tab', `/cases/${caseId}?side=disclosure`)
  await draw('details', ofCase, (page) => press(page, /^(Details of disclosure|Détails de la communication) 1/))
  await draw('supplement', ofCase, (page) => press(page, /^(Supplement…|Complément…)/))
  await draw('withhold', ofCase, async (page) => {
    await press(page, /^(Replace…|Remplacer…)/)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^(Withhold an item|Retenir un élément)/ }).click()
    await dialog.getByText(/^(Withheld item|Élément retenu) 1/).scrollIntoViewIfNeeded()
  })
  await draw('acknowledge', ofCase, (page) => press(page, /^(Acknowledge…|Confirmer la réception…)/))
  await draw('evidence', `/evidence/${ids[0]}`)
  await draw('restrict', `/evidence/${ids[1]}`, async (page) => {
    await page
      .locator('header')
      .getByRole('button', { name: /^(More|Plus|Autres)/ })
      .last()
      .click()
    await page.getByRole('menuitem', { name: /^(Restrict disclosure|Restreindre)/ }).click()
    await page.getByRole('dialog').waitFor()
  })
} finally {
  await browser.close()
  await given.close()
  if (process.argv[2] === undefined) rmSync(folder, { recursive: true })
}

async function press(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().click()
  await page.getByRole('dialog').waitFor()
}

async function draw(name: string, at: string, prepare?: (page: Page) => Promise<void>): Promise<void> {
  for (const [suffix, width, height, locale, colorScheme, theme] of LOOKS) {
    const context = await browser.newContext({
      viewport: { width, height },
      locale,
      colorScheme,
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      hasTouch: width < 600,
    })
    const page = await context.newPage()
    if (theme !== null) await page.addInitScript((one) => localStorage.setItem('sallyport.theme', one), theme)
    await signIn(page, given.url, at, okafor)
    await page.waitForTimeout(1_200)
    if (prepare !== undefined)
      await prepare(page).catch((error: Error) => process.stdout.write(`${name} ${suffix}: ${error.message}\n`))
    await page.mouse.move(2, 2)
    await page.waitForTimeout(500)
    const shot = `disclosure-${name}-${suffix}`
    const png = path.join(folder, `${shot}.png`)
    await page.screenshot({ path: png })
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', pictureFile(shot)])
    await context.close()
  }
}
