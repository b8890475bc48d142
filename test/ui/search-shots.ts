/** `node test/ui/search-shots.ts [folder]`: the screens of the search as PNG into a folder, else as WebP into screens/. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { searchStation } from './support/search.ts'
import { pictureFile } from './support/pictures.ts'

const [folder] = process.argv.slice(2)
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

await ensureRenderer()
const scratch = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const { given } = await searchStation()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      const page = await context.newPage()
      await page.goto(`${given.url}/search`)
      await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
      await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
      await page.getByText('I have read the notice').click()
      await page.locator('button[type=submit]').click()
      await page.getByRole('heading', { name: 'What are you looking for?' }).waitFor()
      const shot = (name: string): Promise<void> => save(page, `search-${name}-${theme}${suffix}`)
      await shot('start')
      await page.goto(`${given.url}/search?q=burglary&box=%22-20,40,30,60%22`)
      await page.getByRole('status').filter({ hasText: 'found' }).waitFor()
      await page.getByRole('searchbox', { name: 'Search everything' }).fill('burgl')
      await shot('found')
      await page.getByRole('button', { name: 'Choose on the map' }).click()
      await page
        .getByText(/° N to/)
        .last()
        .waitFor()
      await shot('place')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Saved searches' }).click()
      await shot('saved')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('burgl')
      await page.getByRole('group', { name: 'Evidence' }).waitFor()
      await shot('palette')
      await page.goto(`${given.url}/search?q=zebra`)
      await page.getByText('Nothing found').waitFor()
      await shot('nothing')
      await context.close()
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
