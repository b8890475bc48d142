/**
 * `node test/ui/evidence-page-shots.ts`: custody, player and picture of an evidence as WebP into screens/, in the manner of shots.ts.
 * `PNG=FOLDER` keeps the pictures as they were taken.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import type { Json } from '../support/given.ts'
import { annotationStation, written } from './support/annotations.ts'
import { settled } from './support/cases.ts'
import { picture } from './support/files.ts'
import { pictureFile } from './support/pictures.ts'
import { signIn } from './support/window.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

await ensureRenderer()
const station = await annotationStation()
const { given, sergeant, okafor, lindqvist, evidenceId } = station
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  await written(station)
  const latch = await pictureEvidence()
  for (const who of [sergeant, lindqvist]) await who.send('GET', station.place)
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      const page = await context.newPage()
      const shot = (name: string): Promise<void> => save(page, `${name}-${theme}${suffix}`)
      await signIn(page, given.url, `/evidence/${evidenceId}?t=1.2&in=0.8&out=2.4`, okafor)
      await page.locator('[data-frame]').waitFor()
      await page.locator('[data-seal="ok"]').waitFor()
      await shot('custody-changes')
      await page.getByRole('button', { name: /^Everything/ }).click()
      await page
        .getByRole('button', { name: /viewed it/ })
        .first()
        .click()
      await page.keyboard.press('Shift+G')
      await shot('custody-visits')
      await signIn(page, given.url, `/evidence/${latch}`, sergeant)
      await page.getByRole('img', { name: 'Latch.jpg' }).waitFor()
      await shot('picture')
      await page.keyboard.press('x')
      await page.locator('[data-main-facts]').waitFor()
      for (const key of ['v', 'm', 'l']) await page.keyboard.press(key)
      const frame = page.getByRole('application', { name: 'Picture to zoom and move' })
      const box = (await frame.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.7, { steps: 4 })
      await page.mouse.up()
      await page.getByRole('textbox', { name: 'Known length of this line' }).fill('10')
      await shot('picture-tools')
      await context.close()
    }
} finally {
  await browser.close()
  await given.close()
  rmSync(folder, { recursive: true })
}

async function pictureEvidence(): Promise<string> {
  const file = await picture(folder, {
    name: 'Latch.jpg',
    size: '2400x1600',
    tags: [
      'Make=Corvid',
      'Model=C3',
      'Software=fw 4.2.1',
      'DateTimeOriginal=2026:11:20 03:06:19',
      'OffsetTimeOriginal=+01:00',
    ],
  })
  const made: Json = await sergeant.send('POST', `${given.documents}/evidence`, { Name: 'Window latch' })
  const place = `${given.documents}/evidence/${made.EvidenceId}`
  const open: Json = await sergeant.send('POST', `${place}/resource`, { Name: 'Latch.jpg' })
  await given.put(open.UploadUri, readFileSync(file))
  await sergeant.send('POST', `${place}/resource/${open.ResourceId}/complete`, {})
  await sergeant.send('POST', `${place}/complete`, {})
  await settled(sergeant.send, place)
  return made.EvidenceId
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(900)
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  const kept = process.env['PNG']
  if (kept !== undefined) {
    mkdirSync(kept, { recursive: true })
    copyFileSync(png, path.join(kept, `${name}.png`))
  }
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', pictureFile(name)])
  process.stdout.write(`${name}\n`)
}
