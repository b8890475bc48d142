/** Taking a camera: with nobody signed in, with a barcode reader, and for others. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { findingsInThemes } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { type DockedStation, dockedStation, fresh, type Wearer } from './support/docked.ts'
import { look } from './support/window.ts'

let station: DockedStation
let keeper: Wearer
let officer: Wearer
beforeAll(async () => {
  station = await dockedStation()
  keeper = await station.person('okafor', ['ManageDevices'])
  officer = await station.person('lindqvist', [])
}, 120_000)
afterAll(() => station?.close())

const dialog = (page: Page) => page.getByRole('dialog')
const wearers = async (device: Json): Promise<string[]> =>
  (await station.send(200, 'GET', `/device/${device.Id}`)).AssignedTo.map(({ PrincipalId }: Json) => PrincipalId)
/** Whether a page of this browser is signed in. */
const signedIn = async (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const reply = await fetch('/connect/session')
    return ((await reply.json()) as { State: string }).State
  })

async function signInTo(page: Page, { username, password }: { username: string; password: string }): Promise<void> {
  await dialog(page).getByRole('textbox', { name: 'User name' }).fill(username)
  await dialog(page).locator('input[name=password]').fill(password)
  await dialog(page).getByRole('checkbox', { name: 'I have read the notice' }).check({ force: true })
}

describe('taking a camera', () => {
  it('with nobody signed in: scanned, signed in for this one act, and signed out again', {
    tags: ['journey'],
    timeout: 180_000,
  }, async () => {
    const serial = fresh('LA')
    const device = await station.device(serial)
    const { page, problems } = await look(station.given.url)
    await page.goto(`${station.given.url}/dock/take`)
    await dialog(page).getByRole('textbox', { name: 'Serial number' }).waitFor()
    // As a barcode reader types: what it reads, then Enter.
    await page.keyboard.type(serial)
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Read the notice and tick the box.').waitFor()
    expect(await findingsInThemes(page)).toEqual([])

    await signInTo(page, { ...officer, password: 'not the right one' })
    await page.keyboard.press('Enter')
    await dialog(page).getByText('The name or the password is not right.').waitFor()
    expect(await signedIn(page)).toBe('none')
    await signInTo(page, officer)
    await dialog(page).locator('input[name=password]').press('Enter')
    await dialog(page)
      .getByText(new RegExp(`^Camera ${serial} is yours until`))
      .waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    expect(await signedIn(page)).toBe('none')
    expect(await wearers(device)).toEqual([officer.id])
    const taken = station.entries('device.associated').at(-1)
    expect(taken).toMatchObject({ actor: { kind: 'user', id: officer.id }, object: { id: device.Id } })
    await page.keyboard.press('Enter')
    await dialog(page).waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  it('what is wrong with the camera is said, and whoever signed in is signed out all the same', {
    timeout: 180_000,
  }, async () => {
    const { page, problems } = await look(station.given.url, { language: 'en', size: 'small' })
    await page.goto(`${station.given.url}/dock/take`)
    await dialog(page).getByRole('textbox', { name: 'Serial number' }).fill(fresh('none'))
    await signInTo(page, officer)
    await dialog(page).getByRole('button', { name: 'Take the camera' }).click()
    await dialog(page).getByText('No camera has this serial number').waitFor()
    expect(await signedIn(page)).toBe('none')
    // What was typed is still there, and another camera is taken with it.
    const serial = fresh('LB')
    const device = await station.device(serial)
    await dialog(page).getByRole('textbox', { name: 'Serial number' }).fill(serial)
    await dialog(page).getByRole('button', { name: 'Take the camera' }).click()
    await dialog(page).getByText('You are signed out again').waitFor()
    expect(await wearers(device)).toEqual([officer.id])
    expect(await signedIn(page)).toBe('none')
    expect(problems).toEqual([])
  })

  it('a camera that somebody else has is attributed to nobody until whoever manages devices hands it over', {
    timeout: 180_000,
  }, async () => {
    const serial = fresh('LC')
    const device = await station.device(serial)
    await station.send(201, 'POST', `/device/${device.Id}/take`, { PrincipalId: keeper.id })
    const alone = await look(station.given.url)
    await alone.page.goto(`${station.given.url}/dock/take`)
    await dialog(alone.page).getByRole('textbox', { name: 'Serial number' }).fill(serial)
    await signInTo(alone.page, officer)
    await dialog(alone.page).getByRole('button', { name: 'Take the camera' }).click()
    await dialog(alone.page).getByText('One other officer has it too.').waitFor()
    expect(await dialog(alone.page).getByText(keeper.username).count()).toBe(0)

    // On the page of its session the keeper gives it to the officer, and ends what others have.
    const session = await station.docked(serial, { recordings: [1] })
    const place = `/dock/sessions/${session.DockSessionId}`
    const { page, problems } = await looking(station.given, keeper, place)
    await page.getByRole('button', { name: 'Assign', exact: true }).click()
    await dialog(page).getByRole('combobox', { name: 'For' }).fill('lindq')
    await page.getByRole('option', { name: /lindqvist/ }).click()
    await dialog(page).getByRole('radio', { name: '24 h' }).click()
    await dialog(page).getByRole('button', { name: 'Assign the camera' }).click()
    await dialog(page)
      .getByText(/is lindqvist’s until/)
      .waitFor()
    expect(await wearers(device)).toEqual([officer.id])
    await soon(() => signedIn(page)).toBe('open')
    expect([...problems, ...alone.problems]).toEqual([])
  })
})
