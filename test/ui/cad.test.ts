/** Dispatch as administrators work with it, and what a case tells of it. */
// @module-tag screen
// @module-tag merge
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Json } from '../support/given.ts'
import { findingsInThemes } from './support/axe.ts'
import { type CadStation, cadStation, EVENTS, foreign, MAPPING, MESSAGES } from './support/cad.ts'
import { looking, soon } from './support/cases.ts'

let station: CadStation
beforeAll(async () => {
  station = await cadStation()
}, 120_000)
afterAll(() => station?.given.close())

const START = '2026-11-20T01:38:00Z'
const SAME_IN_FRENCH = 'Le même message est revenu ; rien n’a été modifié.'
const fresh = (name: string): string => `${name}-${randomUUID().slice(0, 8)}`
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const field = (page: Page, name: string) => page.getByRole('textbox', { name })
const row = (page: Page, words: string) => page.getByRole('grid').getByRole('row').filter({ hasText: words })
const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name })
const withKey = (apiKey: string): Promise<{ status: number }> =>
  station.given.call('POST', EVENTS, {
    token: null,
    headers: { 'x-api-key': apiKey },
    body: { eventId: fresh('K'), eventStartTimeUtc: START },
  })

describe('the connection', () => {
  it('shows who is connected; a key is made, shown once, used, and taken away by keyboard', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, dispatch } = station
    const name = fresh('Desk')
    const { page, problems } = await looking(given, sergeant, '/administration/cad')
    await page.getByRole('link', { name: 'Dispatch (CAD)' }).waitFor()
    await button(page, 'Keys and web pages').press('Enter')
    await page.getByRole('heading', { name: dispatch.name }).waitFor()
    await button(page, 'Create an API key').press('Enter')
    await page.getByText('Say what it is for.').waitFor()
    await field(page, 'Name of the new key').focus()
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    const apiKey = await page
      .locator('code')
      .filter({ hasText: /^[\w-]{43}$/ })
      .innerText()
    expect((await withKey(apiKey)).status).toBe(201)
    const place = `/userservice/api/v1/tenant/station/services/${dispatch.id}`
    await soon(async () => {
      const { ApiKeys } = await sergeant.send('GET', place)
      return ApiKeys.find((one: Json) => one.Name === name)?.LastUsedUtc ?? null
    }).not.toBe(null)
    // Gone with the panel: it is nowhere to be had again.
    await page.reload()
    await page.getByText(name, { exact: true }).waitFor()
    expect(await page.content()).not.toContain(apiKey)

    const line = page.getByRole('listitem').filter({ hasText: name })
    await line.getByText(/last used/).waitFor()
    await line.getByRole('button', { name: 'Remove' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: `Remove the API key “${name}”?` })
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
    await soon(() => page.getByRole('listitem').filter({ hasText: name }).count()).toBe(0)
    expect((await withKey(apiKey)).status).toBe(401)
    expect(problems).toEqual([])
  })

  it('takes web pages, and says which of them are none', { timeout: 120_000 }, async () => {
    const { given, sergeant, dispatch } = station
    const page1 = `https://${fresh('desk')}.example`
    const { page, problems } = await looking(given, sergeant, `/administration/cad?open=${dispatch.id}`)
    const pages = field(page, 'Web pages that may use its key')
    await pages.fill('dispatch.example/')
    await button(page, 'Save the web pages').click()
    await page.getByText(/must be an origin as browsers send it/).waitFor()
    await pages.fill(page1)
    await button(page, 'Save the web pages').click()
    await page.getByText('The web pages are saved.').waitFor()
    const { Origins } = await sergeant.send('GET', `/userservice/api/v1/tenant/station/services/${dispatch.id}/origins`)
    expect(Origins).toEqual([page1])
    expect(problems).toEqual([])
  })

  it('gives a command that works as it stands, with a key put in', { timeout: 120_000 }, async () => {
    const { given, sergeant } = station
    const { page, problems } = await looking(given, sergeant, '/administration/cad')
    const command = await page.locator('code').filter({ hasText: /^curl/ }).innerText()
    const parts = /^curl -H 'X-Api-Key: the-API-key' -H 'Content-Type: application\/json' -d '(.+)' '(\S+)'$/.exec(
      command,
    )
    const reply = await given.call('POST', String(parts?.[2]), {
      token: null,
      headers: { 'x-api-key': await freshKey() },
      raw: String(parts?.[1]),
    })
    expect([200, 201]).toContain(reply.status)
    expect(problems).toEqual([])
  })

  async function freshKey(): Promise<string> {
    const place = `/userservice/api/v1/tenant/station/services/${station.dispatch.id}/api-keys`
    return (await station.sergeant.send('POST', place, { Name: fresh('Key') })).APIKey
  }
})

