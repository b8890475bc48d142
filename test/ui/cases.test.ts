/** Cases as people work with them: list, making, editing, conflicts, evidence, people, history, closing, protecting, deleting, restoring. */
// @module-tag screen
import { randomInt } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings } from './support/axe.ts'
import { CASES, type CasesStation, casesStation, looking, soon } from './support/cases.ts'

let station: CasesStation
beforeAll(async () => {
  station = await casesStation()
}, 120_000)
afterAll(() => station?.given.close())

const at = (caseId: string): string => `${CASES}/${caseId}`
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const tagField = (page: Page) => page.getByRole('combobox', { name: 'Tags', exact: true })
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const more = async (page: Page, act: string): Promise<void> => {
  await button(page, 'More').click()
  await page.getByRole('menuitem', { name: act, exact: true }).click()
}

describe('making and finding', () => {
  it('a case is made from prefilled fields, shown, and stands in the list and its filters', {
    timeout: 90_000,
  }, async () => {
    const { sergeant, given, okafor } = station
    await sergeant.send('PUT', '/api/v1/prefilledfields/station/titles', {
      Target: 'Title',
      Values: ['Burglary', 'Fire'],
    })
    await sergeant.send('PUT', '/api/v1/prefilledfields/station/tags', { Target: 'Tags', Values: ['forced entry'] })
    await sergeant.send('PUT', '/api/v1/prefilledfields/station/texts', {
      Target: 'Description',
      Values: ['Nobody was hurt.'],
    })
    await sergeant.send('PUT', '/customfieldservice/api/v1/template/station', {
      type: 'Case',
      renamedFields: [{ fieldId: 'RecordNumber', customName: 'Crime book no.' }],
      customFields: [
        { name: 'Weather', type: 'Choice', choices: ['Dry', 'Rain'] },
        { name: 'Suspects', type: 'Number' },
      ],
    })
    const { page, problems } = await looking(given, okafor, '/cases')
    await page.getByText('No case yet').waitFor()
    // The values that the station offers come late, while somebody types the title.
    const offered = Promise.withResolvers<void>()
    await page.route('**/prefilledfields/**', async (route) => {
      await offered.promise
      await route.continue()
    })
    await button(page, 'Create the first case').click()
    const plain = page.getByRole('textbox', { name: /^Title/ })
    await plain.pressSequentially('Ash')
    offered.resolve()
    await plain.waitFor({ state: 'detached' })
    await page.keyboard.type('es')
    await soon(() => page.getByRole('combobox', { name: /^Title/ }).inputValue()).toBe('Ashes')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.press('Escape')
    await button(page, 'Create case').click()
    await page.getByText('Give the case a title.').waitFor()
    const title = page.getByRole('combobox', { name: /^Title/ })
    await soon(() => title.evaluate((input) => input === document.activeElement)).toBe(true)
    await title.fill('Fi')
    await page.getByRole('option', { name: 'Fire' }).click()
    await expect.poll(() => title.inputValue()).toBe('Fire')
    await title.pressSequentially(', Mill Lane')
    await page.keyboard.press('Escape')
    await button(page, 'Put in a text').click()
    await page.getByRole('menuitem', { name: 'Nobody was hurt.' }).click()
    await button(page, 'forced entry').click()
    await tagField(page).fill('night, shed')
    await tagField(page).press('Enter')
    await field(page, 'Position').fill('54.3127, 4.0891')
    await field(page, 'Crime book no.').fill('HQ/B/2026/0931')
    await field(page, 'Suspects').fill('two')
    await page.getByText('Write a number, such as 12.5.').waitFor()
    await field(page, 'Suspects').fill('2')
    await button(page, /Weather/).click()
    await page.getByRole('option', { name: 'Rain' }).click()
    await button(page, 'Create case').click()
    await page.getByRole('heading', { name: 'Fire, Mill Lane' }).waitFor()

    const facts = page.getByRole('region', { name: 'Facts' })
    for (const said of ['Nobody was hurt.', 'HQ/B/2026/0931', 'Crime book no.', '54.3127, 4.0891', 'Rain', 'shed'])
      await facts.getByText(said, { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Cases' }).first().click()
    const rows = page.getByRole('grid').getByRole('row')
    await rows.filter({ hasText: 'Fire, Mill Lane' }).waitFor()
    await page.getByRole('searchbox').fill('nothing like it')
    await page.getByText('Nothing matches').waitFor()
    await page.getByRole('searchbox').fill('mill')
    await rows.filter({ hasText: 'Fire, Mill Lane' }).waitFor()
    await button(page, /^State/).click()
    await page.getByRole('menuitemradio', { name: 'Closed' }).click()
    await page.getByText('Nothing matches').waitFor()
    expect(page.url()).toContain('state=Closed')
    await button(page, 'Clear State').click()
    await rows.filter({ hasText: 'Fire, Mill Lane' }).waitFor()
    expect(problems).toEqual([])
  })

  it('by keyboard alone: new, list, open, edit, save', { tags: ['journey'], timeout: 90_000 }, async () => {
    const { given, sergeant, made } = station
    await made({ Title: 'Theft from a car' })
    const { page, problems } = await looking(given, sergeant, '/cases')
    await page.getByRole('grid').getByText('Theft from a car').waitFor()
    await page.keyboard.press('f')
    await page.keyboard.type('from a car')
    await soon(() => page.getByRole('grid').getByRole('row').count()).toBe(2)
    await page.getByRole('grid').getByRole('row').nth(1).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Theft from a car' }).waitFor()
    await page.keyboard.press('e')
    await field(page, 'What happened').focus()
    await page.keyboard.type('A window was broken.')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('region', { name: 'Facts' }).getByText('A window was broken.').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.getByRole('grid').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'New case' }).waitFor()
    expect(problems).toEqual([])
  })

  it('an address of the board that there was shows the list, where a case is closed, and opened again by undo', {
    timeout: 60_000,
  }, async () => {
    const { given, sergeant, made } = station
    const { CaseId } = await made({ Title: 'Fight outside The Anchor' })
    const { page, problems, refusals } = await looking(given, sergeant, '/cases?view=board')
    const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'Fight outside' })
    await row.waitFor()
    expect(await page.getByRole('radio').count()).toBe(0)
    expect(await page.getByText(/board/i).count()).toBe(0)
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Close the case' }).click()
    await row.getByText('Closed').waitFor()
    expect((await sergeant.send('GET', at(CaseId))).State).toBe('Closed')
    await button(page, /^Undo/).click()
    await row.getByText('Open', { exact: true }).waitFor()
    expect((await sergeant.send('GET', at(CaseId))).State).toBe('Open')
    // A key of the board that there was does nothing.
    await page.keyboard.press('v')
    expect(await row.count()).toBe(1)
    expect([problems, refusals]).toEqual([[], []])
  })
})

