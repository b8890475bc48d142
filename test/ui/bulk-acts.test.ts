/** Many items at once: tags, officer and share, what failed by name, the menu of a row, and the keys. */
// @module-tag screen
// @module-tag merge
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ActsStation, actsStation } from './support/acts.ts'
import { findings, findingsInThemes } from './support/axe.ts'
import { looking, type Person, settled, soon, undoByKey } from './support/cases.ts'
import { handsOn } from './support/journey.ts'
import type { LookOptions } from './support/window.ts'

const DOCUMENTS = '/documentstore/api/v1/tenant/station/evidence'

let station: ActsStation
beforeAll(async () => {
  station = await actsStation()
}, 180_000)
afterAll(() => station?.given.close())

const open = (who: Person, at: string, options?: LookOptions) => looking(station.given, who, at, options)
const record = (id: string) => station.sergeant.send('GET', `${DOCUMENTS}/${id}`)
const toast = (page: Page, text: string | RegExp) => page.getByRole('region', { name: 'Messages' }).getByText(text)
async function made(name: string, count: number, members: (at: number) => Record<string, unknown> = () => ({})) {
  const ids: string[] = []
  for (let at = 0; at < count; at++)
    ids.push((await station.sergeant.send('POST', DOCUMENTS, { Name: `${name} ${at}`, ...members(at) })).EvidenceId)
  return ids
}
async function select(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names)
    await page.getByRole('row', { name, exact: false }).getByRole('checkbox').first().press('Space')
}
async function closeDialog(page: Page): Promise<void> {
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}
const rowOf = (page: Page, name: string) => page.getByRole('row', { name, exact: false })

