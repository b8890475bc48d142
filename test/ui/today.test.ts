/** The start page as an officer, an administrator and a guest come to it (review of the window, B4 and B12). */
// @module-tag screen
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findingsInThemes } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { type TodayStation, todayStation } from './support/today.ts'

let station: TodayStation
beforeAll(async () => {
  station = await todayStation()
}, 120_000)
afterAll(() => station?.given.close())

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const lines = (page: Page, name: string): Promise<string[]> => section(page, name).getByRole('listitem').allInnerTexts()
const isHere = (page: Page, path: string): Promise<void> => soon(() => new URL(page.url()).pathname).toBe(path)
const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)

describe('an officer after a shift', () => {
  it('lands on it, reads what each recording lacks, and goes through the lines by keyboard', {
    tags: ['journey'],
  }, async () => {
    const { page, problems, refusals } = await looking(station.given, station.reyes, '/', { reducedMotion: true })
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await isHere(page, '/today')
    await section(page, 'My last shift').getByText('4 recordings').waitFor()
    const recordings = await lines(page, 'My last shift')
    expect(recordings.map((line) => line.split('\n')[0])).toEqual(['BWC0410_0004', 'R3', 'R2', 'Stop at Quay Road'])
    expect(recordings[2]).toMatch(/No category\s+No case\s+No title/)
    expect(recordings[3]).toContain('Complete')
    expect(await lines(page, 'My cases')).toEqual([
      expect.stringContaining('Burglary, 14 Tanner’s Row'),
      expect.stringContaining('Traffic stop, Quay Road'),
    ])
    expect(await lines(page, 'Waiting for me')).toEqual([
      expect.stringContaining('Shared with you: Shop theft, Market Street'),
      expect.stringContaining('1 unread notice'),
    ])
    // What the station lacks is for those who keep it.
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).not.toContain('Set up the station')
    expect(await findingsInThemes(page)).toEqual([])
    const focused = (): Promise<string> => page.evaluate(() => (document.activeElement as HTMLElement).innerText)
    await page.keyboard.press('j')
    expect(await focused()).toContain('BWC0410_0004')
    for (let step = 0; step < 4; step++) await page.keyboard.press('j')
    expect(await focused()).toContain('Burglary')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toContain('Traffic stop')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('k')
    expect(await focused()).toContain('Stop at Quay Road')
    await page.keyboard.press('Enter')
    await isHere(page, `/evidence/${station.recordings['Stop at Quay Road']}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await isHere(page, '/today')
    expect([problems, refusals]).toEqual([[], []])
  })

  it('opens the unread notices from its line, and all evidence of the shift from its heading', async () => {
    const { page } = await looking(station.given, station.reyes, '/today')
    await page.getByText('1 unread notice').click()
    await page.getByRole('dialog', { name: 'Notices' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Notices' }).waitFor({ state: 'detached' })
    await page.getByText('All evidence of this shift').click()
    await isHere(page, '/evidence')
    await page.getByRole('grid').getByText('Stop at Quay Road').waitFor()
  })

  it('sees what others changed in a case since they were there, without asking', async () => {
    const { page } = await looking(station.given, station.reyes, `/cases/${station.caseId}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    const line = section(page, 'My cases').getByRole('listitem').filter({ hasText: 'Traffic stop' })
    await line.waitFor()
    expect(await line.innerText()).not.toContain('since you were there')
    const { given, chief, as } = station
    await given.expecting(200, as(chief, 'PATCH', `/api/v1/case/station/${station.caseId}`, { Description: 'New' }))
    await line.getByText('1 change since you were there').waitFor({ timeout: 15_000 })
  })
})

describe('an administrator of a new station', () => {
  it('begins with the checklist, which leads to where each step is done, and can be dismissed and brought back', {
    tags: ['journey'],
  }, async () => {
    const { page, problems, refusals } = await looking(station.given, station.sergeant, '/', { reducedMotion: true })
    const setUp = section(page, 'Set up the station')
    await setUp.getByText('4 of 8 done.').waitFor()
    await section(page, 'Station status').getByText('No backup').waitFor()
    await page.getByText('2 cameras not docked for 7 days').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await setUp.getByRole('link', { name: /Departments/ }).click()
    await isHere(page, '/administration/departments')
    await page.goBack()
    await setUp.getByRole('button', { name: 'Dismiss' }).click()
    await setUp.waitFor({ state: 'detached' })
    await page.getByText('The checklist is dismissed.').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'My shift' }).waitFor()
    expect(await setUp.count()).toBe(0)
    const { given, chief, as } = station
    await given.expecting(200, as(chief, 'PUT', '/api/v1/tenant/station/today/checklist', { Dismissed: false }))
    await page.reload()
    await setUp.waitFor()
    await setUp.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await setUp.waitFor()
    expect([problems, refusals]).toEqual([[], []])
  })
})

describe('a guest', () => {
  it('finds what they were given, and nothing of the station', { tags: ['journey'] }, async () => {
    const { page, problems, refusals } = await looking(station.given, station.guest, '/', { reducedMotion: true })
    await section(page, 'Cases shared with me').getByText('Traffic stop, Quay Road').waitFor()
    expect(await lines(page, 'Cases shared with me')).toHaveLength(1)
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Shared with me',
      'Cases shared with me',
      'Waiting for me',
    ])
    expect(await findingsInThemes(page)).toEqual([])
    await section(page, 'Cases shared with me').getByText('Traffic stop, Quay Road').click()
    await isHere(page, `/cases/${station.caseId}`)
    expect([problems, refusals]).toEqual([[], []])
  })

  it('has no way to the dock, the recycle bin or an export of the lists', async () => {
    const { page } = await looking(station.given, station.guest, '/cases')
    await page.getByRole('grid').getByText('Traffic stop, Quay Road').waitFor()
    const rail = await page.getByRole('navigation').first().getByRole('link').allInnerTexts()
    expect(rail).toEqual(['Sallyport', 'Today', 'Evidence', 'Cases', 'Search'])
    for (const place of ['/cases', '/evidence']) {
      await page.goto(`${station.given.url}${place}`)
      await page.getByRole('grid').getByRole('row').nth(1).waitFor()
      for (const name of ['Recycle bin', 'Export list', 'Add evidence', 'New case', 'More'])
        expect(await page.getByRole('button', { name, exact: true }).count(), `${name} at ${place}`).toBe(0)
    }
  })
})

it('fits a desk, a small screen and a phone, in French too', async () => {
  for (const who of [station.reyes, station.sergeant, station.guest]) {
    const { page, close } = await looking(station.given, who, '/today', { language: 'fr' })
    await page.getByRole('heading', { level: 1, name: 'Aujourd’hui' }).waitFor()
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 844 })
      expect([who.username, width, await fits(page)]).toEqual([who.username, width, true])
    }
    await close()
  }
})