describe('editing', () => {
  it('when somebody saved first, only what differs is shown, and nothing typed is lost', {
    tags: ['journey'],
    timeout: 90_000,
  }, async () => {
    const { given, sergeant, okafor, made, share } = station
    const { CaseId } = await made({
      Description: 'Rear window forced.',
      OccurredOn: '2026-11-20T01:38:00Z',
      EndedOn: '2026-11-20T01:50:00Z',
      Tags: ['entry'],
    })
    await share(CaseId, okafor, 'Edit')
    const { page, problems } = await looking(given, sergeant, `/cases/${CaseId}/edit`)
    await field(page, 'What happened').fill('Rear window forced. Two people seen leaving.')
    await tagField(page).fill('night')
    await tagField(page).press('Enter')
    await okafor.send('PATCH', at(CaseId), {
      Description: 'Rear window forced. One stopped.',
      EndedOn: '2026-11-20T01:58:00Z',
    })
    await button(page, 'Save').click()
    const dialog = page.getByRole('dialog', { name: /Okafor|okafor/ })
    await dialog.waitFor()
    const row = (name: string) => dialog.getByRole('radiogroup', { name })
    const chosen = (name: string) => row(name).locator('[data-chosen]').innerText()
    expect(await dialog.getByRole('radiogroup').count()).toBe(3)
    expect(await chosen('What happened')).toContain('Two people seen leaving')
    expect(await chosen('Ended')).toContain('02:58')
    expect(await row('Ended').innerText()).toContain('not changed')
    expect(await chosen('Tags')).toContain('entry, night')

    // Back to the form: everything is still in it.
    await button(page, 'Back to my form').click()
    expect(await field(page, 'What happened').inputValue()).toBe('Rear window forced. Two people seen leaving.')
    await button(page, 'Save').click()
    await dialog.waitFor()
    await row('Tags').getByRole('radio').first().check()
    // A second one saves in the meantime: the choice is shown again against what stands now.
    await okafor.send('PATCH', at(CaseId), { LocationText: 'Mill Lane' })
    await button(page, 'Save these choices').click()
    await soon(() => row('Where').count()).toBe(1)
    await row('Tags').getByRole('radio').first().check()
    await button(page, 'Save these choices').click()
    await page.getByText('Saved.').waitFor()
    expect(await sergeant.send('GET', at(CaseId))).toMatchObject({
      Description: 'Rear window forced. Two people seen leaving.',
      EndedOn: '2026-11-20T01:58:00Z',
      LocationText: 'Mill Lane',
      Tags: ['entry'],
    })
    expect(problems).toEqual([])
  })

  it('what is typed outlives a reload and a lock, is its person’s alone, and goes with the session', {
    timeout: 90_000,
  }, async () => {
    const { given, sergeant, made, okafor, share } = station
    const { CaseId } = await made({ Title: 'Missing person' })
    await share(CaseId, okafor, 'Edit')
    const { page } = await looking(given, sergeant, `/cases/${CaseId}/edit`)
    await field(page, 'What happened').fill('Last seen at the station.')
    await page.reload()
    await page.getByText('Draft restored.').waitFor()
    expect(await field(page, 'What happened').inputValue()).toBe('Last seen at the station.')
    await page.keyboard.press('Control+Shift+L')
    await page.getByRole('heading', { name: 'Locked' }).waitFor()
    await page.locator('input[autocomplete=current-password]').fill(sergeant.password)
    await page.keyboard.press('Enter')
    expect(await field(page, 'What happened').inputValue()).toBe('Last seen at the station.')
    // Leaving keeps it too; it was typed into that version, so a later save of others is found out.
    await button(page, 'Cancel').click()
    await okafor.send('PATCH', at(CaseId), { LocationText: 'Platform 2' })
    await page.goto(`${given.url}/cases/${CaseId}/edit`)
    await button(page, 'Save').click()
    await page.getByRole('radiogroup', { name: 'Where' }).waitFor()
    await button(page, 'Back to my form').click()
    await button(page, /Signed in as/).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.locator('input[name=username]').waitFor()
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Last seen')
  })

  it('a case that was closed meanwhile keeps what was typed and says so', { timeout: 60_000 }, async () => {
    const { given, sergeant, made } = station
    const { CaseId } = await made({ Title: 'Noise' })
    const { page } = await looking(given, sergeant, `/cases/${CaseId}/edit`)
    await field(page, 'What happened').fill('A party.')
    await sergeant.send('POST', `${at(CaseId)}/close`)
    await button(page, 'Save').click()
    await page
      .getByText(/closed this case meanwhile/)
      .or(page.getByRole('dialog'))
      .first()
      .waitFor()
    if ((await page.getByRole('dialog').count()) > 0) await button(page, 'Save these choices').click()
    await page.getByText(/closed this case meanwhile/).waitFor()
    expect(await field(page, 'What happened').inputValue()).toBe('A party.')
  })
})

