/** A device's page as people work with it: whose it is, what it was offered, its credentials, and what one alone may not do. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findingsInThemes } from './support/axe.ts'
import { looking, soon, undoByKey } from './support/cases.ts'
import { DEVICES, type DevicesStation, devicesStation } from './support/devices.ts'

let station: DevicesStation
beforeAll(async () => {
  station = await devicesStation({ maxActiveDevices: 500 })
}, 120_000)
afterAll(() => station?.given.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const dialog = (page: Page) => page.getByRole('dialog')
const minutes = (count: number): string => new Date(Date.now() + count * 60_000).toISOString()

describe('a device', () => {
  it('is made active and inactive with a way back, and asks first where an officer would lose it', {
    timeout: 120_000,
  }, async () => {
    const device = await station.device({ active: false })
    const { page, problems } = await looking(station.given, station.okafor, `/devices/${device.Id}`)
    await button(page, 'Activate').focus()
    await page.keyboard.press('Enter')
    await button(page, 'Deactivate').waitFor()
    await undoByKey(page)
    await button(page, 'Activate').waitFor()
    expect((await station.read(device)).State).toBe('Inactive')
    await button(page, 'Activate').click()
    await button(page, 'Deactivate').waitFor()
    await station.sergeant.send('POST', `${DEVICES}/device/${device.Id}/association`, {
      PrincipalId: station.lindqvist.id,
      FromUtc: minutes(60),
    })
    await button(page, 'Deactivate').click()
    await dialog(page).getByText('It is no longer with Mia Lindqvist from now on').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await button(page, 'Cancel').click()
    await dialog(page).waitFor({ state: 'detached' })
    await button(page, 'Deactivate').click()
    await dialog(page).getByRole('button', { name: 'Deactivate', exact: true }).click()
    await button(page, 'Activate').waitFor()
    expect(await station.sergeant.send('GET', `${DEVICES}/device/${device.Id}/association`)).toEqual([])
    expect(problems).toEqual([])
  })

  it('shows its credentials when they are asked for, until they are put away, and reports one that fails', {
    timeout: 120_000,
  }, async () => {
    const device = await station.device()
    const offered = await station.negotiate(device, { A: 1 }, { Credential: { DeviceCredential: 'kestrel-41' } })
    await station.commit(device, offered.TransactionId)
    await station.negotiate(device, { A: 2 }, { Credential: { DeviceCredential: 'plover-87' } })
    const { page, problems } = await looking(station.given, station.okafor, `/devices/${device.Id}`)
    await button(page, 'Show the credentials').waitFor()
    expect(await page.content()).not.toContain('kestrel-41')
    await button(page, 'Show the credentials').focus()
    await page.keyboard.press('Enter')
    await page.getByText('kestrel-41').waitFor()
    await page.getByText('Pending its next commit').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await page
      .getByRole('listitem')
      .filter({ hasText: 'plover-87' })
      .getByRole('button', { name: 'It does not work' })
      .click()
    await dialog(page).getByRole('button', { name: 'It does not work', exact: true }).click()
    await page.getByText('plover-87').waitFor({ state: 'detached' })
    await button(page, 'Hide them').click()
    await button(page, 'Show the credentials').waitFor()
    expect(await page.content()).not.toContain('kestrel-41')
    const said = station.given.ledger().map(({ action }) => action)
    expect(said).toContain('device.credentialsRead')
    expect(said).toContain('device.credentialsFailed')
    expect(problems).toEqual([])
  })

  it('tells its negotiations: what was rejected and why, what was superseded', { timeout: 90_000 }, async () => {
    const device = await station.device()
    await station.commit(device, (await station.negotiate(device, { A: 1 })).TransactionId)
    await station.negotiate(device, { A: 2 })
    const last = await station.negotiate(device, { A: 3 })
    await station.reject(device, last.TransactionId, 'E7', 'Bitrate too high')
    const { page, problems } = await looking(station.given, station.okafor, `/devices/${device.Id}`)
    await page.getByText('Configuration rejected').waitFor()
    await tab(page, 'Negotiations').click()
    const table = page.getByRole('region', { name: 'Negotiations' })
    await soon(() => table.getByRole('row').count()).toBe(4)
    const rows = await table.getByRole('row').allInnerTexts()
    expect(rows[1]).toMatch(/Rejected[\s\S]*E7: Bitrate too high/)
    expect(rows[2]).toMatch(/Superseded[\s\S]*negotiated again/)
    expect(rows[3]).toMatch(/Committed/)
    expect(await findingsInThemes(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('is given another name, and is recognised by what it was', { timeout: 60_000 }, async () => {
    const device = await station.device()
    const { page, problems } = await looking(station.given, station.okafor, `/devices/${device.Id}`)
    await button(page, 'Edit').click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('BW-0417')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'BW-0417' }).waitFor()
    const now = await station.read(device)
    expect([now.Id, now.DeviceIdentification.CommonName]).toEqual([device.Id, 'BW-0417'])
    expect(problems).toEqual([])
  })
})

describe('S4: whose it is', () => {
  it('is said by keyboard; a changed past waits for a second person, who sees what they confirm', {
    tags: ['journey'],
    timeout: 180_000,
  }, async () => {
    const device = await station.device()
    await station.longActive(device, 3)
    const { page, problems } = await looking(station.given, station.okafor, `/devices/${device.Id}?tab=officers`)
    await page.getByText('Nobody has had it yet').waitFor()
    await button(page, 'Associate').focus()
    await page.keyboard.press('Enter')
    // The list of people opens with the dialog.
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('option').first().waitFor({ state: 'detached' })
    // The fields of the times come a moment after the dialog, and move its buttons.
    await dialog(page).getByRole('group', { name: 'From' }).first().waitFor()
    await dialog(page).getByRole('button', { name: 'Associate', exact: true }).click()
    await page.getByText('Choose an officer.').waitFor()
    await page.getByRole('combobox', { name: 'Officer' }).fill('lindq')
    // The list for the empty field names her too. It shrinks under the pointer once the station has answered.
    await soon(() => page.getByRole('option').count()).toBe(1)
    await page.getByRole('option', { name: /Mia Lindqvist/ }).click()
    await dialog(page).getByRole('group', { name: 'From' }).first().waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Associate', exact: true }).click()
    const row = page.getByRole('row', { name: /Mia Lindqvist/ })
    await row.getByText('Given').waitFor()
    await row.getByText('until further notice').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await row.getByRole('button', { name: 'End', exact: true }).click()
    await button(page, 'End it now').click()
    await row.getByRole('button', { name: 'End', exact: true }).waitFor({ state: 'detached' })

    // By one who manages devices: it reaches back into the past.
    await station.okafor.send('POST', `${DEVICES}/device/${device.Id}/association`, {
      PrincipalId: station.sergeant.id,
      FromUtc: minutes(-300),
      ToUtc: minutes(-200),
    })
    await page.reload()
    const pending = page.getByRole('row').filter({ hasText: 'Waits for a second person' })
    await pending.getByRole('button', { name: 'Confirm' }).focus()
    expect(await pending.getByRole('button', { name: 'Confirm' }).getAttribute('aria-disabled')).toBe('true')
    await page.getByText('You changed it yourself.').first().waitFor({ state: 'attached' })
    expect(problems).toEqual([])
  })

  it('a second person confirms, a first one takes back', { timeout: 120_000 }, async () => {
    const device = await station.device()
    await station.longActive(device, 3)
    const place = `${DEVICES}/device/${device.Id}/association`
    await station.sergeant.send('POST', place, {
      PrincipalId: station.lindqvist.id,
      FromUtc: minutes(-300),
      ToUtc: minutes(-200),
    })
    const { page, problems } = await looking(station.given, station.okafor, `/devices/${device.Id}`)
    await page.getByText('1 change to confirm').waitFor()
    await tab(page, 'Officers').click()
    await button(page, 'Confirm').focus()
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Confirm only what you know from elsewhere').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Confirm', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('confirmed by okafor').waitFor()
    await page.getByText('1 change to confirm').waitFor({ state: 'detached' })
    expect((await station.sergeant.send('GET', place))[0]).toMatchObject({
      Access: 'Given',
      ConfirmedBy: { PrincipalId: station.okafor.id },
    })
    await button(page, 'Remove').click()
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Nobody has had it yet').waitFor()
    expect(problems).toEqual([])
  })
})