describe('tags of many', () => {
  it('tags 200 items in a few keys; Ctrl Z takes it back from each', {
    tags: ['journey'],
    timeout: 240_000,
  }, async () => {
    const ids = await made('Carrier', 200, (at) => (at < 12 ? { Tags: ['cctv'] } : {}))
    const { page, problems } = await open(station.sergeant, '/evidence?q=Carrier')
    await page.getByRole('grid').getByText('Carrier 199').waitFor()
    await rowOf(page, 'Carrier 199').focus()
    const hands = handsOn(page)
    await hands.press('Control+a')
    await page.getByText('200 selected').waitFor()
    await hands.press('t')
    const dialog = page.getByRole('dialog', { name: 'Tags of 200 items' })
    await soon(() =>
      dialog
        .getByRole('combobox')
        .evaluate((node) => node === document.activeElement)
        .catch(() => false),
    ).toBe(true)
    await page.keyboard.type('op Harrow')
    await hands.press('Enter')
    await dialog.getByText('will be added to 200 items').waitFor()
    const begun = Date.now()
    await hands.press('Enter')
    await toast(page, 'Tags saved on 200 items.').waitFor({ timeout: 90_000 })
    const took = Date.now() - begun
    process.stdout.write(
      `200 items tagged with ${hands.keys} keys beside the tag itself, no click; ${took} ms from the last key\n`,
    )
    expect(hands.keys).toBe(4)
    // One after the other: a busy station refuses 200 at the same moment.
    const tagsOf = async () => {
      const found = new Set<string>()
      for (const id of ids) found.add((await record(id)).Tags.join())
      return found
    }
    expect(await tagsOf()).toEqual(new Set(['cctv,op Harrow', 'op Harrow']))
    await page.keyboard.press('Control+z')
    await toast(page, 'Undone on 200 items.').waitFor({ timeout: 90_000 })
    expect(await tagsOf()).toEqual(new Set(['cctv', '']))
    expect(problems).toEqual([])
  })

  it('says on how many a tag is, adds it to all, removes another, and sends only what differs', async () => {
    const ids = await made('Plate', 6, (at) => ({ Tags: at < 2 ? ['night', 'cctv'] : ['night'] }))
    const { page, problems } = await open(station.sergeant, '/evidence?q=Plate')
    await page.getByRole('grid').getByText('Plate 5').waitFor()
    await rowOf(page, 'Plate 5').focus()
    await page.keyboard.press('Control+a')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.url())
    })
    await page.getByRole('toolbar').getByRole('button', { name: 'Tag', exact: true }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Tags of 6 items' })
    await page.getByRole('listbox').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    const save = dialog.getByRole('button', { name: 'Save tags' })
    expect(await save.isEnabled()).toBe(false)
    await dialog.getByText('on 2 of 6').waitFor()
    await dialog.getByText('on all').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add “cctv” to all' }).press('Enter')
    await dialog.getByText('will be added to 4 items').waitFor()
    await save.press('Enter')
    await toast(page, 'Tags saved on 4 items.').waitFor()
    expect(sent).toHaveLength(4)
    expect((await Promise.all(ids.map(record))).map(({ Tags }) => Tags.sort().join())).toEqual(
      Array(6).fill('cctv,night'),
    )
    expect(problems).toEqual([])
  })

  it('what failed is named with its reason and tried again alone; what somebody adds meanwhile stays', async () => {
    const ids = await made('Ledger', 12)
    const { page } = await open(station.sergeant, '/evidence?q=Ledger')
    await page.getByRole('grid').getByText('Ledger 11').waitFor()
    let refuse = true
    await page.route(`**${DOCUMENTS}/${ids[4]}`, (route) =>
      refuse && route.request().method() === 'PATCH'
        ? route.fulfill({ status: 403, json: { Code: 'Forbidden', Message: 'You may not change this.' } })
        : route.continue(),
    )
    await rowOf(page, 'Ledger 11').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('t')
    const dialog = page.getByRole('dialog', { name: 'Tags of 12 items' })
    await dialog.getByRole('combobox').waitFor()
    // Saved by somebody else while the dialog is open.
    await station.sergeant.send('PATCH', `${DOCUMENTS}/${ids[0]}`, { Tags: ['from elsewhere'] })
    await dialog.getByRole('combobox').fill('exhibit')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await dialog.getByText('1 of 12 was not changed.').waitFor()
    const failed = dialog.getByRole('list', { name: 'What failed' })
    expect(await failed.innerText()).toContain('Ledger 4')
    expect(await findings(page)).toEqual([])
    refuse = false
    await dialog.getByRole('button', { name: 'Try again' }).press('Enter')
    await toast(page, 'Tags saved: “Ledger 4”.').waitFor()
    const tags = (await Promise.all(ids.map(record))).map(({ Tags }) => Tags)
    expect(tags[0]).toEqual(['from elsewhere', 'exhibit'])
    expect(tags.every((one) => one.includes('exhibit'))).toBe(true)
  })

  it('T with nothing selected tags the row that has the focus, and G T goes to Today instead', async () => {
    const [id] = await made('Solo', 1)
    const { page, problems } = await open(station.sergeant, '/evidence?q=Solo')
    await page.getByRole('grid').getByText('Solo 0').waitFor()
    await rowOf(page, 'Solo 0').focus()
    await page.keyboard.press('t')
    const dialog = page.getByRole('dialog', { name: 'Tags of “Solo 0”' })
    await dialog.getByRole('combobox').fill('one, two')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await toast(page, 'Tags saved: “Solo 0”.').waitFor()
    expect((await record(id as string)).Tags).toEqual(['one', 'two'])
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.waitForURL('**/today')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(problems).toEqual([])
  })
})

it('sets the officer of several, as the page of one does; Undo gives back what each had', async () => {
  const ids = await made('Shift', 3, (at) =>
    at === 0 ? { CustomFields: { Officer: 'Mia Lindqvist', Exhibit: 'A1' } } : {},
  )
  const { page, problems } = await open(station.sergeant, '/evidence?q=Shift')
  await page.getByRole('grid').getByText('Shift 2').waitFor()
  await rowOf(page, 'Shift 2').focus()
  await page.keyboard.press('Control+a')
  await page.getByRole('toolbar').getByRole('button', { name: 'More' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Set officer' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Set the officer' })
  await dialog.getByText('Now: nobody (2), Mia Lindqvist (1)').waitFor()
  await dialog.getByRole('combobox').fill('okaf')
  await page.getByRole('option', { name: /Okafor/ }).click()
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Set officer' }).press('Enter')
  await toast(page, /^The officer of 3 items is Dayo Okafor/).waitFor()
  const fields = async () => (await Promise.all(ids.map(record))).map(({ CustomFields }) => CustomFields)
  expect((await fields())[0]).toEqual({ Exhibit: 'A1', Officer: 'Dayo Okafor' })
  await page.keyboard.press('Control+z')
  await soon(fields).toEqual([{ Exhibit: 'A1', Officer: 'Mia Lindqvist' }, {}, {}])
  expect(problems).toEqual([])
})

