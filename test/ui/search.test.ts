/** The search as people work with it: from the field above every page, on its own page by keyboard, its address, what is kept. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { type SearchStation, searchStation } from './support/search.ts'

let station: SearchStation
beforeAll(async () => {
  station = await searchStation()
}, 180_000)
afterAll(() => station?.given.close())

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search everything' })
const hits = (page: Page) => page.getByRole('grid', { name: 'What was found' }).getByRole('row')
const found = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words }).waitFor()
/** It is checked once the address says so, which takes a moment. */
async function choose(page: Page, name: string): Promise<void> {
  const box = page.getByRole('checkbox', { name })
  await page.locator('label').filter({ has: box }).click()
  await soon(() => box.isChecked()).toBe(true)
}
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })

describe('the field above every page', () => {
  it('finds as one types, the very number first, and Enter leads to the search', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, burglary } = station
    const { page, problems } = await looking(given, sergeant, '/cases')
    await page.getByRole('grid').getByText('Theft of a bicycle').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type(burglary.Ordinal)
    const options = page.getByRole('option')
    await page.getByRole('group', { name: 'Exact number' }).getByText('Burglary, 14 Tanner’s Row').waitFor()
    await page.getByRole('combobox').fill('burgl')
    await page.getByRole('group', { name: 'Evidence' }).getByText('Witness statement').waitFor()
    expect(await options.first().innerText()).toContain('All results for “burgl”')
    expect(await page.getByRole('group', { name: 'Cases' }).getByRole('option').count()).toBe(3)
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Enter')
    await found(page, '4 found')
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/search?q=burgl')
    // A person is found too, and leads whoever administers people to their account.
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('okaf')
    await page.getByRole('group', { name: 'People and groups' }).getByText('Dayo Okafor').click()
    await soon(() => page.url()).toContain('/administration/users?open=')
    expect(problems).toEqual([])
  })
})

