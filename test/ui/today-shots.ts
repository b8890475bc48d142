/**
 * `node test/ui/today-shots.ts`: the start page of an officer, an administrator and a guest in both themes at 1440×900, 1024×700 and 390×844,
 * as WebP into screens/, as shots.ts draws the others.
 */
import { chromium, type Page } from 'playwright-core'
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { pictureFile } from './support/pictures.ts'
import { todayStation } from './support/today.ts'
import { chromiumPath, signIn } from './support/window.ts'

const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
  ['-390', 390, 844],
] as const

await ensureRenderer()
const { given, reyes, guest, sergeant } = await todayStation()
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
try {
  for (const [locale, theme] of [
    ['en-GB', 'light'],
    ['en-GB', 'dark'],
    ['fr-FR', 'light'],
  ] as const)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({ viewport: { width, height }, locale, colorScheme: theme })
      const language = locale === 'fr-FR' ? '-fr' : ''
      for (const [name, who] of [
        ['officer', reyes],
        ['administrator', sergeant],
        ['guest', guest],
      ] as const) {
        const page = await context.newPage()
        await signIn(page, given.url, '/', who)
        await page.getByRole('heading', { level: 2 }).first().waitFor()
        await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
        await save(page, `today-${name}${language}-${theme}${suffix}`)
        await page.close()
        await context.clearCookies()
      }
      await context.close()
    }
} finally {
  await browser.close()
  await given.close()
}

async function save(page: Page, name: string): Promise<void> {
  const file = pictureFile(name, process.argv[2])
  const png = file.replace(/webp$/, 'png')
  await page.screenshot({ path: png })
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-q:v', '80', file])
  if (process.argv[3] !== 'png') rmSync(png)
}
