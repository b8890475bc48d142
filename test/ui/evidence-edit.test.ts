/** Changing evidence in place: what a person types is saved, taken back, kept and never lost; axe-core clean in every open state. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings } from './support/axe.ts'
import { looking, type Person, soon, undoByKey } from './support/cases.ts'
import { type EditingStation, editingStation } from './support/editing.ts'
import { type LookOptions, signInByForm } from './support/window.ts'

let station: EditingStation
beforeAll(async () => {
  station = await editingStation()
}, 180_000)
afterAll(() => station?.given.close())

const DETAILS = '?tab=details'
const at = (id = station.evidenceId): string => `/evidence/${id}${DETAILS}`
const open = async (who: Person = station.sergeant, where = at(), options?: LookOptions) => {
  const found = await looking(station.given, who, where, options)
  await found.page.getByRole('heading', { level: 1 }).waitFor()
  return found
}
const edit = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^(Edit|Add) ${name}`) })
const toast = (page: Page, text: string | RegExp) => page.getByRole('region', { name: 'Messages' }).getByText(text)
const hasFocus = (page: Page, role: 'textbox' | 'combobox', name: string) =>
  soon(() => page.getByRole(role, { name }).evaluate((node) => node === document.activeElement))
const stored = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify({ ...sessionStorage }))
/** Another evidence for a test that must not see what the others leave. */
const fresh = (name: string, members: Record<string, unknown> = {}): Promise<string> =>
  station.evidence(name, members, station.caseId)

describe('by keyboard', () => {
  it('name, description, exhibit number and category are saved, said and taken back', {
    tags: ['journey'],
  }, async () => {
    const id = await fresh('Journey')
    const { page, problems, refusals } = await open(station.sergeant, `/evidence/${id}`)
    await page.keyboard.press('e')
    await hasFocus(page, 'textbox', 'Name').toBe(true)
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Rear window')
    await page.keyboard.press('Enter')
    await toast(page, 'Saved: Name.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Rear window' }).waitFor()
    // The focus is where it was, so that the next value is one step away.
    await soon(() => edit(page, 'Name').evaluate((node) => node === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+z')
    await toast(page, 'Name is as it was before.').waitFor()
    expect((await station.record(id)).Name).toBe('Journey')

    await edit(page, 'Description').press('Enter')
    await hasFocus(page, 'textbox', 'Description').toBe(true)
    await page.keyboard.type('First line')
    await page.keyboard.press('Enter')
    await page.keyboard.type('second line')
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await toast(page, 'Saved: Description.').waitFor()
    expect((await station.record(id)).Description).toBe('First line\nsecond line')

    await edit(page, 'Exhibit number').press('Enter')
    await hasFocus(page, 'textbox', 'Exhibit number').toBe(true)
    await page.keyboard.type('EX-17/b')
    // Leaving saves as well.
    await page.keyboard.press('Tab')
    await toast(page, 'Saved: Exhibit number.').waitFor()
    await edit(page, 'Found by').press('Enter')
    await page.getByRole('button', { name: /Found by/ }).click()
    expect(await findings(page)).toEqual([])
    await page.getByRole('option', { name: 'Dog' }).click()
    await toast(page, 'Saved: Found by.').waitFor()
    await edit(page, 'Weight in grams').press('Enter')
    await hasFocus(page, 'textbox', 'Weight in grams').toBe(true)
    await page.keyboard.type('heavy')
    await page.keyboard.press('Enter')
    await page.getByText('This does not fit the type of the field.').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('12.5')
    await page.keyboard.press('Enter')
    await toast(page, 'Saved: Weight in grams.').waitFor()
    expect((await station.record(id)).CustomFields).toEqual({
      'Exhibit number': 'EX-17/b',
      'Found by': 'Dog',
      'Weight in grams': '12.5',
    })

    await edit(page, 'Category').press('Enter')
    await page.getByRole('button', { name: /Category/ }).click()
    // Each says how long it keeps; one that is not in use is not offered.
    await page.getByRole('option', { name: /Interview.*kept 90 days/ }).waitFor()
    expect(await page.getByRole('option', { name: /Old rules/ }).count()).toBe(0)
    await page.getByRole('option', { name: /Interview/ }).click()
    await page.getByText('Interview · kept 90 days').waitFor()
    await toast(page, 'Saved: Category.').waitFor()
    await page.keyboard.press('Control+z')
    await soon(async () => (await station.record(id)).CategoryId).toBeNull()
    expect(problems).toEqual([])
    expect(refusals).toEqual([])
  })

  it('Escape gives up, and what was typed comes back by undo', async () => {
    const id = await fresh('Given up')
    const { page } = await open(station.sergeant, at(id))
    await edit(page, 'Address').press('Enter')
    await page.keyboard.type('14 Tanner’s Row')
    await page.keyboard.press('Escape')
    await toast(page, 'Given up: Address.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Address' }).count()).toBe(0)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await soon(() => page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('14 Tanner’s Row')
    expect((await station.record(id)).LocationText).toBeNull()
  })

  it('the palette has both acts and the sheet both keys', async () => {
    const { page } = await open(station.sergeant, `/evidence/${station.evidenceId}`)
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog')
    await sheet.getByText('Edit the evidence').waitFor()
    await sheet.getByText('Add a tag').first().waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('Edit this')
    await page.getByRole('option', { name: /Edit this evidence/ }).waitFor()
    await page.keyboard.press('Enter')
    await hasFocus(page, 'textbox', 'Name').toBe(true)
  })
})