describe('evidence in the case', () => {
  it('is found, linked, laid on the timeline and the map, taken out, and put back by undo', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, made, evidence } = station
    const { CaseId } = await made({ Title: 'Shed fire', LocationWKT: 'POINT (13.405 52.52)' })
    // A second attempt finds what the first one made.
    const number = randomInt(1000, 10_000)
    const camera = `Camera ${number}`
    const statement = `Statement ${number} of the neighbour`
    const times = { StartTimeUtc: '2026-11-20T01:41:07Z', EndTimeUtc: '2026-11-20T01:59:47Z' }
    const first = await evidence(camera, { ...times, LocationWKT: 'POINT (13.4149 52.53)' })
    await evidence(statement)
    const { page, problems } = await looking(given, sergeant, `/cases/${CaseId}`)
    await button(page, 'Link evidence').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('searchbox').fill(camera)
    await soon(() => dialog.getByRole('row').count()).toBe(2)
    await dialog
      .getByRole('row', { name: new RegExp(camera) })
      .getByText(camera)
      .click()
    await dialog.getByRole('searchbox').fill(statement)
    await dialog
      .getByRole('row', { name: new RegExp(statement) })
      .getByText(statement)
      .click()
    await button(page, 'Link 2').click()
    const table = page.getByRole('grid', { name: 'Evidence' })
    await soon(() => table.getByRole('row').count()).toBe(3)
    await page.getByRole('link', { name: new RegExp(`^Open ${camera}, 02:41:07 to 02:59:47`) }).waitFor()
    await page.getByText('1 item has no time').waitFor()
    await page.getByRole('radio', { name: 'Map' }).click()
    await page.locator('[data-map] path').first().waitFor()
    await page.getByText('1.3 km from the case').waitFor()
    expect(page.url()).toContain('view=map')

    await table.getByRole('row', { name: new RegExp(camera) }).focus()
    await page.keyboard.press('Space')
    await button(page, 'Remove from case').click()
    await soon(() => table.getByRole('row').count()).toBe(2)
    // The links made before can be undone too: it has to be the newer one.
    await page.getByText('1 item of evidence is removed from the case.').waitFor()
    await button(page, /^Undo/).last().click()
    await soon(() => table.getByRole('row').count()).toBe(3)
    expect((await sergeant.send('GET', at(CaseId))).EvidenceIds).toContain(first)
    await table.getByText(camera).click()
    await soon(() => page.url()).toContain(`/evidence/${first}`)
    expect(problems).toEqual([])
  })
})

