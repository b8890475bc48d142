/** The list of evidence as a shift leaves it: names, columns, filters with counts, views. */
// @module-tag screen
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATOR } from '../support/given.ts'
import { findings, findingsInThemes } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { type ColumnsStation, columnsStation } from './support/columns.ts'
import type { LookOptions } from './support/window.ts'

let station: ColumnsStation
beforeAll(async () => {
  station = await columnsStation()
}, 240_000)
afterAll(() => station?.close())

const sergeant = { username: ADMINISTRATOR.username, password: ADMINISTRATOR.password }
const open = (at: string, options?: LookOptions) => looking(station.given, sergeant, at, options)
/** Without the heads of shifts, which have no box. */
const rows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell').getByRole('checkbox') })
const heads = (page: Page) =>
  page
    .getByRole('columnheader')
    .allInnerTexts()
    .then((texts) => texts.map((text) => text.trim()).filter((text) => text !== ''))
const addressOf = (page: Page): string => new URL(page.url()).search
const addFilter = async (page: Page, typed: string): Promise<void> => {
  await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
  const field = page.getByRole('searchbox', { name: 'Find a filter' })
  // Keys that come before it has the focus go elsewhere.
  await soon(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.type(typed)
  await soon(() => field.inputValue()).toBe(typed)
  await page.keyboard.press('Enter')
  await field.waitFor({ state: 'detached' })
}

describe('names and columns', () => {
  it('says of docked footage which camera, when and where, whose it is and in which case', {
    tags: ['journey'],
  }, async () => {
    const { page, problems } = await open('/evidence')
    const named = rows(page).filter({ hasText: 'BWC 0410, 14:11, Quay Road' })
    await named.waitFor()
    const text = await named.innerText()
    for (const part of ['R1', 'Okafor, R.', 'BWC 0410', 'Theft']) expect(text).toContain(part)
    const called = rows(page).filter({ hasText: 'Ferry Street 4' })
    expect(await called.innerText()).toMatch(/BWC 0388, 14:\d\d, Ferry Street 4[^]*\d{4}-\d{6}/)
    await rows(page).filter({ hasText: 'Arrest at the quay' }).waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await named.getByText('Quay Road').click()
    await page.getByRole('heading', { level: 1, name: 'BWC 0410, 14:11, Quay Road' }).waitFor()
    expect(await page.title()).toBe('BWC 0410, 14:11, Quay Road · Sallyport')
    expect(problems).toEqual([])
  })

  it('shows and hides columns by keyboard, keeps the choice, and never mixes length and size', async () => {
    const { page } = await open('/evidence')
    await rows(page).first().waitFor()
    expect(await heads(page)).toEqual(['Name', 'Recorded, corrected', 'Length', 'Officer, camera', 'Category', 'State'])
    await page.getByRole('button', { name: 'Columns' }).press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'Category' }).press('Space')
    await page.getByRole('menuitemcheckbox', { name: 'Size' }).press('Space')
    await page.keyboard.press('Escape')
    await soon(() => heads(page)).toEqual(['Name', 'Recorded, corrected', 'Length', 'Officer, camera', 'Size', 'State'])
    const cells = await rows(page).first().getByRole('gridcell').allInnerTexts()
    // Of what is no film no length is known, whatever its size.
    expect(cells.some((text) => /^\d+(\.\d)?\s[kM]B$/.test(text.trim()))).toBe(true)
    await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').press('Enter')
    await soon(() => addressOf(page)).toContain('sort=length')
    await page.reload()
    await rows(page).first().waitFor()
    expect(await heads(page)).toContain('Size')
    await page.getByRole('button', { name: 'Columns' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Columns as they were' }).press('Enter')
    await soon(() => heads(page)).toContain('Category')
  })

  it('cases say who is assigned, under which category, how long they are open, and show a picture', async () => {
    const { page } = await open('/cases', { size: 'wide' })
    await page.getByRole('grid').getByText('Burglary in progress').waitFor()
    expect(await heads(page)).toEqual(expect.arrayContaining(['Officers', 'Category', 'Open for', 'Changed']))
    await page.getByRole('grid').getByText('under 1 h').first().waitFor()
    expect(await findings(page)).toEqual([])
  })
})

describe('shifts', () => {
  it('stand over their rows with how many there are of the list, and go away by choice', async () => {
    const { page, problems } = await open('/evidence')
    await rows(page).first().waitFor()
    const shifts = () => page.getByRole('gridcell', { name: /^Shift of / }).allInnerTexts()
    await soon(shifts).toEqual([
      expect.stringMatching(/, 22:00 to 06:00[^]*2 items/),
      expect.stringMatching(/, 14:00 to 22:00[^]*5 items/),
    ])
    expect(await findings(page)).toEqual([])
    await addFilter(page, 'officer')
    await page.getByRole('checkbox', { name: /^Okafor/ }).press('Space')
    await page.keyboard.press('Escape')
    await soon(shifts).toEqual([expect.stringMatching(/2 items/), expect.stringMatching(/3 items/)])
    await page.getByRole('button', { name: 'Columns' }).press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'Group by shift' }).press('Space')
    await page.keyboard.press('Escape')
    await soon(shifts).toEqual([])
    await page.reload()
    await soon(() => rows(page).count()).toBe(5)
    expect(await shifts()).toEqual([])
    expect(problems).toEqual([])
  })

  it('fold and unfold by pointer and keys, keep the focus, and stay so after a reload', async () => {
    const { page, problems } = await open('/evidence')
    await soon(() => rows(page).count()).toBe(7)
    const night = page.getByRole('button', { name: /22:00 to 06:00/ })
    const late = page.getByRole('button', { name: /14:00 to 22:00/ })
    const focused = (button: typeof night) => button.evaluate((node) => node === document.activeElement)
    expect(await night.getAttribute('aria-expanded')).toBe('true')
    await night.press('Enter')
    await soon(() => rows(page).count()).toBe(5)
    expect([await night.getAttribute('aria-expanded'), await focused(night)]).toEqual(['false', true])
    await page.getByText('7 you can view').waitFor()
    await late.press('ArrowLeft')
    await soon(() => rows(page).count()).toBe(0)
    expect(await focused(late)).toBe(true)
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('3')
    expect(await findingsInThemes(page)).toEqual([])
    await late.press('ArrowRight')
    await soon(() => rows(page).count()).toBe(5)
    await late.press('ArrowDown')
    await soon(() =>
      rows(page)
        .first()
        .evaluate((row) => row === document.activeElement),
    ).toBe(true)
    // All are chosen, also those that are folded away.
    await page.keyboard.press('Control+a')
    await page.getByText('7 selected').waitFor()
    await page.getByText('2 out of sight').waitFor()
    await page.keyboard.press('Escape')
    await page.reload()
    await soon(() => rows(page).count()).toBe(5)
    await night.click()
    await soon(() => rows(page).count()).toBe(7)
    expect(problems).toEqual([])
  })
})

