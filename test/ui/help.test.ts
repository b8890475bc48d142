/** The help, as an officer, an administrator and a guest find their way in it (review of the window, B12). */
// @module-tag screen
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findingsInThemes } from './support/axe.ts'
import { type CasesStation, casesStation, looking, soon } from './support/cases.ts'

let station: CasesStation
beforeAll(async () => {
  station = await casesStation()
}, 120_000)
afterAll(() => station?.given.close())

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search the help' })
const subjects = (page: Page) => page.locator('summary')
const isHere = (page: Page, path: string): Promise<void> => soon(() => new URL(page.url()).pathname).toBe(path)

describe('an officer who does not know the word', () => {
  it('types what they want to do, reads the steps, and is led to the place', { tags: ['journey'] }, async () => {
    const { page, problems, refusals } = await looking(station.given, station.lindqvist, '/today', {
      reducedMotion: true,
    })
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await isHere(page, '/help')
    await page.getByRole('heading', { level: 2, name: 'Proof and keeping' }).waitFor()
    // What they may not do is not here.
    expect(await subjects(page).allInnerTexts()).not.toContain('Add a person, or free a locked account')
    expect(await findingsInThemes(page)).toEqual([])
    await field(page).fill('who downloaded this')
    await soon(() => subjects(page).first().innerText()).toContain('See who viewed, changed or downloaded it')
    await page.getByText('Open the evidence and press Shift D.').waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('who downloaded this')
    expect(await findingsInThemes(page)).toEqual([])
    await field(page).fill('my recordings')
    await page.getByRole('button', { name: 'Take me there' }).click()
    await isHere(page, '/today')
    // The words are in the address: the way back leads to the same answer.
    await page.goBack()
    await soon(() => field(page).inputValue()).toBe('my recordings')
    expect([problems, refusals]).toEqual([[], []])
  })

  it('finds it in the palette too, and Enter opens its steps', async () => {
    const { page, problems } = await looking(station.given, station.lindqvist, '/today')
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('tampered')
    const option = page.getByRole('group', { name: 'Help' }).getByRole('option')
    await soon(() => option.first().innerText()).toContain('Prove that a file was not changed')
    await option.first().click()
    await isHere(page, '/help')
    await page.getByText('Press H: the file is read again in front of you').waitFor()
    expect(problems).toEqual([])
  })

  it('is led on to the search by a word that is about nothing here', async () => {
    const { page } = await looking(station.given, station.lindqvist, '/help?q=xyzzy')
    await page.getByText('Nothing here is about “xyzzy”.').waitFor()
    await page.getByRole('link', { name: 'Search for “xyzzy”' }).click()
    await isHere(page, '/search')
    expect(new URL(page.url()).searchParams.get('q')).toBe('xyzzy')
  })
})

it('says the version, shows the licences of others, opens the keys, and copies what whoever helps has to know', async () => {
  const { page, context, problems } = await looking(station.given, station.sergeant, '/help')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const about = page.getByRole('complementary', { name: 'About' })
  await about.getByText('Apache License 2.0').waitFor()
  await soon(() => about.innerText()).toContain('Backups: 0')
  await about.getByRole('button', { name: 'Copy diagnostics' }).click()
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  await soon(copied).toMatch(/^Sallyport \d+\.\d+\.\d+, ready\nTime of the station: [\s\S]*\nBrowser: Mozilla/)
  // No name of a person.
  expect(await copied()).not.toContain('Reyes')
  const notices = await page.request.get(`${station.given.url}/third-party-notices.txt`)
  expect([notices.status(), await notices.text()]).toEqual([200, expect.stringContaining('react-dom')])
  await about.getByRole('button', { name: 'Show the keys' }).click()
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  expect(problems).toEqual([])
})

it('fits a desk, a small screen and a phone, in French too', async () => {
  const { page, problems } = await looking(station.given, station.sergeant, '/help', { reducedMotion: true })
  const fits = (): Promise<boolean> => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
  await subjects(page).first().waitFor()
  await page.getByRole('button', { name: /Signed in as/ }).click()
  await page.getByRole('menuitemradio', { name: 'Français' }).click()
  await page.getByRole('heading', { level: 1, name: 'Aide' }).waitFor()
  for (const [width, height] of [
    [1440, 900],
    [1024, 700],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await soon(fits).toBe(true)
  }
  expect(problems).toEqual([])
})