it('shares several by themselves: whom it is shared with sees them, and no more after Undo', async () => {
  const ids = await made('Handover', 2)
  const { page, problems } = await open(station.sergeant, '/evidence?q=Handover')
  await page.getByRole('grid').getByText('Handover 1').waitFor()
  await select(page, ['Handover 0', 'Handover 1'])
  await page.getByRole('toolbar').getByRole('button', { name: 'Share' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Share 2 items' })
  await dialog.getByText(/To share a whole case/).waitFor()
  await dialog.getByRole('combobox', { name: /^With whom/ }).fill('lindq')
  await page.getByRole('option', { name: /Lindqvist/ }).click()
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await dialog.getByRole('radio', { name: 'Download' }).press('Space')
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Share', exact: true }).press('Enter')
  await toast(page, /^2 items are shared with M\. Lindqvist/).waitFor()
  // Where something is selected again, the message covers none of the acts.
  await page.setViewportSize({ width: 1024, height: 700 })
  await select(page, ['Handover 1'])
  const [message, bar] = [
    await toast(page, /^2 items are shared with M\. Lindqvist/).boundingBox(),
    await page.getByRole('toolbar').boundingBox(),
  ]
  expect((message?.y ?? Number.NaN) + (message?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? Number.NaN)
  const seen = () =>
    Promise.all(
      ids.map((id) =>
        station.lindqvist.send('GET', `${DOCUMENTS}/${id}`).then(
          ({ AccessorPermissions }) => AccessorPermissions.join(),
          () => 'no',
        ),
      ),
    )
  expect(await seen()).toEqual(['View,Download', 'View,Download'])
  await page.keyboard.press('Control+z')
  await soon(seen).toEqual(['no', 'no'])
  expect(problems).toEqual([])
})

it('says beforehand which of them stay as they are, and why', async () => {
  const { page, problems } = await open(station.sergeant, '/evidence?sort=created&dir=asc')
  await page.getByRole('grid').getByText('Statement').waitFor()
  await select(page, ['Statement', 'Camera 0417'])
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).press('Enter')
  await page.getByRole('dialog').getByText('1 of 2 is protected from deletion and stays.').waitFor()
  expect(problems).toEqual([])
})

describe('the menu of a row', () => {
  it('opens by right click, Shift F10 and in the grid, and closes to its row', { tags: ['journey'] }, async () => {
    const { page, problems } = await open(station.sergeant, '/evidence?sort=created&dir=asc', { reducedMotion: true })
    await page.getByRole('grid').getByText('Statement').waitFor()
    await rowOf(page, 'Statement').click({ button: 'right' })
    const menu = page.getByRole('menu')
    await menu.waitFor()
    expect(await menu.getByRole('menuitem').allInnerTexts()).toEqual([
      'Open\nEnter',
      'Open in a new tab',
      'Copy link',
      'Copy id',
      'Link to case\nC',
      'Tag\nT',
      'Category\nS',
      'Set title\nR',
      'Share',
      'Download',
      'Create a package…',
      'Share by link…',
      'Set officer',
      'Suggest times',
      'Protect',
      'Check hashes',
      'QR labels',
      'Delete',
    ])
    expect(await findingsInThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await soon(() => rowOf(page, 'Statement').evaluate((row) => row === document.activeElement)).toBe(true)
    await page.keyboard.press('Shift+F10')
    await menu.waitFor()
    await page.getByRole('menuitem', { name: 'Tag' }).press('Enter')
    await page.getByRole('dialog', { name: 'Tags of “Statement”' }).waitFor()
    await closeDialog(page)
    await soon(() => rowOf(page, 'Statement').evaluate((row) => row === document.activeElement)).toBe(true)
    await page.keyboard.press('v')
    await soon(() => page.getByRole('gridcell', { name: /Statement/ }).count()).toBe(1)
    await page.getByRole('gridcell', { name: /Statement/ }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Open(?! in)/ }).press('Enter')
    await page.waitForURL(`**/evidence/${station.loose}`)
    expect(problems).toEqual([])
  })

  it('in the selection it is of the whole selection, outside of it of the row alone', async () => {
    const { page, problems } = await open(station.sergeant, '/evidence?sort=created&dir=asc', { reducedMotion: true })
    await page.getByRole('grid').getByText('Statement').waitFor()
    await select(page, ['Statement', 'Hallway'])
    await rowOf(page, 'Hallway').click({ button: 'right' })
    await page.getByRole('menu', { name: 'Actions for 2 selected items' }).waitFor()
    await page.getByRole('menuitem', { name: 'Tag' }).press('Enter')
    await page.getByRole('dialog', { name: 'Tags of 2 items' }).waitFor()
    await closeDialog(page)
    await rowOf(page, 'Camera 0417').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Tag' }).press('Enter')
    await page.getByRole('dialog', { name: 'Tags of “Camera 0417”' }).waitFor()
    expect(problems).toEqual([])
  })

  it('of somebody who may only look offers no change', async () => {
    const { page, problems } = await open(station.lindqvist, '/evidence')
    await page.getByRole('grid').getByText('Rear window').first().waitFor()
    await rowOf(page, 'Rear window').first().click({ button: 'right' })
    await page.getByRole('menu').waitFor()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Open\nEnter',
      'Open in a new tab',
      'Copy link',
      'Copy id',
      'Check hashes',
      'QR labels',
    ])
    expect(problems).toEqual([])
  })
})

