/** Reading evidence as people do it, by keyboard: marks, notes, captions, notices, lists to take along. */
// @module-tag screen
// @module-tag merge
import { readFileSync } from 'node:fs'
import type { Download, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { findings } from './support/axe.ts'
import { looking, type Person, soon } from './support/cases.ts'
import { annotationStation, type AnnotationStation, SRT, written } from './support/annotations.ts'

let station: AnnotationStation
beforeAll(async () => {
  station = await annotationStation()
  await written(station)
}, 180_000)
afterAll(() => station?.given.close())

const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')
const marksOf = async (): Promise<Json[]> => (await station.sergeant.send('GET', `${station.place}/bookmark`)).Items
const list = (page: Page) => page.getByRole('list', { name: 'Marks' })
const go = (page: Page, title: string) =>
  list(page).getByRole('button', { name: new RegExp(`^Go to mark \\d+: ${title}`) })
const place = (page: Page) => page.locator('[data-position]')
async function atFilm(who: Person, query = '', options: Parameters<typeof looking>[3] = {}) {
  const found = await looking(station.given, who, `/evidence/${station.evidenceId}${query}`, options)
  await found.page.locator('[data-frame]').waitFor()
  await found.page.getByRole('tab', { name: 'Notes' }).waitFor()
  return found
}

describe('marks', () => {
  it('M marks the playhead, and the whole of a mark’s life needs no mouse', { tags: ['journey'] }, async () => {
    // What an earlier try of this left.
    for (const { BookmarkId, ConcurrencyId, Title } of await marksOf())
      if (Title === '00:02.000' || Title === 'Somebody runs')
        await station.okafor.send('DELETE', `${station.place}/bookmark/${BookmarkId}?concurrencyId=${ConcurrencyId}`)
    const { page, problems } = await atFilm(station.okafor, '?tab=marks')
    await list(page).waitFor()
    const before = (await marksOf()).length
    // A press that comes before the first picture is there counts for nothing.
    await press(page, '.')
    await soon(() => page.locator('[data-frame]').getAttribute('data-frame')).toBe('1')
    for (let step = 2; step <= 50; step++) await press(page, '.')
    await soon(() => page.locator('[data-frame]').getAttribute('data-frame')).toBe('50')
    await press(page, 'm')
    await page.getByText('Marked at 00:02.000').waitFor()
    await go(page, '00:02.000').waitFor()
    const made = (await marksOf()).find(({ Title }) => Title === '00:02.000')
    expect(made).toMatchObject({ StartSeconds: 2, EndSeconds: null, Author: { Username: 'okafor' } })
    expect(await page.getByRole('button', { name: /^Go to mark 3: 00:02\.000, 02:47/ }).count()).toBe(1)
    // From mark to mark, and to the place of one.
    await go(page, 'Light on the stairs').focus()
    await press(page, 'ArrowDown', 'ArrowDown')
    expect(await focused(page)).toContain('00:02.000')
    await press(page, 'ArrowUp', 'ArrowUp', 'Enter')
    await soon(() => place(page).innerText()).toBe('00:00.480')
    // A better name, in the list and not over the picture.
    await list(page).getByRole('button', { name: 'Change mark: 00:02.000' }).focus()
    await press(page, 'Enter')
    const title = page.getByRole('textbox', { name: /^Title/ })
    await soon(() => title.evaluate((field) => field === document.activeElement)).toBe(true)
    await press(page, 'Control+a')
    await page.keyboard.type('Somebody runs')
    await press(page, 'Control+Enter')
    await go(page, 'Somebody runs').waitFor()
    await soon(() => focused(page)).toContain('Somebody runs')
    // Away, and back again.
    await list(page).getByRole('button', { name: 'Delete mark: Somebody runs' }).focus()
    await press(page, 'Enter')
    await page.getByText('Mark deleted: Somebody runs').waitFor()
    await soon(() => focused(page)).toContain('Car door')
    await soon(async () => (await marksOf()).length).toBe(before)
    await press(page, 'Control+z')
    await go(page, 'Somebody runs').waitFor()
    await soon(async () => (await marksOf()).length).toBe(before + 1)
    await page.getByRole('tab', { name: 'Custody' }).click()
    await page.getByText('Marked at 00:02.000').first().waitFor()
    await page.getByText('Mark deleted at 00:02.000').waitFor()
    expect(problems).toEqual([])
  })

  it('what somebody else saved meanwhile is not lost, and neither is what was typed', async () => {
    const own: Json = await station.okafor.send('POST', `${station.place}/bookmark`, {
      ResourceId: station.resourceId,
      StartSeconds: 3.6,
      Title: 'Plate',
    })
    const { page } = await atFilm(station.okafor, '?tab=marks')
    await list(page).getByRole('button', { name: 'Change mark: Plate' }).click()
    const title = page.getByRole('textbox', { name: /^Title/ })
    await title.fill('Plate, first three letters')
    await station.sergeant.send('PUT', `${station.place}/bookmark/${own.BookmarkId}`, {
      StartSeconds: 3.6,
      Title: 'Number plate',
      ConcurrencyId: own.ConcurrencyId,
    })
    await title.press('Control+Enter')
    await page.getByText('sergeant changed this mark while you were writing').waitFor()
    await page.getByText('It is called “Number plate” now.').waitFor()
    expect(await title.inputValue()).toBe('Plate, first three letters')
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await go(page, 'Plate, first three letters').waitFor()
    await page.getByText('changed by okafor').waitFor()
  })

  it('A9: a half-typed change of a mark outlives a reload and leaving the page, and is gone once saved or given up', async () => {
    const own: Json = await station.okafor.send('POST', `${station.place}/bookmark`, {
      ResourceId: station.resourceId,
      StartSeconds: 1.6,
      Title: 'Somebody stands',
    })
    const { page, problems } = await atFilm(station.okafor, '?tab=marks')
    const stored = (): Promise<string> => page.evaluate(() => JSON.stringify({ ...sessionStorage }))
    const open = (): Promise<void> =>
      list(page)
        .getByRole('button', { name: /^Change mark: Somebody stands/ })
        .click()
    const title = page.getByRole('textbox', { name: /^Title/ })
    const text = page.getByRole('textbox', { name: /^What is to be seen/ })
    const typed = async (): Promise<string[]> => [await title.inputValue(), await text.inputValue()]
    const half = ['Somebody stands still', 'Left hand in the po']
    await open()
    await title.fill(half[0] ?? '')
    await text.fill(half[1] ?? '')
    await page.reload()
    await soon(typed).toEqual(half)
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Evidence/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'Evidence' }).waitFor()
    await page.goBack()
    await soon(typed).toEqual(half)
    await text.press('Control+Enter')
    await go(page, 'Somebody stands still').waitFor()
    const saved = (await marksOf()).find(({ BookmarkId }) => BookmarkId === own.BookmarkId)
    expect(saved).toMatchObject({ Title: half[0], Text: half[1] })
    await soon(stored).not.toContain('Left hand')
    await open()
    await title.fill('Somebody walks away')
    await title.press('Escape')
    await page.reload()
    await go(page, 'Somebody stands still').waitFor()
    expect([await title.count(), await stored()]).toEqual([0, expect.not.stringContaining('walks away')])
    expect(problems).toEqual([])
  })

  it('who may look alone marks for this view, and finds nothing to change', async () => {
    const before = (await marksOf()).length
    const { page, problems } = await atFilm(station.lindqvist, '?tab=marks')
    await go(page, 'Light on the stairs').waitFor()
    expect(await page.getByRole('button', { name: /^(Change|Delete) mark|^Mark here/ }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Captions', exact: true }).count()).toBe(1)
    await press(page, '.')
    await soon(() => page.locator('[data-frame]').getAttribute('data-frame')).toBe('1')
    await press(page, 'm')
    await soon(() => new URL(page.url()).searchParams.get('marks')).toBe('"0.04"')
    expect((await marksOf()).length).toBe(before)
    await page.getByRole('tab', { name: 'Notes' }).click()
    await page.getByText('Compare with the camera').waitFor()
    expect(await page.getByRole('textbox', { name: 'Write a note' }).count()).toBe(0)
    expect(problems).toEqual([])
  })
})

describe('notes', () => {
  it('are written, changed and deleted by keyboard; what they said before can be read', async () => {
    const { page, problems } = await atFilm(station.okafor, '?tab=notes')
    const field = page.getByRole('textbox', { name: 'Write a note' })
    await field.focus()
    await page.keyboard.type('<img src=x onerror=alert(1)> at the door')
    await press(page, 'Control+Enter')
    const note = page.getByRole('list', { name: 'Notes' }).getByRole('listitem').first()
    await note.getByText('<img src=x onerror=alert(1)> at the door').waitFor()
    await soon(() => field.inputValue()).toBe('')
    await note.getByRole('button', { name: 'Change the note of D. Okafor' }).focus()
    await press(page, 'Enter')
    await soon(() => note.getByRole('textbox').evaluate((one) => one === document.activeElement)).toBe(true)
    await press(page, 'Control+a')
    await page.keyboard.type('Nobody at the door')
    await press(page, 'Control+Enter')
    await note.getByText('Nobody at the door').waitFor()
    await note.getByRole('button', { name: 'What it said before: the note of D. Okafor' }).focus()
    await press(page, 'Enter')
    await note.getByText('<img src=x onerror=alert(1)> at the door').waitFor()
    await note.getByRole('button', { name: 'Delete the note of D. Okafor' }).focus()
    await press(page, 'Enter')
    await note.getByText('Delete this note?').waitFor()
    await soon(() => note.evaluate((one) => one.contains(document.activeElement))).toBe(true)
    await press(page, 'Tab', 'Enter')
    await soon(() => page.getByText('Nobody at the door').count()).toBe(0)
    await soon(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
    // Another's is read and not touched.
    expect(await page.getByRole('button', { name: /note of sergeant/ }).count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('stand on the page of a case too', async () => {
    const { page } = await looking(station.given, station.okafor, `/cases/${station.caseId}`)
    await page.getByText('Owner comes in on Monday').waitFor()
    await page.getByRole('textbox', { name: 'Write a note' }).fill('Called twice')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('list', { name: 'Notes' }).getByText('Called twice').waitFor()
  })
})

describe('captions', () => {
  it('are switched on below the picture, and stay in the address', async () => {
    const { page, problems } = await atFilm(station.lindqvist, '?t=1')
    await page.getByRole('button', { name: 'Captions', exact: true }).focus()
    await press(page, 'Enter')
    await page.getByRole('menuitemradio', { name: 'Transcript (en)' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Attach captions' }).count()).toBe(0)
    await press(page, 'ArrowDown', 'Enter')
    const said = page.locator('[data-captions]')
    await soon(() => said.innerText()).toBe('Officer: Step back from the window, please.')
    const [picture, below] = await Promise.all([page.locator('video').boundingBox(), said.boundingBox()])
    expect(below?.y).toBeGreaterThanOrEqual((picture?.y ?? 0) + (picture?.height ?? 0) - 1)
    await press(page, 'Escape')
    await soon(() => page.getByRole('menu').count()).toBe(0)
    await page.getByRole('slider', { name: 'Position in the recording' }).focus()
    await press(page, 'End')
    await soon(() => said.innerText()).toBe('')
    await page.reload()
    await page.locator('[data-captions]').waitFor()
    expect(problems).toEqual([])
  })

  it('are attached from a file that was looked at first; one that cannot be read is told by its lines and not sent', async () => {
    const { page, problems } = await atFilm(station.sergeant)
    const count = async (): Promise<number> => (await station.sergeant.send('GET', `${station.place}/resource`)).length
    const before = await count()
    await page.getByRole('button', { name: 'Captions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Attach captions' }).click()
    const dialog = page.getByRole('dialog', { name: 'Attach captions' })
    const choose = (text: string) =>
      dialog
        .locator('[data-captions-file]')
        .setInputFiles({ name: 'said.srt', mimeType: 'text/plain', buffer: Buffer.from(text) })
    await choose('1\n00:00:05,000 --> 00:00:01,000\n<script>alert(1)</script>\n')
    await dialog.getByText('The file cannot be read as captions').waitFor()
    await dialog.getByText('Line 2: ends before it begins').waitFor()
    expect([await findings(page), await count()]).toEqual([[], before])
    await choose(SRT.replace('Officer', '<script>alert(1)</script>'))
    await dialog.getByText('2 captions found').waitFor()
    await dialog.getByRole('textbox', { name: 'Language' }).fill('fr')
    await dialog.getByRole('button', { name: 'Attach captions' }).click()
    // The custody beside it says the same of captions from before.
    await page.getByRole('region', { name: 'Messages' }).getByText('Captions attached').waitFor()
    await page.getByRole('slider', { name: 'Position in the recording' }).focus()
    await press(page, 'Home', ...Array.from({ length: 20 }, () => '.'))
    await soon(() => page.locator('[data-captions]').innerText()).toBe(
      '<script>alert(1)</script>: Step back from the window, please.',
    )
    expect(await count()).toBe(before + 2)
    expect(problems).toEqual([])
  })

  it('are taken away where they are chosen, and come back by undo', async () => {
    const { page, problems } = await atFilm(station.sergeant)
    const menu = (shown = false) =>
      page.getByRole('button', { name: shown ? 'Captions, shown' : 'Captions', exact: true })
    await menu().click()
    await page.getByRole('menuitemradio', { name: 'Transcript (en)' }).click()
    await page.locator('[data-captions]').waitFor()
    await menu(true).click()
    await page.getByRole('menuitem', { name: 'Remove “Transcript (en)”' }).click()
    await page.getByText('Captions removed; their file stays').first().waitFor()
    await soon(() => page.locator('[data-captions]').count()).toBe(0)
    await menu().click()
    await soon(() => page.getByRole('menuitemradio', { name: 'Transcript (en)' }).count()).toBe(0)
    await press(page, 'Escape')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('[data-captions]').waitFor()
    await menu(true).click()
    await page.getByRole('menuitemradio', { name: 'Transcript (en)' }).waitFor()
    expect(problems).toEqual([])
  })
})

describe('notices', () => {
  it('come without a reload, are opened by keyboard, lead to the case, and are seen then', async () => {
    const { page, problems } = await looking(station.given, station.lindqvist, '/cases')
    const bell = page.getByRole('button', { name: /^Notices/ })
    await soon(() => bell.getAttribute('aria-label')).toBe('Notices, 1 new')
    const { CaseId } = await station.made({ Title: 'Thefts at the quay' })
    await station.sergeant.send('POST', `/api/v1/case/station/${CaseId}/share`, {
      AccessPolicies: [
        { Permissions: 'View', PrincipalId: station.lindqvist.id, KId: station.lindqvist.kId, PrincipalType: 'user' },
      ],
      Message: 'Same car?',
    })
    await soon(() => bell.getAttribute('aria-label')).toBe('Notices, 2 new')
    await bell.focus()
    await press(page, 'Enter')
    const panel = page.getByRole('dialog', { name: 'Notices' })
    await panel.getByText('Same car?').waitFor()
    expect(await findings(page)).toEqual([])
    await panel.getByRole('link', { name: 'Thefts at the quay' }).focus()
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'Thefts at the quay' }).waitFor()
    await soon(() => bell.getAttribute('aria-label')).toBe('Notices, 1 new')
    await bell.focus()
    await press(page, 'Enter')
    await panel.getByRole('button', { name: 'Mark all as seen' }).focus()
    await press(page, 'Enter')
    await soon(() => bell.getAttribute('aria-label')).toBe('Notices, none new')
    expect(problems).toEqual([])
  })
})

describe('lists to take along', () => {
  const taken = async (page: Page, button: string, format: RegExp): Promise<string> => {
    await page.getByRole('button', { name: button }).focus()
    await press(page, 'Enter')
    const item = page.getByRole('menuitem', { name: format })
    await item.waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download') as Promise<Download>,
      (async () => {
        await item.focus()
        await press(page, 'Enter')
      })(),
    ])
    return readFileSync(await file.path(), 'utf8')
  }

  it('of evidence and of cases are those in sight, as they are filtered', async () => {
    const { page, problems } = await looking(station.given, station.sergeant, '/evidence?q=rear')
    const csv = await taken(page, 'Export list', /CSV/)
    expect(csv.startsWith('\uFEFF"EvidenceId","Name"')).toBe(true)
    expect(csv.split('\r\n')[1]).toContain('"Tanner’s Row, rear"')
    await page.goto(`${station.given.url}/cases?q=Burglary`)
    const json: Json = JSON.parse(await taken(page, 'Export list', /JSON/))
    expect(json.map(({ Title }: Json) => Title)).toEqual(['Burglary, 14 Tanner’s Row'])
    await page.goto(`${station.given.url}/evidence/${station.evidenceId}`)
    // The list shows acts alone; what is taken along is all of it.
    const custody = await taken(page, 'Export custody', /CSV/)
    expect(custody).toContain('"evidence.created"')
    expect(custody).toContain('"evidence.read"')
    expect(problems).toEqual([])
  })
})

describe('how it looks', () => {
  it.each([
    ['light', 'wide', 'en'],
    ['dark', 'small', 'fr'],
  ] as const)('%s, %s, %s: nothing to complain about for axe', async (theme, size, language) => {
    const { page } = await atFilmIn(language, { theme, size, language })
    expect(await findings(page)).toEqual([])
    await page
      .getByRole('button', { name: language === 'fr' ? /^Modifier le repère/ : /^Change mark/ })
      .first()
      .click()
    expect(await findings(page)).toEqual([])
    await page.getByRole('tab', { name: 'Notes' }).click()
    await page.getByText('Compare with the camera').waitFor()
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  })
  const atFilmIn = async (_language: string, options: Parameters<typeof looking>[3]) => {
    const captions = (await station.sergeant.send('GET', `${station.place}/resource/${station.resourceId}/media`))
      .Captions
    const found = await looking(
      station.given,
      station.okafor,
      `/evidence/${station.evidenceId}?tab=marks&t=1.2&cc=${captions[0].ResourceId}`,
      options,
    )
    await found.page.locator('[data-frame]').waitFor()
    await found.page.locator('[data-go]').first().waitFor()
    return found
  }
})
