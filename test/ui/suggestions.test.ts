/** Suggested values on the page of an evidence, and times for many items at once; axe-core clean in every open state. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings } from './support/axe.ts'
import { looking, type Person, soon, undoByKey } from './support/cases.ts'
import { type EditingStation, editingStation } from './support/editing.ts'
import type { LookOptions } from './support/window.ts'

let station: EditingStation
beforeAll(async () => {
  station = await editingStation()
}, 180_000)
afterAll(() => station?.given.close())

const open = (where: string, who: Person = station.sergeant, options?: LookOptions) =>
  looking(station.given, who, where, options)
const details = (id: string): string => `/evidence/${id}?tab=details`
const toast = (page: Page, text: string | RegExp) => page.getByRole('region', { name: 'Messages' }).getByText(text)
const line = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text })
/** In Berlin it is an hour later in winter. */
const NAMED = '2025-11-21_2247'
const UTC = '2025-11-21T21:47:00Z'
const startOf = async (id: string): Promise<string | null> => (await station.record(id)).StartTimeUtc

describe('on the page of an evidence', () => {
  it('A accepts the time of the name, the ledger says its source, Undo takes it back', {
    tags: ['journey'],
  }, async () => {
    const id = await station.evidence(NAMED)
    const { page, problems, refusals } = await open(details(id))
    await line(page, `About 21 Nov 2025 22:47, from the file name ${NAMED}.txt`).waitFor()
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('a')
    await toast(page, 'Saved: Began.').waitFor()
    expect(await startOf(id)).toBe(UTC)
    expect(station.changes(id)[0]?.reason).toBe(`Time from the file name ${NAMED}.txt`)
    await soon(() => line(page, 'from the file name').count()).toBe(0)
    await undoByKey(page)
    await toast(page, 'Began is as it was before.').waitFor()
    expect(await startOf(id)).toBeNull()
    await line(page, 'from the file name').waitFor()
    expect(problems).toEqual([])
    expect(refusals).toEqual([])
  })

  it('Use takes the one of two that is meant, by its own line', async () => {
    const id = await station.evidence('03-04-2025 22.47.03')
    const { page } = await open(details(id))
    await line(page, 'About 3 Apr 2025 22:47:03').waitFor()
    const other = line(page, 'About 4 Mar 2025 22:47:03')
    // Neither is the first: a key that takes one would be a guess.
    await page.keyboard.press('a')
    expect(await startOf(id)).toBeNull()
    const use = other.getByRole('button', { name: /^Use/ })
    const said = await use.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${said}"]`).textContent()).toContain('Use for Began')
    await use.click()
    await toast(page, 'Saved: Began.').waitFor()
    expect(await startOf(id)).toBe('2025-03-04T21:47:03Z')
  })

  it('a dismissed one stays away after a reload, for this person alone, and Undo brings it back', async () => {
    const id = await station.evidence(NAMED, {}, station.caseId)
    const { page } = await open(details(id))
    const own = line(page, 'from the file name')
    await own.getByRole('button', { name: 'Dismiss this suggestion' }).click()
    await toast(page, 'Suggestion dismissed.').waitFor()
    await soon(() => own.count()).toBe(0)
    // Nothing that is kept in the browser names anything.
    expect(await page.evaluate(() => localStorage.getItem('sallyport.dismissed'))).not.toMatch(/2025|22:?47|txt/)
    await page.keyboard.press('Control+z')
    await own.waitFor()
    await own.getByRole('button', { name: 'Dismiss this suggestion' }).click()
    await soon(() => own.count()).toBe(0)
    await page.reload()
    await page.getByRole('button', { name: /^(Edit|Add) Began/ }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await own.count()).toBe(0)
    const other = await open(details(id), station.okafor)
    await line(other.page, 'from the file name').waitFor()
  })

  it('the exhibit number goes on from the last one of the case', async () => {
    await station.evidence('Jacket', { CustomFields: { 'Exhibit number': 'KB/3' } }, station.caseId)
    const id = await station.evidence('Shoe', {}, station.caseId)
    const { page } = await open(details(id))
    await line(page, 'KB/4, after KB/3 in the same case').getByRole('button', { name: /^Use/ }).click()
    await toast(page, 'Saved: Exhibit number.').waitFor()
    expect((await station.record(id)).CustomFields).toEqual({ 'Exhibit number': 'KB/4' })
    expect(station.changes(id)[0]?.reason).toBe('Number after KB/3 in the same case')
  })

  it('S4: who may only view is offered none, and the page does not ask', async () => {
    const id = await station.evidence(NAMED, {}, station.caseId)
    const { page, refusals } = await open(details(id), station.lindqvist)
    await page.getByText('Began', { exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByText('from the file name').count()).toBe(0)
    expect(refusals).toEqual([])
    expect(
      station.given.ledger().filter(({ action, object }) => action === 'evidence.suggestions' && object.id === id),
    ).toEqual([])
  })

  it('says it in French, and the sheet of keys has the key', async () => {
    const id = await station.evidence(NAMED)
    const { page } = await open(details(id), station.sergeant, { language: 'fr' })
    await line(page, `Vers le 21 nov. 2025 22:47, d’après le nom du fichier ${NAMED}.txt`).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Reprendre la première valeur proposée (détails)').waitFor()
  })
})

describe('times for many', () => {
  const names = ['Cam1 2025-10-01_1000', 'Cam1 2025-10-01_1015', 'Cam1 notes'] as const
  const many = async (): Promise<{ readonly ids: string[]; readonly caseId: string }> => {
    const { CaseId: caseId } = await station.made({ Title: 'Folder of a recorder' })
    const ids: string[] = []
    for (const name of names) ids.push(await station.evidence(name, {}, caseId))
    ids.push(await station.evidence('Cam1 timed', { StartTimeUtc: '2025-10-01T09:00:00Z' }, caseId))
    return { ids, caseId }
  }
  async function selectAll(page: Page, caseId: string): Promise<void> {
    await page.goto(`${station.given.url}/evidence?case=%22${caseId}%22`)
    await page.getByRole('grid').getByText('Cam1 timed').waitFor()
    for (const name of [...names, 'Cam1 timed'])
      await page.getByRole('row', { name, exact: false }).getByRole('checkbox').first().press('Space')
    await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Suggest times' }).click()
    await page
      .getByRole('dialog')
      .getByText('Items and their times')
      .or(page.getByRole('dialog').getByRole('list'))
      .first()
      .waitFor()
  }

  it('sets those that are ticked, put right by one offset, says the clock in the ledger, and Undo takes all back', {
    tags: ['journey'],
  }, async () => {
    const { ids, caseId } = await many()
    const [first, second, without, timed] = ids as [string, string, string, string]
    const { page, problems, refusals } = await open('/evidence')
    await selectAll(page, caseId)
    const dialog = page.getByRole('dialog', { name: 'Suggest times' })
    await dialog.getByText('1 Oct 2025 10:00', { exact: true }).waitFor()
    await dialog.getByText('1 item has no suggestion and stays as it is: Cam1 notes').waitFor()
    const set = dialog.getByRole('button', { name: 'Set the times' })
    expect(await dialog.getByRole('checkbox', { name: 'Cam1 timed' }).isDisabled()).toBe(true)
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('radio', { name: 'was fast' }).check({ force: true })
    expect(await set.isEnabled()).toBe(false)
    await dialog.getByRole('textbox', { name: 'Minutes' }).fill('4')
    await page.keyboard.press('Tab')
    await dialog.getByText('It showed 4 min too much. Every time is set 4 min earlier.').waitFor()
    await dialog.getByText('1 Oct 2025 10:00 becomes 09:56').waitFor()
    expect(await findings(page)).toEqual([])
    await set.click()
    await toast(page, 'The times of 2 items are set.').waitFor()
    expect(await Promise.all([first, second, without, timed].map(startOf))).toEqual([
      '2025-10-01T07:56:00Z',
      '2025-10-01T08:11:00Z',
      null,
      '2025-10-01T09:00:00Z',
    ])
    expect(station.changes(first)[0]?.reason).toBe(
      'Time from the file name Cam1 2025-10-01_1000.txt; its clock was 4\u00a0min fast',
    )
    await page.keyboard.press('Control+z')
    await toast(page, 'The times of 2 items are as they were before.').waitFor()
    expect(await Promise.all([first, second].map(startOf))).toEqual([null, null])
    expect(problems).toEqual([])
    expect(refusals).toEqual([])
  })

  it('corrects what has a time where it is ticked, from the page of the case', async () => {
    const { ids, caseId } = await many()
    const timed = ids[3] as string
    const { page, problems } = await open(`/cases/${caseId}`)
    await page.getByRole('button', { name: 'Suggest times' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suggest times' })
    await dialog.getByText('1 Oct 2025 10:00', { exact: true }).waitFor()
    await dialog.getByRole('checkbox', { name: 'All whose time is clear' }).press('Space')
    await dialog.getByRole('radio', { name: 'was slow' }).check({ force: true })
    await dialog.getByRole('textbox', { name: 'Seconds' }).fill('30')
    await page.keyboard.press('Tab')
    await dialog.getByRole('checkbox', { name: 'Cam1 timed' }).press('Space')
    await dialog.getByRole('button', { name: 'Set the times' }).click()
    await toast(page, 'The time of “Cam1 timed” is set.').waitFor()
    expect(await startOf(timed)).toBe('2025-10-01T09:00:30Z')
    expect(await startOf(ids[0] as string)).toBeNull()
    expect(problems).toEqual([])
  })

  it('says by name what somebody changed meanwhile, sets the others, and a second press leaves those alone', async () => {
    const { ids, caseId } = await many()
    const { page } = await open('/evidence')
    await selectAll(page, caseId)
    const dialog = page.getByRole('dialog', { name: 'Suggest times' })
    await dialog.getByText('1 Oct 2025 10:00', { exact: true }).waitFor()
    await station.patch({ StartTimeUtc: '2025-10-01T00:00:00Z' }, ids[0] as string)
    // Another change of it is none of its times.
    await station.patch({ Description: 'Yard' }, ids[1] as string)
    await dialog.getByRole('button', { name: 'Set the times' }).click()
    await dialog.getByText('1 item was not set. The others are done.').waitFor()
    await dialog.getByText(`${names[0]}: somebody changed it meanwhile. Look at it first.`).waitFor()
    expect(await findings(page)).toEqual([])
    expect(await startOf(ids[0] as string)).toBe('2025-10-01T00:00:00Z')
    expect(await startOf(ids[1] as string)).toBe('2025-10-01T08:15:00Z')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await toast(page, `The time of “${names[1]}” is set.`).waitFor()
  })
})