describe('tags', () => {
  it('are completed from what one may see, added by Enter, taken off by their cross, and both taken back', async () => {
    const id = await fresh('Tagged')
    const { page, problems } = await open(station.okafor, `/evidence/${id}`)
    await page.keyboard.press('t')
    const field = page.getByRole('combobox', { name: 'New tag' })
    await hasFocus(page, 'combobox', 'New tag').toBe(true)
    await field.pressSequentially('night')
    await page.getByRole('option', { name: /nightshift/ }).waitFor()
    // `nightingale` is on evidence that Okafor may not view.
    expect((await page.getByRole('option').allInnerTexts()).join(' ')).not.toContain('nightingale')
    await page.getByRole('option', { name: /nightshift/ }).click()
    const tags = page.getByRole('list', { name: 'Tags' })
    await tags.getByText('nightshift').waitFor()
    await page.keyboard.press('t')
    await field.fill('Žižkov, dog, dog')
    await field.press('Enter')
    await toast(page, '2 tags added.').waitFor()
    expect((await station.record(id)).Tags).toEqual(['nightshift', 'Žižkov', 'dog'])
    await soon(() => field.count()).toBe(0)
    await undoByKey(page)
    await soon(async () => (await station.record(id)).Tags).toEqual(['nightshift'])
    await tags.getByRole('button', { name: /nightshift/ }).click()
    await toast(page, 'Tag removed: nightshift.').waitFor()
    await page.keyboard.press('Control+z')
    await soon(async () => (await station.record(id)).Tags).toEqual(['nightshift'])
    expect(problems).toEqual([])
  })

  it('a pasted table becomes tags; 500 of them and one of 65 letters are refused in words and stay typed', async () => {
    const id = await fresh('Pasted')
    const { page } = await open(station.sergeant, `/evidence/${id}`)
    await page.keyboard.press('t')
    const field = page.getByRole('combobox', { name: 'New tag' })
    await hasFocus(page, 'combobox', 'New tag').toBe(true)
    const paste = (text: string): Promise<void> =>
      field.evaluate((node, pasted) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', pasted)
        node.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, text)
    await paste('red\tknife\r\nblue\tglove\r\n')
    await soon(() => field.inputValue()).toBe('red, knife, blue, glove')
    await field.press('Enter')
    await soon(async () => (await station.record(id)).Tags).toEqual(['red', 'knife', 'blue', 'glove'])
    await toast(page, '4 tags added.').waitFor()
    await page.keyboard.press('t')
    const many = Array.from({ length: 500 }, (_, place) => `t${place}`).join(', ')
    await field.fill(many)
    await field.press('Enter')
    await page.getByText('At most 100 tags; with these it would be 504.').waitFor()
    expect(await field.inputValue()).toBe(many)
    await field.fill('x'.repeat(65))
    await field.press('Enter')
    // The list of suggestions would hide the reason.
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await page.getByText(/longer than 64 characters/).waitFor()
    expect(await findings(page)).toEqual([])
    expect((await station.record(id)).Tags).toHaveLength(4)
  })

  it('two people who add one in the same second lose none', async () => {
    const id = await fresh('At once')
    const [one, other] = [
      await open(station.sergeant, `/evidence/${id}`),
      await open(station.okafor, `/evidence/${id}`, { alone: true }),
    ]
    for (const { page } of [one, other]) await page.keyboard.press('t')
    await one.page.getByRole('combobox', { name: 'New tag' }).fill('from one')
    await other.page.getByRole('combobox', { name: 'New tag' }).fill('from the other')
    await Promise.all([one, other].map(({ page }) => page.getByRole('combobox', { name: 'New tag' }).press('Enter')))
    await soon(async () => [...(await station.record(id)).Tags].sort()).toEqual(['from one', 'from the other'])
  })
})

