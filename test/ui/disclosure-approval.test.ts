/** A second person in the window: proposed, looked at, refused, approved and given; and requests that are recorded before anything is given. */
// @module-tag screen
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings, findingsInThemes } from './support/axe.ts'
import { CASES, looking, type Person, soon } from './support/cases.ts'
import { DEFENCE, DISCLOSURES, disclosureStation, type DisclosureStation } from './support/disclosure.ts'
import { misfits } from './support/misfits.ts'
import type { LookOptions } from './support/window.ts'

let station: DisclosureStation
beforeAll(async () => {
  station = await disclosureStation({ disclosureApproval: ['defence'] })
  const { sergeant, lindqvist, caseId } = station
  const policy = { Permissions: 'Manage', PrincipalId: lindqvist.id, KId: lindqvist.kId, PrincipalType: 'user' }
  await sergeant.send('POST', `${CASES}/${caseId}/share`, { AccessPolicies: [policy] })
}, 120_000)
afterAll(() => station?.given.close())

const ofCase = (): string => `/cases/${station.caseId}/disclosure`
const open = (who: Person, at: string, options?: LookOptions) =>
  looking(station.given, who, at, { reducedMotion: true, ...options })
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const waiting = (page: Page): Locator =>
  page.getByRole('region', { name: 'Waiting for a second person' }).getByRole('listitem')
const proposed = (who = station.okafor, members = {}) =>
  who.send('POST', `${DISCLOSURES}/case/${station.caseId}/proposal`, {
    Recipient: DEFENCE,
    Authority: 'CPIA 1996, s. 3',
    Medium: 'usb',
    EvidenceIds: station.ids.slice(0, 2),
    ...members,
  })

