/** The pages of headquarters as people work with them: by keyboard, from the empty page to a receipt, an original that is fetched back, and a question. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Given, givenStation, type Json } from '../support/given.ts'
import { signIn as signInProgram } from '../support/integrator.ts'
import { findings } from './support/axe.ts'
import { until } from '../forwarding/world.ts'
import { type CasesStation, casesStation, looking } from './support/cases.ts'

const HEADQUARTERS = '/api/v1/tenant/station/headquarters'
let station: CasesStation
let headquarters: Given
let connection: Json
beforeAll(async () => {
  headquarters = await givenStation({ fresh: true })
  connection = await headquarters.integration('station', ['CreateCases'])
  station = await casesStation()
}, 120_000)
afterAll(async () => {
  await station?.given.close()
  await headquarters?.close()
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

it('who is no administrator finds no way in, and by the address whom to ask', { timeout: 60_000 }, async () => {
  const { page, problems } = await looking(station.given, station.okafor, '/headquarters')
  await page.getByText('Ask one of them.').waitFor()
  expect(await page.getByRole('link', { name: 'Headquarters' }).count()).toBe(0)
  expect(problems).toEqual([])
})

it('by keyboard: import, rules, receipt, clearing, fetching, and a question', {
  tags: ['journey'],
  timeout: 240_000,
}, async () => {
  const { given, sergeant } = station
  const { page, problems } = await looking(given, sergeant, '/headquarters')
  await page.getByText('No headquarters yet').waitFor()
  expect(await findings(page)).toEqual([])

  await button(page, 'Import connection file').focus()
  await page.keyboard.press('Enter')
  await button(page, 'Import').click()
  await page.getByText('This is no connection file.').waitFor()
  expect(await findings(page)).toEqual([])
  await page.getByRole('textbox', { name: 'Connection file' }).fill(JSON.stringify(connection))
  await button(page, 'Import').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Connected', { exact: true }).waitFor()
  expect(await findings(page)).toEqual([])

  const evidenceId = await station.evidence('Front desk camera')
  await page.getByRole('checkbox', { name: 'Everything that is complete' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('checkbox', { name: /Remove the local copy/ }).focus()
  await page.keyboard.press('Space')
  const days = page.getByRole('textbox', { name: 'Days after the receipt' })
  await days.fill('0')
  await days.blur()
  await button(page, 'Add a window').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'From' }).fill('nine')
  await button(page, 'Save rules').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Type a time such as 22:00.').waitFor()
  expect(await findings(page)).toEqual([])
  await button(page, 'Remove window 1').focus()
  await page.keyboard.press('Enter')
  await button(page, 'Save rules').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Rules saved').waitFor()

  await until(
    'the item',
    async () => (await sergeant.send('GET', `${HEADQUARTERS}/item?state=done`)).Items.length === 1,
  )
  await page.goto(`${given.url}/headquarters/backlog?show=done`)
  await page.getByRole('link', { name: 'Front desk camera' }).waitFor()
  expect(await findings(page)).toEqual([])

  await page.goto(`${given.url}/evidence/${evidenceId}`)
  const place = page.getByRole('region', { name: 'Headquarters' })
  await place.getByText(/Hash confirmed .* by http/).waitFor()
  await until('the clearing', async () => {
    // Saving the rules again begins a round at once.
    await sergeant.send('PUT', `${HEADQUARTERS}/rules`, { Everything: true, ClearAfterDays: 0 })
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    return (await sergeant.send('GET', HEADQUARTERS)).Cleared.Blobs === 1
  })
  await page.reload()
  await place.getByText(/are at headquarters only/).waitFor()
  // In place of the text: why it is not here, and what to do.
  await page.getByText(/with a receipt. Fetch them first/).waitFor()
  expect(await findings(page)).toEqual([])
  await place.getByRole('button', { name: 'Fetch original' }).focus()
  await page.keyboard.press('Enter')
  await until('the bytes', async () => (await place.getByText(/are at headquarters only|being fetched/).count()) === 0)

  // Both sides change the description.
  const [{ RemoteEvidenceId }] = (await sergeant.send('GET', `${HEADQUARTERS}/item?state=done`)).Items
  const token = await signInProgram(connection, headquarters.url)
  await headquarters.expecting(
    200,
    headquarters.call('PATCH', `${headquarters.documents}/evidence/${RemoteEvidenceId}`, {
      token,
      body: { Description: 'theirs' },
    }),
  )
  await sergeant.send('PATCH', `${given.documents}/evidence/${evidenceId}`, { Description: 'ours' })
  await until('the question', async () => (await sergeant.send('GET', HEADQUARTERS)).Backlog.Questions === 1)
  await page.goto(`${given.url}/headquarters/backlog`)
  await page.getByRole('cell', { name: 'theirs' }).waitFor()
  expect(await findings(page)).toEqual([])
  await button(page, 'Keep ours').focus()
  await page.keyboard.press('Enter')
  await until('the question', async () => (await sergeant.send('GET', HEADQUARTERS)).Backlog.Questions === 0)
  expect(problems).toEqual([])
})

it('why headquarters does not answer is said in the language of the window', async () => {
  const { given, sergeant } = station
  await headquarters.stop()
  await sergeant.send('POST', `${HEADQUARTERS}/test`).catch(() => undefined)
  await until('the look at it', async () => (await sergeant.send('GET', HEADQUARTERS)).State === 'away')
  const { page, problems } = await looking(given, sergeant, '/headquarters', { language: 'fr' })
  await page.getByText('Rien n’écoute à cette adresse : la connexion a été refusée.').first().waitFor()
  expect(await findings(page)).toEqual([])
  expect(problems).toEqual([])
})