describe('messages that could not be read', () => {
  it('come by themselves, with the reason, and hostile text stays text', { timeout: 120_000 }, async () => {
    const { given, sergeant, push } = station
    const { page, problems } = await looking(given, sergeant, '/administration/cad?view=messages')
    await page.getByRole('radio', { name: /Not readable/ }).waitFor()
    const number = fresh('X')
    const evil = '\u202egnp.exe<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>'
    await push({ eventId: number, eventStartTimeUtc: 'yesterday', name: evil, ['<b>']: evil })
    await row(page, number).click()
    await page.getByRole('heading', { name: number }).waitFor()
    await page
      .getByText(/eventStartTimeUtc must be an ISO 8601 time/)
      .first()
      .waitFor()
    const raw = page.locator('pre')
    expect(await raw.innerText()).toContain('‹U+202E›gnp.exe<img src=x onerror=')
    expect(await raw.locator('*').count()).toBe(0)
    expect(await page.title()).toContain('Dispatch (CAD)')
    await button(page, 'Try again').click()
    await page.getByText(/It still cannot be applied\./).waitFor()
    await page.getByText(/2 times · /).waitFor()
    expect(problems).toEqual([])
  })

  it('in French: why it was not applied, and each thing that is wrong with it', {
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, push } = station
    const call = { eventId: fresh('F'), eventStartTimeUtc: START, transactionId: '1' }
    const { caseId } = await push(call)
    await push(call)
    const number = fresh('F')
    await push({ eventId: number, eventStartTimeUtc: 'hier' })
    const [{ messageId, reason }] = (await sergeant.send('GET', `${MESSAGES}?state=repeated&count=1`)).items
    expect(reason).toContain('was applied already')
    const place = `/administration/cad?view=messages&open=${messageId}`
    const { page, problems } = await looking(given, sergeant, place, { language: 'fr' })
    await page.getByText(SAME_IN_FRENCH).first().waitFor()
    await row(page, number).getByText('Le message ne peut pas être lu comme un événement.').waitFor()
    await row(page, number).click()
    await page.getByRole('heading', { name: number }).waitFor()
    const panel = page.locator('[data-panel]')
    await panel.getByText('Le message ne peut pas être lu comme un événement.').waitFor()
    await panel.getByText(/^eventStartTimeUtc doit être une heure ISO 8601/).waitFor()
    await page.goto(`${given.url}/cases/${caseId}`)
    await page.getByRole('region', { name: 'Répartition' }).getByText(SAME_IN_FRENCH).waitFor()
    expect(await page.getByText('was applied already').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('that are long come in parts', { timeout: 120_000 }, async () => {
    const { given, sergeant, raw } = station
    const text = `{"eventId": "${'0123456789'.repeat(15_000)}"`
    const whole = text.length.toLocaleString('en')
    await raw(text)
    const [{ messageId }] = (await sergeant.send('GET', `${MESSAGES}?state=unreadable&count=1`)).items
    const { page, problems } = await looking(given, sergeant, `/administration/cad?view=messages&open=${messageId}`)
    await page.getByText(`65,536 of ${whole} characters`).waitFor()
    await button(page, 'Show more').click()
    await page.getByText(`131,072 of ${whole} characters`).waitFor()
    await button(page, 'Show more').click()
    await soon(() => page.locator('pre').innerText()).toBe(text)
    expect(await button(page, 'Show more').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('are read once the mapping is right: looked at on the very message, saved, and all tried again', {
    timeout: 180_000,
  }, async () => {
    const { given, sergeant, push } = station
    const [one, two] = [fresh('N'), fresh('N')]
    await push(foreign(one))
    await push(foreign(two))
    const { page, problems } = await looking(given, sergeant, '/administration/cad?view=mapping')
    await page.getByText(/of the newest \d+ could be read/).waitFor()
    const path = (name: string) => page.getByRole('combobox', { name })
    const type = async (name: string, text: string): Promise<void> => {
      await path(name).first().fill(text)
      await page.keyboard.press('Tab')
    }
    await type('Path of Number of the call', 'Incident..Number')
    await page.getByText(/Up to eight names with dots between them/).waitFor()
    await page.getByText('The preview goes on when every line is right.').waitFor()
    // Picked from where something stands in the message.
    await path('Path of Number of the call').fill('Incident.N')
    await page.getByRole('option', { name: /Incident\.Number/ }).click()
    await button(page, 'Another place for Number of the call').click()
    await path('Path of Number of the call').nth(1).fill('eventId')
    await page.keyboard.press('Tab')
    await type('Path of Start', 'Incident.Opened')
    await button(page, 'Another place for Start').click()
    await path('Path of Start').nth(1).fill('eventStartTimeUtc')
    await page.keyboard.press('Tab')
    await button(page, 'Add a line').click()
    await button(page, 'Save').click()
    await page.getByText('One line is not right yet.').waitFor()
    await path('From').last().fill('Incident.Nature')
    await page.keyboard.press('Tab')
    await field(page, 'Name of the field').last().fill('Nature')
    const table = page.getByRole('complementary', { name: 'Preview with recent messages' }).getByRole('table')
    await table.getByRole('row').filter({ hasText: 'Nature' }).getByText('new', { exact: true }).waitFor()
    expect(await table.getByRole('row').filter({ hasText: 'Incident number' }).innerText()).toContain(two)
    await button(page, 'Save').click()
    await page.getByText(/that could not be read wait to be tried again/).waitFor()

    await tab(page, /^Messages/).click()
    await row(page, 'number not known').first().waitFor()
    await button(page, 'Try all of them again').click()
    await page
      .getByText(/tried again; \d+ are settled|tried again; \d+ are settled\./)
      .first()
      .waitFor()
    await soon(() => row(page, one).count()).toBe(0)
    for (const number of [one, two]) {
      const { caseId } = await sergeant.send('GET', `${EVENTS}/${number}`)
      const made = await sergeant.send('GET', `/api/v1/case/station/${caseId}`)
      expect(made).toMatchObject({ ExternalReferenceId2: number, CustomFields: { Nature: 'Burglary in progress' } })
    }
    expect(problems).toEqual([])
  })
})

describe('how messages are read', () => {
  it('one can go back to how they were; what would lose messages is asked about first', {
    timeout: 180_000,
  }, async () => {
    const { given, sergeant, push } = station
    const put = async (change: (mapping: Json) => Json): Promise<void> => {
      const { members, fields, keepExtended } = await sergeant.send('GET', MAPPING)
      await sergeant.send('PUT', MAPPING, change({ members, fields, keepExtended }))
    }
    const before = await sergeant.send('GET', MAPPING)
    await put((mapping) => ({ ...mapping, keepExtended: !mapping.keepExtended }))
    for (let at = 0; at < 3; at += 1) await push({ eventId: fresh('L'), eventStartTimeUtc: START })
    const { page, problems } = await looking(given, sergeant, '/administration/cad?view=mapping')
    await page.getByText(/of the newest \d+ could be read/).waitFor()
    await page.getByRole('combobox', { name: 'Path of Start' }).first().fill('Nowhere')
    await page.keyboard.press('Tab')
    while ((await page.getByRole('combobox', { name: 'Path of Start' }).count()) > 1)
      await page
        .getByRole('button', { name: /^Remove / })
        .last()
        .click()
    await page.getByText(/that are read today would not be/).waitFor()
    await button(page, 'Save').click()
    const asked = page.getByRole('alertdialog', { name: /could not be read any more/ })
    await asked.getByRole('button', { name: 'Cancel' }).click()
    const versions = page.getByRole('list').filter({ hasText: 'Default of the station' })
    await versions.getByRole('button', { name: 'Go back to this' }).last().click()
    await page.getByText('It is in the form. Check the preview, then save.').waitFor()
    await button(page, 'Discard changes').click()
    await sergeant.send('PUT', MAPPING, {
      members: before.members,
      fields: before.fields,
      keepExtended: before.keepExtended,
    })
    expect(problems).toEqual([])
  })

  it('when somebody saved first, what differs is shown and nothing typed is lost', { timeout: 120_000 }, async () => {
    const { given, sergeant } = station
    const { page, problems } = await looking(given, sergeant, '/administration/cad?view=mapping')
    const name = fresh('Mine')
    await button(page, 'Add a line').click()
    await page.getByRole('combobox', { name: 'From' }).last().fill('Where.Zone')
    await page.keyboard.press('Tab')
    await field(page, 'Name of the field').last().fill(name)
    const { members, fields, keepExtended } = await sergeant.send('GET', MAPPING)
    await sergeant.send('PUT', MAPPING, { members, fields, keepExtended: !keepExtended })
    await button(page, 'Save').click()
    await page.getByRole('dialog', { name: /saved first/ }).waitFor()
    await button(page, 'Save these choices').click()
    await soon(async () => (await sergeant.send('GET', MAPPING)).fields.some((one: Json) => one.name === name)).toBe(
      true,
    )
    expect((await sergeant.send('GET', MAPPING)).keepExtended).toBe(!keepExtended)
    expect(problems).toEqual([])
  })
})

describe('the page of a case', () => {
  it('tells which messages made it, what each changed, and what was left as somebody wrote it', {
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, okafor, push, share } = station
    await sergeant.send('PUT', MAPPING, { members: {}, fields: [{ from: 'name', to: 'Title' }], keepExtended: true })
    const call = { eventId: fresh('C'), eventStartTimeUtc: START, name: 'Noise', extended: { Colour: 'red' } }
    const { caseId } = await push(call)
    await share(caseId, okafor, 'View')
    const { page, problems } = await looking(given, okafor, `/cases/${caseId}`)
    const panel = page.getByRole('region', { name: 'Dispatch' })
    await panel.getByText('Applied').waitFor()
    const { ConcurrencyId } = await sergeant.send('GET', `/api/v1/case/station/${caseId}`)
    await sergeant.send('PATCH', `/api/v1/case/station/${caseId}`, { Title: 'Party', ConcurrencyId })
    // The page is told; nobody reloads it.
    await push({ ...call, name: 'Loud noise', extended: { Colour: 'blue' } })
    await panel.getByText('Left as somebody wrote it: Title').waitFor()
    const newest = panel.getByRole('listitem').first()
    await newest.locator('del').filter({ hasText: 'red' }).waitFor()
    await newest.locator('ins').filter({ hasText: 'blue' }).waitFor()
    expect(problems).toEqual([])
  })
})

describe('the facts of a call', () => {
  it('A12: with the mapping that a station comes with they are a group of their own, and none is said to be out of use', {
    timeout: 120_000,
  }, async () => {
    const untouched = await cadStation()
    onTestFinished(() => untouched.given.close())
    const { caseId } = await untouched.push({
      eventId: fresh('G'),
      eventStartTimeUtc: START,
      name: 'Burglary',
      priority: 'P1',
      type: 'Break-in',
      state: 'Dispatched',
    })
    for (const [language, title, group] of [
      ['en', 'Facts', 'Call'],
      ['fr', 'Faits', 'Appel'],
    ] as const) {
      const { page, problems } = await looking(untouched.given, untouched.sergeant, `/cases/${caseId}`, { language })
      const facts = page.getByRole('region', { name: title, exact: true })
      const call = facts.getByRole('group', { name: group, exact: true })
      await call.getByText('Dispatched').waitFor()
      const pairs = await call.locator('dl > div').allInnerTexts()
      expect(pairs.map((pair) => pair.split('\n')).toSorted()).toEqual([
        ['Priority', 'P1'],
        ['State', 'Dispatched'],
        ['Type', 'Break-in'],
      ])
      expect(await page.locator('body').innerText()).not.toMatch(/no longer in use|not part of the form|plus utilisé/i)
      expect(problems).toEqual([])
    }
  })
})

describe('axe-core', () => {
  it('finds nothing in any theme', { timeout: 180_000 }, async () => {
    const { given, sergeant, dispatch, push } = station
    await push({ eventId: fresh('A') })
    const [{ messageId }] = (await sergeant.send('GET', `${MESSAGES}?state=unreadable&count=1`)).items
    const { page } = await looking(given, sergeant, '/administration/cad', { theme: 'light' })
    for (const [search, there] of [
      [`open=${dispatch.id}`, page.getByRole('heading', { name: 'API keys' })],
      [`view=messages&open=${messageId}`, page.locator('pre')],
      ['view=mapping', page.getByText(/of the newest \d+ could be read/)],
    ] as const) {
      await page.goto(`${given.url}/administration/cad?${search}`)
      await there.waitFor()
      await soon(() => page.locator('[aria-busy=true]').count()).toBe(0)
      expect(await findingsInThemes(page), search).toEqual([])
    }
  })
})

describe('what links recordings', () => {
  it('shows the rule that always holds, turns further ones on with how near, and refuses nonsense', {
    timeout: 90_000,
  }, async () => {
    const { given, sergeant } = station
    const { page, problems } = await looking(given, sergeant, '/administration/cad?view=linking')
    await page.getByText('An officer who was sent to the call had the camera').waitFor()
    await page.getByRole('checkbox', { name: 'Also what was recorded near the call' }).press('Space')
    const near = page.getByRole('textbox', { name: 'How near' })
    await near.fill('350')
    await near.press('Tab')
    await page.getByText('all cases with a time are assessed again').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await button(page, 'Save').press('Enter')
    await page.getByText('Saved. Cases are being assessed again.').waitFor()
    expect(await sergeant.send('GET', '/api/v1/correlation/station/rules')).toEqual({
      Place: { Enabled: true, RadiusMetres: 350 },
      Number: { Enabled: false },
    })
    await soon(() => button(page, 'Save').getAttribute('aria-disabled')).toBe('true')
    expect(problems).toEqual([])
  })
})
