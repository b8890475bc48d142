/** `node test/ui/evidence-acts-shots.ts`: the acts on evidence as WebP into screens/, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { actsStation } from './support/acts.ts'
import { pictureFile } from './support/pictures.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

await ensureRenderer()
const { given, photo, sealed, binned, unfinished } = await actsStation()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      const page = await context.newPage()
      await page.goto(`${given.url}/evidence`)
      await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
      await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
      await page.getByText('I have read the notice').click()
      await page.locator('button[type=submit]').click()
      await page.getByRole('grid').getByText('Rear window, handed in').waitFor()
      const shot = (name: string): Promise<void> => save(page, `evidence-acts-${name}-${theme}${suffix}`)
      for (const name of ['Rear window, handed in', 'Camera 0417', 'Statement'])
        await page.getByRole('row', { name }).getByRole('checkbox').first().click()
      await shot('selection')
      await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Protect' }).click()
      await page.getByRole('dialog').waitFor()
      await shot('protect-many')
      await page.goto(`${given.url}/evidence?bin=true`)
      await page.getByRole('grid').getByText('Test shot').waitFor()
      await shot('bin')
      await page.goto(`${given.url}/evidence?unfinished=true`)
      await page.getByRole('grid').getByText('Hallway').waitFor()
      await shot('unfinished')
      await page.goto(`${given.url}/evidence/${photo}`)
      await page.getByRole('heading', { name: 'The same bytes elsewhere' }).waitFor()
      await shot('duplicates')
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await shot('menu')
      await page.getByRole('menuitem', { name: /^Move/ }).click()
      await page.getByRole('combobox', { name: 'Into' }).waitFor()
      await shot('move')
      await page.goto(`${given.url}/evidence/${photo}`)
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: /^Delete/ }).click()
      await page.getByRole('dialog', { name: /^Delete/ }).waitFor()
      await shot('delete')
      await page.goto(`${given.url}/evidence/${sealed}`)
      await page.getByText('Protected from deletion.').waitFor()
      await shot('protected')
      await page.goto(`${given.url}/evidence/${unfinished}`)
      await page.getByRole('button', { name: 'Mark as complete' }).waitFor()
      await shot('left')
      await page.goto(`${given.url}/evidence/${binned}`)
      await page.getByRole('button', { name: 'Restore the evidence' }).waitFor()
      await shot('deleted')
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
