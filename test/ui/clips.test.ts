/** Clips from the player, a part of a picture, and two pictures side by side (decisions 31). */
// @module-tag screen
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Given, Json } from '../support/given.ts'
import { findings } from './support/axe.ts'
import { added, onPage, soon, stationForPages } from './support/evidence.ts'
import { numberedVideo, shownNumber } from './support/numbered.ts'

let given: Given
beforeAll(async () => {
  given = await stationForPages()
}, 120_000)
afterAll(() => given?.close())

const FRAMES = 200
const shown = (page: Page, number: number) => soon(() => shownNumber(page)).toBe(number)
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Create clips' })
const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })

/** A recording of numbered frames, 25 a second, with a key frame each 50. */
async function recording(at = '') {
  const file = await numberedVideo('Numbered.mp4', { frames: FRAMES, rate: '25', sound: true })
  const made = await added(given, file)
  const looking = await onPage(given, made.evidenceId, { at })
  await looking.page.locator('[data-frame]').waitFor()
  return { ...looking, ...made }
}

const clipsOf = async (evidenceId: string): Promise<Json[]> =>
  (await given.settled(evidenceId)).filter(({ Taken }) => Taken?.Kind === 'exact' || Taken?.Kind === 'stream')

describe('clips from the player', () => {
  it('C makes one from In to Out; it opens from the message, shows its first frame and leads back to the recording', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const { page, problems, evidenceId } = await recording('?in=1.02&out=2.02&t=1.02')
    await page.keyboard.press('c')
    await dialog(page).getByText('00:01.020 – 00:02.020').waitFor()
    await dialog(page).getByRole('textbox', { name: 'Title of clip 1' }).fill('The door')
    await dialog(page).getByRole('button', { name: 'Create clip', exact: true }).click()
    await messages(page)
      .getByText(/is being created/)
      .waitFor()
    await messages(page).getByText('Clip created: The door.mp4').waitFor({ timeout: 40_000 })
    await messages(page).getByRole('button', { name: 'Open it' }).click()
    await page.getByText(/^Clip of \d+ Numbered\.mp4, 00:01\.000 to 00:02\.040/).waitFor()
    await page.getByRole('row', { name: /The door\.mp4/ }).waitFor()
    await page.locator('[data-frame]').waitFor({ timeout: 40_000 })
    await shown(page, 25)
    await page.keyboard.press('End')
    await shown(page, 50)
    await page.getByRole('button', { name: 'Show this moment in the recording' }).click()
    await page.getByRole('region', { name: /^Player, \d+ Numbered/ }).waitFor()
    await shown(page, 25)
    expect(new URL(page.url()).searchParams.get('out')).toBe('2.04')
    expect(await clipsOf(evidenceId)).toHaveLength(1)
    await page.getByText('Clip created, 00:01.000 to 00:02.040').first().waitFor()
    expect(problems).toEqual([])
  })

  it('says what the untouched stream will really hold, and makes one around each mark with one button', {
    timeout: 120_000,
  }, async () => {
    const { page, problems, evidenceId, resourceId } = await recording()
    const place = `${given.documents}/evidence/${evidenceId}/bookmark`
    for (const [StartSeconds, Title] of [
      [3, 'Second person'],
      [6.5, '00:06.500'],
    ] as const)
      await given.expecting(201, given.call('POST', place, { body: { ResourceId: resourceId, StartSeconds, Title } }))
    await page.reload()
    await page.locator('[data-frame]').waitFor()
    await page.getByRole('button', { name: /^Clip/ }).click()
    // Without a selection the marks are offered.
    const seconds = dialog(page).getByRole('textbox', { name: /the mark$/ })
    for (const [at, value] of [
      [0, '0'],
      [1, '0'],
    ] as const) {
      await seconds.nth(at).fill(value)
      await seconds.nth(at).press('Tab')
    }
    await dialog(page).locator('label', { hasText: 'Untouched stream' }).click()
    await dialog(page).locator('[data-real]').nth(1).waitFor()
    const told = await dialog(page).locator('[data-real]').allInnerTexts()
    expect(await dialog(page).getByRole('textbox', { name: 'Title of clip 1' }).inputValue()).toBe('Second person')
    expect(await findings(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Create 2 clips' }).click()
    await messages(page)
      .getByText(/^2 clips are being created/)
      .waitFor()
    await messages(page)
      .getByText(/^Clip created|^2 clips created/)
      .first()
      .waitFor({ timeout: 40_000 })
    await soon(async () => (await clipsOf(evidenceId)).length).toBe(2)
    const made = (await clipsOf(evidenceId)).toSorted((one, other) => one.Taken.FromSeconds - other.Taken.FromSeconds)
    expect(made.map(({ Name }) => Name)[0]).toBe('Second person.mp4')
    const seen = (value: number): string => `00:0${value.toFixed(3)}`
    for (const [at, { Taken }] of made.entries())
      expect(told[at]).toContain(`becomes ${seen(Taken.FromSeconds)} – ${seen(Taken.ToSeconds)}`)
    expect(problems).toEqual([])
  })

  it('stands in the palette; without selection and marks it says what to do', {
    timeout: 120_000,
  }, async () => {
    const { page, problems } = await recording()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('Create clips')
    await page.getByRole('option', { name: /^Create clips/ }).waitFor()
    await page.keyboard.press('Enter')
    await dialog(page)
      .getByText(/Set In \(I\) and Out \(O\)/)
      .waitFor()
    expect(await dialog(page).getByRole('button', { name: 'Create 0 clips' }).getAttribute('aria-disabled')).toBe(
      'true',
    )
    expect(problems).toEqual([])
  })
})

describe('a picture', () => {
  async function stills() {
    const looking = await recording()
    const { evidenceId, resourceId } = looking
    const of = `${given.documents}/evidence/${evidenceId}/resource/${resourceId}/still`
    const made: Json[] = []
    for (const Seconds of [1, 2]) made.push(await given.expecting(201, given.call('POST', of, { body: { Seconds } })))
    await given.settled(evidenceId)
    const [first, second] = made as [Json, Json]
    await looking.page.goto(`${given.url}/evidence/${evidenceId}?r=${first.ResourceId}`)
    await looking.page.locator('[data-taken]').waitFor()
    return { ...looking, first, second }
  }

  it('is cropped by keys alone: the part becomes a file of its own', { timeout: 120_000 }, async () => {
    const { page, problems, evidenceId, first } = await stills()
    await page.keyboard.press('c')
    const frame = page.getByRole('application', { name: 'Picture to zoom and move' })
    await frame.focus()
    await page.keyboard.press('Enter')
    const area = async (): Promise<Json> =>
      JSON.parse((await page.locator('[data-crop]').getAttribute('data-crop')) ?? '')
    const begun = await area()
    for (const key of ['ArrowRight', 'Control+ArrowDown', 'Shift+ArrowLeft']) await page.keyboard.press(key)
    expect(await area()).toEqual({ ...begun, left: begun.left + 1, top: begun.top + 10, width: begun.width - 1 })
    await page.getByRole('textbox', { name: 'Height' }).fill('20')
    await page.getByRole('textbox', { name: 'Height' }).press('Tab')
    expect(await findings(page)).toEqual([])
    const { left, top, width } = await area()
    await page.getByRole('button', { name: 'Save as a copy' }).click()
    await messages(page)
      .getByText(/^Saved as a copy/)
      .waitFor({ timeout: 20_000 })
    const crop = (await given.settled(evidenceId)).find(({ Taken }) => Taken?.Kind === 'crop')
    expect(crop).toMatchObject({
      Parent: first.ResourceId,
      Taken: { Area: { Left: left, Top: top, Width: width, Height: 20 } },
    })
    await messages(page).getByRole('button', { name: 'Open it' }).click()
    await page.getByText(/^Part of .* 20 pixels at/).waitFor()
    expect(problems).toEqual([])
  })

  it('is compared with another one: one zoom and one place for both, and what differs', {
    timeout: 120_000,
  }, async () => {
    const { page, problems, first, second } = await stills()
    await page.getByRole('button', { name: 'Compare' }).click()
    const panes = page.locator('[data-compare="side"] [role="application"] img')
    await panes.nth(1).waitFor()
    expect(new URL(page.url()).searchParams.get('with')).toBe(second.ResourceId)
    const transforms = () => panes.evaluateAll((all) => all.map((one) => (one as HTMLElement).style.transform))
    const before = await transforms()
    await page.getByRole('application', { name: /^Second picture/ }).hover()
    await page.mouse.wheel(0, -300)
    await soon(async () => (await transforms())[0] !== before[0]).toBe(true)
    await page.getByRole('application', { name: /^First picture/ }).focus()
    await page.keyboard.press('ArrowRight')
    const [one, other] = await transforms()
    expect(other).toBe(one)
    expect(await findings(page)).toEqual([])
    await page.getByRole('radio', { name: 'Difference' }).click()
    await page.getByText(/^Black where both are the same.*pixels differ/).waitFor()
    await page.getByRole('button', { name: 'Swap' }).click()
    await soon(() => new URL(page.url()).searchParams.get('with')).toBe(first.ResourceId)
    await page.getByRole('button', { name: 'Close the comparison' }).click()
    await page.getByRole('button', { name: 'Compare' }).waitFor()
    expect(problems).toEqual([])
  })
})
