/** `node test/ui/places-shots.ts [folder]`: searching by a place, and the map of how much was where, as PNG into a folder, else as WebP into screens/. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { importTown, placesStation } from './support/places.ts'
import { pictureFile } from './support/pictures.ts'

const [folder] = process.argv.slice(2)
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

await ensureRenderer()
const scratch = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const station = await placesStation()
const { given } = station
await importTown(station)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      for (const language of suffix === '' && theme === 'light' ? (['en', 'fr'] as const) : (['en'] as const)) {
        const locale = language === 'fr' ? 'fr-FR' : 'en-GB'
        const context = await browser.newContext({ viewport: { width, height }, locale, colorScheme: theme })
        const page = await context.newPage()
        const name = (what: string): string => `places-${what}-${theme}${suffix}${language === 'fr' ? '-fr' : ''}`
        await page.goto(`${given.url}/search`)
        await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
        await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
        await page.locator('input[type=checkbox]').first().check({ force: true })
        await page.locator('button[type=submit]').click()
        await page.locator('[data-region] h2').first().waitFor()
        await page.getByRole('button', { name: /^(Place and radius|Lieu et rayon)$/ }).click()
        await page.getByRole('combobox').waitFor()
        await page.keyboard.type('quay')
        await page.getByRole('option').first().waitFor()
        await save(page, name('form'))
        await page.goto(`${given.url}/search?near=%2252.5207,13.4051,500%22&place=Quay%20Road,%20Harbour`)
        await page.getByRole('grid').getByRole('row').nth(2).waitFor()
        await save(page, name('found'))
        await page.goto(`${given.url}/search?view=map&q=patrol`)
        await page.locator('[data-map] path').nth(3).waitFor({ state: 'attached' })
        await save(page, name('density'))
        await page.goto(`${given.url}/search?view=map&near=%2252.5207,13.4051,500%22&place=Quay%20Road,%20Harbour`)
        await page.locator('[data-map] path').nth(3).waitFor({ state: 'attached' })
        await page.locator('table button').first().click()
        await save(page, name('density-near'))
        await page.goto(`${given.url}/search?view=map`)
        await page.locator('[data-map] path').nth(3).waitFor({ state: 'attached' })
        await save(page, name('density-all'))
        await context.close()
      }
    }
} finally {
  await browser.close()
  await given.close()
  rmSync(scratch, { recursive: true })
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(700)
  const png = path.join(folder ?? scratch, `${name}.png`)
  await page.screenshot({ path: png })
  if (folder === undefined)
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', pictureFile(name)])
  process.stdout.write(`${name}\n`)
}
