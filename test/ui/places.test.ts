/** Searching by a place and a radius, and the map of how much evidence was where: by keyboard, in the address, with rights. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings, findingsInThemes } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { importTown, placesStation } from './support/places.ts'
import type { SearchStation } from './support/search.ts'

let station: SearchStation
beforeAll(async () => {
  station = await placesStation()
}, 180_000)
afterAll(() => station?.given.close())

const found = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words }).waitFor()
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const search = (page: Page): string => decodeURIComponent(new URL(page.url()).search)
const place = (page: Page) => page.getByRole('combobox', { name: 'Place' })

describe('a place and a radius', () => {
  it('are typed in any notation, judged beside the field, kept in the address, changed and cleared by keyboard', {
    timeout: 180_000,
  }, async () => {
    const { given, sergeant } = station
    const { page, problems } = await looking(given, sergeant, '/search')
    await button(page, 'Place and radius').focus()
    await page.keyboard.press('Enter')
    await place(page).waitFor()
    await page.getByText('Coordinates. Names are found too once').waitFor({ state: 'hidden' })
    await page.keyboard.type('nowhere at all')
    await page.getByText('Names are found too once an administrator imports').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('textbox', { name: 'Radius' }).fill('5')
    await page.keyboard.press('Enter')
    await page.getByText(/^Write coordinates, such as 52\.52, 13\.405/).waitFor()
    await page.getByText(/^Write a length from 10.m to 100.km\.$/).waitFor()
    expect((await findings(page)).filter((one) => !one.startsWith('region'))).toEqual([])
    for (const [typed, read] of [
      ['33U 391776 5820073', /52\.5200\d, 13\.4049\d|52\.5200\d, 13\.4050\d/],
      ['52° 31′ 12.5″ N, 13° 24′ 18″ E', /52\.52014, 13\.40500/],
      ['52,5207 13,4051', /52\.52070, 13\.40510/],
    ] as const) {
      await place(page).fill(typed)
      await page.getByRole('option', { name: read }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByText(new RegExp(`Read as ${read.source}`)).waitFor()
    }
    await page.getByRole('textbox', { name: 'Radius' }).fill('0,06')
    await page.getByRole('radio', { name: 'km' }).or(button(page, 'km')).first().click()
    await page.getByRole('textbox', { name: 'Radius' }).press('Enter')
    await soon(() => search(page)).toBe('?near=52.5207,13.4051,60')
    const near = page.getByRole('button', { name: /^60.m around 52\.52070, 13\.40510$/ })
    await near.waitFor()
    await found(page, ' found')
    const first = await page.getByRole('status').filter({ hasText: ' found' }).innerText()
    expect(await findings(page)).toEqual([])

    // What is typed stays for the next change.
    await button(page, 'Change place and radius').click()
    await soon(() => place(page).inputValue()).toBe('52.52070, 13.40510')
    expect(await page.getByRole('textbox', { name: 'Radius' }).inputValue()).toBe('60')
    await page.getByRole('textbox', { name: 'Radius' }).fill('500')
    await page.keyboard.press('Enter')
    await soon(() => search(page)).toContain('13.4051,500')
    await soon(() => page.getByRole('status').filter({ hasText: ' found' }).innerText()).not.toBe(first)
    await page.reload()
    await page.getByRole('button', { name: /^500.m around/ }).waitFor()
    await button(page, /^Clear the filter 500.m around/).click()
    await soon(() => search(page)).toBe('')
    // An address that says nonsense is as good as none.
    await page.goto(`${given.url}/search?near=%2252,13,5%22`)
    await page.getByText('What are you looking for?').waitFor()
    expect(problems).toEqual([])
  })

  it('a place is found by its name on an imported map, and a saved search keeps the name', {
    timeout: 180_000,
  }, async () => {
    const { given, sergeant } = station
    await importTown(station)
    const { page, problems } = await looking(given, sergeant, '/search')
    await button(page, 'Place and radius').click()
    await place(page).waitFor()
    await page.keyboard.type('qua')
    await page.getByRole('option', { name: /Quay Road, Harbour/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await soon(() => place(page).inputValue()).toBe('Quay Road, Harbour')
    await page.getByText(/^Read as 52\.5/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^500.m around Quay Road, Harbour$/ }).waitFor()
    expect(search(page)).toContain('place=Quay+Road,+Harbour')
    await button(page, 'Saved searches').click()
    await button(page, 'Save this search').click()
    await page.getByRole('textbox', { name: 'Name' }).fill('At the quay')
    await page.keyboard.press('Enter')
    await page.getByText('Saved as “At the quay”.').waitFor()
    await page.goto(`${given.url}/search`)
    await button(page, 'Saved searches').click()
    await button(page, 'At the quay').click()
    await page.getByRole('button', { name: /^500.m around Quay Road, Harbour$/ }).waitFor()
    expect(problems).toEqual([])
  })
})

describe('the map of how much was where', () => {
  it('counts what is found, as a map and in words; a square leads to what is in it', { timeout: 180_000 }, async () => {
    const { given, sergeant } = station
    const { page, problems } = await looking(given, sergeant, '/search?q=patrol')
    await found(page, '9 found')
    await page.getByRole('grid').getByRole('row').nth(1).focus()
    await page.keyboard.press('v')
    await soon(() => search(page)).toContain('view=map')
    await found(page, '9 tracks in')
    const map = page.getByRole('application', { name: 'Map of how much evidence was where' })
    await map.locator('path').nth(3).waitFor({ state: 'attached' })
    const rows = page.getByRole('table', { name: 'Squares with the most evidence' }).getByRole('row')
    const most = Number(await rows.nth(1).getByRole('cell').first().innerText())
    expect(most).toBeGreaterThan(1)
    expect(await findingsInThemes(page)).toEqual([])

    // By keyboard: moved, nearer, and squares are smaller.
    const before = await page.getByRole('status').filter({ hasText: 'squares of about' }).innerText()
    await map.focus()
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    await soon(() =>
      page
        .getByRole('status')
        .filter({ hasText: /of about|Nothing/ })
        .innerText(),
    ).not.toBe(before)
    await page.keyboard.press('-')
    await page.keyboard.press('-')
    await soon(() =>
      page
        .getByRole('status')
        .filter({ hasText: /of about|Nothing/ })
        .innerText(),
    ).toBe(before)

    // A square on the map is marked in the list, and the other way round.
    await map.locator('path').nth(2).click({ force: true })
    await page.locator('tr[data-chosen]').waitFor()
    await rows.nth(1).getByRole('button').first().press('Enter')
    await soon(() => rows.nth(1).getAttribute('data-chosen')).not.toBeNull()
    await rows
      .nth(1)
      .getByRole('button', { name: /^Show \d+ items? at/ })
      .press('Enter')
    await soon(() => search(page)).toContain('box=')
    expect(search(page)).not.toContain('view=map')
    await soon(async () =>
      Number.parseInt(await page.getByRole('status').filter({ hasText: ' found' }).innerText(), 10),
    ).toBe(most)
    expect(problems).toEqual([])
  })

  it('S4: nothing of what somebody may not view, and it is said', { timeout: 120_000 }, async () => {
    const { given, lindqvist } = station
    const { page, problems, refusals } = await looking(given, lindqvist, '/search?view=map')
    await page.getByText('No positions').waitFor()
    expect(await page.locator('[data-map]').count()).toBe(0)
    expect(await findings(page)).toEqual([])
    expect([problems, refusals]).toEqual([[], []])
  })

  it('in French, narrow and in contrast it holds', { timeout: 120_000 }, async () => {
    const { given, sergeant } = station
    for (const options of [
      { language: 'fr', size: 'small' },
      { theme: 'contrast', size: 'small' },
    ] as const) {
      const { page, problems } = await looking(given, sergeant, '/search?view=map&q=patrol', options)
      await page.locator('[data-map] path').nth(3).waitFor({ state: 'attached' })
      await page.getByText(/^(9 tracés dans|9 tracks in)/).waitFor()
      for (const viewport of [
        { width: 1024, height: 700 },
        { width: 640, height: 512 },
      ]) {
        await page.setViewportSize(viewport)
        await page.waitForTimeout(150)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(wide).toBeLessThanOrEqual(0)
      }
      expect(await findings(page)).toEqual([])
      expect(problems).toEqual([])
    }
  })
})