describe('the timeline', () => {
  it('has one lane per camera, lists pictures of one moment behind their number, and keeps its height', {
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, made, evidence } = station
    const { CaseId } = await made({ Title: 'Night at the quay' })
    const at = (time: string): string => `2026-11-20T01:${time}Z`
    for (const [serial, from, to] of [
      ['0417', '10:00', '20:00'],
      ['0417', '15:00', '25:00'],
      ['0388', '12:00', '18:00'],
      ['0391', '30:00', '35:00'],
    ] as const)
      await evidence(
        `Quay ${serial} ${from}`,
        {
          StartTimeUtc: at(from),
          EndTimeUtc: at(to),
          Device: { DeviceType: 'BodyWornCamera', Manufacturer: 'Corvid', SerialNumber: serial },
        },
        CaseId,
      )
    for (const second of ['40:01', '40:05', '40:09'])
      await evidence(`Latch ${second}`, { StartTimeUtc: at(second) }, CaseId)
    const { page, problems } = await looking(given, sergeant, `/cases/${CaseId}`)
    const timeline = page.getByRole('group', { name: 'Timeline' })
    const lanes = timeline.getByRole('listitem')
    await soon(() => lanes.count()).toBe(4)
    expect(await lanes.first().innerText()).toMatch(/0417\s+2 items, 02:10–02:25/)
    await lanes.last().getByText('Pictures and files').waitFor()
    await timeline.getByRole('button', { name: '3 items, 02:40:01 to 02:40:09' }).press('Enter')
    const menu = page.getByRole('menu')
    await soon(() => menu.getByRole('menuitem').count()).toBe(3)
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')

    const height = async (): Promise<number> => (await timeline.boundingBox())?.height ?? 0
    const before = await height()
    const separator = page.getByRole('separator', { name: 'Height of Timeline' })
    await separator.press('ArrowUp')
    await separator.press('ArrowUp')
    await soon(height).toBeLessThan(before - 24)
    const chosen = await height()
    await page.reload()
    await soon(height).toBeCloseTo(chosen, 0)
    await separator.press('Enter')
    await soon(height).toBeCloseTo(before, 0)

    await timeline.getByRole('button', { name: /^3 items/ }).press('Enter')
    await menu.getByRole('menuitem', { name: '02:40:05 Latch 40:05' }).press('Enter')
    await page.getByRole('heading', { name: 'Latch 40:05' }).waitFor()
    expect(problems).toEqual([])
  })
})

