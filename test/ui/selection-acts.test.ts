/** What is done with many selected items at once: link to a case, set the category, how far it is, stop, undo. */
// @module-tag screen
import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ActsStation, actsStation } from './support/acts.ts'
import { findings, findingsInThemes } from './support/axe.ts'
import { looking, type Person, soon, undoByKey } from './support/cases.ts'
import type { LookOptions } from './support/window.ts'

const DOCUMENTS = '/documentstore/api/v1/tenant/station/evidence'
const CATEGORIES = '/api/v1/category/station'

let station: ActsStation
beforeAll(async () => {
  station = await actsStation()
}, 180_000)
afterAll(() => station?.given.close())

const open = (who: Person, at: string, options?: LookOptions) => looking(station.given, who, at, options)
const record = (id: string) => station.sergeant.send('GET', `${DOCUMENTS}/${id}`)
const toast = (page: Page, text: string | RegExp) => page.getByRole('region', { name: 'Messages' }).getByText(text)
const casesOf = async (id: string): Promise<string[]> =>
  (await station.sergeant.send('GET', `/api/v1/evidence/station/${id}`)).Relations.map(
    ({ CaseId }: { CaseId: string }) => CaseId,
  ).sort()
async function select(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names)
    await page.getByRole('row', { name, exact: false }).getByRole('checkbox').first().press('Space')
}

