/** `node test/ui/bulk-acts-shots.ts`: what is done with many items at once, as WebP into screens/, in the manner of shots.ts. */
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
const { given, from, photo, sergeant } = await actsStation()
await sergeant.send('POST', '/api/v1/category/station', { Name: 'Traffic', RetentionDays: 90 })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      const page = await context.newPage()
      await page.goto(`${given.url}/evidence?sort=created&dir=asc`)
      await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
      await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
      await page.getByText('I have read the notice').click()
      await page.locator('button[type=submit]').click()
      await page.getByRole('grid').getByText('Rear window, handed in').waitFor()
      const shot = (name: string): Promise<void> => save(page, `bulk-acts-${name}-${theme}${suffix}`)
      const cancel = async (): Promise<void> => {
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      const closeList = async (): Promise<void> => {
        await page.getByRole('listbox').waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('listbox').waitFor({ state: 'detached' })
      }
      for (const name of ['Rear window, handed in', 'Camera 0417', 'Statement'])
        await page.getByRole('row', { name }).getByRole('checkbox').first().click()
      await page.getByRole('row', { name: 'Rear window' }).first().getByRole('checkbox').first().click()
      await shot('bar')
      await page.keyboard.press('t')
      await page.getByRole('listbox').waitFor()
      await page.keyboard.type('nig')
      await page.getByRole('option', { name: /night/ }).waitFor()
      await shot('tag-typing')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').getByRole('button', { name: 'Remove “entry” from all' }).press('Enter')
      await page.getByRole('dialog').getByRole('combobox').fill('op Harrow')
      await page.keyboard.press('Enter')
      await shot('tag')
      await page.route('**/documentstore/api/v1/tenant/station/evidence/*', (route) =>
        route.request().method() === 'PATCH' && !route.request().url().endsWith(photo)
          ? route.fulfill({ status: 403, json: { Code: 'Forbidden', Message: 'You may not change this evidence' } })
          : route.continue(),
      )
      await page.getByRole('dialog').getByRole('button', { name: 'Save tags' }).press('Enter')
      await page.getByRole('list', { name: 'What failed' }).waitFor()
      await shot('tag-failed')
      await page.unrouteAll()
      await cancel()
      await page.keyboard.press('Control+z')
      await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Share' }).press('Enter')
      await closeList()
      await shot('share')
      await cancel()
      await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'More' }).press('Enter')
      await shot('more')
      await page.getByRole('menuitem', { name: 'Set officer' }).press('Enter')
      await closeList()
      await shot('officer')
      await cancel()
      await page.getByRole('row', { name: 'Statement' }).click({ button: 'right' })
      await page.getByRole('menu').waitFor()
      await shot('menu')
      await page.goto(`${given.url}/cases/${from}`)
      await page.getByRole('grid').getByText('Camera 0417').waitFor()
      await page.getByRole('row', { name: 'Camera 0417' }).focus()
      await page.keyboard.press('Space')
      await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Tag' }).waitFor()
      await shot('case')
      await page.getByRole('row', { name: 'Camera 0417' }).click({ button: 'right' })
      await page.getByRole('menu').waitFor()
      await shot('case-menu')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await page.getByRole('listbox').waitFor()
      await shot('palette')
      await page.keyboard.press('Escape')
      await page.goto(`${given.url}/evidence?sort=created&dir=asc`)
      const row = page.getByRole('row', { name: 'Statement' })
      await row.waitFor()
      const box = await row.boundingBox()
      if (box !== null) {
        await page.mouse.move(box.x + 200, box.y + 20)
        await page.mouse.down()
        await page.mouse.move(box.x + 230, box.y + 40, { steps: 4 })
        const strip = page.getByRole('complementary', { name: 'Cases to link to' })
        const place = await strip.locator('[data-case]').first().boundingBox()
        if (place !== null) await page.mouse.move(place.x + 60, place.y + 20, { steps: 5 })
        await shot('strip')
        await page.keyboard.press('Escape')
        await page.mouse.up()
      }
      await page.goto(`${given.url}/cases`)
      const cell = page
        .getByRole('row', { name: /Theft from a car/ })
        .getByRole('gridcell')
        .first()
      await cell.waitFor()
      const transfer = await page.evaluateHandle(() => {
        const made = new DataTransfer()
        made.items.add(new File(['a statement'], 'statement.txt'))
        return made
      })
      for (const kind of ['dragenter', 'dragover']) await cell.dispatchEvent(kind, { dataTransfer: transfer })
      await shot('files')
      await context.close()
    }
} finally {
  await browser.close()
  await given.close()
  rmSync(folder, { recursive: true, force: true })
}

/** As good as the eye sees it, and small. */
async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(400)
  const shot = path.join(folder, 'shot.png')
  await page.screenshot({ path: shot })
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', shot, '-c:v', 'libwebp', '-quality', '82', pictureFile(name)])
  if (process.env['SHOTS'] !== undefined)
    await page.screenshot({ path: path.join(process.env['SHOTS'], `${name}.png`) })
}