describe('people', () => {
  it('one is shared with, raised, given an end, assigned and taken out, with a way back', {
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, lindqvist, made } = station
    const { CaseId } = await made({ Title: 'Road traffic collision' })
    const { page, problems } = await looking(given, sergeant, `/cases/${CaseId}`)
    await button(page, 'Share').click()
    await page.getByRole('combobox', { name: /With whom/ }).fill('lindq')
    await page.getByRole('option', { name: /M\. Lindqvist/ }).click()
    await page.getByText('Can also download files.').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Share' }).click()
    const people = page.getByRole('region', { name: 'People' })
    await people.getByRole('button', { name: /Lindqvist.*Download/ }).click()
    await page.getByText('Can also change fields and link evidence.').click()
    await page.getByText('Works on this case.').waitFor()
    await page.getByRole('checkbox', { name: /Assigned/ }).check({ force: true })
    await button(page, 'Save').click()
    await people.getByRole('button', { name: /M\. Lindqvist.*Assigned.*Edit/ }).waitFor()
    const policy = async () =>
      (await sergeant.send('GET', at(CaseId))).AccessPolicies.find(
        ({ PrincipalId }: { PrincipalId: string }) => PrincipalId === lindqvist.id,
      )
    expect(await policy()).toMatchObject({ Permissions: 'Edit' })
    await people.getByRole('button', { name: /M\. Lindqvist/ }).click()
    await button(page, 'Remove access').click()
    await soon(() => people.getByText('M. Lindqvist').count()).toBe(0)
    expect(await policy()).toBeUndefined()
    await button(page, /^Undo/).last().click()
    await people.getByRole('button', { name: /M\. Lindqvist.*Assigned.*Edit/ }).waitFor()
    expect(problems).toEqual([])
  })

  it('who may only look sees no button for more, and whom to ask', { timeout: 60_000 }, async () => {
    const { given, lindqvist, made, share } = station
    const { CaseId } = await made({ Title: 'Vandalism' })
    await share(CaseId, lindqvist, 'View')
    const { page, problems } = await looking(given, lindqvist, `/cases/${CaseId}`)
    await page.getByText('Access is given by sergeant.').waitFor()
    await page.getByText('The history is for those who have Manage on the case: sergeant.').waitFor()
    for (const name of ['Edit', 'Link evidence', 'Add']) expect(await button(page, name).count(), name).toBe(0)
    await button(page, 'More').click()
    await page.getByRole('menu').waitFor()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Copy the link to this view',
      'Copy the case number',
      'Print…',
      'Holds…',
      'Ask for more access…',
    ])
    await page.keyboard.press('Escape')
    await page.goto(`${given.url}/cases/${CaseId}/edit`)
    await page.getByText('Edit is given by sergeant.').waitFor()
    await page.goto(`${given.url}/cases/999999`)
    await page.getByText('There is no such case').waitFor()
    expect(problems).toEqual([])
  })
})

