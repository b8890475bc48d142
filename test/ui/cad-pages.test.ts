/** The pages of dispatch: what they tell, to whom they offer what, and what they send. */
// @module-tag screen
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { type CadStation, cadStation, EVENTS, MAPPING, MESSAGES } from './support/cad.ts'
import { looking, soon } from './support/cases.ts'

let station: CadStation
beforeAll(async () => {
  station = await cadStation()
}, 120_000)
afterAll(() => station?.given.close())

const START = '2026-11-20T01:38:00Z'
const USERS = '/userservice/api/v1/tenant/station'
const fresh = (name: string): string => `${name}-${randomUUID().slice(0, 8)}`
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const WORDS = {
  applied: 'Applied',
  repeated: 'Repeated',
  older: 'Older',
  review: 'For review',
  unreadable: 'Not readable',
} as const

/** Who may change the station, and nothing about people. */
async function configurer(): Promise<{ username: string; password: string }> {
  const [username, password] = [fresh('keeper'), 'seven lamps by the harbour']
  const Policies = [{ Policy: 'ManageConfiguration' }]
  const body = { Username: username, Password: password, ChangePassword: false, Policies }
  await station.sergeant.send('POST', `${USERS}/users`, { ...body, FirstName: 'Ida', LastName: 'Keeper' })
  return { username, password }
}

describe('the connection', () => {
  it('counts of each state what came, and gives the address of each way to push', { timeout: 120_000 }, async () => {
    const { given, sergeant, push } = station
    const call = { eventId: fresh('O'), eventStartTimeUtc: START, transactionId: '1' }
    await push(call)
    await push(call)
    for (const at of [1, 2, 3]) await push({ eventId: fresh('O'), eventStartTimeUtc: `the ${at}th` })
    const { lastDay, origins } = await sergeant.send('GET', '/cadservice/api/v1/overview/station')
    const { page, problems } = await looking(given, sergeant, '/administration/cad')
    const health = page.getByRole('region', { name: 'Status' })
    await health.getByText('Last message').waitFor()
    const told = await health.locator('dl > div').evaluateAll((all) => all.map((one) => (one as HTMLElement).innerText))
    for (const [state, word] of Object.entries(WORDS)) expect(told).toContain(`${word}\n${lastDay[state]}`)
    expect(lastDay.unreadable).toBeGreaterThan(lastDay.repeated)
    for (const way of [EVENTS, `${EVENTS}/batch`])
      await page.getByText(`POST ${origins[0]}${way}`, { exact: true }).waitFor()
    expect(problems).toEqual([])
  })

  it('offers keys to account administrators alone, and says of whom has lost the right to push', {
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, push, dispatch } = station
    await push({ eventId: fresh('R'), eventStartTimeUtc: START })
    const who = await configurer()
    const theirs = await looking(given, who, `/administration/cad?open=${dispatch.id}`)
    await theirs.page.getByText('Account administrators create and remove API keys.').waitFor()
    expect(await button(theirs.page, 'Keys and web pages').count()).toBe(0)
    expect(await theirs.page.getByRole('heading', { name: dispatch.name }).count()).toBe(0)
    const line = (page: Page) => page.getByRole('listitem').filter({ hasText: dispatch.name })
    await line(theirs.page).getByText('May push').waitFor()
    await sergeant.send('PUT', `${USERS}/policies/PushCadEvents`, { Members: [] })
    try {
      const ours = await looking(given, sergeant, '/administration/cad')
      await line(ours.page).getByText('Has no right to push any more').waitFor()
      await button(ours.page, 'Keys and web pages').waitFor()
      expect([...theirs.problems, ...ours.problems]).toEqual([])
    } finally {
      const Members = [{ PrincipalId: dispatch.id }]
      await sergeant.send('PUT', `${USERS}/policies/PushCadEvents`, { Members })
    }
  })

  it('makes no second key of a name, and says why', { timeout: 120_000 }, async () => {
    const { given, sergeant, dispatch } = station
    const Name = fresh('Desk')
    const place = `${USERS}/services/${dispatch.id}`
    await sergeant.send('POST', `${place}/api-keys`, { Name })
    const { page } = await looking(given, sergeant, `/administration/cad?open=${dispatch.id}`)
    await page.getByRole('textbox', { name: 'Name of the new key' }).fill(Name)
    await button(page, 'Create an API key').click()
    await page.getByText('There is a key of this name already.').waitFor()
    const { ApiKeys } = await sergeant.send('GET', place)
    expect(ApiKeys.filter((one: Json) => one.Name === Name)).toHaveLength(1)
  })
})

