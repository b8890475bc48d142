/** `node test/ui/suggestions-shots.ts [FOLDER]`: suggested values and times for many, as PNG, in the manner of shots.ts. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { editingStation } from './support/editing.ts'

const folder = process.argv[2] ?? 'screens'
mkdirSync(folder, { recursive: true })
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

await ensureRenderer()
const station = await editingStation()
const { given } = station
const { CaseId: caseId } = await station.made({ Title: 'Burglary, corner shop' })
await station.evidence('Jacket', { CustomFields: { 'Exhibit number': 'KB/3' } }, caseId)
const named = await station.evidence('Rear yard 2025-11-21_2247', {}, caseId)
const twice = await station.evidence('03-04-2025 22.47.03', {}, caseId)
for (const time of ['1000', '1015', '1030']) await station.evidence(`Cam1 2025-10-01_${time}`, {}, caseId)
await station.evidence('Cam1 timed', { StartTimeUtc: '2025-10-01T09:00:00Z' }, caseId)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  for (const locale of ['en-GB', 'fr-FR'])
    for (const theme of ['light', 'dark'] as const)
      for (const [suffix, width, height] of SIZES) {
        if (locale === 'fr-FR' && (theme === 'dark' || suffix === '')) continue
        const context = await browser.newContext({ viewport: { width, height }, locale, colorScheme: theme })
        const page = await context.newPage()
        const shot = (name: string): Promise<unknown> =>
          page.screenshot({
            path: path.join(folder, `suggest-${name}-${theme}${suffix}${locale === 'fr-FR' ? '-fr' : ''}.png`),
          })
        await page.goto(`${given.url}/evidence/${named}?tab=details`)
        await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
        await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
        await page.locator('input[type=checkbox]').first().check({ force: true })
        await page.locator('button[type=submit]').click()
        await page.locator('input[name=password]').waitFor({ state: 'detached' })
        await page
          .getByRole('button', { name: /^(Use|Reprendre)/ })
          .first()
          .waitFor()
        await settled(page)
        await shot('details')
        await page.goto(`${given.url}/evidence/${twice}?tab=details`)
        await page
          .getByRole('button', { name: /^(Use|Reprendre)/ })
          .first()
          .waitFor()
        await settled(page)
        await shot('twice')
        await page.goto(`${given.url}/cases/${caseId}`)
        await settled(page)
        await shot('case')
        await page.getByRole('button', { name: /Suggest times|Proposer des heures/ }).click()
        await page.getByRole('dialog').getByRole('checkbox').nth(3).waitFor()
        await settled(page)
        await shot('times')
        await page.getByRole('dialog').getByRole('radio').nth(1).check({ force: true })
        await page.getByRole('dialog').getByRole('textbox', { name: 'Minutes' }).fill('4')
        await page.keyboard.press('Tab')
        await settled(page)
        await shot('offset')
        await context.close()
      }
} finally {
  await browser.close()
  await given.close()
}

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(500)
}
