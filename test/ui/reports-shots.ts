/** `node test/ui/reports-shots.ts`: the reports, the calendar, the dialog to print and the holds of a case, as WebP into screens/, as shots.ts draws the others. */
import { chromium, type Page } from 'playwright-core'
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { pictureFile } from './support/pictures.ts'
import { reportsStation } from './support/reports.ts'
import { chromiumPath, signIn } from './support/window.ts'

const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const
const REPORTS = ['coverage', 'uncategorized', 'access', 'retention', 'storage', 'cameras', 'jobs', 'calendar'] as const

await ensureRenderer()
const { given, sergeant, reyes, heldCase, evidenceId } = await reportsStation()
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
try {
  for (const [locale, theme] of [
    ['en-GB', 'light'],
    ['en-GB', 'dark'],
    ['fr-FR', 'light'],
  ] as const)
    for (const [suffix, width, height] of theme === 'dark' ? SIZES.slice(1) : SIZES.slice(0, 1)) {
      const context = await browser.newContext({ viewport: { width, height }, locale, colorScheme: theme })
      const end = `${locale === 'fr-FR' ? '-fr' : ''}-${theme}${suffix}`
      const page = await context.newPage()
      await signIn(page, given.url, `/cases/${heldCase}`, reyes)
      const french = locale === 'fr-FR'
      const more = french ? 'Plus' : 'More'
      await page.getByRole('button', { name: more, exact: true }).last().click()
      await page.getByRole('menuitem', { name: french ? 'Imprimer…' : 'Print…' }).click()
      await page.getByRole('dialog').waitFor()
      await page
        .getByText(french ? 'Étiquettes QR' : 'QR labels')
        .first()
        .click()
      await quiet(page)
      await save(page, `print-labels${end}`)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: more, exact: true }).last().click()
      await page.getByRole('menuitem', { name: french ? 'Protections…' : 'Holds…' }).click()
      await page.getByRole('dialog').waitFor()
      await quiet(page)
      await save(page, `case-holds${end}`)
      await page.goto(`${given.url}/evidence/${evidenceId}`)
      await page.getByRole('button', { name: more, exact: true }).first().click()
      await page.getByRole('menuitem', { name: french ? 'Imprimer…' : 'Print…' }).click()
      await page.getByRole('dialog').waitFor()
      await quiet(page)
      await save(page, `print-evidence${end}`)
      await context.clearCookies()
      await signIn(page, given.url, '/reports', sergeant)
      for (const name of REPORTS) {
        await page.goto(`${given.url}/reports?report=${name}`)
        await page.locator('#report-title').waitFor()
        await quiet(page)
        await save(page, `reports-${name}${end}`)
      }
      await context.close()
    }
} finally {
  await browser.close()
  await given.close()
}

async function quiet(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
  await page.waitForTimeout(400)
}

async function save(page: Page, name: string): Promise<void> {
  const file = pictureFile(name, process.argv[2])
  const png = file.replace(/webp$/, 'png')
  await page.screenshot({ path: png })
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-q:v', '80', file])
  if (process.argv[3] !== 'png') rmSync(png)
}
