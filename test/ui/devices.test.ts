/** The list of devices as people work with it: by keyboard, at the limit of the licence, with what needs somebody; and who may not. */
// @module-tag screen
// @module-tag merge
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findingsInThemes } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { DEVICES, type DevicesStation, devicesStation } from './support/devices.ts'

const MOST = 8
let station: DevicesStation
beforeAll(async () => {
  station = await devicesStation({ maxActiveDevices: MOST })
}, 120_000)
afterAll(() => station?.given.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })
// With a letter: digits around an e are a number, and the address quotes it.
const fresh = (): string => `x${randomUUID().slice(0, 8)}`

/** So that what a test before this one left over is in nobody's way. */
async function nobodyActive(): Promise<void> {
  const { Items } = await station.sergeant.send('GET', `${DEVICES}/device?state=Active&count=100`)
  for (const { Id } of Items) await station.sergeant.send('POST', `${DEVICES}/device/${Id}/deactivate`)
}

describe('who may not', () => {
  it('finds no way in, and by the address whom to ask', { timeout: 60_000 }, async () => {
    const { page, problems } = await looking(station.given, station.lindqvist, '/devices')
    await page.getByText('You cannot open Devices').waitFor()
    const areas = page.getByRole('navigation', { name: 'Areas' })
    await areas.getByRole('link', { name: 'Cases' }).waitFor()
    expect(await areas.getByRole('link', { name: 'Devices' }).count()).toBe(0)
    await page.goto(`${station.given.url}/devices/types`)
    await page.getByText('You cannot open Devices').waitFor()
    expect(problems).toEqual([])
  })
})

describe('the search', () => {
  it('finds a device by its serial number for whoever manages it, and leads there; for others there is none', {
    timeout: 90_000,
  }, async () => {
    const serial = `SN-${fresh()}`
    await station.device({ serial, name: `Pier ${serial}` })
    const found = await looking(station.given, station.okafor, `/search?q=${serial}`)
    await found.page.getByRole('grid', { name: 'What was found' }).getByText(`Pier ${serial}`).dblclick()
    await found.page.getByRole('heading', { level: 1, name: `Pier ${serial}` }).waitFor()
    const { page, problems } = await looking(station.given, station.lindqvist, `/search?q=${serial}`)
    await page
      .getByText(/Nothing/)
      .first()
      .waitFor()
    expect(await page.getByText(`Pier ${serial}`).count()).toBe(0)
    expect([...found.problems, ...problems]).toEqual([])
  })
})

