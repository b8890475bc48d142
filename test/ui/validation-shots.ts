/** `node test/ui/validation-shots.ts`: the self-validation on the page Fixity as WebP into screens/, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { integrityStation } from './support/integrity.ts'
import { pictureFile } from './support/pictures.ts'
import { signIn } from './support/window.ts'

const folder = process.argv[2] ?? mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const VALIDATION = '/api/v1/tenant/station/validation'
const WORDS = { 'en-GB': 'Self-validation', 'fr-FR': 'Autovalidation' } as const

await ensureRenderer()
const { given, sergeant } = await integrityStation()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  await draw('empty')
  await sergeant.send('POST', VALIDATION)
  await draw('running')
  while ((await sergeant.send('GET', VALIDATION)).Running !== null)
    await new Promise((resolve) => setTimeout(resolve, 200))
  await sergeant.send('PUT', `${VALIDATION}/schedule`, { Weekly: true })
  await draw('done')
  await draw('figures', true)
} finally {
  await browser.close()
  await given.close()
  if (process.argv[2] === undefined) rmSync(folder, { recursive: true })
}

async function draw(name: string, opened = false): Promise<void> {
  for (const locale of ['en-GB', 'fr-FR'] as const)
    for (const [suffix, width, height, colorScheme] of [
      ['light', 1440, 900, 'light'],
      ['dark-1024', 1024, 700, 'dark'],
    ] as const) {
      const context = await browser.newContext({ viewport: { width, height }, locale, colorScheme })
      const page = await context.newPage()
      await signIn(page, given.url, '/fixity', sergeant)
      const heading = page.getByRole('heading', { name: WORDS[locale], exact: true })
      await heading.waitFor()
      if (opened)
        await page
          .locator('summary')
          .filter({ hasText: /What was done|Ce qui a été fait/ })
          .click()
      const shown = opened ? page.locator('summary').filter({ hasText: /What was done|Ce qui a été fait/ }) : heading
      await shown.evaluate((element) => element.scrollIntoView({ block: 'start' }))
      await page.mouse.move(2, 2)
      await page.waitForTimeout(600)
      const shot = `validation-${name}-${locale.slice(0, 2)}-${suffix}`
      const png = path.join(folder, `${shot}.png`)
      await page.screenshot({ path: png })
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', pictureFile(shot)])
      process.stdout.write(`${shot}\n`)
      await context.close()
    }
}
