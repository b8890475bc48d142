/** The people of a case are called as everywhere, whoever made the case (review of the window, C5). */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings, findingsInThemes } from './support/axe.ts'
import { CASES, type CasesStation, casesStation, looking, soon } from './support/cases.ts'

const USERS = '/userservice/api/v1/tenant/station'

let station: CasesStation
let caseId: string
/** A case that the sergeant alone manages, and okafor views. */
let viewedId: string
beforeAll(async () => {
  station = await casesStation()
  const { sergeant, okafor, lindqvist, made, share } = station
  // Made by hand: policies carry user names alone.
  caseId = (await made({ Title: 'Burglary, 14 Tanner’s Row' }, okafor)).CaseId
  await okafor.send('PATCH', `${CASES}/${caseId}`, { Description: 'Rear window forced.' })
  await okafor.send('POST', `${CASES}/${caseId}/note`, { Text: 'Seen by a neighbour at 02:40.' })
  await okafor.send('POST', `${CASES}/${caseId}/task`, { Title: 'Ask the shop', AssigneeId: okafor.id })
  const detectives = await sergeant.send('POST', `${USERS}/groups`, { Name: 'Detectives' })
  await okafor.send('PATCH', `${CASES}/${caseId}`, {
    AccessPolicies: [
      { Permissions: 'Manage', PrincipalId: okafor.id, KId: okafor.kId, PrincipalType: 'user' },
      { Permissions: 'Edit', PrincipalId: lindqvist.id, KId: lindqvist.kId, PrincipalType: 'user' },
      { Permissions: 'View', PrincipalId: detectives.PrincipalId, KId: detectives.KId, PrincipalType: 'group' },
      { Permissions: 'Manage', PrincipalId: sergeant.id, KId: sergeant.kId, PrincipalType: 'user' },
    ],
  })
  viewedId = (await made({ Title: 'Shop theft' })).CaseId
  await share(viewedId, okafor, 'View')
  await share(viewedId, lindqvist, 'Manage')
}, 240_000)
afterAll(() => station?.given.close())

const people = (page: Page, name: RegExp = /^People/) => page.getByRole('region', { name })

describe('the people of a case', () => {
  it('are called D. Okafor with two letters, groups by their name, and so in facts, notes, tasks and history', {
    timeout: 90_000,
    tags: ['journey'],
  }, async () => {
    const { page, problems, refusals } = await looking(station.given, station.okafor, `/cases/${caseId}`, {
      size: 'wide',
    })
    const list = people(page)
    await list.getByText('M. Lindqvist').waitFor()
    for (const name of ['D. Okafor', 'Detectives', 'sergeant']) await list.getByText(name, { exact: true }).waitFor()
    const marks = await list.locator('[aria-hidden="true"]').allInnerTexts()
    expect(marks.filter((mark) => /^\p{Lu}{2}$/u.test(mark)).toSorted()).toEqual(['DE', 'DO', 'ML', 'SE'])
    await page.getByRole('region', { name: 'Facts' }).getByText('D. Okafor').first().waitFor()
    await page.getByRole('region', { name: 'Notes' }).getByText('D. Okafor').waitFor()
    await page.getByRole('region', { name: 'History' }).getByText('D. Okafor changed one field').waitFor()
    await page.getByRole('region', { name: 'History' }).getByText('M. Lindqvist: Edit').waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(/\bokafor\b|Dayo/)
    expect(await findingsInThemes(page)).toEqual([])
    expect([problems, refusals]).toEqual([[], []])
  })

  it('and in the list, in the share dialog, by keyboard, and to whom one turns for more', {
    timeout: 90_000,
  }, async () => {
    const { page, problems, refusals } = await looking(station.given, station.okafor, '/cases', { size: 'wide' })
    const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'Burglary' })
    await row.getByText('D. Okafor').waitFor()
    await page.goto(`${station.given.url}/cases/${viewedId}`)
    await people(page)
      .getByText(/M\. Lindqvist/)
      .first()
      .waitFor()
    expect(await people(page).innerText()).toMatch(/(access|ask|manage)[^]*M\. Lindqvist/i)
    await page.goto(`${station.given.url}/cases/${caseId}`)
    await page.getByRole('button', { name: 'Share with somebody' }).press('Enter')
    await page.getByRole('dialog').getByRole('combobox').fill('lindq')
    const option = page.getByRole('option', { name: /M\. Lindqvist/ })
    await soon(() => page.getByRole('option').count()).toBe(1)
    expect(await option.innerText()).toContain('lindqvist')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await soon(() => page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('M. Lindqvist')
    // It stays chosen: the list is asked by the user name from then on.
    await page.waitForTimeout(600)
    expect(await page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('M. Lindqvist')
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: /^Manage/ })
      .check({ force: true })
    await page.getByRole('dialog').getByRole('button', { name: 'Share', exact: true }).press('Enter')
    await page
      .getByText(/M\. Lindqvist has access|shared with M\. Lindqvist|M\. Lindqvist/)
      .first()
      .waitFor()
    expect([problems, refusals]).toEqual([[], []])
  })

  it('in French, and as a tab on a phone', { timeout: 90_000 }, async () => {
    for (const size of ['small', 'phone'] as const) {
      const { page, problems, refusals } = await looking(
        station.given,
        station.okafor,
        `/cases/${caseId}?side=people`,
        { size, language: 'fr' },
      )
      await people(page, /^Personnes/)
        .getByText('M. Lindqvist')
        .waitFor()
      expect(await findings(page)).toEqual([])
      expect([problems, refusals]).toEqual([[], []])
    }
  })
})
