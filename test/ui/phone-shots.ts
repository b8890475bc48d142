/**
 * `node test/ui/phone-shots.ts [folder]`: what a phone shows (390×844), light, dark and in French, as WebP into screens/, as shots.ts draws the
 * others. Says how much wider than the screen a page is.
 */
import { chromium, type Page } from 'playwright-core'
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { phoneStation } from './support/phone.ts'
import { pictureFile } from './support/pictures.ts'
import { chromiumPath, signIn, SIZES } from './support/window.ts'

await ensureRenderer()
const { given, caseId, pictureId, videoId } = await phoneStation()
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
try {
  for (const [locale, theme] of [
    ['en-GB', 'light'],
    ['en-GB', 'dark'],
    ['fr-FR', 'light'],
  ] as const) {
    const context = await browser.newContext({
      viewport: SIZES.phone,
      locale,
      colorScheme: theme,
      hasTouch: true,
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await signIn(page, given.url, '/today')
    const suffix = `${locale === 'fr-FR' ? '-fr' : ''}-${theme}`
    for (const [name, address] of [
      ['today', '/today'],
      ['evidence', '/evidence'],
      ['evidence-page', `/evidence/${pictureId}`],
      ['files', `/evidence/${pictureId}?tab=files`],
      ['video', `/evidence/${videoId}?tab=details`],
      ['cases', '/cases'],
      ['case', `/cases/${caseId}`],
      ['case-notes', `/cases/${caseId}?side=notes`],
      ['search', '/search?q=latch'],
    ] as const) {
      await page.goto(`${given.url}${address}`)
      await still(page)
      if (name === 'files') await page.locator('[data-proof]').scrollIntoViewIfNeeded()
      await save(page, `phone-${name}${suffix}`)
    }
    await page.locator('header [aria-haspopup="dialog"]').last().click()
    await still(page)
    await save(page, `phone-notices${suffix}`)
    await page.keyboard.press('Escape')
    await page.locator('[data-more]').click()
    await still(page)
    await save(page, `phone-more${suffix}`)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^(Jobs|Traitements)/ })
      .click()
    await still(page)
    await save(page, `phone-jobs${suffix}`)
    await page.keyboard.press('Escape')
    await page.locator('[data-more]').click()
    await page.locator('[data-scan]').click()
    await still(page)
    await save(page, `phone-scan${suffix}`)
    await context.close()
  }
} finally {
  await browser.close()
  await given.close()
}

async function still(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined)
  await page.waitForTimeout(400)
}

async function save(page: Page, name: string): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (over > 0) process.stdout.write(`${name}: ${over} px too wide\n`)
  const file = pictureFile(name, process.argv[2])
  const png = file.replace(/webp$/, 'png')
  await page.screenshot({ path: png })
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-q:v', '80', file])
  if (process.argv[3] !== 'png') rmSync(png)
}
