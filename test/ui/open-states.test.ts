/** What only shows once something is opened: the choice of a selection, menus, popovers, dialogs. axe-core looks at each in every theme. */
// @module-tag screen
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findingsInThemes } from './support/axe.ts'
import { type CasesStation, casesStation, looking, soon } from './support/cases.ts'

/** More than one page of the list. */
const ITEMS = 104

let station: CasesStation
beforeAll(async () => {
  station = await casesStation()
  const { given } = station
  for (let at = 0; at < ITEMS; at++)
    await given.completed(Buffer.alloc(1_000, at), { name: `${at}.bin`, mimeType: 'application/octet-stream' })
  await station.evidence('one')
}, 240_000)
afterAll(() => station?.given.close())

const inList = async (size: 'wide' | 'small' = 'wide') => {
  const looked = await looking(station.given, station.sergeant, '/evidence', { reducedMotion: true, size })
  await looked.page.getByRole('grid').getByText('one').first().waitFor()
  return looked
}
const chooseAll = async (page: Page): Promise<void> => {
  await page.getByRole('row').nth(1).focus()
  await page.keyboard.press('Control+a')
  await page.getByText(`${ITEMS + 1} selected`).waitFor()
}
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selection' })

describe('the choice between these rows and all that match', () => {
  it('is legible in every theme', async () => {
    const { page, problems } = await inList()
    await chooseAll(page)
    const these = bar(page).getByRole('button', { name: 'These 100' })
    await these.waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await these.press('Enter')
    await bar(page)
      .getByRole('button', { name: `All ${ITEMS + 1}` })
      .waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('leaves the way to clear the selection in sight where the acts do not fit', async () => {
    const { page, problems } = await inList('small')
    await chooseAll(page)
    const clear = bar(page).getByRole('button', { name: 'Clear the selection' })
    const inSight = await clear.evaluate((button) => {
      const { left, right, top, height } = button.getBoundingClientRect()
      return [left + 2, right - 2].every((x) => button.contains(document.elementFromPoint(x, top + height / 2)))
    })
    expect(inSight).toBe(true)
    expect(problems).toEqual([])
  })

  it('all: the sum is of all of them, and less what is left out again; never of the rows that are here', async () => {
    const { page, problems } = await inList()
    await chooseAll(page)
    const facts = () => bar(page).innerText()
    // 104,000 bytes and those of the note; of the rows that are here it would be 99 kB.
    await soon(facts).toContain('104\u00a0kB')
    await page.getByRole('row').nth(2).focus()
    await page.keyboard.press('Space')
    await page.getByText(`${ITEMS} selected`).waitFor()
    await soon(facts).toContain('103\u00a0kB')
    await bar(page).getByRole('button', { name: 'Clear the selection' }).press('Enter')
    await page.getByRole('row').nth(2).focus()
    await page.keyboard.press('Space')
    await soon(facts).toContain('1\u00a0kB')
    expect(problems).toEqual([])
  })
})

describe('axe-core finds nothing in any theme in what opens from the list', () => {
  it.each([
    ['columns', 'Columns', 'menu'],
    ['export', 'Export list', 'menu'],
    ['more of the header', /Signed in as/, 'menu'],
    ['the list of filters', 'Filter', 'dialog'],
    ['the filter of types', { filter: 'type' }, 'dialog'],
    ['the filter of times', { filter: 'recorded' }, 'dialog'],
    ['the filter of cases', { filter: 'case' }, 'dialog'],
    ['the filter of sizes', { filter: 'size' }, 'dialog'],
    ['the filter of notes and cases', { filter: 'other' }, 'dialog'],
    ['views', 'Views', 'menu'],
    ['the seldom acts of the selection', 'More', 'menu'],
    ['deleting', 'Delete', 'dialog'],
    ['protecting', 'Protect', 'dialog'],
    ['tags of several', 'Tag', 'dialog'],
    ['sharing', 'Share', 'dialog'],
    ['the officer', 'Set officer', 'dialog'],
    ['the menu of a row', 'row', 'menu'],
  ] as const)('%s', async (_what, button, role) => {
    const { page, problems } = await inList()
    if (button === 'row') await page.getByRole('row').nth(1).click({ button: 'right' })
    else if (button === 'More' || (role === 'dialog' && typeof button === 'string' && button !== 'Filter')) {
      await page.getByRole('row').nth(1).focus()
      await page.keyboard.press('Space')
      const act = bar(page).getByRole('button', { name: button, exact: true })
      await bar(page).getByRole('button', { name: 'Tag', exact: true }).waitFor()
      if ((await act.count()) > 0) await act.press('Enter')
      else {
        await bar(page).getByRole('button', { name: 'More' }).press('Enter')
        await page.getByRole('menuitem', { name: button }).press('Enter')
      }
    } else if (typeof button === 'object' && 'filter' in button) {
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByRole('searchbox', { name: 'Find a filter' }).fill(button.filter)
      await page.keyboard.press('Enter')
      await page.getByRole('searchbox', { name: 'Find a filter' }).waitFor({ state: 'detached' })
    } else
      await page
        .getByRole('button', { name: button, exact: button === 'Filter' })
        .first()
        .click()
    await page.getByRole(role).first().waitFor()
    // The library puts suggestions beside the dialog that they belong to, in no landmark.
    expect((await findingsInThemes(page)).filter((line) => !line.startsWith('region '))).toEqual([])
    expect(problems).toEqual([])
  })
})
