/** Working together on a case: tasks, people named in notes, requests for access, and handing cases over. */
// @module-tag screen
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { findingsInThemes } from './support/axe.ts'
import { CASES, casesStation, type CasesStation, looking, soon, undoByKey } from './support/cases.ts'

const NOTICES = '/userservice/api/v1/tenant/station/notices'
let station: CasesStation
let caseId: string
beforeAll(async () => {
  station = await casesStation()
  caseId = (await station.made()).CaseId
  await station.share(caseId, station.okafor, 'Edit')
}, 120_000)
afterAll(() => station?.given.close())

const tasksOf = async (): Promise<Json[]> => (await station.sergeant.send('GET', `${CASES}/${caseId}/task`)).Items
const panel = (page: Page) => page.getByRole('region', { name: /^Tasks/ })
const dayFrom = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describe('tasks', () => {
  it('are added by keyboard, given to oneself, done, undone and deleted', { tags: ['journey'] }, async () => {
    const { page, problems } = await looking(station.given, station.okafor, `/cases/${caseId}`)
    await panel(page).getByText('List what is left to do').waitFor()
    await panel(page).getByRole('button', { name: 'Add task' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add task' })
    await dialog.waitFor()
    await soon(() =>
      dialog.getByRole('textbox', { name: /^Task/ }).evaluate((it) => it === document.activeElement),
    ).toBe(true)
    await page.keyboard.type('Ask the shop for its footage')
    await dialog.getByRole('button', { name: 'Give it to me' }).press('Enter')
    await soon(() => dialog.getByRole('combobox', { name: /^Who does it/ }).inputValue()).toMatch(/Okafor/)
    expect(await findingsInThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add task' }).press('Enter')
    await panel(page).getByText('For you').waitFor()
    expect(await tasksOf()).toMatchObject([{ Title: 'Ask the shop for its footage', DueDate: null }])
    await panel(page).getByRole('checkbox', { name: 'Done: Ask the shop for its footage' }).press('Space')
    await page.getByText('Task done: Ask the shop for its footage').waitFor()
    await panel(page).getByRole('button', { name: 'Show 1 that is done' }).waitFor()
    await undoByKey(page)
    await panel(page).getByText('For you').waitFor()
    expect((await tasksOf())[0]?.Done).toBeNull()
    expect(await findingsInThemes(page)).toEqual([])
    await panel(page).getByRole('button', { name: 'Delete task' }).press('Enter')
    await panel(page).getByText('List what is left to do').waitFor()
    await undoByKey(page)
    await panel(page).getByText('For you').waitFor()
    await soon(async () => (await tasksOf()).length).toBe(1)
    expect(problems).toEqual([])
  })

  it('say what is overdue; Today leads to one’s own, and whoever may only view marks theirs', async () => {
    const other = (await station.made({ Title: 'Theft at the quay' })).CaseId
    await station.share(other, station.lindqvist, 'View')
    const place = `${CASES}/${other}/task`
    const { Items: before } = await station.sergeant.send('GET', place)
    expect(before).toEqual([])
    for (const [Title, DueDate] of [
      ['Call the owner', dayFrom(-2)],
      ['Return the keys', dayFrom(30)],
    ])
      await station.sergeant.send('POST', place, { Title, DueDate, AssigneeId: station.lindqvist.id })
    const { page, problems } = await looking(station.given, station.lindqvist, '/')
    const line = page.getByRole('link', { name: /Call the owner/ })
    await line.waitFor()
    expect(await line.innerText()).toMatch(/Was due .*Theft at the quay/s)
    await line.click()
    await panel(page)
      .getByText(/was due/)
      .waitFor()
    expect(await panel(page).getByRole('button', { name: /task/ }).count()).toBe(0)
    await panel(page).getByRole('checkbox', { name: 'Done: Call the owner' }).press('Space')
    await panel(page).getByRole('button', { name: 'Show 1 that is done' }).click()
    await panel(page)
      .getByText(/Done by M\. Lindqvist/)
      .waitFor()
    expect(problems).toEqual([])
  })

  it('what was typed stays where the dialog was left', async () => {
    const { page } = await looking(station.given, station.okafor, `/cases/${caseId}`)
    await panel(page).getByRole('button', { name: 'Add task' }).click()
    await page.getByRole('textbox', { name: /^Task/ }).fill('Half a thought')
    await page.reload()
    await panel(page).getByRole('button', { name: 'Add task' }).click()
    await soon(() => page.getByRole('textbox', { name: /^Task/ }).inputValue()).toBe('Half a thought')
  })
})

describe('mentions', () => {
  it('people are offered after @ and taken with Enter; whoever cannot view the case is named', async () => {
    const { page, problems } = await looking(station.given, station.okafor, `/cases/${caseId}`)
    const field = page.getByRole('textbox', { name: 'Write a note' })
    await field.focus()
    await page.keyboard.type('Please look, @lind')
    const option = page.getByRole('option', { name: /lindqvist/ })
    await option.waitFor()
    expect(await field.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'))
    expect(await findingsInThemes(page)).toEqual([])
    await page.keyboard.press('Enter')
    await soon(() => field.inputValue()).toBe('Please look, @lindqvist ')
    await page.keyboard.press('Control+Enter')
    await page.getByText('@lindqvist: not told').waitFor()
    await station.share(caseId, station.lindqvist, 'View')
    await field.focus()
    await page.keyboard.type('Now you can, @lindqvist')
    await page.getByRole('option', { name: /lindqvist/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('list', { name: 'Notes' }).getByText('Now you can, @lindqvist').waitFor()
    await soon(() => page.getByText('@lindqvist: not told').count()).toBe(0)
    const { Items } = await station.lindqvist.send('GET', NOTICES)
    expect(Items.filter(({ Kind }: Json) => Kind === 'note.mentioned')).toMatchObject([
      { Message: 'Now you can, @lindqvist' },
    ])
    expect(problems).toEqual([])
  })
})

describe('requests for access', () => {
  it('are made where a case cannot be viewed, and granted on its page', { tags: ['journey'] }, async () => {
    const closed = (await station.made({ Title: 'Sealed warehouse' })).CaseId
    const asking = await looking(station.given, station.okafor, `/cases/${closed}`)
    await asking.page.getByRole('button', { name: 'Ask for access' }).click()
    const dialog = asking.page.getByRole('dialog', { name: 'Ask for access to this case' })
    await dialog.getByRole('radio', { name: /^Edit/ }).check({ force: true })
    await dialog.getByRole('textbox', { name: /^Why you need it/ }).fill('I interview the witness')
    // The page asks again whether the case can be read; the dialog is not closed by that.
    const again = asking.page.waitForResponse((response) => response.url().endsWith(`/${closed}`))
    await asking.page.evaluate(() => {
      window.dispatchEvent(new Event('offline'))
      window.dispatchEvent(new Event('online'))
    })
    await again
    expect(await dialog.getByRole('textbox', { name: /^Why you need it/ }).inputValue()).toBe('I interview the witness')
    expect(await findingsInThemes(asking.page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await asking.page.getByText(/^You asked for Edit on .*Nobody has decided yet/).waitFor()
    expect(await asking.page.getByText('Sealed warehouse').count()).toBe(0)

    const managing = await looking(station.given, station.sergeant, '/')
    await managing.page.getByRole('link', { name: /D. Okafor asks for access/ }).click()
    await managing.page.getByText('D. Okafor asks for Edit on this case').waitFor()
    expect(await findingsInThemes(managing.page)).toEqual([])
    await managing.page.getByRole('button', { name: 'Grant', exact: true }).click()
    const grant = managing.page.getByRole('dialog', { name: 'Grant access to D. Okafor' })
    await grant.getByRole('radio', { name: /^View/ }).check({ force: true })
    await grant.getByRole('button', { name: 'Grant', exact: true }).click()
    await managing.page.getByText('Access granted to D. Okafor.').waitFor()
    await soon(() => managing.page.getByText('D. Okafor asks for Edit on this case').count()).toBe(0)
    await asking.page.reload()
    await asking.page.getByRole('heading', { name: 'Sealed warehouse' }).waitFor()
    expect(managing.problems).toEqual([])
  })
})

describe('a declined request', () => {
  it('is told with the way to the answer, from where one asks again', async () => {
    const closed = (await station.made({ Title: 'Sealed boathouse' })).CaseId
    const requests = '/api/v1/tenant/station/access-request'
    const asked = { CaseId: closed, Level: 'View', Reason: 'I know the owner' }
    const { RequestId } = await station.lindqvist.send('POST', requests, asked)
    const decision = { Decision: 'Decline', Message: 'Ask the detectives' }
    await station.sergeant.send('POST', `${requests}/${RequestId}/decision`, decision)
    const { page, problems } = await looking(station.given, station.lindqvist, '/')
    await page.getByRole('button', { name: /^Notices/ }).click()
    await page.getByRole('link', { name: 'See the answer' }).click()
    await page.getByText(/^Your request of .* was declined by sergeant/).waitFor()
    await page.getByText('Ask the detectives').waitFor()
    await page.getByRole('button', { name: 'Ask for access' }).waitFor()
    expect(await page.getByText('Sealed boathouse').count()).toBe(0)
    expect(problems).toEqual([])
  })
})

describe('handing over', () => {
  it('moves one’s own cases to another person, with the count of them before', async () => {
    await station.made({ Title: 'Own case' }, station.okafor)
    const { page, problems } = await looking(station.given, station.okafor, '/cases')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Hand over my cases…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Hand over your cases' })
    await dialog.getByText(/^1 case that you manage in your own name/).waitFor()
    await dialog.getByRole('combobox', { name: /^To whom/ }).fill('lind')
    await page.getByRole('option', { name: /Lindqvist/ }).click()
    expect(await findingsInThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Hand over cases' }).click()
    await page.getByText(/^1 case handed over to .*Lindqvist/).waitFor()
    const { Items } = await station.lindqvist.send('GET', CASES)
    expect(Items.find(({ Title }: Json) => Title === 'Own case').AccessorPermissions).toContain('Manage')
    expect(problems).toEqual([])
  })
})
