/** `node test/ui/evidence-list-shots.ts`: columns, filters and views of the list as WebP into screens/, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { columnsStation } from './support/columns.ts'
import { pictureFile } from './support/pictures.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

await ensureRenderer()
const { given, theft } = await columnsStation()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({
        viewport: { width, height },
        locale: process.env['SHOTS_LOCALE'] ?? 'en-GB',
        colorScheme: theme,
      })
      const page = await context.newPage()
      await page.goto(`${given.url}/evidence`)
      await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
      await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
      await page.locator('input[type=checkbox]').first().check({ force: true })
      await page.locator('button[type=submit]').click()
      await page.getByRole('grid').getByText('Arrest at the quay').waitFor()
      const shot = (name: string): Promise<void> => save(page, `evidence-list-${name}-${theme}${suffix}`)
      await shot('columns')
      await page.locator('[aria-expanded=true]').filter({ hasText: '06:00' }).click()
      await page.mouse.move(0, 0)
      await shot('folded')
      await page.locator('[aria-expanded=false]').filter({ hasText: '06:00' }).click()
      await page.locator('[data-add-filter] button').first().click()
      await page.getByRole('dialog').waitFor()
      await shot('add-filter')
      await page.getByRole('dialog').locator('li button').nth(1).click()
      await page.getByRole('dialog').locator('li input').first().waitFor()
      await shot('officers')
      await page.goto(`${given.url}/evidence?category=${theft}&when=month&has=notes&type=video,image`)
      await page.waitForTimeout(800)
      await shot('filtered')
      if (theme === 'light' && suffix === '') {
        await page.locator('[data-views] button').first().click()
        await page.getByRole('menuitem').last().click()
        await page.getByRole('dialog').getByRole('textbox').fill('Thefts, last 30 days')
        await shot('save-view')
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await page.goto(`${given.url}/evidence?category=${theft}&sort=name&dir=asc`)
      await page.getByRole('grid').getByText('Quay Road').waitFor()
      await shot('view')
      await page.goto(`${given.url}/evidence?view=grid`)
      await page.getByText('Arrest at the quay').waitFor()
      await shot('tiles')
      await page.goto(`${given.url}/cases`)
      await page.getByRole('grid').getByText('Burglary in progress').waitFor()
      await shot('cases')
      await context.close()
    }
} finally {
  await browser.close()
  await given.close()
  rmSync(folder, { recursive: true })
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(900)
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  const webp = pictureFile(name)
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', webp])
  process.stdout.write(`${name}\n`)
}
