/** The administration as people work with it: what is set up for the whole station. People and rights are in administration-people.test.ts. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findingsInThemes } from './support/axe.ts'
import { type CasesStation, casesStation, looking, soon } from './support/cases.ts'

let station: CasesStation
beforeAll(async () => {
  station = await casesStation()
}, 120_000)
afterAll(() => station?.given.close())

const CATEGORIES = '/api/v1/category/station'
const DEPARTMENTS = '/api/v1/department/station'
const field = (page: Page, name: string) => page.getByRole('textbox', { name })
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const row = (page: Page, name: string) => page.getByRole('grid').getByRole('row').filter({ hasText: name })

describe('who may not', () => {
  it('finds no way in, and by the address whom to ask', { timeout: 60_000 }, async () => {
    const { given, lindqvist } = station
    const { page, problems } = await looking(given, lindqvist, '/administration/users')
    await page.getByText('Ask one of them.').waitFor()
    const areas = page.getByRole('navigation', { name: 'Areas' })
    await areas.getByRole('link', { name: 'Cases' }).waitFor()
    expect(await areas.getByRole('link', { name: 'Administration' }).count()).toBe(0)
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(problems).toEqual([])
  })
})

describe('categories', () => {
  it('by keyboard: one is made, found in the list, changed and put out of use', { timeout: 120_000 }, async () => {
    const { given, sergeant } = station
    const { page, problems } = await looking(given, sergeant, '/administration/categories')
    await page.getByText('No category yet').waitFor()
    await button(page, 'New category').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New category' }).waitFor()
    await field(page, 'Name').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Give it a name.').waitFor()
    await page.keyboard.type('Burglary')
    await page.getByRole('radio', { name: /Until somebody decides/ }).focus()
    await page.keyboard.press('ArrowDown')
    await field(page, 'Days').focus()
    await page.keyboard.type('730')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Burglary' }).waitFor()
    await row(page, 'Burglary').getByText('2 years').waitFor()
    const [made] = await sergeant.send('GET', CATEGORIES)
    expect(made).toMatchObject({ Name: 'Burglary', RetentionDays: 730, Enabled: true })

    await page.getByRole('checkbox', { name: /In use/ }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await row(page, 'Burglary').getByText('Disabled').waitFor()
    expect((await sergeant.send('GET', CATEGORIES))[0].Enabled).toBe(false)
    await field(page, 'Name').focus()
    await page.keyboard.press('Escape')
    await soon(() => page.getByRole('heading', { name: 'Burglary' }).count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('when somebody saved first only what differs is shown, and what is typed outlives a reload', {
    timeout: 120_000,
  }, async () => {
    const { given, sergeant } = station
    const made = await sergeant.send('POST', CATEGORIES, { Name: 'Theft', Description: 'Shops.', RetentionDays: 365 })
    const place = `${CATEGORIES}/${made.CategoryId}`
    const { page, problems } = await looking(given, sergeant, `/administration/categories?open=${made.CategoryId}`)
    await field(page, 'Description').fill('Shops and stations.')
    await page.reload()
    await page.getByText('Draft restored.').waitFor()
    expect(await field(page, 'Description').inputValue()).toBe('Shops and stations.')
    await sergeant.send('PUT', place, {
      Name: 'Theft',
      Description: 'Shops, cars.',
      RetentionDays: 90,
      ConcurrencyId: made.ConcurrencyId,
    })
    await button(page, 'Save').click()
    const dialog = page.getByRole('dialog', { name: /saved first/ })
    await dialog.waitFor()
    expect(await dialog.getByRole('radiogroup').count()).toBe(2)
    const chosen = (name: string) => dialog.getByRole('radiogroup', { name }).locator('[data-chosen]').innerText()
    expect(await chosen('Description')).toContain('Shops and stations.')
    expect(await chosen('Kept')).toContain('90 days')
    await button(page, 'Save these choices').click()
    await soon(async () => (await sergeant.send('GET', place)).Description).toBe('Shops and stations.')
    expect((await sergeant.send('GET', place)).RetentionDays).toBe(90)

    await field(page, 'Name').fill('Burglary')
    await button(page, 'Save').click()
    await page.getByText('Another one has this name. Choose another name.').waitFor()
    expect(problems).toEqual([])
  })
})

describe('departments', () => {
  it('one is made with whom it gives access, becomes the default, and the default is taken back', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, okafor } = station
    const { page, problems } = await looking(given, sergeant, '/administration/departments')
    await button(page, 'New department').click()
    await field(page, 'Name').fill('Harbour watch')
    await button(page, 'Create department').click()
    await page.getByText('At least one person or group needs Manage.').waitFor()
    await page.getByRole('combobox', { name: 'Add somebody' }).fill('okaf')
    await page.getByRole('option', { name: /Okafor/ }).click()
    await button(page, 'Create department').click()
    await row(page, 'Harbour watch').waitFor()
    const [made] = await sergeant.send('GET', DEPARTMENTS)
    expect(made.AccessPolicies).toMatchObject([{ PrincipalId: okafor.id, Permissions: 'Manage' }])
    await button(page, 'Set as default').click()
    await row(page, 'Harbour watch').getByText('default').waitFor()
    // It has a new version now: what is typed goes on from there, and nothing is in its way.
    await field(page, 'Description').fill('Quay and river.')
    await button(page, 'Save').click()
    await row(page, 'Harbour watch').getByText('Quay and river.').waitFor()
    await page.getByText('The default department stays in use.').waitFor()
    await button(page, 'Have no default').click()
    await page.getByText('There is no default department now.').waitFor()
    await button(page, /^Undo/).last().click()
    await row(page, 'Harbour watch').getByText('default').waitFor()
    expect((await sergeant.send('GET', DEPARTMENTS))[0]).toMatchObject({
      IsDefault: true,
      Description: 'Quay and river.',
    })
    expect(problems).toEqual([])
  })
})

describe('axe-core', () => {
  it('finds nothing in any theme', { timeout: 120_000 }, async () => {
    const { given, sergeant } = station
    const { page } = await looking(given, sergeant, '/administration', { theme: 'light' })
    for (const section of ['categories', 'departments'] as const) {
      await page.goto(`${given.url}/administration/${section}?open=new`)
      await page.getByRole('heading', { name: section === 'categories' ? 'New category' : 'New department' }).waitFor()
      await soon(() => page.locator('[aria-busy]').count()).toBe(0)
      expect(await findingsInThemes(page), section).toEqual([])
    }
  })
})