describe('filters', () => {
  it('are found by typing, count what one can view, take several values, and stand readable in the address', async () => {
    const { page, problems } = await open('/evidence')
    await rows(page).first().waitFor()
    await addFilter(page, 'offi')
    const panel = page.getByRole('dialog', { name: 'Officer' })
    const okafor = panel.getByRole('checkbox', { name: 'Okafor, Robin, 5' })
    await okafor.waitFor()
    expect(await findings(page)).toEqual([])
    await okafor.press('Space')
    await soon(() => rows(page).count()).toBe(5)
    await panel.getByRole('checkbox', { name: 'Lindqvist, Robin, 2' }).press('Space')
    await soon(() => rows(page).count()).toBe(7)
    await okafor.press('Space')
    await soon(() => rows(page).count()).toBe(2)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Officer Lindqvist, Robin/ }).waitFor()
    expect(addressOf(page)).toMatch(/^\?officer=\d+$/)
    await page.reload()
    await soon(() => rows(page).count()).toBe(2)
    await page.getByRole('button', { name: 'Clear all filters' }).press('Enter')
    await soon(() => rows(page).count()).toBe(7)
    expect(addressOf(page)).toBe('')
    expect(problems).toEqual([])
  })

  it('presets of time, size and what a row has apply at once', async () => {
    const { page } = await open('/evidence')
    await rows(page).first().waitFor()
    await addFilter(page, 'last 7')
    await soon(() => addressOf(page)).toBe('?when=week')
    await soon(() => rows(page).count()).toBe(7)
    await addFilter(page, 'has notes')
    await soon(() => rows(page).count()).toBe(1)
    await page.getByRole('button', { name: /^Recorded Last 7 days/ }).press('Enter')
    await page.getByRole('radio', { name: 'Today' }).press('Space')
    await soon(() => addressOf(page)).toContain('when=today')
    await page.getByText('Nothing matches').waitFor()
    expect(await findings(page)).toEqual([])
  })

  it('reads addresses of earlier versions', async () => {
    const { page } = await open('/evidence?status=%5B%22attention%22%2C%22verified%22%5D')
    await page.getByRole('button', { name: /^State / }).waitFor()
    await soon(() => addressOf(page)).toBe('?status=attention,verified')
  })
})