describe('on the page of a case', () => {
  it('tags, adds up and removes what is selected; the figures are the station’s', { tags: ['journey'] }, async () => {
    const { CaseId } = await station.made({ Title: 'Arson, Quay Road' })
    const [first = '', second = ''] = [
      await station.evidence('Petrol can', {}, CaseId),
      await station.evidence('Scorched door', {}, CaseId),
    ]
    const { page, problems } = await open(station.sergeant, `/cases/${CaseId}`, { reducedMotion: true })
    await page.getByRole('grid').getByText('Petrol can').waitFor()
    await rowOf(page, 'Petrol can').focus()
    await page.keyboard.press('Control+a')
    const bar = page.getByRole('toolbar', { name: 'Selection' })
    // “what Petrol can says” and “what Scorched door says”, each with its line end.
    await bar.getByText('45\u00a0B').waitFor()
    expect(await bar.getByRole('button').allInnerTexts()).toEqual(['Tag', 'Remove from case', 'More', 'Esc'])
    expect(await findingsInThemes(page)).toEqual([])
    // What has no room in the bar stands first behind *More*.
    await bar.getByRole('button', { name: 'More' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Category' }).waitFor()
    expect((await page.getByRole('menuitem').allInnerTexts()).slice(0, 4)).toEqual([
      'Category\nS',
      'Download',
      'Create a package…',
      'Move',
    ])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.keyboard.press('t')
    const dialog = page.getByRole('dialog', { name: 'Tags of 2 items' })
    await dialog.getByRole('combobox').fill('arson')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await toast(page, 'Tags saved on 2 items.').waitFor()
    expect([(await record(first)).Tags, (await record(second)).Tags]).toEqual([['arson'], ['arson']])
    await rowOf(page, 'Scorched door').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Open in a new tab' }).waitFor()
    await page.getByRole('menuitem', { name: 'Move', exact: true }).press('Enter')
    const move = page.getByRole('dialog', { name: 'Move to another case' })
    await page.getByRole('listbox').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await move.getByRole('button', { name: /Arson, Quay Road/ }).waitFor()
    await move.getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await rowOf(page, 'Scorched door').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Remove from case' }).press('Enter')
    await soon(() => page.getByRole('grid').getByText('Scorched door').count()).toBe(0)
    expect(problems).toEqual([])
  })
})

describe('dragging onto a case', () => {
  /** Over the middle of what is taken up, and with it as far as the first place that it is moved to. */
  async function take(page: Page, from: string): Promise<void> {
    const box = await rowOf(page, from).boundingBox()
    if (box === null) throw new Error('not in sight')
    await page.mouse.move(box.x + 200, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 230, box.y + box.height / 2 + 20, { steps: 4 })
  }
  async function letGoOn(
    page: Page,
    place: { boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null> },
  ) {
    const box = await place.boundingBox()
    if (box === null) throw new Error('not in sight')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 6 })
    await page.mouse.move(box.x + box.width / 2 + 2, box.y + box.height / 2)
  }

  it('links the selection that is dragged; the strip comes and goes with it; Undo takes it out', {
    tags: ['journey'],
  }, async () => {
    const ids = await made('Glove', 3)
    const { page, problems } = await open(station.sergeant, '/evidence?q=Glove', { reducedMotion: true })
    await page.getByRole('grid').getByText('Glove 2').waitFor()
    await select(page, ['Glove 0', 'Glove 1'])
    await take(page, 'Glove 1')
    const strip = page.getByRole('complementary', { name: 'Cases to link to' })
    await strip.getByText('Drop on a case to link 2 items').waitFor()
    expect(await findings(page)).toEqual([])
    await letGoOn(page, strip.locator(`[data-case="${station.to}"]`))
    await page.mouse.up()
    await toast(page, '2 items are linked to “Theft from a car, Mill Lane”.').waitFor()
    expect(await strip.count()).toBe(0)
    const inCase = async () => (await station.sergeant.send('GET', `/api/v1/case/station/${station.to}`)).EvidenceIds
    expect((await inCase()).sort()).toEqual(ids.slice(0, 2).sort())
    await page.keyboard.press('Control+z')
    await soon(inCase).toEqual([])
    expect(problems).toEqual([])
  })

  it('a row of the search onto a case beside it', async () => {
    const [id] = await made('Mill wheel', 1)
    const { page, problems } = await open(station.sergeant, '/search?q=Mill', { reducedMotion: true })
    await page.getByRole('grid').getByText('wheel').waitFor()
    await take(page, 'Mill wheel')
    await letGoOn(page, rowOf(page, 'Theft from a car'))
    await page.mouse.up()
    await toast(page, '1 item is linked to “Theft from a car, Mill Lane”.').waitFor()
    expect((await station.sergeant.send('GET', `/api/v1/case/station/${station.to}`)).EvidenceIds).toEqual([id])
    expect(problems).toEqual([])
  })

  it('files dropped on the row of a case become evidence in it, and the target is named', async () => {
    const { page, problems } = await open(station.sergeant, '/cases', { reducedMotion: true })
    await rowOf(page, 'Theft from a car').waitFor()
    const transfer = await page.evaluateHandle(() => {
      const made = new DataTransfer()
      made.items.add(new File(['a statement'], 'dropped on a row.txt', { type: 'text/plain' }))
      return made
    })
    const cell = rowOf(page, 'Theft from a car').getByRole('gridcell').first()
    for (const kind of ['dragenter', 'dragover']) await cell.dispatchEvent(kind, { dataTransfer: transfer })
    await page.getByText('Let go to add these files to the case “Theft from a car, Mill Lane”').waitFor()
    await cell.dispatchEvent('drop', { dataTransfer: transfer })
    const found = async () =>
      (await station.sergeant.send('GET', `${DOCUMENTS}?case=${station.to}&text=dropped`)).Items.map(
        ({ Name }: { Name: string }) => Name,
      )
    await soon(found).toEqual(['dropped on a row.txt'])
    expect(await page.getByText(/^Let go to add/).count()).toBe(0)
    expect(problems).toEqual([])
  })
})

