/** Protecting, moving, deleting and restoring evidence as a person does it, by keyboard; what is absent without the right; axe-core clean. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ActsStation, actsStation } from './support/acts.ts'
import { findings } from './support/axe.ts'
import { CASES, looking, type Person, soon } from './support/cases.ts'
import type { LookOptions } from './support/window.ts'

let station: ActsStation
beforeAll(async () => {
  station = await actsStation()
}, 180_000)
afterAll(() => station?.given.close())

const DOCUMENTS = '/documentstore/api/v1/tenant/station/evidence'
const record = (id: string) => station.sergeant.send('GET', `${DOCUMENTS}/${id}`)
const open = (who: Person, at: string, options?: LookOptions) => looking(station.given, who, at, options)
const toast = (page: Page, text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text)
/** From the keyboard: the menu of the page, and one of its items. */
async function fromMenu(page: Page, item: RegExp): Promise<void> {
  const more = page.getByRole('button', { name: 'More', exact: true })
  await more.focus()
  await page.keyboard.press('Enter')
  const wanted = page.getByRole('menuitem', { name: item })
  await wanted.waitFor()
  const items = await page.getByRole('menuitem').allInnerTexts()
  const steps = items.findIndex((text) => item.test(text))
  for (let at = 0; at < steps; at++) await page.keyboard.press('ArrowDown')
  await soon(() => wanted.evaluate((node) => node === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
}

describe('the page of an evidence', () => {
  it('protects with a reason, says so, and takes it back: all by keyboard', async () => {
    const { page, problems } = await open(station.sergeant, `/evidence/${station.loose}`)
    await page.getByRole('heading', { level: 1, name: 'Statement' }).waitFor()
    await fromMenu(page, /^Protect/)
    await soon(() =>
      page.getByRole('textbox', { name: /^Reason/ }).evaluate((node) => node === document.activeElement),
    ).toBe(true)
    await page.keyboard.type('Appeal')
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Protect', exact: true }).press('Enter')
    await toast(page, '“Statement” is protected.').waitFor()
    await page.getByText('Protected from deletion.').waitFor()
    expect((await record(station.loose)).LifecycleState).toBe('Protected')
    await page.keyboard.press('Control+z')
    await soon(async () => (await record(station.loose)).LifecycleState).toBe('None')
    await soon(() => page.getByText('Protected from deletion.').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('moves between cases in one act and back by undo', async () => {
    const { page, problems } = await open(station.sergeant, `/evidence/${station.photo}`)
    await page.getByRole('heading', { level: 1, name: 'Rear window' }).waitFor()
    await fromMenu(page, /^Move/)
    const into = page.getByRole('combobox', { name: /^Into/ })
    await soon(() => into.evaluate((node) => node === document.activeElement)).toBe(true)
    await page.keyboard.type('Mill')
    await page.getByRole('option', { name: /Mill Lane/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const move = page.getByRole('button', { name: 'Move', exact: true })
    await soon(() => move.isEnabled()).toBe(true)
    // The suggestions go with the choice; while they fade they are outside of every landmark.
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    expect(await findings(page)).toEqual([])
    await move.press('Enter')
    const casesOf = async (): Promise<string[]> =>
      (await station.sergeant.send('GET', `/api/v1/evidence/station/${station.photo}`)).Relations.map(
        ({ CaseId }: { CaseId: string }) => CaseId,
      )
    await toast(page, '“Rear window” is in “Theft from a car, Mill Lane”.').waitFor()
    expect(await casesOf()).toEqual([station.to])
    await page.keyboard.press('Control+z')
    await soon(casesOf).toEqual([station.from])
    expect(problems).toEqual([])
  })

  it('deletes after saying what it does; in the recycle bin nothing of it is shown, and it comes back', {
    tags: ['journey'],
  }, async () => {
    const { page, problems } = await open(station.sergeant, `/evidence/${station.copy}`)
    await page.getByRole('heading', { level: 1, name: 'Rear window, handed in' }).waitFor()
    await fromMenu(page, /^Delete/)
    // Nothing is one key away: the focus is on Cancel.
    await soon(() =>
      page.getByRole('button', { name: 'Cancel' }).evaluate((node) => node === document.activeElement),
    ).toBe(true)
    for (const part of ['What goes', 'What stays', 'The way back'])
      expect(await page.getByRole('heading', { name: part }).count()).toBe(1)
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Move to the recycle bin' }).press('Enter')
    await page.getByText('This evidence is in the recycle bin').waitFor()
    expect(await page.getByText('IMG_0417.jpg').count()).toBe(0)
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore the evidence' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Rear window, handed in' }).waitFor()
    expect((await record(station.copy)).LifecycleState).toBe('None')
    expect(problems).toEqual([])
  })

  it('tells of the same bytes elsewhere, as far as one may see them', async () => {
    const { page } = await open(station.sergeant, `/evidence/${station.photo}`)
    await page.getByText('The same bytes are in another item:').waitFor()
    const copies = page.getByRole('region', { name: 'The same bytes elsewhere' })
    await copies.getByRole('link', { name: 'Rear window, handed in' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Rear window, handed in' }).waitFor()
    const { page: theirs } = await open(station.okafor, `/evidence/${station.photo}`)
    await theirs.getByRole('heading', { level: 1, name: 'Rear window' }).waitFor()
    await theirs.getByRole('heading', { name: /^Files/ }).waitFor()
    // When everything was answered. The trail beside it says that somebody looked for them.
    await theirs.waitForLoadState('networkidle')
    expect(await theirs.getByRole('heading', { name: 'The same bytes elsewhere' }).count()).toBe(0)
  })

  it('what the uploader left is said, until somebody says that it is whole', async () => {
    const { page } = await open(station.sergeant, `/evidence/${station.unfinished}`)
    await page.getByText('The upload stopped before it was marked complete').waitFor()
    await page.getByRole('button', { name: 'Mark as complete' }).press('Enter')
    await toast(page, 'The evidence is complete.').waitFor()
    await soon(() => page.getByText('The upload stopped before it was marked complete').count()).toBe(0)
    expect((await record(station.unfinished)).Unfinished).toBe(false)
  })

  it('without the right nothing of it is there', async () => {
    const items = async (who: Person): Promise<string[]> => {
      const { page } = await open(who, `/evidence/${station.photo}`)
      await page.getByRole('button', { name: 'More', exact: true }).press('Enter')
      await page.getByRole('menuitem').first().waitFor()
      return page.getByRole('menuitem').allInnerTexts()
    }
    expect((await items(station.lindqvist)).length).toBe(3)
    expect((await items(station.okafor)).filter((text) => text.endsWith('…'))).toEqual([
      'Print…',
      'Link to case…',
      'Move to another case…',
      'Restrict disclosure…',
    ])
  })
})

describe('the list', () => {
  it('of one case, chosen by its title from the keyboard, stays in the address and is cleared again', async () => {
    const { page, problems } = await open(station.sergeant, '/evidence')
    await page.getByRole('grid').getByText('Statement').waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
    await page.getByRole('searchbox', { name: 'Find a filter' }).waitFor()
    await page.keyboard.type('case')
    await page.keyboard.press('Enter')
    const field = page.getByRole('combobox', { name: 'Case' })
    await soon(() => field.evaluate((node) => node === document.activeElement)).toBe(true)
    await page.keyboard.type('Tanner')
    await soon(() => page.getByRole('option').allInnerTexts()).toEqual([expect.stringContaining('Tanner')])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Case Burglary, Tanner’s Row/ }).waitFor()
    await soon(() => page.getByRole('grid').getByText('Statement').count()).toBe(0)
    await page.getByRole('grid').getByText('Rear window').first().waitFor()
    expect(new URL(page.url()).searchParams.get('case')?.replaceAll('"', '')).toBe(station.from)
    await page.reload()
    await page.getByRole('button', { name: /^Case Burglary, Tanner’s Row/ }).waitFor()
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Clear Case' }).press('Enter')
    await page.getByRole('grid').getByText('Statement').waitFor()
    expect(problems).toEqual([])
  })

  it('protects, deletes and restores what is selected, and leaves out what it does not fit', async () => {
    const { page, problems } = await open(station.sergeant, '/evidence')
    await page.getByRole('grid').getByText('Statement').waitFor()
    for (const name of ['Statement', 'Camera 0417'])
      await page.getByRole('row', { name }).getByRole('checkbox').first().press('Space')
    const bar = page.getByRole('toolbar')
    await bar.getByRole('button', { name: 'Delete' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Delete “Statement”?' })
    await dialog.getByText('1 of 2 is protected from deletion and stays.').waitFor()
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Move to the recycle bin' }).press('Enter')
    await toast(page, '“Statement” is in the recycle bin.').waitFor()
    await soon(() => page.getByRole('grid').getByText('Statement').count()).toBe(0)
    expect(await bar.count()).toBe(0)
    await page.getByRole('button', { name: 'Recycle bin' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Recycle bin' }).waitFor()
    await page.getByRole('grid').getByText('Test shot').waitFor()
    // What was thrown away last stands first.
    const listed = () => page.getByRole('grid').getByRole('row').allInnerTexts()
    const order = async () => (await listed()).flatMap((text) => /Statement|Test shot/.exec(text)?.[0] ?? [])
    await soon(order).toEqual(['Statement', 'Test shot'])
    await page.getByRole('row', { name: 'Statement' }).getByText('7 days left').waitFor()
    const head = page.getByRole('columnheader', { name: 'Deleted' })
    expect(await head.getAttribute('aria-sort')).toBe('descending')
    await head.getByRole('button').click()
    await soon(order).toEqual(['Test shot', 'Statement'])
    expect(await findings(page)).toEqual([])
    await page.getByRole('row', { name: 'Statement' }).getByRole('checkbox').first().press('Space')
    expect(await bar.getByRole('button').allInnerTexts()).toEqual(['Restore', 'Copy as a list', 'Esc'])
    await bar.getByRole('button', { name: 'Restore' }).press('Enter')
    await toast(page, '“Statement” is restored.').waitFor()
    await soon(() => page.getByRole('grid').getByText('Statement').count()).toBe(0)
    await page.getByRole('button', { name: 'Recycle bin' }).press('Enter')
    await page.getByRole('grid').getByText('Statement').waitFor()
    expect(problems).toEqual([])
  })

  it('shows what is unfinished alone, and says when nothing is', async () => {
    const { EvidenceId } = await station.sergeant.send('POST', DOCUMENTS, { Name: 'On its way' })
    await station.sergeant.send('POST', `${DOCUMENTS}/${EvidenceId}/resource`, { Name: 'late.mp4' })
    const { page } = await open(station.sergeant, '/evidence')
    await page.getByRole('grid').getByText('Camera 0417').waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
    await page.getByRole('searchbox', { name: 'Find a filter' }).waitFor()
    await page.keyboard.type('unfin')
    await page.keyboard.press('Enter')
    await soon(() => page.getByRole('grid').getByText('Camera 0417').count()).toBe(0)
    await page.getByRole('grid').getByText('On its way').waitFor()
    expect(new URL(page.url()).searchParams.get('has')).toBe('unfinished')
    await station.sergeant.send('DELETE', `${DOCUMENTS}/${EvidenceId}`)
    await soon(() => page.getByRole('grid').getByText('On its way').count()).toBe(0)
    // Whatever else is: it is empty when that is whole too.
    const others: { Items: { EvidenceId: string }[] } = await station.sergeant.send(
      'GET',
      `${DOCUMENTS}?unfinished=true`,
    )
    for (const other of others.Items) await station.sergeant.send('POST', `${DOCUMENTS}/${other.EvidenceId}/complete`)
    await page.getByText('Nothing is unfinished').waitFor()
    expect(await findings(page)).toEqual([])
  })

  it('in French, dark and narrow nothing overflows, and axe finds nothing', async () => {
    const { page } = await open(station.sergeant, '/evidence?bin=true', {
      language: 'fr',
      theme: 'dark',
      size: 'small',
    })
    await page.getByRole('heading', { level: 1, name: 'Corbeille' }).waitFor()
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  })
})

describe('the page of a case', () => {
  it('deletes it with what is in no other case, where that is asked for', async () => {
    const { CaseId } = await station.made({ Title: 'Lost bicycle' })
    const evidenceId = await station.evidence('Lock', {}, CaseId)
    await station.sergeant.send('POST', `${CASES}/${CaseId}/close`)
    const { page } = await open(station.sergeant, `/cases/${CaseId}`)
    await page.getByRole('heading', { level: 1, name: 'Lost bicycle' }).waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: /^Delete/ }).click()
    await page.getByRole('checkbox', { name: 'Delete its evidence with it' }).press('Space')
    await page.getByText('Evidence that somebody added to it').waitFor()
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete the case', exact: true }).press('Enter')
    await page.getByText('This case is in the recycle bin').waitFor()
    await expect(record(evidenceId)).rejects.toThrow(/EvidenceDeleted/)
    await station.sergeant.send('POST', `${CASES}/${CaseId}/restore`)
    expect((await record(evidenceId)).LifecycleState).toBe('None')
  })
})