describe('views', () => {
  it('keep filters, order and columns under a name in the rail; renamed, moved and removed there', async () => {
    const { page, problems } = await open(`/evidence?category=${station.theft}&sort=name&dir=asc`)
    await soon(() => rows(page).count()).toBe(2)
    const save = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Views' }).press('Enter')
      await page.getByRole('menuitem', { name: /^Save as a view/ }).press('Enter')
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Save as a view' }).waitFor({ state: 'detached' })
    }
    await save('Thefts')
    const rail = page.getByRole('list', { name: 'My views of evidence' })
    await rail.getByRole('link', { name: 'Thefts' }).waitFor()
    await rail.getByRole('link', { name: 'Thefts' }).focus()
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    expect(await findingsInThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Clear all filters' }).press('Enter')
    await soon(() => rows(page).count()).toBe(7)
    await save('Everything by name')
    await rail.getByRole('link', { name: 'Thefts' }).press('Enter')
    await soon(() => rows(page).count()).toBe(2)
    expect(addressOf(page)).toContain('sort=name')

    const more = (name: string) => page.getByRole('button', { name: `More for the view ${name}` })
    // The menu of another view may still be fading out, so each item is looked for in its own.
    const choose = async (view: string, item: string): Promise<void> => {
      await more(view).press('Enter')
      await page
        .getByRole('menu', { name: `More for the view ${view}` })
        .getByRole('menuitem', { name: item })
        .press('Enter')
    }
    await choose('Everything by name', 'Move up')
    await soon(() => rail.getByRole('link').allInnerTexts()).toEqual(['Everything by name', 'Thefts'])
    await choose('Thefts', 'Rename the view')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Everything by name')
    await page.keyboard.press('Enter')
    await page.getByText('You have a view or a saved search of this name already.').waitFor()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Thefts of the month')
    await page.keyboard.press('Enter')
    await soon(() => rail.getByRole('link').allInnerTexts()).toEqual(['Everything by name', 'Thefts of the month'])

    await choose('Thefts of the month', 'Remove the view')
    await soon(() => rail.getByRole('link').allInnerTexts()).toEqual(['Everything by name'])
    // The key takes back what the message in sight offers.
    await page.getByText('The view “Thefts of the month” is removed.').waitFor()
    await page.keyboard.press('Control+z')
    await soon(() => rail.getByRole('link').allInnerTexts()).toEqual(['Everything by name', 'Thefts of the month'])
    // A view is no search.
    await page.goto(`${station.given.url}/search`)
    await page.getByRole('button', { name: 'Saved searches' }).press('Enter')
    await page.getByText('No saved search yet').waitFor()
    expect(problems).toEqual([])
  })
})

it('in French, dark and narrow nothing overflows, and axe finds nothing', async () => {
  const { page } = await open('/evidence?when=month', { language: 'fr', theme: 'dark', size: 'small' })
  await rows(page).first().waitFor()
  await page.getByRole('button', { name: /^Enregistrée 30 derniers jours/ }).waitFor()
  expect(await findings(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})
