/** People, rights and integrations as an administrator works with them; templates, prefilled fields, and what the station refused. */
// @module-tag screen
// @module-tag merge
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../support/integrator.ts'
import { findingsInThemes } from './support/axe.ts'
import { type CasesStation, casesStation, looking, soon } from './support/cases.ts'

let station: CasesStation
beforeAll(async () => {
  station = await casesStation()
}, 120_000)
afterAll(() => station?.given.close())

const PEOPLE = '/userservice/api/v1/tenant/station'
const TEMPLATES = '/customfieldservice/api/v1/template/station'
const field = (page: Page, name: string) => page.getByRole('textbox', { name })
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const row = (page: Page, name: string) => page.getByRole('grid').getByRole('row').filter({ hasText: name })
/** As the station makes one wait after a wrong password, whoever asks here waits. @returns the status that came of it */
async function signInAs(username: string, password: string): Promise<number> {
  for (let tries = 0; tries < 40; tries += 1) {
    const { status, headers } = await station.given.call('POST', '/connect/session', {
      token: null,
      headers: { origin: station.given.url },
      body: { Username: username, Password: password, NoticeId: 'default' },
    })
    const seconds = Number(headers.get('retry-after') ?? '1')
    // A locked account says a quarter of an hour: that is its answer.
    if (status !== 429 || seconds > 60) return status
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
  throw new Error(`${username} was never let try`)
}

describe('users', () => {
  it('one is made, changed, gets a new password, is signed out, disabled and enabled again', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const { given, sergeant } = station
    const { page, problems } = await looking(given, sergeant, '/administration')
    await button(page, 'New user').click()
    await field(page, 'User name').fill('marchetti')
    await field(page, 'Last name').fill('Marchetti')
    await button(page, 'Add user').click()
    await page.getByText('A password has at least 12 characters.').waitFor()
    await field(page, 'First password').fill('a paper boat, 1911')
    await button(page, 'Add user').click()
    await row(page, 'Marchetti').waitFor()
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('paper boat')
    expect(await signInAs('marchetti', 'a paper boat, 1911')).toBe(200)

    await field(page, 'Badge').fill('0417')
    await button(page, 'Save').click()
    await row(page, 'Marchetti').getByText('badge 0417').waitFor()
    await page.reload()
    const sessions = page.getByRole('region', { name: 'Sessions' })
    await sessions.getByRole('button', { name: 'End' }).click()
    await sessions.getByText('Signed in nowhere.').waitFor()

    await button(page, 'Give a new password').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('three blind mice, 1912')
    await dialog.getByRole('button', { name: 'Give a new password' }).click()
    await soon(() => page.getByRole('dialog').count()).toBe(0)
    expect(await signInAs('marchetti', 'a paper boat, 1911')).toBe(401)

    await button(page, 'Disable').click()
    await row(page, 'Marchetti').getByText('Disabled').waitFor()
    expect(await signInAs('marchetti', 'three blind mice, 1912')).toBe(401)
    await button(page, /^Undo/).last().click()
    await soon(() => row(page, 'Marchetti').getByText('Disabled').count()).toBe(0)
    expect(await signInAs('marchetti', 'three blind mice, 1912')).toBe(200)
    await page.getByRole('searchbox').fill('okaf')
    await soon(() => page.getByRole('grid').getByRole('row').count()).toBe(2)
    expect(problems).toEqual([])
  })

  it('an account is contained with a reason, by keyboard too, and what ended is listed', {
    timeout: 90_000,
  }, async () => {
    const { given, sergeant } = station
    const made = await sergeant.send('POST', `${PEOPLE}/users`, {
      Username: 'taken',
      LastName: 'Takeda',
      Password: 'a paper boat, 1911',
      ChangePassword: false,
    })
    expect(await signInAs('taken', 'a paper boat, 1911')).toBe(200)
    const { page, problems } = await looking(given, sergeant, `/administration/users?open=${made.PrincipalId}`)
    await button(page, 'Contain account').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: /^Contain the account of .*Takeda/ })
    await dialog.getByText('nothing is deleted').waitFor()
    // Without a reason nothing is sent.
    await dialog.getByRole('button', { name: 'Contain account' }).click({ force: true })
    expect((await sergeant.send('GET', `${PEOPLE}/users/${made.PrincipalId}`)).Enabled).toBe(true)
    await field(page, 'Reason').fill('laptop stolen')
    await dialog.getByRole('button', { name: 'Contain account' }).click()
    const done = page.getByRole('dialog', { name: /is contained$/ })
    await done.getByText('1 session ended.').waitFor()
    await done.getByText('The password was removed.').waitFor()
    await done.getByText('There was no second step.').waitFor()
    await page.keyboard.press('Escape')
    await soon(() => page.getByRole('dialog').count()).toBe(0)
    await page.getByText('There is no password').waitFor()
    await row(page, 'Takeda').getByText('Disabled').waitFor()
    expect(await signInAs('taken', 'a paper boat, 1911')).toBe(401)
    expect(problems).toEqual([])
  })

  it('an account that failed sign-ins locked is freed', { timeout: 90_000 }, async () => {
    const { given, sergeant, lindqvist } = station
    for (let times = 0; times < 5; times += 1) await signInAs('lindqvist', 'not this one')
    const { page } = await looking(given, sergeant, `/administration/users?open=${lindqvist.id}`)
    await row(page, 'Lindqvist').getByText('Locked').waitFor()
    await button(page, 'Unlock the account').click()
    await soon(() => row(page, 'Lindqvist').getByText('Locked').count()).toBe(0)
    const user = await sergeant.send('GET', `${PEOPLE}/users/${lindqvist.id}`)
    expect(user.LockedUntilUtc).toBeNull()
  })
})

