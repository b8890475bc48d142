/** The mark of the station is the sum of its lines, and one item is called by one word wherever it is shown. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CasesStation, casesStation, looking, soon } from './support/cases.ts'

let station: CasesStation
let caseId: string
let evidenceId: string
beforeAll(async () => {
  station = await casesStation()
  caseId = (await station.made({ Title: 'Burglary', CustomFields: { Priority: '2' } })).CaseId
  evidenceId = await station.evidence('Statement of a neighbour', {}, caseId)
}, 120_000)
afterAll(() => station?.given.close())

it('A10: without a backup and without a copy of checkpoints the station needs somebody, each line leads to where', async () => {
  const { page, problems } = await looking(station.given, station.sergeant, '/evidence')
  const panel = page.getByRole('region', { name: 'Station' })
  await panel.getByText('No backup').waitFor()
  await panel.getByText('No copy').waitFor()
  expect(await panel.getByRole('heading').getByRole('img', { name: 'Needs a look' }).count()).toBe(1)
  await panel.getByRole('link', { name: 'No backup' }).click()
  await soon(() => new URL(page.url()).pathname).toBe('/fixity')
  await page.getByRole('note').or(page.locator('[role=status], [data-state=attention]')).first().waitFor()
  await page.getByText('There is no backup.').waitFor()
  expect(problems).toEqual([])
})

it('A11: list, case and search say one word for one item', async () => {
  const { page } = await looking(station.given, station.sergeant, '/evidence')
  const row = page.getByRole('row').filter({ hasText: 'Statement of a neighbour' })
  await row.getByText('Verified').waitFor()
  await page.goto(`${station.given.url}/cases/${caseId}`)
  await row.getByText('Verified').waitFor()
  await page.goto(`${station.given.url}/search?q=neighbour`)
  await row.first().getByText('Verified').waitFor()
  await page.goto(`${station.given.url}/evidence/${evidenceId}`)
  await page.locator('header').getByText('Verified').first().waitFor()
})

it('A12: of a field that no template ever had nothing is claimed', async () => {
  const { page } = await looking(station.given, station.sergeant, `/cases/${caseId}`)
  const facts = page.getByRole('region', { name: 'Facts' })
  await facts.getByText('Priority').waitFor()
  expect(await facts.innerText()).not.toContain('no longer in use')
})
