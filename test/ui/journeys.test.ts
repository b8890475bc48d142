/** What people do every day, as a person does it through the window, with their keys and clicks counted. Tags on 200 items: bulk-acts. */
// @module-tag screen
// @module-tag merge
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { signIn } from '../support/integrator.ts'
import { annotationStation } from './support/annotations.ts'
import { findings } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { focusIn, type Hands, handsOn, newStation } from './support/journey.ts'
import { todayStation, unfiledShift } from './support/today.ts'
import { look, shotsFolder } from './support/window.ts'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const toast = (page: Page, text: string | RegExp) => page.getByRole('region', { name: 'Messages' }).getByText(text)
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const field = (page: Page, name: string) => page.getByRole('textbox', { name })
const tell = (what: string, { keys, clicks, seconds }: Hands): void => {
  process.stdout.write(`${what}: ${keys} keys, ${clicks} clicks, ${Math.round(seconds)} s of a person\n`)
}
/** Pictures of the steps, where somebody asks for them. */
const shot = async (page: Page, name: string): Promise<void> => {
  if (process.env['SALLYPORT_JOURNEY_SHOTS'] === undefined) return
  await page.screenshot({ path: `${shotsFolder()}/journey-${name}.png` })
}
const LOOKS = process.env['SALLYPORT_JOURNEY_SHOTS'] === 'dark' ? ({ theme: 'dark', size: 'small' } as const) : {}

const SHIFT = 12

it('an officer files a shift of 12 recordings in at most 30 keys, without a click', {
  tags: ['journey'],
  timeout: 300_000,
}, async () => {
  const station = await todayStation(unfiledShift(SHIFT))
  onTestFinished(() => station.given.close())
  const { page, problems, refusals } = await looking(station.given, station.reyes, '/today', LOOKS)
  const shift = section(page, 'My last shift')
  for (const lacks of ['12 without a category', '12 without a case', '12 without a title'])
    await shift.getByText(lacks).waitFor()
  await shot(page, 'file-1-today')
  expect(await findings(page)).toEqual([])
  const hands = handsOn(page)

  await hands.press('a')
  await page.getByRole('grid').getByRole('row').nth(SHIFT).waitFor()
  await hands.press('j', 'Control+a')
  await page.getByText('12 selected').waitFor()
  await shot(page, 'file-2-selected')

  await hands.press('s')
  const category = page.getByRole('dialog', { name: 'Set the category' })
  await focusIn(category.getByRole('button', { name: /Category/ }))
  await hands.type('t')
  await category.getByText('Traffic').first().waitFor()
  await shot(page, 'file-3-category')
  await hands.press('Control+Enter')
  await toast(page, '12 items are now in “Traffic”.').waitFor()

  await hands.press('Control+a')
  await page.getByText('12 selected').waitFor()
  await hands.press('c')
  const link = page.getByRole('dialog', { name: 'Link to a case' })
  await focusIn(link.getByRole('combobox'))
  await hands.type('qua')
  await page.getByRole('option', { name: /Traffic stop, Quay Road/ }).waitFor()
  await shot(page, 'file-4-case')
  await hands.press('ArrowDown', 'Enter')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await hands.press('Enter')
  await toast(page, /^12 items are linked/).waitFor()

  await hands.press('Control+a')
  await page.getByText('12 selected').waitFor()
  await hands.press('r')
  const titles = page.getByRole('dialog', { name: 'Titles of 12 items' })
  await titles.getByText('“Traffic stop, Quay Road 1” to “Traffic stop, Quay Road 12”').waitFor()
  await shot(page, 'file-5-titles')
  expect(await findings(page)).toEqual([])
  await hands.press('Enter')
  await toast(page, 'Titles set on 12 items.').waitFor()

  await hands.press('g', 't')
  await shift.getByText('Nothing is missing.').waitFor()
  expect(await shift.getByText('Complete', { exact: true }).count()).toBe(SHIFT)
  await shot(page, 'file-6-done')
  // In the order of recording, whatever the order of the list.
  const named = async (file: string): Promise<string> =>
    (
      await station.given.expecting(
        200,
        station.as(station.chief, 'GET', `${station.given.documents}/evidence/${station.recordings[file]}`),
      )
    ).Name
  expect([await named('BWC0410_0001'), await named('BWC0410_0012')]).toEqual([
    'Traffic stop, Quay Road 1',
    'Traffic stop, Quay Road 12',
  ])
  tell(`a shift of ${SHIFT} recordings filed`, hands)
  expect(hands.keys).toBeLessThanOrEqual(30)
  expect([hands.clicks, problems, refusals]).toEqual([0, [], []])
})