describe('groups', () => {
  it('one is made and filled, one is taken out and put back, and it is deleted with a second word', {
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, okafor } = station
    const { page, problems } = await looking(given, sergeant, '/administration/groups')
    await button(page, 'New group').click()
    await field(page, 'Name').fill('Night shift')
    await button(page, 'Create group').click()
    await page.getByText('Nobody is in it yet.').waitFor()
    await page.getByRole('combobox', { name: 'Add somebody' }).fill('okaf')
    await page.getByRole('option', { name: /Okafor/ }).click()
    await page.getByRole('heading', { name: '1 member' }).waitFor()
    const found = await sergeant.send('GET', `${PEOPLE}/groups?text=night`)
    const place = `${PEOPLE}/groups/${found.Items[0].PrincipalId}`
    const members = async () =>
      (await sergeant.send('GET', place)).Members.map(({ PrincipalId }: { PrincipalId: string }) => PrincipalId)
    expect(await members()).toEqual([okafor.id])
    await button(page, /^Remove .*Okafor/).click()
    await page.getByText('Nobody is in it yet.').waitFor()
    await button(page, /^Undo/).last().click()
    await page.getByRole('heading', { name: '1 member' }).waitFor()
    expect(await members()).toEqual([okafor.id])
    await button(page, 'Delete the group').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the group' }).click()
    await soon(() => row(page, 'Night shift').count()).toBe(0)

    await row(page, 'Account Administrators').click()
    await page.getByText('This group is part of the station.').waitFor()
    expect(await button(page, 'Delete the group').count()).toBe(0)
    await button(page, /^Remove .*sergeant/).click()
    await page.getByText('This is the last administrator who can sign in.').waitFor()
    expect(problems).toEqual([])
  })
})