describe('I12 the recorded time', () => {
  it('is changed with a reason, moves the end along, keeps what was recorded in sight, and comes back', async () => {
    const { page, problems } = await open()
    await edit(page, 'Began').click()
    const minute = page.getByRole('spinbutton', { name: /^minute/ })
    await minute.waitFor()
    await minute.press('ArrowUp')
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    await page.getByText('Say why the time is another one.', { exact: false }).waitFor()
    expect((await station.record()).StartTimeUtc).toBe('2026-11-20T10:00:00Z')
    expect(await findings(page)).toEqual([])
    await page.getByRole('textbox', { name: /^Reason/ }).fill('Compared with the till')
    await save.click()
    await toast(page, 'Saved: Began.').waitFor()
    const after = await station.record()
    expect([Date.parse(after.StartTimeUtc), Date.parse(after.EndTimeUtc)]).toEqual([
      Date.parse('2026-11-20T10:01:00Z'),
      Date.parse('2026-11-20T10:21:00Z'),
    ])
    expect(after.Clock.DeviceTimeUtc).toBe('2026-11-20T10:00:00Z')
    await page
      .getByText(/recorded 11:00:00/)
      .first()
      .waitFor()
    const [entry] = station.changes()
    expect([entry?.reason, entry?.detail.times.StartTimeUtc.was]).toEqual([
      'Compared with the till',
      '2026-11-20T10:00:00Z',
    ])
    await page.keyboard.press('Control+z')
    await soon(async () => (await station.record()).StartTimeUtc).toBe('2026-11-20T10:00:00Z')
    expect((await station.record()).EndTimeUtc).toBe('2026-11-20T10:20:00Z')
    expect(problems).toEqual([])
  })

  it.each([1899, 2150])('in the year %i is taken as it was typed', async (year) => {
    const id = await fresh(`Year ${year}`)
    const { page, problems } = await open(station.sergeant, at(id))
    await edit(page, 'Began').click()
    const part = (name: RegExp) => page.getByRole('spinbutton', { name })
    await part(/^day/).waitFor()
    await part(/^day/).click()
    await page.keyboard.type('0103')
    await page.keyboard.type(String(year))
    await part(/^hour/).click()
    await page.keyboard.type('120000')
    expect(await page.getByText('This lies in the future.').count()).toBe(year > 2100 ? 1 : 0)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await toast(page, 'Saved: Began.').waitFor()
    const { StartTimeUtc } = await station.record(id)
    expect(Math.abs(Date.parse(StartTimeUtc) - Date.UTC(year, 2, 1, 11))).toBeLessThan(3_600_000)
    await page
      .getByText(new RegExp(`1 Mar ${year} 12:00:00`))
      .first()
      .waitFor()
    expect(problems).toEqual([])
  })
})

describe('the officer', () => {
  it('is somebody of the station, found by name, or a name that is typed', async () => {
    const id = await fresh('Whose')
    const { page, problems } = await open(station.sergeant, at(id))
    await edit(page, 'Officer').click()
    const field = page.getByRole('combobox', { name: 'Officer' })
    await field.pressSequentially('okaf')
    await soon(() => page.getByRole('option').allInnerTexts()).toEqual([expect.stringContaining('Okafor')])
    await field.press('ArrowDown')
    await field.press('Enter')
    await toast(page, 'Saved: Officer.').waitFor()
    expect((await station.record(id)).CustomFields).toEqual({ Officer: 'Dayo Okafor' })
    await edit(page, 'Officer').click()
    await field.fill('PC 4417, Harrow')
    await field.press('Enter')
    await soon(async () => (await station.record(id)).CustomFields).toEqual({ Officer: 'PC 4417, Harrow' })
    expect(problems).toEqual([])
  })
})

