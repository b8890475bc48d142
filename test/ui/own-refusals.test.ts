/** The window asks for nothing that the person may not have: each refusal it caused by itself would stand among those of people who tried. */
// @module-tag screen
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { type CasesStation, casesStation, looking, type Person } from './support/cases.ts'

const PASSWORD = 'three blind mice, 1805'
let station: CasesStation
let guest: Pick<Person, 'username' | 'password'>
let caseId: string
let evidenceId: string
beforeAll(async () => {
  station = await casesStation()
  const { sergeant } = station
  const category: Json = await sergeant.send('POST', '/api/v1/category/station', {
    Name: 'Burglary',
    RetentionDays: 30,
  })
  const department: Json = await sergeant.send('POST', '/api/v1/department/station', {
    Name: 'North side',
    AccessPolicies: [{ Permissions: 'Manage', PrincipalId: sergeant.id, KId: sergeant.kId, PrincipalType: 'user' }],
  })
  const user: Json = await sergeant.send('POST', '/userservice/api/v1/tenant/station/users', {
    Username: 'counsel',
    Password: PASSWORD,
    ChangePassword: false,
    FirstName: 'Ada',
    LastName: 'Quill',
    Guest: true,
  })
  guest = { username: 'counsel', password: PASSWORD }
  caseId = (
    await station.made({
      CategoryId: category.CategoryId ?? category.Id,
      DepartmentId: department.DepartmentId ?? department.Id,
    })
  ).CaseId
  evidenceId = await station.evidence('Statement', {}, caseId)
  await station.share(caseId, { ...station.okafor, id: user.PrincipalId, kId: user.KId }, 'View')
}, 120_000)
afterAll(() => station?.given.close())

const PLACES = ['/today', '/evidence', '/cases', '/packages', '/disclosure', '/search?q=burglary', '/account'] as const

it.each([
  ['a guest', () => guest],
  ['an officer in no policy', () => station.lindqvist],
  ['an administrator', () => station.sergeant],
] as const)('A6: %s opens the pages, and nothing is refused', async (_who, who) => {
  const { page, refusals, problems } = await looking(station.given, who(), '/evidence')
  for (const place of who() === station.lindqvist
    ? PLACES
    : [...PLACES, `/cases/${caseId}`, `/evidence/${evidenceId}`]) {
    await page.goto(`${station.given.url}${place}`)
    await page.locator('#work h1').first().waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
  }
  expect(refusals).toEqual([])
  expect(problems).toEqual([])
})

it('whoever may not create cases is told whom to ask at the address of the form, before they type', async () => {
  const { page, refusals } = await looking(station.given, station.lindqvist, '/cases/new')
  await page.getByText('You may not create cases').waitFor()
  expect(await page.getByRole('textbox').count()).toBe(0)
  expect(refusals).toEqual([])
  const { page: theirs } = await looking(station.given, station.okafor, '/cases/new')
  await theirs.getByRole('textbox', { name: /^Title/ }).waitFor()
})

it('A7: a guest reads the names of category and department through the case, never their ids', async () => {
  const { page } = await looking(station.given, guest, `/cases/${caseId}`)
  const facts = page.getByRole('region', { name: 'Facts' })
  await facts.getByText('Burglary', { exact: true }).waitFor()
  await facts.getByText('North side').waitFor()
})

it('A7: the search names categories to those who may read their names, and shows guests no ids instead', async () => {
  const filters = async (who: Pick<Person, 'username' | 'password'>) => {
    const { page } = await looking(station.given, who, '/search?q=Burglary')
    const panel = page.getByRole('complementary', { name: 'Filters' })
    await panel.getByRole('checkbox', { name: /^Cases, 1|^Cases.*1$/ }).waitFor()
    await page.waitForLoadState('networkidle')
    return panel.getByRole('region', { name: 'Category' })
  }
  expect(await (await filters(station.sergeant)).innerText()).toContain('Burglary')
  expect(await (await filters(guest)).count()).toBe(0)
})

it('an address that somebody typed wrongly shows the list as usual, and no page ends', async () => {
  for (const [address, heading] of [
    ['/evidence?type=1', 'Evidence'],
    ['/evidence?type=video&tag=7&sort=none&q=4', 'Evidence'],
    ['/evidence?type=%5B1%5D&status=%7B%7D&from=5', 'Evidence'],
    ['/cases?q=1&state=5&view=%5B%5D', 'Cases'],
    ['/search?types=1&custom=%7B%7D&box=4&q=%5B1%5D', 'Search'],
    [`/cases/${caseId}?v=1&side=2&view=%5B%5D`, null],
  ] as const) {
    const { page } = await looking(station.given, station.sergeant, address)
    await (heading === null
      ? page.getByRole('region', { name: 'Facts' })
      : page.getByRole('heading', { level: 1, name: heading })
    ).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByText('This page hit a problem').count(), address).toBe(0)
    await page.close()
  }
})

it('A3: nobody reads a number of the whole station in the rail', async () => {
  const railOf = async (who: Pick<Person, 'username' | 'password'>) => {
    const { page } = await looking(station.given, who, '/evidence')
    const rail = page.getByRole('navigation', { name: 'Areas' })
    await rail.getByRole('link', { name: /^Evidence/ }).waitFor()
    const panel = page.getByRole('region', { name: 'Station' })
    await panel.getByText('Idle').waitFor()
    return rail.innerText()
  }
  // The station holds one evidence, and nothing waits for anybody: a number would count what is no work of theirs.
  expect(await railOf(station.sergeant)).not.toMatch(/\d/)
  expect(await railOf(station.lindqvist)).not.toMatch(/\d/)
})