describe('rights', () => {
  const membersOf = async (policy: string) => {
    const all = await station.sergeant.send('GET', `${PEOPLE}/policies`)
    return all
      .find(({ Policy }: { Policy: string }) => Policy === policy)
      .Members.map((one: { PrincipalId: string; Level: string | null }) => [one.PrincipalId, one.Level] as const)
  }

  it('by keyboard: a cell is changed, marked, dropped, changed and saved; what others saved meanwhile stays', {
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, okafor, lindqvist } = station
    const { page, problems } = await looking(given, sergeant, '/administration/policies?people=true')
    const unsaved = page.getByRole('region', { name: 'Changes' })
    const cell = (right: string) => page.getByRole('checkbox', { name: new RegExp(`^${right}, .*Okafor`) })
    await cell('Create cases').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await unsaved.getByText('1 unsaved change').waitFor()
    expect(await cell('Share cases').getAttribute('aria-checked')).toBe('true')
    await page.keyboard.press('Space')
    await unsaved.waitFor({ state: 'detached' })
    await page.keyboard.press('Space')
    expect((await membersOf('ShareCases')).map(([id]: readonly [string]) => id)).not.toContain(okafor.id)

    const before = (await membersOf('ShareCases')).map(([PrincipalId]: readonly [string]) => ({ PrincipalId }))
    await sergeant.send('PUT', `${PEOPLE}/policies/ShareCases`, {
      Members: [...before, { PrincipalId: lindqvist.id }],
    })
    await button(page, 'Save').click()
    await page.getByText('Somebody changed these rights meanwhile.').waitFor()
    await page.getByRole('checkbox', { name: /^Share cases, .*Lindqvist/ }).waitFor()
    await button(page, 'Save').click()
    await unsaved.waitFor({ state: 'detached' })
    const now = (await membersOf('ShareCases')).map(([id]: readonly [string]) => id)
    expect(now).toEqual(expect.arrayContaining([okafor.id, lindqvist.id]))

    await button(page, /^Files in no case, .*Okafor/).click()
    await page.getByRole('menuitemradio', { name: 'Download' }).click()
    await button(page, 'Save').click()
    await unsaved.waitFor({ state: 'detached' })
    expect(await membersOf('AccessUnassociatedFiles')).toContainEqual([okafor.id, 'Download'])
    expect(problems).toEqual([])
  })
})

describe('integrations', () => {
  it('the connection file is downloaded once, signs in, and its replacement too', { timeout: 120_000 }, async () => {
    const { given, sergeant } = station
    const { page, problems } = await looking(given, sergeant, '/administration/services')
    await button(page, 'New integration').click()
    await field(page, 'Name').fill('Dispatch north')
    await page.getByRole('checkbox', { name: 'Send dispatch events' }).check({ force: true })
    await button(page, 'Create integration').click()
    await page.getByText('Save this now: it is handed out once.').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download the connection file').click(),
    ])
    expect(download.suggestedFilename()).toBe('Dispatch-north.json')
    const file = JSON.parse(readFileSync(await download.path(), 'utf8'))
    expect(await signIn(file, given.url)).toEqual(expect.any(String))
    await page.getByText('Downloaded').waitFor()
    await button(page, 'I have it').click()
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))
    expect(kept).not.toContain(file.APIKey)
    await page.reload()
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    expect(await button(page, 'Download the connection file').count()).toBe(0)

    await button(page, 'Replace the API key').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the API key' }).click()
    const shown = page.getByRole('group', { name: /^Save this now/ })
    expect(await shown.locator('code').innerText()).not.toBe(file.APIKey)
    expect(problems).toEqual([])
  })
})