describe('the way to a row', () => {
  it('after Back the focus is on the row one came from; J enters the list from elsewhere', {
    tags: ['journey'],
  }, async () => {
    const { page, problems } = await open(station.sergeant, '/evidence?sort=created&dir=asc', { reducedMotion: true })
    await page.getByRole('grid').getByText('Statement').waitFor()
    await page.keyboard.press('j')
    const focused = (name: string) =>
      rowOf(page, name)
        .first()
        .evaluate((row) => row === document.activeElement)
    await soon(() => focused('Rear window')).toBe(true)
    await rowOf(page, 'Statement').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/evidence/${station.loose}`)
    await page.getByRole('heading', { level: 1, name: 'Statement' }).waitFor()
    await page.goBack()
    await soon(() => focused('Statement')).toBe(true)
    // What was looked at stands first in the palette, and Administration last.
    await page.keyboard.press('Control+k')
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option')
    await soon(() => recent.allInnerTexts()).toEqual(['Statement'])
    expect(await page.getByRole('option').last().innerText()).toMatch(/^Administration:/)
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/evidence/${station.loose}`)
    await page.getByRole('heading', { level: 1, name: 'Statement' }).waitFor()
    await page.keyboard.press('Control+k')
    const here = page.getByRole('group', { name: 'On this page' })
    await soon(() => here.getByRole('option').allInnerTexts()).toContain('Share')
    expect(problems).toEqual([])
  })
})

