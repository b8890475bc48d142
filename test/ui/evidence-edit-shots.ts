/** `node test/ui/evidence-edit-shots.ts`: changing evidence in place as WebP into screens/, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { editingStation } from './support/editing.ts'
import { pictureFile } from './support/pictures.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

await ensureRenderer()
const { given, evidenceId, patch } = await editingStation()
await patch({ Description: 'From the camera over the back door.\nThe second person comes in at 10:07.' })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      const page = await context.newPage()
      await page.goto(`${given.url}/evidence/${evidenceId}?tab=details`)
      await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
      await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
      await page.getByText('I have read the notice').click()
      await page.locator('button[type=submit]').click()
      const edit = (name: string) => page.getByRole('button', { name: new RegExp(`^(Edit|Add) ${name}`) })
      await edit('Description').waitFor()
      await page.waitForLoadState('networkidle')
      const shot = (name: string): Promise<void> => save(page, `evidence-edit-${name}-${theme}${suffix}`)
      await shot('details')
      await edit('Description').click()
      await page.waitForTimeout(300)
      await shot('description')
      await page.keyboard.press('Escape')
      await edit('Began').click()
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
      await page.getByRole('spinbutton', { name: /^minute/ }).press('ArrowUp')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.waitForTimeout(300)
      await shot('time')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await edit('Category').click()
      await page.getByRole('button', { name: /Category/ }).click()
      await page.getByRole('option', { name: /Interview/ }).waitFor()
      await shot('category')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await edit('Exhibit number').scrollIntoViewIfNeeded()
      await edit('Seized on').click()
      await page.waitForTimeout(400)
      await shot('fields')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Add a tag' }).click()
      await page.getByRole('combobox', { name: 'New tag' }).pressSequentially('nig')
      await page.getByRole('option', { name: /nightshift/ }).waitFor()
      await shot('tag')
      await page.getByRole('combobox', { name: 'New tag' }).fill('')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Edit the name' }).click()
      await page.waitForTimeout(200)
      await shot('title')
      await page.getByRole('textbox', { name: 'Name' }).fill('x'.repeat(5000))
      await page.keyboard.press('Enter')
      await page.getByText(/At most/).waitFor()
      await shot('long')
      await page.getByRole('textbox', { name: 'Name' }).fill('R1')
      await page.keyboard.press('Enter')
      await edit('Description').click()
      await page.getByRole('textbox', { name: 'Description' }).fill('Mine: a person at the window.')
      await patch({ Description: `Theirs: two people at the window, ${theme} ${width}.` })
      await page.keyboard.press('Control+Enter')
      await page.getByRole('dialog').waitFor()
      await page.waitForTimeout(300)
      await shot('conflict')
      await context.close()
    }
} finally {
  await browser.close()
  await given.close()
  rmSync(folder, { recursive: true, force: true })
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(400)
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  const webp = pictureFile(name)
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', webp])
  process.stdout.write(`${name}\n`)
}
