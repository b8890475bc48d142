/** The stations that headquarters knows, on the page Fixity: by keyboard, from a refused head to the acceptance of a restored station. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findings } from './support/axe.ts'
import { type CasesStation, casesStation, looking } from './support/cases.ts'
import { presentingStation } from './support/integrity.ts'

let headquarters: CasesStation
beforeAll(async () => {
  headquarters = await casesStation()
}, 120_000)
afterAll(() => headquarters?.given.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

it('B7 by keyboard: a refused head, the decision with both heads and a reason, and the branch', {
  tags: ['journey'],
  timeout: 120_000,
}, async () => {
  const { given, sergeant } = headquarters
  const station = presentingStation(given)
  expect(await station(120)).toBe(200)
  expect(await station(70)).toBe(409)

  const { page, problems } = await looking(given, sergeant, '/fixity')
  const stations = page.getByRole('region', { name: 'Known stations', exact: true })
  await stations.getByText('Refused', { exact: true }).waitFor()
  await stations.getByText(/Presented .*: 70 entries, from 127\.0\.0\.1 by/).waitFor()
  expect(await findings(page)).toEqual([])

  await button(page, 'Accept as restored').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Accept the restored station?' })
  await dialog.getByRole('row', { name: 'Entries 120 70' }).waitFor()
  await button(page, 'Accept the station').focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('Say why this is the station.').waitFor()
  expect(await findings(page)).toEqual([])

  // It presents another head while somebody decides. What they looked at is not what they would accept.
  const reason = dialog.getByRole('textbox', { name: 'Reason' })
  await reason.fill('The disk failed; restored from the snapshot of Monday. Confirmed by phone with D. Okafor.')
  expect(await station(71)).toBe(409)
  await button(page, 'Accept the station').focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('The station was not accepted').waitFor()
  await dialog.getByRole('row', { name: 'Entries 120 70' }).waitFor()
  await button(page, 'Cancel').focus()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })

  await button(page, 'Accept as restored').focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('row', { name: 'Entries 120 71' }).waitFor()
  expect(await reason.inputValue()).toContain('The disk failed')
  await button(page, 'Accept the station').focus()
  await page.keyboard.press('Enter')
  await stations.getByText('Continues', { exact: true }).waitFor()
  await stations.getByText(/branch 2/).waitFor()
  await stations.getByText(/Branch 1 ended after 120 entries\. .* The disk failed/).waitFor()
  expect(await findings(page)).toEqual([])

  // Who has another key gets no act at all.
  expect(await presentingStation(given)(500)).toBe(409)
  await page.reload()
  await stations.getByText('It is not this station, and cannot be accepted as it.').waitFor()
  expect(await button(page, 'Accept as restored').count()).toBe(0)
  expect(problems.filter((text) => !text.includes('409'))).toEqual([])
})
