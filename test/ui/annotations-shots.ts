/** `node test/ui/annotations-shots.ts`: marks, notes and captions as WebP into screens/, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { signIn } from './support/window.ts'
import { annotationStation, written } from './support/annotations.ts'
import { pictureFile } from './support/pictures.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

await ensureRenderer()
const station = await annotationStation()
const { given, sergeant, okafor, evidenceId, caseId } = station
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  await written(station)
  const media = await sergeant.send('GET', `${station.place}/resource/${station.resourceId}/media`)
  const captions = media.Captions[0].ResourceId as string
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      const page = await context.newPage()
      const shot = (name: string): Promise<void> => save(page, `${name}-${theme}${suffix}`)
      await signIn(page, given.url, `/evidence/${evidenceId}?tab=marks&t=1.2&cc=${captions}`, okafor)
      await page.getByRole('list', { name: 'Marks' }).waitFor()
      await page.locator('[data-frame]').waitFor()
      await shot('marks')
      await page.getByRole('button', { name: /^Change mark: Light/ }).click()
      await shot('mark-change')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('tab', { name: 'Notes' }).click()
      await page.getByRole('button', { name: /^What it said before/ }).click()
      await shot('evidence-notes')
      await page.goto(`${given.url}/cases/${caseId}${width === 1024 ? '?side=notes' : ''}`)
      await page.getByText('Owner comes in on Monday').waitFor()
      await shot('case-notes')
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