it('a case in the list has a menu: followed, closed and opened again', async () => {
  const { CaseId } = await station.made({ Title: 'Shed fire, Mill Lane' })
  const { page, problems } = await open(station.sergeant, '/cases', { reducedMotion: true })
  await rowOf(page, 'Shed fire').click({ button: 'right' })
  await page.getByRole('menu', { name: 'Actions for “Shed fire, Mill Lane”' }).waitFor()
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
    'Open\nEnter',
    'Open in a new tab',
    'Copy link',
    'Copy the case number',
    'Share',
    'Follow',
    'Close the case',
  ])
  expect(await findingsInThemes(page)).toEqual([])
  await page.getByRole('menuitem', { name: 'Follow' }).press('Enter')
  const now = () => station.sergeant.send('GET', `/api/v1/case/station/${CaseId}`)
  await soon(async () => (await now()).Following).toBe(true)
  await rowOf(page, 'Shed fire').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Close the case' }).press('Enter')
  await soon(async () => (await now()).State).toBe('Closed')
  await undoByKey(page)
  await soon(async () => (await now()).State).toBe('Open')
  await rowOf(page, 'Shed fire').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Share' }).press('Enter')
  await page.getByRole('dialog', { name: /^Share/ }).waitFor()
  expect(problems).toEqual([])
})

describe('hovering over a video', () => {
  it('scrubs with one request that is not made before, and not at all where less motion is wanted', async () => {
    const file = path.join(station.given.dir, 'film.mp4')
    const source = 'testsrc2=s=320x180:r=10:d=6'
    execFileSync('ffmpeg', `-v error -y -f lavfi -i ${source} -c:v libx264 -pix_fmt yuv420p`.split(' ').concat(file))
    const { EvidenceId: evidenceId } = await station.sergeant.send('POST', DOCUMENTS, { Name: 'Passage' })
    const place = `${DOCUMENTS}/${evidenceId}`
    const film = await station.sergeant.send('POST', `${place}/resource`, { Name: 'Passage.mp4' })
    await station.given.put(film.UploadUri, readFileSync(file))
    await station.sergeant.send('POST', `${place}/resource/${film.ResourceId}/complete`, {})
    await station.sergeant.send('POST', `${place}/complete`, {})
    await settled(station.sergeant.send, place)
    const hovering = async (reducedMotion: boolean) => {
      const { page, problems } = await open(station.sergeant, '/evidence?q=Passage&view=grid', { reducedMotion })
      const asked: string[] = []
      page.on('request', (request) => {
        if (/\/(strip|media|content)$/.test(new URL(request.url()).pathname)) asked.push(request.url())
      })
      const picture = page
        .getByRole('gridcell', { name: /Passage/ })
        .locator('img')
        .first()
      await picture.waitFor()
      const box = await picture.boundingBox()
      if (box === null) throw new Error('not in sight')
      expect(asked).toEqual([])
      await page.mouse.move(box.x + box.width * 0.1, box.y + box.height / 2)
      await page.mouse.move(box.x + box.width * 0.15, box.y + box.height / 2)
      return { page, problems, asked, box }
    }
    const { page, problems, asked, box } = await hovering(false)
    const tile = page.locator('[data-tile]')
    await tile.waitFor()
    expect(await tile.getAttribute('data-tile')).toBe('1')
    await page.mouse.move(box.x + box.width * 0.95, box.y + box.height / 2, { steps: 5 })
    await soon(() => tile.getAttribute('data-tile')).toBe('11')
    expect(asked).toHaveLength(1)
    await page.mouse.move(2, 2)
    await soon(() => tile.count()).toBe(0)
    await page.getByRole('gridcell', { name: /Passage/ }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Play' }).press('Enter')
    await page.waitForURL(`**/evidence/${evidenceId}*`)
    await soon(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime > 0)).toBe(true)
    expect(problems).toEqual([])
    const still = await hovering(true)
    await still.page.waitForTimeout(500)
    expect([still.asked, await still.page.locator('[data-tile]').count()]).toEqual([[], 0])
  })
})
