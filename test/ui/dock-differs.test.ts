/** A2: a docked file whose bytes are not those of the camera's own list needs attention wherever it is shown; nowhere is it green. */
// @module-tag screen
// @module-tag merge
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATOR, type Json } from '../support/given.ts'
import { patience } from '../support/scale.ts'
import { findings } from './support/axe.ts'
import { looking } from './support/cases.ts'
import { type DockWorld, spare, tile, wallStation } from './support/dock.ts'
import { look } from './support/window.ts'

const LISTED = 'a'.repeat(64)
const FILE = 'media/R1_1.mp4'
const WAIT = { timeout: patience(20_000) }
const DIFFERS = /differs from the camera’s list/

let world: DockWorld
let session: Json
let file: Json
beforeAll(async () => {
  world = await wallStation({ dockClear: 'at-once' })
  await spare(world, 'D-1', 'Lindqvist')
  world.camera('bay 1', { serial: 'D-1', recordings: [1], listed: { [FILE]: LISTED } }).plugIn()
  session = await world.reached('bay 1', 'released')
  file = (await world.filesOf(session.DockSessionId)).find(({ Path }) => Path === FILE)
}, 120_000)
afterAll(() => world?.close())

/** As a window of the administrator has it. */
const desk = (at: string, size: 'wide' | 'small' = 'small') => looking(world.given, ADMINISTRATOR, at, { size })
const isWhole = (part: Locator): Promise<boolean> => part.evaluate((one) => one.scrollWidth <= one.clientWidth)
/** As a hash is written on the screen. */
const shortened = (hash: string): string => `${hash.slice(0, 8)}…${hash.slice(-8)}`
const tight = (text: string): string => text.replaceAll(/\s/g, '')
interface Box {
  readonly y: number
  readonly height: number
}
const isWithin = (part: Box | null, whole: Box | null): boolean =>
  part !== null && whole !== null && part.y >= whole.y && part.y + part.height <= whole.y + whole.height

describe('A2 on the dock wall', () => {
  it.each([
    ['light', 'wide'],
    ['light', 'small'],
    ['dark', 'wide'],
    ['dark', 'small'],
  ] as const)(
    'says it under Safe to take, and both lines and the invitation are whole: %s, %s',
    async (theme, size) => {
      const { page, problems } = await look(world.given.url, { theme, size })
      await page.goto(`${world.given.url}/dock`)
      await page.locator('[data-bay="1"][data-kind="safe"]').waitFor(WAIT)
      for (const words of ['Safe to take', '1 file differs from the camera’s list', 'Yours? Touch here']) {
        const line = tile(page, 1).getByText(words, { exact: true })
        await line.waitFor()
        const within = isWithin(await line.boundingBox(), await tile(page, 1).boundingBox())
        expect([words, await isWhole(line), within]).toEqual([words, true, true])
      }
      expect(await findings(page)).toEqual([])
      expect(problems).toEqual([])
    },
  )
})

describe('A2 at the desk', () => {
  it('the history of the dock and the docking name the file, with the hash of the list', async () => {
    // The column of hashes has its room on the wide window.
    const { page, problems } = await desk('/dock/sessions', 'wide')
    await page.getByRole('row').getByText('1 file differs').waitFor()
    await page.goto(`${world.given.url}/dock/sessions/${session.DockSessionId}`)
    const outcome = page.getByRole('row').filter({ hasText: 'R1_1.mp4' })
    const words = outcome.getByText(DIFFERS).first()
    await words.waitFor()
    expect(await isWhole(words)).toBe(true)
    const text = tight(await outcome.innerText())
    expect(text).toContain(shortened(file['Sha256']))
    expect(text).toContain(`List:${shortened(LISTED)}`)
    expect(problems).toEqual([])
  })

  it('the list marks it, and its filter finds it and nothing else', async () => {
    await world.given.completed(Buffer.from('a note\n'), { name: 'note.txt', mimeType: 'text/plain' })
    const { page, problems } = await desk('/evidence')
    const row = page.getByRole('row').filter({ hasText: file['EvidenceId'] })
    await row.getByText('Differs from the camera’s list').waitFor()
    await page.goto(`${world.given.url}/evidence?status=differs`)
    await page.getByText('1 match').waitFor()
    expect(
      await page
        .getByRole('grid')
        .getByRole('row')
        .filter({ has: page.getByRole('gridcell') })
        .count(),
    ).toBe(1)
    expect(problems).toEqual([])
  })

  it('the page of the evidence shows both hashes, one below the other, and is not green', {
    tags: ['journey'],
  }, async () => {
    const { page, problems } = await desk(`/evidence/${file['EvidenceId']}`)
    const title = page.getByText('R1_1.mp4 differs from the camera’s list.')
    await title.waitFor()
    const lines = await page.locator('dl', { hasText: 'SHA-256 in the camera’s list' }).locator('dd').allInnerTexts()
    expect(lines.map(tight)).toEqual([LISTED, file['Sha256']].map(shortened))
    await page.locator('header').getByText('Differs from the camera’s list').first().waitFor()
    expect(await page.locator('header').getByText('Verified').count()).toBe(0)
    expect(await findings(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('the receipt says it above the files and beside the file', async () => {
    const { page, problems } = await desk(`/dock/sessions/${session.DockSessionId}/receipt`)
    const paper = page.getByRole('article')
    await paper.getByText('1 of them differs from the camera’s list and must be reviewed.').waitFor()
    expect(tight(await paper.innerText())).toContain(LISTED)
    expect(problems).toEqual([])
  })

  it('whoever looks after the cameras has a notice that leads to the docking', async () => {
    const { page, problems } = await desk('/evidence')
    await page
      .getByRole('button', { name: /^Notices|notice/i })
      .first()
      .click()
    const notice = page.getByRole('listitem').filter({ hasText: 'Files of a camera differ from the camera’s own list' })
    await notice.first().waitFor()
    await notice.first().getByRole('link').first().click()
    await page.waitForURL(`**/dock/sessions/${session.DockSessionId}`)
    expect(problems).toEqual([])
  })
})
