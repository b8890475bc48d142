/**
 * `node test/ui/clips-shots.ts`: clips, a crop and the comparison of two pictures as WebP into screens/, in the manner of shots.ts.
 * `PNG=FOLDER` keeps the pictures as they were taken.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import type { Json } from '../support/given.ts'
import { pictureFile } from './support/pictures.ts'
import { added, stationForPages } from './support/evidence.ts'
import { signIn } from './support/window.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

await ensureRenderer()
const given = await stationForPages()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const file = path.join(folder, 'Tanners Row.mp4')
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=25:d=12', '-f', 'lavfi', '-i', 'sine=f=440:d=12']
  const codecs = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '50', '-c:a', 'aac']
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, ...codecs, '-movflags', '+faststart', file])
  const resource = { StartTimeUtc: '2026-11-20T02:39:55.000Z', TimeOffset: 'PT1M12S' }
  const { evidenceId, resourceId } = await added(given, file, { resource })
  await given.settled(evidenceId)
  const place = `${given.documents}/evidence/${evidenceId}`
  for (const [StartSeconds, Title] of [
    [1.5, 'Door opens'],
    [4, 'Second person'],
    [9, '00:09.000'],
  ] as const)
    await given.expecting(
      201,
      given.call('POST', `${place}/bookmark`, { body: { ResourceId: resourceId, StartSeconds, Title } }),
    )
  const of = `${place}/resource/${resourceId}`
  const stills: Json[] = []
  for (const Seconds of [2, 2.4, 7])
    stills.push(await given.expecting(201, given.call('POST', `${of}/still`, { body: { Seconds } })))
  const Ranges = [{ FromSeconds: 2, ToSeconds: 5 }]
  for (const Kind of ['exact', 'stream'])
    await given.expecting(202, given.call('POST', `${of}/clips`, { body: { Kind, Ranges } }))
  const list = await given.settled(evidenceId)
  const clip = list.find((one) => one.Taken?.Kind === 'exact')
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      const page = await context.newPage()
      const shot = (name: string): Promise<void> => save(page, `${name}-${theme}${suffix}`)
      await signIn(page, given.url, `/evidence/${evidenceId}?in=2&out=5&t=2`)
      await page.locator('[data-frame]').waitFor()
      await page.keyboard.press('c')
      await page.locator('label', { hasText: 'Untouched stream' }).click()
      await page.locator('[data-real]').waitFor()
      await shot('clip-dialog')
      await page.getByRole('radio', { name: 'Around each mark' }).click()
      await page.locator('[data-real]').nth(2).waitFor()
      await shot('clip-dialog-marks')
      await page.keyboard.press('Escape')
      await page.goto(`${given.url}/evidence/${evidenceId}?r=${clip.ResourceId}`)
      await page.locator('[data-taken]').waitFor()
      await page.locator('[data-frame]').waitFor()
      await shot('clip')
      await page.goto(`${given.url}/evidence/${evidenceId}?r=${stills[0]?.ResourceId}`)
      await page.locator('[data-taken]').waitFor()
      await page.keyboard.press('c')
      const frame = page.getByRole('application', { name: 'Picture to zoom and move' })
      const box = (await frame.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.7, { steps: 4 })
      await page.mouse.up()
      await shot('crop')
      await page.goto(`${given.url}/evidence/${evidenceId}?r=${stills[0]?.ResourceId}&with=${stills[1]?.ResourceId}`)
      await page.locator('[data-compare="side"] img').nth(1).waitFor()
      await page.waitForTimeout(600)
      await shot('compare')
      await page.getByRole('radio', { name: 'Difference' }).click()
      await page.getByText(/of the pixels differ/).waitFor()
      await shot('compare-difference')
      await context.close()
    }
} finally {
  await browser.close()
  await given.close()
  rmSync(folder, { recursive: true })
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(400)
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
