/** Every list page on a station that holds nothing yet: axe-core finds nothing, and what is said of the empty list is no child of a grid. */
// @module-tag screen
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findingsInThemes } from './support/axe.ts'
import { type CasesStation, casesStation, looking } from './support/cases.ts'

let station: CasesStation
beforeAll(async () => {
  station = await casesStation()
}, 120_000)
afterAll(() => station?.given.close())

const PAGES = [
  ['/today', 'No recordings of yours yet'],
  ['/evidence', 'No evidence yet'],
  ['/evidence?view=grid', 'No evidence yet'],
  ['/evidence?bin=true&sort=deleted', 'The recycle bin is empty'],
  ['/evidence?unfinished=true', 'Nothing is unfinished'],
  ['/evidence?q=nosuchthing', 'Nothing matches'],
  ['/cases', null],
  ['/packages', 'No packages yet'],
  ['/disclosure', 'Nothing is due'],
  ['/shared-links', 'No links yet'],
  ['/calls', null],
  ['/search', null],
  ['/search?q=nosuchthing', null],
  ['/dock', null],
  ['/dock/sessions', null],
  ['/devices', null],
  ['/devices/types', null],
  ['/review', null],
  ['/disposition', null],
  ['/fixity', null],
  ['/headquarters', 'No headquarters yet'],
  ['/headquarters/backlog', null],
  ['/administration/users', null],
  ['/administration/groups', null],
  ['/administration/categories', null],
  ['/administration/departments', null],
  ['/administration/sources', null],
  ['/administration/cad', null],
  ['/administration/denials', null],
] as const

it('W5: axe-core finds nothing on any of them, in any theme', { timeout: 300_000 }, async () => {
  // Before somebody signed in the dock hangs as a wall.
  const { page, problems } = await looking(station.given, station.sergeant, '/evidence', { reducedMotion: true })
  for (const [at, says] of PAGES) {
    await page.goto(`${station.given.url}${at}`)
    if (says === null) await page.locator('#work h1').first().waitFor({ state: 'attached' })
    else await page.getByText(says).waitFor()
    await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
    expect(await findingsInThemes(page), at).toEqual([])
    expect(await page.locator('[role=grid] button:not([role=row] button)').count(), at).toBe(0)
  }
  expect(problems).toEqual([])
})