describe('a disclosure to the defence', () => {
  it('is proposed by keyboard, refused with a reason, proposed again, approved and given', {
    timeout: 120_000,
  }, async () => {
    const { page, problems, refusals } = await open(station.okafor, ofCase())
    await page.getByRole('button', { name: 'Record a disclosure…' }).press('Enter')
    const dialog = dialogOf(page, 'Record a disclosure')
    await dialog.getByRole('textbox', { name: /^Name/ }).fill('A. Mercer')
    expect(await dialog.getByRole('button', { name: 'Record it' }).count()).toBe(1)
    await dialog.getByRole('button', { name: /Role/ }).press('Enter')
    await page.getByRole('option', { name: 'Defence' }).press('Enter')
    await dialog.getByText('You propose it here.').waitFor()
    expect(await dialog.getByText('When it is given').count()).toBe(0)
    await dialog.getByRole('textbox', { name: /^Authority/ }).fill('CPIA 1996, s. 3')
    for (const title of station.titles.slice(0, 2)) await dialog.getByRole('checkbox', { name: title }).press('Space')
    await dialog.getByRole('button', { name: 'Propose it' }).press('Enter')
    await messages(page).getByText('Proposed. People who manage the case are notified.').waitFor()
    await waiting(page).getByText('Waits for somebody with Manage on the case').waitFor()
    expect(await waiting(page).getByRole('button', { name: 'Review…' }).count()).toBe(0)

    const { page: theirs, problems: problemsOfTheirs } = await open(station.lindqvist, ofCase())
    await waiting(theirs).getByRole('button', { name: 'Review…' }).press('Enter')
    const review = dialogOf(theirs, 'Proposed disclosure 1')
    await review.getByText(`${station.titles[0]}`).first().waitFor()
    expect(await findingsInThemes(theirs)).toEqual([])
    await review.getByRole('textbox', { name: /^Reason/ }).fill('Leave out the window')
    await review.getByRole('button', { name: 'Refuse' }).press('Enter')
    await messages(theirs).getByText('Refused. Whoever proposed it is notified.').waitFor()
    await waiting(page).getByText('Refused by lindqvist').waitFor()
    await waiting(page).getByText('Reason: Leave out the window').waitFor()

    await waiting(page).getByRole('button', { name: 'Propose again…' }).press('Enter')
    const again = dialogOf(page, 'Propose disclosure 1 again')
    expect(await again.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('A. Mercer')
    expect(await again.getByRole('textbox', { name: /^Authority/ }).inputValue()).toBe('CPIA 1996, s. 3')
    for (const title of station.titles.slice(0, 2))
      expect(await again.getByRole('checkbox', { name: title }).isChecked()).toBe(true)
    expect(await findingsInThemes(page)).toEqual([])
    await again.getByRole('checkbox', { name: station.titles[1] as string }).press('Space')
    await again.getByRole('button', { name: 'Propose it' }).press('Enter')
    await again.waitFor({ state: 'detached' })
    await soon(() => waiting(theirs).count()).toBe(1)
    await waiting(theirs).getByRole('button', { name: 'Review…' }).press('Enter')
    await dialogOf(theirs, 'Proposed disclosure 2').getByRole('button', { name: 'Approve' }).press('Enter')
    await messages(theirs).getByText('Approved. It can be given now.').waitFor()

    await waiting(page).getByText('Approved by lindqvist').waitFor()
    await waiting(page).getByRole('button', { name: 'Give…' }).press('Enter')
    const give = dialogOf(page, 'Record that it is given')
    await give.getByRole('textbox', { name: /^Serial/ }).fill('SN-7')
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await messages(page).getByText('Disclosure 1 is recorded.').waitFor()
    await page.getByRole('button', { name: /^Details of disclosure 1:/ }).press('Enter')
    await dialogOf(page, 'Disclosure 1').getByText('by lindqvist').waitFor()
    expect([problems, refusals, problemsOfTheirs]).toEqual([[], [], []])
  })

  it('C5: that is not what was proposed any more says so, and cannot be approved', { timeout: 60_000 }, async () => {
    const { No } = await proposed()
    await station.restricted(station.ids[1] as string)
    const { page } = await open(station.lindqvist, ofCase())
    await waiting(page).getByRole('button', { name: 'Review…' }).press('Enter')
    const review = dialogOf(page, `Proposed disclosure ${No}`)
    await review.getByText('It cannot be given as it was proposed any more').waitFor()
    expect(await review.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled')).toBe('true')
    // It is proposed again by whoever proposed it, without what may not leave, and the earlier one ends.
    const { page: own } = await open(station.okafor, ofCase())
    await own.getByRole('button', { name: new RegExp(`^Details of proposed disclosure ${No}:`) }).press('Enter')
    await dialogOf(own, `Proposed disclosure ${No}`).getByRole('button', { name: 'Propose again…' }).press('Enter')
    const again = dialogOf(own, `Propose disclosure ${No} again`)
    expect(await again.getByRole('checkbox', { name: station.titles[0] as string }).isChecked()).toBe(true)
    await again.getByRole('button', { name: 'Propose it' }).press('Enter')
    await again.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await waiting(page)
      .getByRole('button', { name: new RegExp(`^Details of proposed disclosure ${No + 1}:`) })
      .waitFor()
    await soon(() => waiting(page).count()).toBe(1)
    await waiting(page).getByRole('button', { name: 'Withdraw' }).press('Enter')
    await messages(page).getByText('Withdrawn.').waitFor()
    await soon(() => waiting(page).count()).toBe(0)
  })

  it('S4: nobody without Manage is offered to decide, and who proposed it is told that it is theirs', async () => {
    await proposed(station.lindqvist, { EvidenceIds: [station.ids[0]] })
    const { page: own } = await open(station.lindqvist, ofCase())
    const theirs = waiting(own).filter({ hasText: 'You proposed it: somebody else approves it' })
    await theirs.waitFor()
    expect(await theirs.getByRole('button', { name: 'Review…' }).count()).toBe(0)
    const { page } = await open(station.okafor, ofCase())
    const notTheirs = waiting(page).filter({ hasText: 'Waits for somebody with Manage on the case' })
    await notTheirs.first().waitFor()
    for (const name of ['Review…', 'Withdraw']) expect(await notTheirs.getByRole('button', { name }).count()).toBe(0)
  })
})

describe('a request', () => {
  it('is recorded with its day, kept while it is typed, answered by a disclosure, or closed with a reason', {
    timeout: 90_000,
  }, async () => {
    const { page, problems, refusals } = await open(station.okafor, ofCase())
    await page.getByRole('button', { name: 'Record a request…' }).press('Enter')
    const dialog = dialogOf(page, 'Record a request')
    await dialog.getByRole('textbox', { name: /^Who asks/ }).fill('J. Adeyemi')
    await dialog.getByRole('button', { name: /Role/ }).press('Enter')
    await page.getByRole('option', { name: 'Prosecutor' }).press('Enter')
    await page.reload()
    await page.getByRole('button', { name: 'Record a request…' }).press('Enter')
    await soon(() => dialog.getByRole('textbox', { name: /^Who asks/ }).inputValue()).toBe('J. Adeyemi')
    await dialog.getByRole('textbox', { name: /^What is asked for/ }).fill('All recordings of the night')
    await dialog.getByRole('textbox', { name: /^Authority/ }).fill('CPIA 1996, s. 3')
    await dialog.getByRole('textbox', { name: /^Number/ }).fill('CPS 9/26')
    expect(await findingsInThemes(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await messages(page).getByText('The request is recorded.').waitFor()
    const asked = page.getByRole('region', { name: 'Requests' }).getByRole('listitem')
    await asked.getByText('All recordings of the night').waitFor()
    await station.okafor.send('POST', `${DISCLOSURES}/case/${station.caseId}/request`, {
      Recipient: DEFENCE,
      What: 'The statement of the neighbour',
      Due: '2026-11-02',
    })
    await soon(() => asked.count()).toBe(2)
    await asked.filter({ hasText: 'All recordings' }).getByRole('button', { name: 'Answer…' }).press('Enter')
    const answer = dialogOf(page, 'Answer a request')
    await soon(() => answer.getByRole('textbox', { name: /^Number/ }).inputValue()).toBe('CPS 9/26')
    await answer.getByRole('checkbox', { name: station.titles[0] as string }).press('Space')
    await page.keyboard.press('Control+Enter')
    await messages(page)
      .getByText(/is recorded\.$/)
      .first()
      .waitFor()
    await soon(() => asked.count()).toBe(1)
    const { page: list } = await open(station.okafor, '/disclosure?show=asked')
    await list.getByRole('region', { name: 'Requests' }).getByText('The statement of the neighbour').waitFor()
    await list.getByText('1 is overdue').waitFor()
    await asked.getByRole('button', { name: 'Close…' }).press('Enter')
    await dialogOf(page, 'Close the request without an answer').getByRole('textbox').fill('Withdrawn by counsel')
    await page.keyboard.press('Control+Enter')
    await messages(page).getByText('The request is closed.').waitFor()
    await soon(() => asked.count()).toBe(0)
    expect([problems, refusals]).toEqual([[], []])
  })
})

describe('a ground of its own', () => {
  it('is ended on the record, after which the item is due; the record sheet has all of it', {
    timeout: 60_000,
  }, async () => {
    const to = { Name: 'The court', Role: 'court', Organisation: '' }
    const line = { EvidenceId: station.ids[2], Description: 'The way there', Ground: 'Not relevant', Basis: 'MG6C' }
    const { No } = await station.okafor.send('POST', `${DISCLOSURES}/case/${station.caseId}`, {
      Recipient: to,
      Authority: 'An order',
      Medium: 'disc',
      EvidenceIds: [station.ids[0]],
      Withheld: [line],
    })
    const { page, problems, refusals } = await open(station.okafor, ofCase())
    await page.getByRole('button', { name: new RegExp(`^Details of disclosure ${No}:`) }).press('Enter')
    const record = dialogOf(page, `Disclosure ${No}`)
    await record.getByRole('button', { name: 'Ground ended…' }).press('Enter')
    await dialogOf(page, 'The ground no longer applies').getByRole('textbox').fill('It shows the time')
    await page.keyboard.press('Control+Enter')
    await messages(page).getByText('Recorded. A supplement is due now.').waitFor()
    await record.getByText(/^No longer applies since .*, by okafor: It shows the time$/).waitFor()
    expect(await record.getByRole('button', { name: 'Ground ended…' }).count()).toBe(0)
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page
      .getByRole('region', { name: 'Supplement due' })
      .getByText(`The ground on which it was withheld no longer applies: ${station.titles[2]}`)
      .waitFor()
    await page.getByRole('button', { name: 'Record sheet' }).press('Enter')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Record sheet (PDF)' }).press('Enter'),
    ])
    expect(download.suggestedFilename()).toMatch(/record sheet.*\.pdf$/i)
    expect([problems, refusals]).toEqual([[], []])
  })
})

describe('in French, on small screens', () => {
  it('nothing is cut off, and axe finds nothing', { timeout: 90_000 }, async () => {
    await proposed(station.okafor, { EvidenceIds: [station.ids[2]] })
    await station.okafor.send('POST', `${DISCLOSURES}/case/${station.caseId}/request`, {
      Recipient: DEFENCE,
      What: 'Toutes les images',
      Due: '2026-11-02',
    })
    for (const [who, at] of [
      [station.okafor, ofCase()],
      [station.lindqvist, ofCase()],
      [station.okafor, '/disclosure'],
    ] as const)
      for (const options of [
        { language: 'fr', size: 'small', theme: 'dark' },
        { language: 'fr', size: 'phone' },
      ] satisfies LookOptions[]) {
        const { page, close } = await open(who, at, options)
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await page.getByText('Toutes les images').first().waitFor()
        if (options.size === 'phone') expect(await misfits(page)).toEqual([])
        expect(await findings(page)).toEqual([])
        await close()
      }
  })
})
