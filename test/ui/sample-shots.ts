/** Draws sample data on the start page, in the help, and on what it made: `node test/ui/sample-shots.ts FOLDER`. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { sampleWorld } from '../api/sample/world.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { signIn } from './support/window.ts'

const folder = process.argv[2] ?? 'screens'
mkdirSync(folder, { recursive: true })
await ensureRenderer()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  await draw('en', 'light', 1440, 900)
  await draw('fr', 'dark', 1024, 700)
} finally {
  await browser.close()
}

async function draw(language: 'en' | 'fr', theme: 'light' | 'dark', width: number, height: number): Promise<void> {
  const world = await sampleWorld({ stationName: 'Harrow Quay', timeZone: 'Europe/Paris' })
  const { given } = world
  const words =
    language === 'en'
      ? { add: 'Add sample data', remove: 'Remove sample data', there: 'This station holds sample data' }
      : { add: 'Ajouter des exemples', remove: 'Retirer les exemples', there: 'Cette station contient des exemples' }
  const context = await browser.newContext({
    viewport: { width, height },
    locale: language === 'en' ? 'en-GB' : 'fr-FR',
    timezoneId: 'Europe/Paris',
    colorScheme: theme,
  })
  const page = await context.newPage()
  const shot = (name: string): Promise<unknown> =>
    page.screenshot({ path: path.join(folder, `sample-${name}-${language}.png`) })
  try {
    await signIn(page, given.url, '/today', ADMINISTRATOR)
    await pressed(page, words.add)
    await shot('offer-dialog')
    await page.getByRole('dialog').getByRole('button', { name: words.add }).click()
    await page.getByRole('progressbar').first().waitFor()
    await page.waitForTimeout(4_000)
    await shot('adding')
    await page.getByText(words.there).waitFor({ timeout: 120_000 })
    await page.waitForTimeout(6_000)
    await shot('today')
    await pressed(page, words.remove)
    await page.waitForTimeout(300)
    await shot('remove-dialog')
    await page.keyboard.press('Escape')
    const { EvidenceIds, CaseIds } = await world.state()
    for (const [name, to] of [
      ['evidence', `/evidence/${EvidenceIds[0]}`],
      ['case', `/cases/${CaseIds[0]}`],
      ['list', '/evidence'],
      ['help', `/help?q=${language === 'en' ? 'sample' : 'exemple'}`],
    ] as const) {
      await page.goto(`${given.url}${to}`)
      await page.waitForTimeout(2_500)
      await shot(name)
    }
  } finally {
    await context.close()
    await given.close()
  }
}

async function pressed(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.getByRole('dialog').waitFor()
}
