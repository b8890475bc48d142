/** Warnings about the station are waived on the page Fixity, and the mark of the station follows. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayStart } from '../../shared/station/warnings.ts'
import { findings } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { type IntegrityStation, integrityStation } from './support/integrity.ts'

let station: IntegrityStation
beforeAll(async () => {
  station = await integrityStation()
}, 120_000)
afterAll(() => station?.given.close())

const STATION = '/api/v1/tenant/station/station'
const ZONE = 'Europe/Berlin'
const inDays = (days: number): string => new Date(dayStart(Date.now(), ZONE, days)).toISOString()
const day = (iso: string, year: boolean): string => {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-US', { timeZone: ZONE, day: 'numeric', month: 'short', year: 'numeric' })
      .formatToParts(new Date(iso))
      .map(({ type, value }) => [type, value]),
  )
  return `${parts['day']} ${parts['month']}${year ? ` ${parts['year']}` : ''}`
}
const waive = (warning: string): Promise<unknown> =>
  station.sergeant.send('PUT', `${STATION}/warning/${warning}/waiver`, { Reason: 'x', UntilUtc: inDays(9) })
const takeBack = (warning: string): Promise<unknown> =>
  station.sergeant.send('DELETE', `${STATION}/warning/${warning}/waiver`)

const snapshots = (page: Page) => page.getByRole('region', { name: 'Snapshots', exact: true })
const rail = (page: Page) => page.getByRole('region', { name: 'Station' })
const mark = (page: Page, name: string) => rail(page).getByRole('heading').getByRole('img', { name })
const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '')

it('A10: by keyboard a warning is waived with a reason and an end, and taken back', {
  tags: ['journey'],
  timeout: 120_000,
}, async () => {
  const { given, sergeant } = station
  const { page, problems, refusals } = await looking(given, sergeant, '/fixity')
  const button = snapshots(page).getByRole('button', { name: 'Waive…' })
  await button.focus()
  expect(
    await button.evaluate((one) => document.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent),
  ).toBe('There is no backup.')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Waive this warning?' })
  await dialog.getByText('There is no backup.').waitFor()
  const reason = dialog.getByRole('textbox', { name: 'Reason' })
  await soon(() => reason.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await findings(page)).toEqual([])

  // Without a reason nothing is sent, and what is missing is said beside its field.
  await dialog.getByRole('button', { name: 'Waive', exact: true }).press('Enter')
  await dialog.getByText('Say why this is acceptable for now.').waitFor()
  expect(await reason.getAttribute('aria-invalid')).toBe('true')
  await reason.fill('The drive arrives on Thursday.')
  // The end is 30 days ahead; a day too far away is said beside its field.
  const end = dialog.getByRole('group', { name: 'Until' })
  const until = inDays(30)
  expect(await end.getByRole('spinbutton', { name: /^day/ }).innerText()).toBe(
    day(until, false).split(' ')[0]?.padStart(2, '0'),
  )
  await end.getByRole('spinbutton', { name: /^year/ }).press('ArrowUp')
  await dialog.getByRole('button', { name: 'Waive', exact: true }).press('Enter')
  await dialog.getByText(`Choose a day from ${day(inDays(1), true)} to ${day(inDays(90), true)}.`).waitFor()
  expect(await findings(page)).toEqual([])
  await end.getByRole('spinbutton', { name: /^year/ }).press('ArrowDown')
  await dialog.getByRole('button', { name: 'Waive', exact: true }).press('Enter')

  await dialog.waitFor({ state: 'detached' })
  const words = `Waived until ${day(until, true)} by sergeant: The drive arrives on Thursday.`
  await snapshots(page).getByText(words).waitFor()
  expect((await station.read()).Warnings).toContainEqual({
    Warning: 'backup',
    Waiver: expect.objectContaining({ UntilUtc: until, Reason: 'The drive arrives on Thursday.' }),
  })
  // The focus is where it was, on the button that takes it back now.
  await soon(() => focused(page)).toBe('Take back')
  expect(await findings(page)).toEqual([])

  await page.keyboard.press('Enter')
  await snapshots(page).getByText('If the station’s machine is lost, all of it is lost.').waitFor()
  await soon(() => focused(page)).toBe('Waive…')
  expect((await station.read()).Warnings).toContainEqual({ Warning: 'backup', Waiver: null })
  // Nothing was sent that the page could tell to be wrong.
  expect(refusals).toEqual([])
  expect(problems).toEqual([])
})

it('A10: a waived warning stays in sight and does not count towards the mark', { timeout: 60_000 }, async () => {
  const { page } = await looking(station.given, station.sergeant, '/fixity')
  await mark(page, 'Needs a look').waitFor()
  const standing = (await station.read()).Warnings.map(({ Warning }: { Warning: string }) => Warning)
  for (const warning of standing) await waive(warning)
  const ends = `waived until ${day(inDays(9), false)}`
  await soon(() => rail(page).getByText(ends).count()).toBe(standing.length)
  await rail(page).getByText('No backup').waitFor()
  // Where a program here says that the clock runs free, that needs somebody all the same.
  const { Source } = (await station.sergeant.send('GET', STATION)).Clock
  await mark(page, Source === 'free' ? 'Needs a look' : 'All is well except what is waived').waitFor()
  await takeBack('backup')
  await mark(page, 'Needs a look').waitFor()
  await soon(() => rail(page).getByText(ends).count()).toBe(standing.length - 1)
  for (const warning of standing.filter((one: string) => one !== 'backup')) await takeBack(warning)
})

it('A10: somebody else waived it first: the dialog says so and keeps what was typed', { timeout: 60_000 }, async () => {
  const { page } = await looking(station.given, station.sergeant, '/fixity')
  await snapshots(page).getByRole('button', { name: 'Waive…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Mine')
  await waive('backup')
  await dialog.getByRole('button', { name: 'Waive', exact: true }).click()
  await dialog.getByText('This warning is waived already. Take that waiver back first.').waitFor()
  expect(await dialog.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Mine')
  await takeBack('backup')
})

it('A10: whoever may not waive sees how it stands, and no button', { timeout: 60_000 }, async () => {
  const { page, problems } = await looking(station.given, station.okafor, '/fixity')
  await page.getByText('Ask one of them.').waitFor()
  expect(await page.getByRole('button', { name: /Waive|Take back/ }).count()).toBe(0)
  expect(problems).toEqual([])
})

it.each([
  ['dark', 'small', 'en'],
  ['contrast', 'wide', 'en'],
  ['light', 'wide', 'fr'],
] as const)('a waived warning is whole in %s, %s, %s', { timeout: 60_000 }, async (theme, size, language) => {
  await waive('backup')
  try {
    const { page, problems } = await looking(station.given, station.sergeant, '/fixity', { theme, size, language })
    await page.getByRole('button', { name: language === 'fr' ? 'Rétablir' : 'Take back' }).waitFor()
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
  } finally {
    await takeBack('backup')
  }
})
