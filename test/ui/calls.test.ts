/** Calls versus footage as people work with it: by keyboard, with the reason, live, and where there is nothing yet. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fresh } from '../api/cad/world.ts'
import { findings, findingsInThemes } from './support/axe.ts'
import { type CallsStation, callsStation, type Worn } from './support/calls.ts'
import { looking, soon } from './support/cases.ts'

let station: CallsStation
let day = 1
beforeAll(async () => {
  station = await callsStation()
}, 120_000)
afterAll(() => station?.given.close())

/** A morning of its own for every attempt: in Berlin from 07:00. */
function morning(): { date: string; at: (minutes: number) => string } {
  const zero = Date.UTC(2026, 1, day++, 6)
  return {
    date: new Date(zero).toISOString().slice(0, 10),
    at: (minutes) => new Date(zero + minutes * 60_000).toISOString(),
  }
}
const block = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const panel = (page: Page) => page.getByRole('complementary', { name: 'Why' })

interface Morning {
  readonly date: string
  readonly at: (minutes: number) => string
  readonly officer: Worn
  readonly name: string
  readonly numbers: readonly [string, string, string]
}

/** Three calls of one officer: covered, partly, nothing and not docked; and a number that is missing. */
async function calls(): Promise<Morning> {
  const { date, at } = morning()
  const name = fresh('Okafor').replace(' ', '')
  const officer = await station.officer('Dayo', name)
  const numbers = [fresh('A'), fresh('B'), fresh('C')] as const
  for (const [index, number] of numbers.entries())
    await station.call(number, `Call ${number}`, at(index * 60), at(index * 60 + 30), [[officer, `Response ${name}`]])
  await station.recording(officer, 'CAM_0030', at(-1), at(31))
  await station.recording(officer, 'CAM_0032', at(70), at(95))
  await station.settled()
  return { date, at, officer, name, numbers }
}