describe('history', () => {
  it('says what changed with what stood there before, and shows any version as it was', {
    timeout: 90_000,
  }, async () => {
    const { given, sergeant, okafor, made, share, evidence } = station
    const { CaseId } = await made({ Description: 'Rear window forced.', Tags: ['entry'] })
    await evidence('Photograph of the latch', {}, CaseId)
    await share(CaseId, okafor, 'Edit')
    await okafor.send('PATCH', at(CaseId), { Description: 'Window forced.', Tags: ['entry', 'night'] })
    const { page, problems } = await looking(given, sergeant, `/cases/${CaseId}`)
    const history = page.getByRole('region', { name: /^History/ })
    await history.getByText(/okafor changed 2 fields/i).waitFor()
    expect(await history.locator('del').allTextContents()).toContain('Was: Rear window forced.')
    expect(await history.locator('ins').allTextContents()).toEqual(
      expect.arrayContaining(['Is now: Window forced.', 'Is now: + night', 'Is now: + Photograph of the latch']),
    )
    await history.getByText(/D\. Okafor: Edit/).waitFor()
    await button(page, /^See as it was/)
      .last()
      .click()
    await page.getByText(/^As it was on/).waitFor()
    expect(page.url()).toContain('v=')
    const facts = page.getByRole('region', { name: 'Facts' })
    await facts.getByText('Rear window forced.').waitFor()
    expect(await facts.getByText('night').count()).toBe(0)
    await page.getByText('There was no evidence in it').waitFor()
    for (const name of ['Edit', 'Share', 'More', 'Follow']) expect(await button(page, name).count(), name).toBe(0)
    await button(page, 'Back to now').click()
    await facts.getByText('Window forced.', { exact: true }).waitFor()
    await page.goBack()
    await page.getByText(/^As it was on/).waitFor()
    expect(problems).toEqual([])
  })
})

describe('closing, protecting, deleting', () => {
  it('follow, protect, take it away, close, delete with what it will do, restore', {
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, made, evidence } = station
    const { CaseId, Ordinal } = await made({ Title: 'Burglary at the school' })
    await evidence('Corridor camera', {}, CaseId)
    const { page, problems } = await looking(given, sergeant, `/cases/${CaseId}`)
    await button(page, 'Follow').click()
    await button(page, 'Following').waitFor()
    expect((await sergeant.send('GET', at(CaseId))).Following).toBe(true)

    await button(page, 'More').click()
    const remove = page.getByRole('menuitem', { name: /^Delete the case/ })
    expect(await remove.innerText()).toContain('Close the case first')
    expect(await remove.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('menuitem', { name: /^Protect/ }).click()
    // It stays reachable, so that its reason can be read; pressing it does nothing.
    await button(page, 'Protect').click({ force: true })
    expect((await sergeant.send('GET', at(CaseId))).LifecycleState, 'a reason is missing').toBe('Normal')
    await page.getByRole('textbox', { name: /^Reason/ }).fill('Court date in March')
    await button(page, 'Protect').click()
    await page.getByText('Protected from deletion.').waitFor()
    await more(page, 'Remove protection')
    await soon(() => page.getByText('Protected from deletion.').count()).toBe(0)

    await more(page, 'Close the case')
    await page.getByText(/^Closed on/).waitFor()
    expect(await button(page, 'Edit').count()).toBe(0)
    expect(await button(page, 'Add').count()).toBe(0)
    await more(page, 'Delete the case…')
    const dialog = page.getByRole('dialog', { name: `Delete case ${Ordinal}?` })
    await dialog.getByText('Its evidence stays where it is, unchanged.').waitFor()
    // The way back has the focus, never what destroys.
    expect(await dialog.getByRole('button', { name: 'Cancel' }).evaluate((one) => one === document.activeElement)).toBe(
      true,
    )
    await dialog.getByRole('button', { name: 'Delete the case' }).click()
    await page.getByText('This case is in the recycle bin').waitFor()
    await page.getByRole('link', { name: 'To the recycle bin' }).click()
    await page.getByRole('grid').getByText('Burglary at the school').click()
    await button(page, 'Restore the case').click()
    await page.getByRole('heading', { name: 'Burglary at the school' }).waitFor()
    expect(await sergeant.send('GET', at(CaseId))).toMatchObject({ State: 'Closed', LifecycleState: 'Normal' })
    expect(problems).toEqual([])
  })
})
