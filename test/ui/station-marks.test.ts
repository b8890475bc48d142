/** The mark of the station is the sum of its lines, and one item is called by one word wherever it is shown. */
// @module-tag screen
// @module-tag merge
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STATUSES } from '../../renderer/features/evidence/list/search.ts'
import { type CasesStation, casesStation, looking, soon } from './support/cases.ts'
import { scratch } from './support/files.ts'
import { itemsWithStates, wordsByScreen, type ItemWithState } from './support/states.ts'

type Words = Readonly<Record<ItemWithState['status'], string>>
const ENGLISH: Words = {
  verified: 'Verified',
  working: 'Processing',
  waiting: 'Waiting',
  attention: 'Needs a look',
  differs: 'Differs from the camera’s list',
  danger: 'Changed or missing',
  open: 'Not finished',
  sealed: 'Protected',
}
const FRENCH: Words = {
  verified: 'Vérifiée',
  working: 'Traitement',
  waiting: 'En attente',
  attention: 'À regarder',
  differs: 'Diffère de la liste de la caméra',
  danger: 'Modifiée ou absente',
  open: 'Inachevée',
  sealed: 'Protégée',
}

let station: CasesStation
let caseId: string
beforeAll(async () => {
  station = await casesStation()
  caseId = (await station.made({ Title: 'Burglary', CustomFields: { Priority: '2' } })).CaseId
}, 120_000)
afterAll(() => station?.given.close())

it('A10: without a backup and without a copy of checkpoints the station needs somebody, each line leads to where', {
  tags: ['journey'],
}, async () => {
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

describe('A11: an item is called by one word wherever it is shown', () => {
  let bare: CasesStation
  let items: readonly ItemWithState[]
  let inCase: string
  beforeAll(async () => {
    // No tool is found: what needs one waits.
    bare = await casesStation({ toolFolders: scratch() })
    inCase = (await bare.made({ Title: 'Burglary' })).CaseId
    items = await itemsWithStates(bare, inCase)
  }, 120_000)
  afterAll(() => bare?.given.close())

  it('there is an item in each state that the list knows', () => {
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(STATUSES))
  })

  it.each([
    ['en', ENGLISH],
    ['fr', FRENCH],
  ] as const)('%s: list, case, search, tile, page, details and card', async (language, words) => {
    const { page, problems } = await looking(bare.given, bare.sergeant, '/evidence', { language })
    const said = await wordsByScreen(page, bare.given.url, inCase, items)
    const differing = items.flatMap(({ name, status }) =>
      Object.entries(said[name] ?? {}).flatMap(([screen, word]) =>
        word === words[status] ? [] : [`${name}, ${screen}: ${word}`],
      ),
    )
    expect(differing).toEqual([])
    const screens = ['list', 'case', 'search', 'tile', 'page', 'details', 'card']
    expect(Object.keys(said['Doorbell at work'] ?? {})).toEqual(screens)
    // Of a file that is gone the page cannot read what it would show.
    expect(problems.filter((one) => !one.includes('status of 500'))).toEqual([])
  })
})

it('A12: of a field that no template ever had nothing is claimed', async () => {
  const { page } = await looking(station.given, station.sergeant, `/cases/${caseId}`)
  const facts = page.getByRole('region', { name: 'Facts' })
  await facts.getByText('Priority').waitFor()
  expect(await facts.innerText()).not.toContain('no longer in use')
})