describe('a number plate in what somebody wrote', () => {
  it('is found from any page however it is typed, and the recording opens at the place of the mark', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const station = await annotationStation()
    onTestFinished(() => station.given.close())
    const { given, sergeant, okafor, lindqvist, place, resourceId } = station
    await okafor.send('POST', `${place}/bookmark`, {
      ResourceId: resourceId,
      StartSeconds: 2.4,
      Title: 'Blue van',
      Text: 'Turns into Mill Lane, plate B-HX 4411',
    })
    await sergeant.send('POST', `${place}/note`, { Text: 'Same driver in KH·204, see the report of 3 May.' })
    const { page, problems, refusals } = await looking(given, lindqvist, '/cases', LOOKS)
    await page.getByRole('grid').getByText('Burglary, 14 Tanner’s Row').waitFor()
    const find = async (typed: string, name: string): Promise<Hands> => {
      const hands = handsOn(page)
      await hands.press('Control+k')
      await focusIn(page.getByRole('combobox'))
      await hands.type(typed)
      await page.getByRole('option', { name: /Tanner’s Row, rear/ }).waitFor()
      await shot(page, name)
      // The first line leads to all results.
      await hands.press('ArrowDown', 'Enter')
      await page.waitForURL(`**/evidence/${station.evidenceId}*`)
      return hands
    }
    const hands = await find('bhx4411', 'plate-1-palette')
    await page.getByRole('tab', { name: 'Marks', selected: true }).waitFor()
    await soon(() => page.locator('[data-position]').innerText()).toBe('00:02.400')
    await page.getByRole('list', { name: 'Marks' }).getByText('plate B-HX 4411').waitFor()
    await shot(page, 'plate-2-mark')
    tell('a plate found, and the recording open at its place', hands)
    expect([hands.keys, hands.clicks]).toEqual([10, 0])
    // A note has no place in the recording: it stands open beside it.
    await page.goto(`${given.url}/today`)
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await find('kh 204', 'plate-3-note')
    await page.getByRole('tab', { name: 'Notes', selected: true }).waitFor()
    await page.getByText('Same driver in KH·204').waitFor()
    expect([problems, refusals]).toEqual([[], []])
  })
})

