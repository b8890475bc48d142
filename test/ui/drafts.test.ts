/** What somebody typed and has not sent is there again after a reload and after leaving the page, for that person alone, and gone once sent. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CasesStation, casesStation, looking, soon } from './support/cases.ts'
import { signInByForm } from './support/window.ts'

let station: CasesStation
let evidenceId: string
let caseId: string
beforeAll(async () => {
  station = await casesStation()
  caseId = (await station.made({ Title: 'Burglary' })).CaseId
  evidenceId = await station.evidence('Statement', {}, caseId)
  await station.share(caseId, station.okafor, 'Edit')
}, 120_000)
afterAll(() => station?.given.close())

const stored = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify({ ...sessionStorage }))
const value = (page: Page, name: string) => () => page.getByRole('textbox', { name }).first().inputValue()

describe('a note', () => {
  it.each([
    ['on evidence', () => `/evidence/${evidenceId}?tab=notes`],
    ['on a case', () => `/cases/${caseId}`],
  ] as const)('%s outlives a reload and leaving the page, and is gone once saved', async (_where, at) => {
    const { page, problems } = await looking(station.given, station.sergeant, at())
    const note = page.getByRole('textbox', { name: 'Write a note' })
    await note.fill('Seen by two')
    await page.reload()
    await soon(value(page, 'Write a note')).toBe('Seen by two')
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Evidence/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'Evidence' }).waitFor()
    await page.goBack()
    await soon(value(page, 'Write a note')).toBe('Seen by two')
    await note.press('Control+Enter')
    await page.getByRole('listitem').getByText('Seen by two').waitFor()
    await soon(value(page, 'Write a note')).toBe('')
    expect(await stored(page)).not.toContain('Seen by two')
    // Changing it: what was typed over it is open again, and given up it is gone.
    await page
      .getByRole('button', { name: /^Change the note/ })
      .first()
      .click()
    await page.getByRole('textbox', { name: 'Change the note' }).fill('Seen by three')
    await page.reload()
    await soon(value(page, 'Change the note')).toBe('Seen by three')
    await page.getByRole('textbox', { name: 'Change the note' }).press('Escape')
    await soon(() => page.getByRole('textbox', { name: 'Change the note' }).count()).toBe(0)
    expect(await stored(page)).not.toContain('Seen by three')
    expect(problems).toEqual([])
  })

  it('outlives a session that ended by itself, and the sign-in page says both', async () => {
    const { page, context } = await looking(station.given, station.sergeant, `/evidence/${evidenceId}?tab=notes`)
    await page.getByRole('textbox', { name: 'Write a note' }).fill('Seen by four')
    // Ended elsewhere: this page learns it with its next request.
    await context.request.delete(`${station.given.url}/connect/session`, { headers: { origin: station.given.url } })
    await page.getByRole('textbox', { name: 'Write a note' }).press('Control+Enter')
    await page.getByText(/^Your session ended on .*\d{2}:\d{2}/).waitFor()
    await page.getByText('What you typed is kept.').waitFor()
    await page.locator('input[name=username]').fill(station.sergeant.username)
    await page.locator('input[name=password]').fill(station.sergeant.password)
    await page.getByRole('checkbox').check({ force: true })
    await page.locator('button[type=submit]').click()
    await soon(value(page, 'Write a note')).toBe('Seen by four')
    // Signing out is no end by itself.
    await page.getByRole('button', { name: /Signed in as/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('textbox', { name: 'User name' }).waitFor()
    expect(await page.getByText('Your session ended').count()).toBe(0)
  })

  it('is nobody else’s: another person at the same tab finds nothing of it', { tags: ['journey'] }, async () => {
    const { page } = await looking(station.given, station.sergeant, `/evidence/${evidenceId}?tab=notes`)
    await page.getByRole('textbox', { name: 'Write a note' }).fill('For my eyes')
    // Their sign-in ended by itself, nobody signed out.
    await page.context().clearCookies()
    await signInByForm(page, station.given.url, `/evidence/${evidenceId}?tab=notes`, station.okafor)
    await page.getByRole('textbox', { name: 'Write a note' }).waitFor()
    await soon(value(page, 'Write a note')).toBe('')
    expect(await stored(page)).not.toContain('For my eyes')
  })
})

describe('a reason in a dialog', () => {
  it('is there again when the dialog is opened after a reload, and gone once it was given', async () => {
    const { page, problems } = await looking(station.given, station.sergeant, `/evidence/${evidenceId}`)
    const open = async (): Promise<void> => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: /^Protect/ }).click()
      await page.getByRole('textbox', { name: /^Reason/ }).waitFor()
    }
    await open()
    await page.getByRole('textbox', { name: /^Reason/ }).fill('An appeal is announced')
    await page.reload()
    await open()
    expect(await page.getByRole('textbox', { name: /^Reason/ }).inputValue()).toBe('An appeal is announced')
    await page.getByRole('button', { name: 'Protect', exact: true }).click()
    await page.getByText('Protected from deletion.').waitFor()
    expect(await stored(page)).not.toContain('An appeal')
    expect(problems).toEqual([])
  })
})
