/** What the pages fetch that people open most: of those that load more, docs/guarantees.md has the figures. */
// @module-tag screen
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATOR } from '../support/given.ts'
import { type CasesStation, casesStation, looking } from './support/cases.ts'
import { scriptsOf } from './support/scripts.ts'

const MOST_FILES = 12
const MOST_KILOBYTES = 250
/** What comes with a page is there by then. */
const SETTLED_MS = 1_500
/** Others are fetched ahead of time after four seconds, which pass before the look on a busy machine. */
const AHEAD_MS = 3_500

let station: CasesStation
beforeAll(async () => {
  station = await casesStation()
  await station.made({ Title: 'Burglary' })
  await station.evidence('Tanners Row.jpg')
}, 120_000)
afterAll(() => station?.given.close())

async function expectWithin(paths: readonly string[]): Promise<void> {
  const { page: first } = await looking(station.given, ADMINISTRATOR, '/today')
  await first.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  for (const path of paths) {
    const page = await first.context().newPage()
    await page.goto(`${station.given.url}${path}`)
    await page.locator('main').first().waitFor()
    const shown = await page.evaluate(() => performance.now())
    await page.waitForTimeout(SETTLED_MS)
    const { files, gzipKilobytes, each } = await scriptsOf(page, shown + AHEAD_MS)
    await page.close()
    const all = `${path}: ${each.join(', ')}`
    expect(gzipKilobytes, all).toBeLessThanOrEqual(MOST_KILOBYTES)
    expect(files, all).toBeLessThanOrEqual(MOST_FILES)
    expect(each.filter((one) => one.startsWith('schemas-'))).toEqual([])
  }
}

describe('V6 the scripts of a page are at most 12 files and 250 kB, without the library of schemas', () => {
  it('of lists', { tags: ['journey'] }, () => expectWithin(['/evidence', '/cases', '/calls']))

  it('of the others that people open most', () =>
    expectWithin([
      '/today',
      '/dock',
      '/dock/sessions',
      '/review',
      '/disposition',
      '/devices/types',
      '/account',
      '/search',
      '/administration/groups',
    ]))
})

it('a form that judges by a schema fetches the library of schemas when it is opened', async () => {
  const { page } = await looking(station.given, ADMINISTRATOR, '/devices')
  await page.getByRole('button', { name: 'Add device' }).click()
  await page.getByRole('dialog', { name: 'Add a device' }).waitFor()
  expect((await scriptsOf(page)).each.filter((one) => one.startsWith('schemas-'))).toHaveLength(1)
})
