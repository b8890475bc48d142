/** `node test/ui/disposition-shots.ts`: the screens of disposition as WebP into screens/, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { signIn } from './support/window.ts'
import { dispositionStation } from './support/disposition.ts'
import { pictureFile } from './support/pictures.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

await ensureRenderer()
const { given, lindqvist, sergeant } = await dispositionStation()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const [category] = await sergeant.send('GET', '/api/v1/category/station')
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      const page = await context.newPage()
      await signIn(page, given.url, '/disposition', lindqvist)
      const shot = (name: string): Promise<void> => save(page, `disposition-${name}-${theme}${suffix}`)
      const box = (title: string) => page.getByRole('row').filter({ hasText: title }).getByRole('checkbox')
      await box('Theft from vehicle').click()
      await page.getByText('You may approve').waitFor()
      await page.getByRole('textbox', { name: /Reason/ }).fill('Retention reached. Court confirmed no appeal.')
      await shot('due')
      await box('Theft from vehicle').click()
      await box('Affray').click()
      await page.getByText('which is open').waitFor()
      await shot('stays')
      await page.goto(`${given.url}/disposition?view=bin`)
      await box('Noise complaint').click()
      await page.getByText('What goes of this one').waitFor()
      await shot('bin')
      await page.goto(`${given.url}/disposition?view=certificates&open=1`)
      await page.getByText('Check it without this program').waitFor()
      await shot('certificates')
      await context.close()
      const admin = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      const other = await admin.newPage()
      await signIn(other, given.url, `/administration/categories?open=${category.CategoryId}`, sergeant)
      await other.getByRole('textbox', { name: 'Days' }).fill('30')
      await other.keyboard.press('Tab')
      await other.getByText('Affected').waitFor()
      await other.getByText('Affected').scrollIntoViewIfNeeded()
      await save(other, `administration-retention-${theme}${suffix}`)
      await other.goto(`${given.url}/administration/sources?open=1`)
      await other.getByRole('heading', { name: 'Training cameras' }).waitFor()
      await save(other, `administration-sources-${theme}${suffix}`)
      await admin.close()
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
  const webp = pictureFile(name, process.argv[2])
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', webp])
  process.stdout.write(`${name}\n`)
}
