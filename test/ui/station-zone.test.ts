/** I12: every time is shown in the zone of the station, whatever the reader's own is, also where the page may not ask the station about itself. */
// @module-tag screen
// @module-tag merge
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Given, givenStation } from '../support/given.ts'
import { look, signIn } from './support/window.ts'

let given: Given
beforeAll(async () => {
  given = await givenStation({ settings: { timeZone: 'America/New_York' } })
  await given.evidence({ Name: 'Front desk', StartTimeUtc: '2026-11-20T01:41:07Z' })
}, 120_000)
afterAll(() => given?.close())

it('I12 a page that does not hear from the station shows times in its zone, and never in the browser’s', {
  tags: ['journey'],
}, async () => {
  const { page } = await look(given.url)
  // As for guests, who may not ask, and as in the moment before the answer comes.
  await page.route(/\/tenant\/station\/station/, (route) => route.abort())
  await signIn(page, given.url, '/evidence')
  const row = page.getByRole('row', { name: /Front desk/ })
  await row.waitFor()
  expect(await row.textContent()).toMatch(/19 Nov/)
  expect(await row.textContent()).not.toMatch(/20 Nov/)
})