it('links what is selected to a case; Undo takes out what was not in it before', { tags: ['journey'] }, async () => {
  const { page, problems } = await open(station.sergeant, '/evidence')
  await page.getByRole('grid').getByText('Statement').waitFor()
  // *Camera 0417* is in the case already.
  await select(page, ['Statement', 'Camera 0417'])
  await page.getByRole('toolbar').getByRole('button', { name: 'Link to case' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Link to a case' })
  const field = dialog.getByRole('combobox', { name: /^Case/ })
  await soon(() => field.evaluate((node) => node === document.activeElement)).toBe(true)
  await page.getByRole('option', { name: /Mill Lane/ }).waitFor()
  await page.keyboard.type('Tanner')
  // What was found before is not offered for what is typed now.
  expect(await page.getByRole('option', { name: /Mill Lane/ }).count()).toBe(0)
  await page.getByRole('option', { name: /Tanner/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Link to case' }).press('Enter')
  await toast(page, '“Statement” is linked to “Burglary, Tanner’s Row”.').waitFor()
  expect(await casesOf(station.loose)).toEqual([station.from])
  await page.keyboard.press('Control+z')
  await soon(() => casesOf(station.loose)).toEqual([])
  expect(await casesOf(station.sealed)).toEqual([station.from])
  expect(problems).toEqual([])
})

it('says that a case is missing, and that all of it was there before', async () => {
  const { page, problems } = await open(station.sergeant, '/evidence')
  await page.getByRole('grid').getByText('Camera 0417').waitFor()
  await select(page, ['Camera 0417'])
  await page.getByRole('toolbar').getByRole('button', { name: 'Link to case' }).press('Enter')
  // The list of cases is open: what is behind it cannot be reached before one is chosen or it is closed.
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('Escape')
  const link = page.getByRole('dialog').getByRole('button', { name: 'Link to case' })
  await soon(() => link.count()).toBe(1)
  expect(await link.isEnabled()).toBe(false)
  const why = await link.getAttribute('aria-describedby')
  expect(await page.locator(`[id="${why}"]`).textContent()).toBe('Choose a case.')
  await page.getByRole('combobox', { name: /^Case/ }).fill('Tanner')
  await page.getByRole('option', { name: /Tanner/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Link to case' }).press('Enter')
  await toast(page, '“Camera 0417” was in “Burglary, Tanner’s Row” already.').waitFor()
  expect(await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: /Undo/ }).count()).toBe(0)
  expect(problems).toEqual([])
})

it('sets the category with how long it keeps; Undo gives back the one before', async () => {
  const made = (Name: string, RetentionDays: number | null) =>
    station.sergeant.send('POST', CATEGORIES, { Name, RetentionDays })
  const [traffic, violence] = [await made('Traffic', 90), await made('Violence', null)]
  await station.sergeant.send('PATCH', `${DOCUMENTS}/${station.loose}`, { CategoryId: traffic.CategoryId })
  const { page, problems } = await open(station.sergeant, '/evidence')
  await page.getByRole('grid').getByText('Statement').waitFor()
  await select(page, ['Statement', 'Hallway'])
  await page.getByRole('toolbar').getByRole('button', { name: 'Category' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Set the category' })
  await dialog.getByRole('button', { name: /Choose a category/ }).press('Enter')
  await page
    .getByRole('option', { name: /Traffic/ })
    .getByText('kept for 90 days')
    .waitFor()
  await page
    .getByRole('option', { name: /Violence/ })
    .getByText('kept until somebody decides')
    .waitFor()
  await page.getByRole('option', { name: /Violence/ }).click()
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Set category' }).press('Enter')
  await toast(page, '2 items are now in “Violence”.').waitFor()
  const categoryOf = async (id: string) => (await record(id)).CategoryId
  expect([await categoryOf(station.loose), await categoryOf(station.unfinished)]).toEqual([
    violence.CategoryId,
    violence.CategoryId,
  ])
  await page.keyboard.press('Control+z')
  await soon(() => categoryOf(station.loose)).toBe(traffic.CategoryId)
  await soon(() => categoryOf(station.unfinished)).toBe(null)
  expect(problems).toEqual([])
})

it('an act whose message is gone is undone from the list, which says what was undone and belongs to one person', async () => {
  const { CategoryId } = await station.sergeant.send('POST', CATEGORIES, { Name: 'Lost and found', RetentionDays: 30 })
  const categoryOf = async () => (await record(station.loose)).CategoryId
  const before = await categoryOf()
  const { page, problems } = await open(station.sergeant, '/evidence')
  await page.keyboard.press('Control+z')
  expect(await page.getByRole('complementary', { name: 'Undo list' }).count()).toBe(0)
  await page.getByRole('grid').getByText('Statement').waitFor()
  await select(page, ['Statement'])
  await page.getByRole('toolbar').getByRole('button', { name: 'Category' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Set the category' })
  await dialog.getByRole('button', { name: /Choose a category/ }).press('Enter')
  await page.getByRole('option', { name: /Lost and found/ }).click()
  await dialog.getByRole('button', { name: 'Set category' }).press('Enter')
  const said = '“Statement” is now in “Lost and found”.'
  await toast(page, said).waitFor()
  await soon(categoryOf).toBe(CategoryId)
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Close' }).press('Enter')
  await toast(page, said).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  const list = page.getByRole('complementary', { name: 'Undo list' })
  await list.getByText(said, { exact: true }).waitFor()
  expect(await categoryOf(), 'nothing is undone that is not in sight').toBe(CategoryId)
  await page.keyboard.press('Control+Shift+l')
  await page.locator('input[autocomplete=current-password]').fill(station.sergeant.password)
  await page.keyboard.press('Enter')
  expect(await findingsInThemes(page)).toEqual([])
  await list.getByRole('button', { name: `Undo: ${said}` }).press('Enter')
  await soon(categoryOf).toBe(before)
  await list.getByText('Undone', { exact: true }).waitFor()
  expect(await list.getByRole('button', { name: /^Undo:/ }).count()).toBe(0)
  expect(problems).toEqual([])
})

it('says how far it is, stops between two items, and goes on with the rest', async () => {
  await station.sergeant.send('POST', CATEGORIES, { Name: 'Found property', RetentionDays: 365 })
  const ids: string[] = []
  for (let at = 0; at < 24; at++)
    ids.push((await station.sergeant.send('POST', DOCUMENTS, { Name: `Frame ${at}` })).EvidenceId)
  const { page } = await open(station.sergeant, '/evidence?q=Frame')
  await page.getByRole('grid').getByText('Frame 23').waitFor()
  await page
    .getByRole('grid')
    .getByText('Frame 23')
    .focus()
    .catch(() => {})
  await select(page, ['Frame 23'])
  await page.keyboard.press('Control+a')
  // Four go at once, and each waits for a moment: a person must be able to see it and to stop it.
  let held = 0
  await page.route(`**${DOCUMENTS}/*`, async (route) => {
    if (route.request().method() === 'PATCH') {
      held += 1
      await new Promise((resolve) => setTimeout(resolve, 600))
    }
    await route.continue()
  })
  await page.getByRole('toolbar').getByRole('button', { name: 'Category' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Set the category' })
  await dialog.getByRole('button', { name: /Choose a category/ }).press('Enter')
  await page
    .getByRole('option', { name: /Found property/ })
    .getByText('kept for 1 year')
    .waitFor()
  await page.getByRole('option', { name: /Found property/ }).click()
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Set category' }).press('Enter')
  await dialog.getByRole('progressbar', { name: /^[1-9]\d* of 24/ }).waitFor()
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Stop' }).press('Enter')
  await dialog.getByText('You stopped it.').waitFor()
  expect(held).toBeLessThan(24)
  const set = async () => (await Promise.all(ids.map(record))).filter(({ CategoryId }) => CategoryId !== null).length
  const done = await set()
  expect(done).toBe(held)
  await toast(page, new RegExp(`^${done} items are now in`)).waitFor()
  await dialog.getByRole('button', { name: 'Set category' }).press('Enter')
  await toast(page, new RegExp(`^${24 - done} items are now in`)).waitFor()
  // Where half of them were done, the message before says the same.
  await soon(set).toBe(24)
  expect(held).toBe(24)
})

it('downloads what is selected as one ZIP file, which unzip finds whole', async () => {
  const { page, problems } = await open(station.sergeant, '/evidence?sort=created&dir=asc')
  await page.getByRole('grid').getByText('Statement').waitFor()
  await select(page, ['Statement', 'Camera 0417'])
  const begun = page.waitForEvent('download')
  await page.getByRole('toolbar').getByRole('button', { name: 'Download' }).press('Enter')
  const download = await begun
  expect(download.suggestedFilename()).toMatch(/^Evidence .*Z\.zip$/)
  await toast(page, 'One ZIP file with 2 items begins to download.').waitFor()
  const names = execFileSync('unzip', ['-Z1', await download.path()], { encoding: 'utf8' })
    .trim()
    .split('\n')
  expect(names).toHaveLength(4)
  execFileSync('unzip', ['-tq', await download.path()])
  expect(problems).toEqual([])
})

it('is absent without the right, and leaves out what one may not edit', async () => {
  const { page } = await open(station.lindqvist, '/evidence')
  await page.getByRole('grid').getByText('Rear window').first().waitFor()
  await select(page, ['Rear window'])
  const names = await page.getByRole('toolbar').getByRole('button').allInnerTexts()
  expect(names.filter((name) => /Link|Category|Move|Protect|Delete/.test(name))).toEqual([])
})

it('in French, dark and narrow the dialog fits, and axe finds nothing', async () => {
  const { page } = await open(station.sergeant, '/evidence?sort=created&dir=asc', {
    language: 'fr',
    theme: 'dark',
    size: 'small',
  })
  await page.getByRole('grid').getByText('Statement').waitFor()
  await select(page, ['Statement', 'Hallway'])
  await page.getByRole('toolbar').getByRole('button', { name: 'Lier à un dossier' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Lier à un dossier' })
  await dialog.waitFor()
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  expect(await findings(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
})

it('R gives titles to what has none, to the others only where that is asked for, and Undo takes them back', async () => {
  const made = async (Name: string, file?: string): Promise<string> => {
    const { EvidenceId } = await station.sergeant.send('POST', DOCUMENTS, { Name })
    if (file !== undefined) await station.sergeant.send('POST', `${DOCUMENTS}/${EvidenceId}/resource`, { Name: file })
    return EvidenceId
  }
  const ids = [await made('Shed own title'), await made('Shed_01', 'Shed_01.mp4'), await made('Shed_02', 'Shed_02.mp4')]
  const names = async (): Promise<string[]> => (await Promise.all(ids.map(record))).map(({ Name }) => Name)
  const { page, problems } = await open(station.sergeant, '/evidence?q=Shed')
  await page.getByRole('grid').getByText('Shed_02').waitFor()
  await page.getByRole('row', { name: 'Shed own title', exact: false }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Titles of 2 items' })
  const title = page.getByRole('dialog').getByRole('textbox', { name: /^Title/ })
  await soon(() => title.evaluate((node) => node === document.activeElement).catch(() => false)).toBe(true)
  const set = dialog.getByRole('button', { name: 'Set titles' })
  expect(await set.isEnabled()).toBe(false)
  await page.keyboard.type('Shed fire')
  await dialog.getByText('“Shed fire 1” to “Shed fire 2”').waitFor()
  expect(await findingsInThemes(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await toast(page, 'Titles set on 2 items.').waitFor()
  expect(await names()).toEqual(['Shed own title', 'Shed fire 1', 'Shed fire 2'])
  await undoByKey(page)
  await soon(names).toEqual(['Shed own title', 'Shed_01', 'Shed_02'])
  await page.getByRole('grid').getByText('Shed_02').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('r')
  await title.waitFor()
  await page.getByRole('checkbox', { name: 'Also change the title of 1 item that has one' }).press('Space')
  await page.getByRole('dialog', { name: 'Titles of 3 items' }).waitFor()
  await title.fill('Shed fire')
  await title.press('Enter')
  await toast(page, 'Titles set on 3 items.').waitFor()
  expect((await names()).toSorted()).toEqual(['Shed fire 1', 'Shed fire 2', 'Shed fire 3'])
  expect(problems).toEqual([])
})
