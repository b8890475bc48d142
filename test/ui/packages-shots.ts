/** `node test/ui/packages-shots.ts`: packages as WebP into screens/, in the manner of shots.ts: asking for one, how it goes, the list. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { testCertificateAuthority } from '../support/certificate-authority.ts'
import { testAuthority } from '../support/timestamp-authority.ts'
import { packagesStation } from './support/packages.ts'
import { pictureFile } from './support/pictures.ts'
import { signIn } from './support/window.ts'

const folder = process.argv[2] ?? mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const LOOKS = [
  ['light', 1440, 900, 'en-GB', 'light', null],
  ['fr-dark-1024', 1024, 700, 'fr-FR', 'dark', null],
  ['contrast', 1440, 900, 'en-GB', 'light', 'contrast'],
  ['phone', 390, 844, 'en-GB', 'light', null],
  ['fr-phone', 390, 844, 'fr-FR', 'light', null],
] as const

await ensureRenderer()
const authority = await testAuthority(path.join(folder, 'time'))
const issued = testCertificateAuthority(path.join(folder, 'state'), 'State').issue('Harrow-Quay-Station')
const station = await packagesStation({
  timestampUrl: authority.url,
  timestampRoots: authority.rootFile,
  signingCertificate: issued.certificateFile,
  signingKey: issued.keyFile,
})
const { given, okafor, caseId } = station
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  await draw('empty', '/packages')
  await draw('order', `/cases/${caseId}`, ask)
  await draw('order-below', `/cases/${caseId}`, async (page) => {
    await ask(page)
    await page.getByRole('dialog').locator('h3').last().scrollIntoViewIfNeeded()
  })
  await station.ended((await station.ordered()).PackageId)
  authority.behave('an error')
  await station.ended((await station.ordered({ Variant: 'court' })).PackageId)
  await draw('witnesses', '/packages')
  authority.behave('honest')
  await draw('witness-added', '/packages', async (page) => {
    await page
      .getByRole('button', { name: /^(Try again|Réessayer)/ })
      .first()
      .click()
    await page.waitForTimeout(1200)
  })
  await station.inEveryState()
  await draw('list', '/packages')
  await draw('case', `/cases/${caseId}`)
  await draw('case-tab', `/cases/${caseId}?side=packages`)
  await draw('selection', `/evidence`, async (page) => {
    await page.getByRole('grid').locator('[role=gridcell]').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Control+a')
    await page.waitForTimeout(300)
  })
  await draw('remove', '/packages', async (page) => {
    await page
      .getByRole('button', { name: /^(More about|Autres actions)/ })
      .first()
      .click()
    await page.getByRole('menuitem').last().click()
    await page.getByRole('dialog').waitFor()
  })
} finally {
  await browser.close()
  await given.close()
  await authority.close()
  if (process.argv[2] === undefined) rmSync(folder, { recursive: true })
}

async function ask(page: Page): Promise<void> {
  await page
    .locator('header')
    .getByRole('button', { name: /^(More|Plus)/ })
    .last()
    .click()
  await page.getByRole('menuitem', { name: /Create a package|Établir un paquet/ }).click()
  await page.getByRole('dialog').getByRole('radio').first().waitFor()
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
    const shot = `packages-${name}-${suffix}`
    const png = path.join(folder, `${shot}.png`)
    await page.screenshot({ path: png })
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', pictureFile(shot)])
    await context.close()
  }
}