it('a station is set up from nothing with the checklist, in less than ten minutes of a person', {
  tags: ['journey'],
  timeout: 240_000,
}, async () => {
  const { station, disk, close } = await newStation()
  onTestFinished(close)
  const { page, problems, refusals } = await look(station.url, { ...LOOKS, alone: true })
  const hands = handsOn(page)
  const begun = Date.now()
  const setUp = section(page, 'Set up the station')
  const step = (name: RegExp) => setUp.getByRole('link', { name })
  const isDone = (name: RegExp) => setUp.getByRole('listitem').filter({ hasText: name }).getByText('Done').waitFor()
  const back = async (): Promise<void> => {
    await hands.click(page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Today' }))
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  }

  // The link is on the screen of the machine: whoever starts the station opens it there.
  await page.goto(String(station.setupUrl))
  await field(page, 'First name').waitFor()
  await focusIn(field(page, 'First name'))
  await shot(page, 'set-up-1-link')
  await hands.type('Grace')
  await hands.fill(field(page, 'Last name'), 'Hopper')
  await hands.fill(page.locator('input[autocomplete=username]'), 'chief')
  const passwords = page.locator('input[autocomplete=new-password]')
  await hands.fill(passwords.first(), 'seven lamps by the quay')
  await hands.fill(passwords.last(), 'seven lamps by the quay')
  await hands.tick(page.getByRole('checkbox'))
  await hands.press('Enter')
  await button(page, /^(Go on|Continue)/).waitFor()
  await shot(page, 'set-up-2-key')
  await hands.press('Enter')
  // The name and the time zone stand in the settings with which the station was started.
  await setUp.getByText('1 of 8 done.').waitFor()
  await isDone(/Name and time zone/)
  await shot(page, 'set-up-3-checklist')

  await hands.click(step(/^.*People/))
  await hands.click(button(page, 'New user'))
  await hands.fill(field(page, 'User name'), 'reyes')
  await hands.fill(field(page, 'First name'), 'Anna')
  await hands.fill(field(page, 'Last name'), 'Reyes')
  await hands.fill(field(page, 'First password'), 'a paper boat, 1911')
  await hands.press('Enter')
  await page.getByRole('grid').getByRole('row').filter({ hasText: 'Reyes' }).waitFor()
  await shot(page, 'set-up-4-people')
  await back()
  await isDone(/People/)

  await hands.click(step(/Categories/))
  await hands.click(button(page, 'New category').first())
  await hands.fill(field(page, 'Name'), 'Burglary')
  await hands.click(page.getByText('For a time'))
  await hands.fill(field(page, 'Days'), '730')
  await shot(page, 'set-up-5-category')
  await hands.press('Enter')
  await page.getByRole('heading', { name: 'Burglary' }).waitFor()
  await back()
  await isDone(/Categories/)

  await hands.click(step(/Departments/))
  await hands.click(button(page, 'New department').first())
  await hands.fill(field(page, 'Name'), 'Patrol')
  await hands.click(page.getByRole('combobox', { name: 'Add somebody' }))
  await hands.type('hop')
  await page.getByRole('option', { name: /Hopper/ }).waitFor()
  await hands.press('ArrowDown', 'Enter')
  await page.getByRole('group', { name: 'Access to its new cases' }).getByText('Hopper').first().waitFor()
  await shot(page, 'set-up-6-department')
  await hands.click(button(page, 'Create department'))
  await page.getByRole('grid').getByRole('row').filter({ hasText: 'Patrol' }).waitFor()
  await back()
  await isDone(/Departments/)

  await hands.click(step(/Cameras/))
  await hands.click(button(page, 'Add device').first())
  await hands.fill(field(page, 'Serial number'), 'X81007345')
  await hands.fill(field(page, 'Manufacturer'), 'Axon')
  await hands.press('Enter')
  await hands.click(button(page, 'Activate'))
  await page.getByText(/ is active\.$/).waitFor()
  await shot(page, 'set-up-7-camera')
  await back()
  await isDone(/Cameras/)

  await hands.click(step(/Dispatch/))
  await hands.click(button(page, 'New integration'))
  await hands.fill(field(page, 'Name'), 'Dispatch')
  await shot(page, 'set-up-8-dispatch')
  await hands.click(page.getByText('Send dispatch events'))
  await hands.click(button(page, 'Create integration'))
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    hands.click(button(page, 'Download the connection file')),
  ])
  await shot(page, 'set-up-9-dispatch')
  await hands.click(button(page, 'I have it'))
  // The other half is done where the dispatch system is, with the file; here it sends its first call.
  const connection = JSON.parse(readFileSync(await file.path(), 'utf8'))
  const pushed = await fetch(`${station.url}/cadservice/api/v1/events/station`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await signIn(connection, station.url)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ eventId: 'C-1', name: 'Alarm', eventStartTimeUtc: new Date().toISOString() }),
  })
  expect(pushed.status).toBe(201)
  await back()
  await isDone(/Dispatch/)

  await hands.click(step(/Backup/))
  await hands.click(button(page, 'Add a folder'))
  await hands.fill(field(page, 'Folder'), disk)
  await hands.press('Enter')
  await section(page, 'Snapshots').getByText('Created', { exact: true }).waitFor()
  await shot(page, 'set-up-10-backup')
  await back()
  await isDone(/Backup/)

  await hands.click(step(/Network/))
  await hands.click(button(page, 'Put it on the network'))
  await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Put it on the network', exact: true }))
  await page.getByText('On the network', { exact: true }).waitFor()
  await shot(page, 'set-up-11-network')
  await back()
  // Nothing of it is left: the checklist is gone.
  await page.getByRole('heading', { name: 'My shift' }).waitFor()
  await soon(() => setUp.count()).toBe(0)
  await shot(page, 'set-up-12-done')
  tell(`a station set up in ${Math.round((Date.now() - begun) / 1000)} s of this machine`, hands)
  expect(hands.seconds).toBeLessThanOrEqual(600)
  expect([problems, refusals]).toEqual([[], []])
})