describe('calls and footage', () => {
  it('teaches while no call has come, and tells a guest where to look', { timeout: 120_000 }, async () => {
    // Asked by somebody who may see no call, whatever came meanwhile.
    const nobody = await station.person()
    const { page, problems } = await looking(station.given, nobody, '/calls')
    await page.getByText('No call yet').waitFor()
    await page.getByText(/account administrator/).waitFor()
    expect(await findings(page)).toEqual([])
    const guest = await looking(station.given, await station.person([], true), '/calls')
    await guest.page.getByText('This page is not open to guests').waitFor()
    expect(await guest.page.getByRole('link', { name: 'Calls and footage' }).count()).toBe(0)
    expect([...problems, ...guest.problems]).toEqual([])
  })

  it('by keyboard: arrows through the board, one key for the reason, confirmed with another', {
    tags: ['journey'],
    timeout: 180_000,
  }, async () => {
    const { date, name, numbers } = await calls()
    const { page, problems } = await looking(station.given, station.sergeant, `/calls?date=${date}&shift=0`)
    await page.getByRole('heading', { name: `Response ${name}` }).waitFor()
    await block(page, new RegExp(`^Call ${numbers[0]}.*07:00 to 07:30: Covered, 30 min 00 s of 30 min 00 s`)).waitFor()
    await page.getByText('0031 missing').waitFor()
    expect(await findingsInThemes(page)).toEqual([])

    await page.keyboard.press('j')
    await soon(() => page.evaluate(() => document.activeElement?.textContent)).toContain(numbers[0])
    await page.keyboard.press('ArrowRight')
    await soon(() => page.evaluate(() => document.activeElement?.textContent)).toContain(numbers[1])
    await page.keyboard.press('w')
    await panel(page).getByText('The recording starts 10 min 00 s after the dispatch.').waitFor()
    await panel(page).getByText('Partly covered: 20 min 00 s of 30 min 00 s').waitFor()
    await panel(page).getByText('Same officer, times overlap').waitFor()
    await panel(page)
      .getByText(/No recording with this number was ever copied from a bay/)
      .waitFor()
    expect(new URL(page.url()).searchParams.get('call')).not.toBeNull()
    expect(await findingsInThemes(page)).toEqual([])
    await page.keyboard.press('y')
    await panel(page).getByText('Confirmed by a person').waitFor()

    await page.keyboard.press('k')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await panel(page).getByText('The camera has not been docked since.', { exact: false }).waitFor()
    await panel(page).getByRole('button', { name: 'Close' }).click()
    await panel(page).getByText('Choose a call to see why').waitFor()
    expect(problems).toEqual([])
  })

  it('is filtered, walked through shift by shift, shown by call and by week, and taken along', {
    timeout: 180_000,
  }, async () => {
    const { date, numbers, name } = await calls()
    const { page, problems } = await looking(station.given, station.sergeant, `/calls?date=${date}&shift=0`)
    const first = block(page, new RegExp(`^Call ${numbers[0]}`))
    await first.waitFor()
    await page.getByRole('button', { name: /^State/ }).click()
    await page.getByRole('menuitemradio', { name: 'Not docked yet' }).click()
    await soon(() => first.count()).toBe(0)
    await block(page, new RegExp(`^Call ${numbers[2]}`)).waitFor()
    await page.getByRole('button', { name: /^State/ }).click()
    await page.getByRole('menuitemradio', { name: 'Camera failed' }).click()
    await page.getByText('Nothing fits these filters').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await first.waitFor()
    await page.getByRole('button', { name: 'Shift after' }).click()
    await page.getByText('No call in this time').waitFor()
    await page.getByRole('button', { name: 'Shift before' }).click()
    await first.waitFor()

    await page.getByRole('radio', { name: 'By call' }).click()
    await page.getByRole('link', { name: `Call ${numbers[1]}` }).waitFor()
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: new RegExp(`D. ${name}.*Partly`) }).click()
    await panel(page).getByText('The recording starts 10 min 00 s after the dispatch.').waitFor()
    await page.getByRole('radio', { name: 'By week' }).click()
    await page.getByRole('columnheader', { name: 'Covered time' }).waitFor()
    await soon(() => page.getByRole('row').count()).toBe(13)
    expect(await findings(page)).toEqual([])

    await page.getByRole('button', { name: 'Export for audit' }).click()
    const file = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    expect((await file).suggestedFilename()).toMatch(/^calls and footage .*\.csv$/)
    expect(problems).toEqual([])
  })

  it('changes while a camera docks', { timeout: 180_000 }, async () => {
    const { date, at, numbers, officer } = await calls()
    const { page, problems } = await looking(station.given, station.sergeant, `/calls?date=${date}&shift=0`)
    await block(page, new RegExp(`^Call ${numbers[2]}.*Not docked yet`)).waitFor()
    await station.recording(officer, 'CAM_0033', at(119), at(151))
    await block(page, new RegExp(`^Call ${numbers[2]}.*Covered`)).waitFor()
    expect(problems).toEqual([])
  })

  it('is split where an administrator says', { timeout: 120_000 }, async () => {
    const { page, problems } = await looking(station.given, station.sergeant, '/calls?date=2026-06-01&shift=0')
    await page.getByRole('button', { name: 'Shifts' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).first().fill('Early')
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save shifts' }).click()
    await page.getByText('1 Jun 2026, Early, 06:00 to 14:00').waitFor()
    expect(problems).toEqual([])
  })

  it.each([
    ['dark', 'small', 'en'],
    ['light', 'small', 'fr'],
  ] as const)('is whole in %s, %s, %s', { timeout: 120_000 }, async (theme, size, language) => {
    const { date, numbers } = await calls()
    const options = { theme, size, language }
    const place = `/calls?date=${date}&shift=0`
    const { page, problems } = await looking(station.given, station.sergeant, place, options)
    await block(page, new RegExp(numbers[1])).click()
    await page.getByText(language === 'fr' ? /commence 10.min.00.s après/ : /starts 10.min.00.s after/).waitFor()
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
  })
})