describe('the page of the search', () => {
  it('teaches how to ask, and everything is in the address', { timeout: 180_000 }, async () => {
    const { given, sergeant, burglary } = station
    const { page, problems } = await looking(given, sergeant, '/search')
    await page.getByRole('heading', { name: 'What are you looking for?' }).waitFor()
    expect(await findings(page)).toEqual([])
    await button(page, 'tag:night').focus()
    await page.keyboard.press('Enter')
    await found(page, '1 found')
    await soon(() => field(page).evaluate((one) => one === document.activeElement)).toBe(true)

    // By keyboard: words, then down into what was found, opened, and back to the very place.
    await field(page).fill('')
    await page.keyboard.type('burglary window')
    await found(page, '1 found')
    await field(page).fill('burglary')
    await found(page, '4 found')
    expect(await hits(page).nth(1).locator('mark').first().innerText()).toBe('Burglary')
    await page.getByRole('checkbox', { name: 'Cases, 3' }).focus()
    await page.keyboard.press('Space')
    await found(page, '3 found')
    await choose(page, 'Case open, 2')
    await found(page, '2 found')
    await choose(page, 'Traffic, 1')
    await found(page, '1 found')
    const address = page.url()
    await page.reload()
    await found(page, '1 found')
    expect(page.url()).toBe(address)
    await page
      .getByRole('grid')
      .getByRole('row', { name: /Vehicle stop/ })
      .focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Vehicle stop, Mill Lane' }).waitFor()
    await page.goBack()
    await found(page, '1 found')
    await button(page, 'Clear all filters').first().click()
    await found(page, '4 found')

    // A field of the station's own, and the place on the map.
    await button(page, 'Add a field').click()
    await page.getByRole('dialog').getByRole('button', { name: /Field/ }).click()
    await page.getByRole('option', { name: 'Suspects' }).click()
    await page.getByRole('textbox', { name: 'From' }).fill('two')
    await button(page, 'Add the filter').click()
    await page.getByText('Write a number, such as 12.5.').waitFor()
    await page.getByRole('textbox', { name: 'From' }).fill('2')
    await page.keyboard.press('Enter')
    await found(page, '1 found')
    await hits(page).getByText(burglary.Ordinal).waitFor()
    await page.getByRole('button', { name: /^Clear the filter Suspects/ }).click()
    await found(page, '4 found')
    await page.goto(`${given.url}/search?box=%2213.3,52.4,13.5,52.6%22`)
    await found(page, '2 found')
    await button(page, 'Choose on the map').click()
    await page.getByRole('application', { name: /Map/ }).focus()
    const before = await page
      .getByText(/° N to/)
      .last()
      .innerText()
    await page.keyboard.press('-')
    await soon(() =>
      page
        .getByText(/° N to/)
        .last()
        .innerText(),
    ).not.toBe(before)
    expect(await findings(page)).toEqual([])
    await button(page, 'Search in this part').click()
    await soon(() => page.url()).not.toContain('13.3,52.4')
    await page.goto(`${given.url}/search?q=zebra&types=%5B%22Case%22%5D`)
    await page.getByText('Nothing found').waitFor()
    await button(page, 'Clear the filters').click()
    await soon(() => page.url()).not.toContain('types')
    expect(problems).toEqual([])
  })

  it('what is asked often is saved, shown again, renamed, deleted and taken back', { timeout: 120_000 }, async () => {
    const { given, okafor } = station
    const { page, problems } = await looking(given, okafor, '/search?q=burglary&types=%5B%22Case%22%5D')
    await found(page, '1 found')
    await button(page, 'Saved searches').click()
    await page.getByText('No saved search yet').waitFor()
    // The library's hidden buttons that dismiss a popover stand beside its dialog, in no landmark.
    expect((await findings(page)).filter((one) => !one.startsWith('region'))).toEqual([])
    await button(page, 'Save this search').click()
    await page.getByRole('textbox', { name: 'Name' }).fill('My burglaries')
    await page.keyboard.press('Enter')
    await page.getByText('Saved as “My burglaries”.').waitFor()
    await page.goto(`${given.url}/search`)
    await button(page, 'Saved searches').click()
    await button(page, 'My burglaries').click()
    await found(page, '1 found')
    expect(decodeURIComponent(page.url())).toContain('/search?q=burglary&types=["Case"]')
    await button(page, 'Saved searches').click()
    await button(page, 'Tell me of what is new in “My burglaries”').click()
    await page.getByText('You will be told of what is new in “My burglaries”.').waitFor()
    const [{ SavedSearchId, Subscribed }] = await okafor.send('GET', '/searchservice/api/v1/saved/station')
    expect(Subscribed).toBe(true)
    // The notice of what is new leads here.
    await page.goto(`${given.url}/search?saved=${SavedSearchId}`)
    await found(page, '1 found')
    expect(decodeURIComponent(page.url())).toContain('/search?q=burglary&types=["Case"]&sort=newest')
    await button(page, 'Saved searches').click()
    await button(page, 'Rename My burglaries').click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Burglaries')
    await page.keyboard.press('Enter')
    await button(page, 'Delete Burglaries').click()
    await page.getByText('No saved search yet').waitFor()
    // The line that had the focus is gone; it comes back into the popover a moment later.
    await page.getByRole('dialog', { name: 'Saved searches' }).press('Escape')
    await button(page, /^Undo/).click()
    await button(page, 'Saved searches').click()
    await button(page, 'Burglaries').waitFor()
    expect(problems).toEqual([])
  })

  it('in every theme, narrow and in French it holds', { timeout: 120_000 }, async () => {
    const { given, sergeant } = station
    for (const options of [
      { theme: 'dark', size: 'small' },
      { theme: 'contrast', size: 'small' },
      { language: 'fr', size: 'small' },
    ] as const) {
      const { page, problems } = await looking(given, sergeant, '/search?q=burglary', options)
      await hits(page)
        .or(page.getByRole('grid', { name: 'Résultats' }).getByRole('row'))
        .nth(1)
        .waitFor()
      expect(await findings(page)).toEqual([])
      // What a window of 1280 px shows at 200 %.
      for (const viewport of [
        { width: 1024, height: 700 },
        { width: 640, height: 512 },
      ]) {
        await page.setViewportSize(viewport)
        await page.waitForTimeout(150)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(wide).toBeLessThanOrEqual(0)
      }
      expect(problems).toEqual([])
    }
  })
})