describe('the place', () => {
  it('has five decimals at most, is judged before it is sent, and is taken away', async () => {
    const { page } = await open()
    await page.getByText('51.616, -0.114').first().waitFor()
    await edit(page, 'Position').click()
    const field = page.getByRole('textbox', { name: 'Position' })
    await field.fill('by the bridge')
    await field.press('Enter')
    await page.getByText('Write latitude and longitude', { exact: false }).waitFor()
    await field.fill('54.3127, 4.0891')
    await field.press('Enter')
    await soon(async () => (await station.record()).LocationWKT).toBe('POINT (4.0891 54.3127)')
    await edit(page, 'Position').click()
    await field.fill('')
    await field.press('Enter')
    await soon(async () => (await station.record()).LocationWKT).toBeNull()
    await page.getByText('54.3127, 4.0891').waitFor({ state: 'detached' })
    await undoByKey(page)
    await soon(async () => (await station.record()).LocationWKT).toBe('POINT (4.0891 54.3127)')
  })
})

describe('nothing typed is lost', () => {
  it('5,000 characters are refused in words; every script is taken', async () => {
    const id = await fresh('Scripts')
    const { page, problems } = await open(station.sergeant, `/evidence/${id}`)
    await page.getByRole('button', { name: 'Edit the name' }).click()
    const field = page.getByRole('textbox', { name: 'Name' })
    const long = 'ابجد '.repeat(1000)
    await field.fill(long)
    await field.press('Enter')
    await page.getByText('At most 1,024 characters; these are 4,999. Shorten it to save.').waitFor()
    expect(await findings(page)).toEqual([])
    await page.reload()
    await soon(() => field.inputValue()).toBe(long)
    const name = 'شاهد \u202Egpj.exe 証拠 улика 👩🏽‍🚒 à'
    await field.fill(name)
    await field.press('Enter')
    await soon(async () => (await station.record(id)).Name).toBe(name)
    await page.getByRole('heading', { level: 1, name: /‹U\+202E›gpj\.exe 証拠/ }).waitFor()
    expect(problems).toEqual([])
  })

  it('a draft is there after a reload, is said under another tab, and is nobody else’s', async () => {
    const id = await fresh('Drafted')
    const { page } = await open(station.sergeant, at(id))
    await edit(page, 'Description').click()
    const field = page.getByRole('textbox', { name: 'Description' })
    await field.fill('Seen by two')
    await page.reload()
    await soon(() => field.inputValue()).toBe('Seen by two')
    await page.getByText('You typed this before. It is not saved yet.').waitFor()
    await page.goto(`${station.given.url}/evidence/${id}`)
    await page.getByText('Not saved yet: Description.').waitFor()
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await soon(() => field.inputValue()).toBe('Seen by two')
    // Their sign-in ended by itself while the field was open.
    await page.context().clearCookies()
    await field.press('Control+Enter')
    await page.locator('input[name=username]').waitFor()
    expect(await stored(page)).toContain('Seen by two')
    await signInByForm(page, station.given.url, at(id), station.sergeant)
    await soon(() => field.inputValue()).toBe('Seen by two')
    await field.press('Control+Enter')
    await soon(async () => (await station.record(id)).Description).toBe('Seen by two')
    await soon(() => stored(page)).not.toContain('Seen by two')
  })

  it('when somebody changed the same field first, both are shown and one is chosen', {
    tags: ['journey'],
  }, async () => {
    const id = await fresh('Conflict', { Description: 'As it was' })
    const { page, problems } = await open(station.okafor, at(id))
    await edit(page, 'Description').click()
    const field = page.getByRole('textbox', { name: 'Description' })
    await field.fill('Yours')
    await station.patch({ Description: 'Theirs' }, id)
    await field.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: /while you were typing/ })
    await dialog.getByRole('radiogroup', { name: 'Description' }).waitFor()
    for (const text of ['As it was', 'Theirs', 'Yours']) await dialog.getByText(text, { exact: true }).first().waitFor()
    expect(await findings(page)).toEqual([])
    expect((await station.record(id)).Description).toBe('Theirs')
    await dialog.getByRole('button', { name: 'Back to my form' }).click()
    expect(await field.inputValue()).toBe('Yours')
    await field.press('Control+Enter')
    await dialog.getByRole('button', { name: 'Save these choices' }).click()
    await soon(async () => (await station.record(id)).Description).toBe('Yours')
    await soon(() => field.count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('when somebody changed another field, nobody is asked', async () => {
    const id = await fresh('Beside')
    const { page } = await open(station.okafor, at(id))
    // Their change must not reach the page before the save.
    await page.route('**/events**', (route) => route.abort())
    await edit(page, 'Exhibit number').click()
    await station.patch({ Description: 'Theirs', CustomFields: { 'Weight in grams': '3' } }, id)
    await page.keyboard.type('EX-1')
    await page.keyboard.press('Enter')
    await toast(page, 'Saved: Exhibit number.').waitFor()
    expect(await station.record(id)).toMatchObject({
      Description: 'Theirs',
      CustomFields: { 'Weight in grams': '3', 'Exhibit number': 'EX-1' },
    })
  })

  it('when the right was taken away meanwhile, the reason is said and the text stays', async () => {
    const caseId: string = (await station.made({ Title: 'Revoked' })).CaseId
    const id = await station.evidence('Revoked', {}, caseId)
    await station.share(caseId, station.lindqvist, 'Edit')
    const { page } = await open(station.lindqvist, at(id))
    await edit(page, 'Description').click()
    const field = page.getByRole('textbox', { name: 'Description' })
    await field.fill('Kept whatever comes')
    const record = await station.sergeant.send('GET', `/api/v1/case/station/${caseId}`)
    const { lindqvist } = station
    await station.sergeant.send('PATCH', `/api/v1/case/station/${caseId}`, {
      ConcurrencyId: record.ConcurrencyId,
      AccessPolicies: record.AccessPolicies.map(
        ({ PrincipalId, Permissions, KId, PrincipalType, PermissionSource }: Record<string, unknown>) => ({
          PrincipalId,
          KId,
          PrincipalType,
          PermissionSource,
          Permissions: PrincipalId === lindqvist.id ? 'View' : Permissions,
        }),
      ),
    })
    await field.press('Control+Enter')
    await page.getByText('You may not change this evidence any more.', { exact: false }).waitFor()
    expect(await field.inputValue()).toBe('Kept whatever comes')
    expect(await findings(page)).toEqual([])
    // Nothing else can be opened, and what is open can be given up.
    await soon(() => edit(page, 'Name').count()).toBe(0)
    await page.reload()
    await soon(() => field.inputValue()).toBe('Kept whatever comes')
  })
})

describe('who lacks Edit', () => {
  it('sees values as text, no cross, no field and no key', async () => {
    const { page, refusals } = await open(station.lindqvist)
    await page.getByText('R1', { exact: true }).first().waitFor()
    await page.getByRole('list', { name: 'Tags' }).getByText('night', { exact: true }).waitFor()
    for (const name of [/^Edit /, /^Add /, /Remove/]) expect(await page.getByRole('button', { name }).count()).toBe(0)
    await page.keyboard.press('e')
    await page.keyboard.press('t')
    expect(await page.locator('[data-editing]').count()).toBe(0)
    expect(refusals).toEqual([])
  })
})

it('speaks French, at 1024 too, and no field pushes the page out of sight', async () => {
  const { page } = await open(station.sergeant, at(), { language: 'fr', size: 'small' })
  await page.getByRole('button', { name: /^Modifier Nom/ }).waitFor()
  await page.getByRole('button', { name: 'Ajouter une étiquette' }).waitFor()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  expect(wide).toBe(false)
  await page.getByRole('button', { name: /^Ajouter Agent/ }).click()
  await hasFocus(page, 'combobox', 'Agent').toBe(true)
  // What is longer than its frame is scrolled by a field that takes the focus, and has no bar to scroll it back.
  const longer = await page.evaluate(() => {
    const found: string[] = []
    for (let one = document.querySelector('h1')?.parentElement; one; one = one.parentElement)
      if (one.scrollHeight > one.clientHeight + 1) found.push(`${one.className} ${one.scrollHeight - one.clientHeight}`)
    return found
  })
  expect(longer).toEqual([])
})