describe('messages', () => {
  it('all are tried again, however many calls that takes', { timeout: 180_000 }, async () => {
    const { given, sergeant, push } = station
    // One more than the station reads with each call.
    await push(
      Array.from({ length: 51 }, () => ({ eventId: fresh('M') })),
      `${EVENTS}/batch`,
    )
    const { page, problems } = await looking(given, sergeant, '/administration/cad?view=messages')
    await button(page, 'Try all of them again').click()
    await page.getByText(/messages were tried again; 0 are settled\./).waitFor()
    const { items } = await sergeant.send('GET', `${MESSAGES}?state=unreadable&count=100`)
    expect(items.length).toBeGreaterThan(50)
    expect(items.filter(({ attempts }: Json) => attempts === 1)).toEqual([])
    expect(problems).toEqual([])
  })

  it('one that was applied says what it changed, and what it left as somebody wrote it', {
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, push } = station
    const call = { eventId: fresh('C'), eventStartTimeUtc: START, name: 'Noise', description: 'Two people' }
    const { caseId } = await push(call)
    const { ConcurrencyId } = await sergeant.send('GET', `/api/v1/case/station/${caseId}`)
    await sergeant.send('PATCH', `/api/v1/case/station/${caseId}`, { Title: 'Party', ConcurrencyId })
    await push({ ...call, name: 'Loud noise', description: 'Three people' })
    const [{ messageId }] = (await sergeant.send('GET', `${MESSAGES}?state=applied&count=1`)).items
    const place = `/administration/cad?view=messages&kind=all&open=${messageId}`
    const { page, problems } = await looking(given, sergeant, place)
    const panel = page.locator('[data-panel]')
    await panel.locator('del').filter({ hasText: 'Two people' }).waitFor()
    await panel.locator('ins').filter({ hasText: 'Three people' }).waitFor()
    await panel.getByText('Left as somebody wrote it: Title').waitFor()
    // There is nothing to try again.
    expect(await button(page, 'Try again').count()).toBe(0)
    expect(problems).toEqual([])
  })
})

describe('how messages are read', () => {
  it('an earlier state goes into the form and is saved; the preview says what comes back with it', {
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, push } = station
    const put = (members: Json, name: string): Promise<Json> =>
      sergeant.send('PUT', MAPPING, {
        members,
        fields: [{ from: 'name', to: 'CustomField', name }],
        keepExtended: false,
      })
    const before = await sergeant.send('GET', MAPPING)
    await put({}, 'First')
    await put({ eventId: ['Incident.Number'], eventStartTimeUtc: ['Incident.Opened'] }, 'Second')
    for (const at of [1, 2]) await push({ eventId: fresh('G'), eventStartTimeUtc: START, name: `Noise ${at}` })
    const { page, problems } = await looking(given, sergeant, '/administration/cad?view=mapping')
    const versions = page.getByRole('list').filter({ hasText: 'Default of the station' }).getByRole('listitem')
    await versions.first().getByText('Now', { exact: true }).waitFor()
    await versions.nth(1).getByRole('button', { name: 'Go back to this' }).click()
    await page.getByText(/more than today\./).waitFor()
    const table = page.getByRole('complementary', { name: 'Preview with recent messages' }).getByRole('table')
    await table.getByRole('row').filter({ hasText: 'First' }).getByText('Noise 2').waitFor()
    await button(page, 'Save').click()
    await soon(async () => (await sergeant.send('GET', MAPPING)).fields[0].name).toBe('First')
    const { members, fields, keepExtended } = before
    await sergeant.send('PUT', MAPPING, { members, fields, keepExtended })
    expect(problems).toEqual([])
  })
})

describe('what links recordings', () => {
  it('without how near nothing is saved, and what was saved comes back', { timeout: 120_000 }, async () => {
    const { given, sergeant } = station
    const rules = '/api/v1/correlation/station/rules'
    const before = await sergeant.send('GET', rules)
    const { page, problems } = await looking(given, sergeant, '/administration/cad?view=linking')
    const nearness = page.getByRole('checkbox', { name: 'Also what was recorded near the call' })
    await nearness.press('Space')
    const near = page.getByRole('textbox', { name: 'How near' })
    await near.fill('')
    await near.press('Tab')
    await page.getByText('From 10 to 5,000 metres.').waitFor()
    await button(page, 'Save').click()
    await page.getByText('From 10 to 5,000 metres.').waitFor()
    expect(await sergeant.send('GET', rules)).toEqual(before)
    await button(page, 'Back to what is saved').click()
    await soon(() => nearness.isChecked()).toBe(before.Place.Enabled)
    expect(problems).toEqual([])
  })
})