describe('templates and prefilled fields', () => {
  it('a field is added and seen in the preview while it is typed; who saved first is not written over', {
    timeout: 120_000,
  }, async () => {
    const { given, sergeant } = station
    const { page, problems } = await looking(given, sergeant, '/administration/templates')
    const preview = page.getByRole('region', { name: 'Preview' })
    await field(page, 'Record number').first().fill('Crime book no.')
    await preview.getByText('Crime book no.').waitFor()
    await button(page, 'Add a field').click()
    await field(page, 'Name of the field').fill('Weather')
    await button(page, /Type/).click()
    await page.getByRole('option', { name: 'Choice' }).click()
    await button(page, 'Save').click()
    await page.getByText('Give at least one choice.').waitFor()
    await field(page, 'Choices').fill('Dry\nRain')
    await preview.getByRole('button', { name: /Weather/ }).click()
    await page.getByRole('option', { name: 'Rain' }).click()
    await sergeant.send('PUT', TEMPLATES, { type: 'Case', customFields: [{ name: 'Suspects', type: 'Number' }] })
    await button(page, 'Save').click()
    const dialog = page.getByRole('dialog', { name: /saved first/ })
    await dialog.getByText('Suspects (Number)').waitFor()
    await button(page, 'Save these choices').click()
    await page.getByText('The template is saved.').waitFor()
    const [template] = await sergeant.send('GET', TEMPLATES)
    expect(template).toMatchObject({
      renamedFields: [{ fieldId: 'RecordNumber', customName: 'Crime book no.' }],
      customFields: [{ name: 'Weather', type: 'Choice', choices: ['Dry', 'Rain'] }],
    })
    expect(problems).toEqual([])
  })

  it('texts are offered for a field, changed, taken away and put back', { timeout: 90_000 }, async () => {
    const { given, sergeant } = station
    const fields = () => sergeant.send('GET', '/api/v1/prefilledfields/station')
    const { page, problems } = await looking(given, sergeant, '/administration/prefilled?open=new')
    await page.getByRole('combobox', { name: /For the field/ }).fill('Tit')
    await page.getByRole('option', { name: 'Title' }).click()
    await field(page, 'Text 1').fill('Burglary')
    await button(page, 'Add a text').click()
    await field(page, 'Text 2').fill('Fire')
    await button(page, 'Save').click()
    await row(page, 'Burglary, Fire').waitFor()
    expect(await fields()).toMatchObject([{ Target: 'Title', Values: ['Burglary', 'Fire'] }])
    await button(page, 'Delete the prefilled field').click()
    await page.getByText('No prefilled field yet').waitFor()
    await button(page, /^Undo/).last().click()
    await row(page, 'Burglary, Fire').waitFor()
    expect(await fields()).toMatchObject([{ Target: 'Title', Values: ['Burglary', 'Fire'] }])
    expect(problems).toEqual([])
  })
})

describe('refusals', () => {
  it('a refused call and a refused sign-in are told with who and from where, to whoever may read the trail', {
    timeout: 90_000,
  }, async () => {
    const { given, okafor, lindqvist } = station
    await signInAs('nobody-here', 'some words')
    await expect(lindqvist.send('GET', `${PEOPLE}/users`)).rejects.toThrow('403')
    const { page, problems } = await looking(given, okafor, '/administration/denials')
    await row(page, 'No right')
      .filter({ hasText: /lindqvist/i })
      .first()
      .waitFor()
    await button(page, /^Sign-in/).click()
    await soon(() => row(page, 'No right').count()).toBe(0)
    await row(page, 'Sign-in').first().waitFor()
    expect(page.url()).toContain('kind=SignIn')
    expect(problems).toEqual([])
  })
})

describe('axe-core', () => {
  it('finds nothing in any theme', { timeout: 180_000 }, async () => {
    const { given, sergeant, okafor } = station
    const { page } = await looking(given, sergeant, '/administration', { theme: 'light' })
    for (const [place, title] of [
      [`users?open=${okafor.id}`, 'Account'],
      ['users?open=new', 'New user'],
      ['groups?open=new', 'New group'],
      ['policies?people=true&open=ManageDevices', 'No unsaved changes'],
      ['services?open=new', 'New integration'],
      ['templates', 'Preview'],
      ['prefilled?open=new', 'New prefilled field'],
      ['denials', 'Access denied'],
    ] as const) {
      await page.goto(`${given.url}/administration/${place}`)
      await page.getByRole('heading', { name: title }).waitFor()
      await soon(() => page.locator('[aria-busy]').count()).toBe(0)
      expect(await findingsInThemes(page), place).toEqual([])
    }
  })
})
