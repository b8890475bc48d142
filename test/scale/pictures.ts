/** Pictures of the pages of a headquarters and its stations, for people to look at: in test/.work/shots, or in the folder of SALLYPORT_TEST_SHOTS. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { look, shotsFolder, signInByForm } from '../ui/support/window.ts'

const FOLDER = process.env['SALLYPORT_TEST_SHOTS'] ?? shotsFolder()

/** On a phone what these pages say stands behind tabs. */
const AT_A_DESK = ['wide', 'small'] as const

/** Of one page, in both sizes, light and dark. */
export async function pictures(
  origin: string,
  place: string,
  name: string,
  ready: (page: Page) => Promise<unknown>,
): Promise<void> {
  for (const size of AT_A_DESK)
    for (const theme of ['light', 'dark'] as const) {
      const { page, close } = await look(origin, { size, theme })
      await signInByForm(page, origin, place)
      await ready(page)
      await savePicture(page, `${name}-${size}-${theme}`)
      await close()
    }
}

export async function savePicture(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  // Pictures that were faded in are whole.
  await page.waitForTimeout(900)
  await page.screenshot({ path: path.join(FOLDER, `headquarters-${name}.png`) })
}