describe('the list', () => {
  it('is empty in words, and takes a first device by keyboard', { tags: ['journey'], timeout: 90_000 }, async () => {
    const { page, problems } = await looking(station.given, station.okafor, `/devices?q=nothing-${fresh()}`)
    await page.getByText('No device matches').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await button(page, 'Show all devices').focus()
    await page.keyboard.press('Enter')
    await button(page, 'Add device').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Add a device' }).waitFor()
    await page.keyboard.press('Enter')
    await soon(() => page.getByText('Fill this in.').count()).toBe(2)
    expect(await findingsInThemes(page)).toEqual([])
    const serial = `SN-${fresh()}`
    await page.getByRole('textbox', { name: 'Serial number' }).fill(`${serial}\u0007`)
    await page.getByText('This holds characters that cannot be stored.').waitFor()
    await page.getByRole('textbox', { name: 'Serial number' }).fill(serial)
    await page.getByRole('textbox', { name: 'Manufacturer' }).fill('Halden')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`BW ${serial}`)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: `BW ${serial}` }).waitFor()
    await page.getByRole('navigation', { name: 'Where you are' }).getByText(`BW ${serial}`).waitFor()
    const [made] = (await station.sergeant.send('GET', `${DEVICES}/device?text=${serial}`)).Items
    expect(made).toMatchObject({ State: 'Inactive', DeviceType: 'BodyWornCamera' })
    // From anywhere, by a part of its number.
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Cases' }).click()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(serial.slice(3))
    await page.getByRole('option', { name: new RegExp(`BW ${serial}`) }).click()
    await page.getByRole('heading', { level: 1, name: `BW ${serial}` }).waitFor()
    expect(problems).toEqual([])
  })

  it('says whose each is, what it should have and what needs somebody, and opens by keyboard', {
    timeout: 120_000,
  }, async () => {
    await nobodyActive()
    const mark = fresh()
    const good = await station.device({ name: `Good ${mark}` })
    await station.sergeant.send('POST', `${DEVICES}/device/${good.Id}/association`, {
      PrincipalId: station.lindqvist.id,
    })
    await station.commit(good, (await station.negotiate(good, { A: 1 })).TransactionId)
    await station.docked(good, 2)
    const bad = await station.device({ name: `Bad ${mark}` })
    await station.reject(bad, (await station.negotiate(bad, { A: 1 })).TransactionId, 'E12', 'No room left')
    const lost = await station.device({ name: `Lost ${mark}` })
    await station.docked(lost, 20)
    await station.docked(lost, 16, 'pulled')
    await station.device({ name: `Off ${mark}`, active: false })
    const { page, problems } = await looking(station.given, station.okafor, '/devices')
    await page.getByText(`3 of ${MOST} active`, { exact: true }).waitFor()
    await page.keyboard.press('f')
    await page.keyboard.type(mark)
    await row(page, `Good ${mark}`).waitFor()
    await soon(() => page.getByRole('row').count()).toBe(5)
    const goodRow = row(page, `Good ${mark}`)
    for (const words of ['Mia Lindqvist', 'Agreed', '2 days ago'])
      expect([words, await goodRow.getByText(words).count()]).toEqual([words, 1])
    const badRow = row(page, `Bad ${mark}`)
    for (const words of ['Rejected', 'Configuration rejected', 'E12: No room left', 'Nobody'])
      expect([words, await badRow.getByText(words, { exact: true }).count()]).toEqual([words, 1])
    const lostRow = row(page, `Lost ${mark}`)
    for (const words of ['16 days ago', 'Pulled early', 'Not docked for 16 days'])
      expect([words, await lostRow.getByText(words, { exact: true }).count()]).toEqual([words, 1])
    expect(await findingsInThemes(page)).toEqual([])

    await page.getByRole('radio', { name: 'Inactive' }).click()
    await soon(() => page.getByRole('row').count()).toBe(2)
    await page.getByRole('radio', { name: 'All', exact: true }).click()
    await page.getByRole('combobox', { name: 'Officer: name or badge' }).fill('lindq')
    await page.getByRole('option', { name: /Mia Lindqvist/ }).click()
    await soon(() => page.getByRole('row').count()).toBe(2)
    await goodRow.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: `Good ${mark}` }).waitFor()
    // The way back keeps what was asked.
    await page.goBack()
    await row(page, `Good ${mark}`).waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe(mark)
    // From the device to everything that was docked of it.
    await page.goto(`${station.given.url}/devices/${good.Id}`)
    await page.getByRole('link', { name: 'All dockings' }).click()
    await page.waitForURL(`**/dock/sessions?device=${good.Id}`)
    expect(problems).toEqual([])
  })

  it('at the limit: says so, and who activates one more is told what to do', { timeout: 120_000 }, async () => {
    await nobodyActive()
    for (let count = 0; count < MOST; count++) await station.device()
    const one = await station.device({ active: false })
    const name = one.DeviceIdentification.CommonName
    const { page, problems } = await looking(station.given, station.okafor, `/devices/${one.Id}`)
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await button(page, 'Activate').focus()
    await page.keyboard.press('Enter')
    await page.getByText('All places for active devices are taken.').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    expect((await station.read(one)).State).toBe('Inactive')
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Devices' }).click()
    await page.getByText('All places are taken', { exact: true }).waitFor()
    await page.getByText(`${MOST} of ${MOST} active`, { exact: true }).waitFor()
    // One that gives its place up makes room.
    await nobodyActive()
    await page.goto(`${station.given.url}/devices/${one.Id}`)
    await button(page, 'Activate').click()
    await button(page, 'Deactivate').waitFor()
    expect((await station.read(one)).State).toBe('Active')
    // The station's refusal is the browser's too.
    expect(problems.filter((problem) => !problem.includes('409'))).toEqual([])
  })

  it.each([
    ['dark', 'small', 'en'],
    ['light', 'small', 'fr'],
  ] as const)('is whole in %s, %s, %s', { timeout: 60_000 }, async (theme, size, language) => {
    const made = await station.device({ active: false })
    const name = made.DeviceIdentification.CommonName
    const { page, problems } = await looking(station.given, station.okafor, `/devices?q=${name.split(' ')[1]}`, {
      theme,
      size,
      language,
    })
    await row(page, name).waitFor()
    await page.getByRole('heading', { level: 1, name: language === 'fr' ? 'Appareils' : 'Devices' }).waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
  })
})
