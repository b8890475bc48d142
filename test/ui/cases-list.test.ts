/** The list of cases: whose, how old, and with a picture of the newest item that one may see (review of the window, C8). */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings, findingsInThemes } from './support/axe.ts'
import { CASES, looking, soon } from './support/cases.ts'
import { phoneStation, type PhoneStation } from './support/phone.ts'

let station: PhoneStation
beforeAll(async () => {
  station = await phoneStation()
  const { sergeant, okafor, lindqvist, caseId } = station
  await sergeant.send('PATCH', `${CASES}/${caseId}`, {
    PersonnelRelations: [okafor, lindqvist].map(({ id, kId }) => ({ PrincipalId: id, KId: kId, Role: 'Assigned' })),
  })
  await okafor.send('PATCH', `${CASES}/${caseId}`, { Description: 'Rear window forced.' })
}, 240_000)
afterAll(() => station?.given.close())

const row = (page: Page, text: string) => page.getByRole('grid').getByRole('row').filter({ hasText: text })
const pictured = (page: Page, text: string) =>
  row(page, text)
    .locator('img')
    .evaluateAll((all) => (all as HTMLImageElement[]).map(({ naturalWidth }) => naturalWidth > 0))

describe('the list of cases', () => {
  it('S4: has a picture where there is one for whoever looks, and asks for nothing that is refused', {
    timeout: 90_000,
    tags: ['journey'],
  }, async () => {
    for (const who of [station.sergeant, station.okafor]) {
      const { page, problems, refusals } = await looking(station.given, who, '/cases', { size: 'wide' })
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.reload()
      await soon(() => pictured(page, 'Burglary')).toEqual([true])
      if (who === station.sergeant) expect(await pictured(page, 'Shop theft')).toEqual([])
      else expect(await row(page, 'Shop theft').count()).toBe(0)
      // The list answers what it shows: no case is asked for by itself.
      expect(asked.filter((path) => new RegExp(`^${CASES}/\\d+`).test(path))).toEqual([])
      const text = await row(page, 'Burglary').innerText()
      for (const part of ['Okafor, D.', 'Lindqvist, M.', 'under 1']) expect(text).toContain(part)
      expect(await findingsInThemes(page)).toEqual([])
      expect([problems, refusals]).toEqual([[], []])
    }
  })

  it('in French at 1024 px, and as lines on a phone', { timeout: 90_000 }, async () => {
    for (const size of ['small', 'phone'] as const) {
      const { page, problems } = await looking(station.given, station.sergeant, '/cases', { size, language: 'fr' })
      await row(page, 'Burglary').waitFor()
      expect(await page.getByRole('grid').getAttribute('aria-colcount')).toBe(size === 'phone' ? '2' : '5')
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
      expect(await findings(page)).toEqual([])
      expect(problems).toEqual([])
    }
  })
})
