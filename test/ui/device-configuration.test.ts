/** What is wanted against what is on the camera: member by member, with what no form knows, and when two save at once. */
// @module-tag screen
// @module-tag merge
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { findingsInThemes } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { DEVICES, type DevicesStation, devicesStation } from './support/devices.ts'

let station: DevicesStation
beforeAll(async () => {
  station = await devicesStation({ maxActiveDevices: 500 })
}, 120_000)
afterAll(() => station?.given.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const configurationOf = ({ Id }: Json): Promise<Json> =>
  station.sergeant.send('GET', `${DEVICES}/device/${Id}/configuration`)
const want = (device: Json, Configuration: Json | null) =>
  station.sergeant.send('PUT', `${DEVICES}/device/${device.Id}/configuration`, { Configuration })
const at = (device: Json): string => `/devices/${device.Id}?tab=configuration`

describe('what is wanted of a device', () => {
  it('stands beside what it has; it is changed by keyboard, and what no form knows is kept', {
    tags: ['journey'],
    timeout: 180_000,
  }, async () => {
    const device = await station.device()
    const has = {
      Video: { Height: 720, Codec: 'h264' },
      Silent: true,
      Maker: { calibration: [[1, 2], { x: null }] },
      Old: 'goes',
    }
    await station.commit(device, (await station.negotiate(device, has)).TransactionId)
    await want(device, { Video: { Height: 1080, Codec: 'h264' }, Silent: true, Maker: has.Maker })
    const { page, problems } = await looking(station.given, station.okafor, at(device))
    await page.getByText('2 members differ.').waitFor()
    await row(page, 'Video › Height').getByText('720').waitFor()
    await row(page, 'Video › Height').getByText('Changes', { exact: true }).waitFor()
    await row(page, 'Video › Codec').getByText('Same').waitFor()
    await row(page, 'Old').getByText('Goes from it').waitFor()
    expect(await findingsInThemes(page)).toEqual([])

    await field(page, 'Video › Height').fill('tall')
    await page.getByText('Write a number, such as 12.5.').waitFor()
    await page.keyboard.press('Enter')
    expect((await configurationOf(device)).Desired.Video.Height).toBe(1080)
    expect(await findingsInThemes(page)).toEqual([])
    await field(page, 'Video › Height').fill('720')
    await row(page, 'Video › Height').getByText('Same').waitFor()
    await row(page, 'Old')
      .getByRole('button', { name: /Keep it/ })
      .focus()
    await page.keyboard.press('Enter')
    await page.getByText('All 5 members are as wanted.').waitFor()
    await field(page, 'Name of the member').fill('Watermark')
    await page.keyboard.press('Enter')
    await field(page, 'Watermark').fill('Harrow Quay')
    await row(page, 'Watermark').getByText('Comes to it').waitFor()
    await button(page, 'Save').focus()
    await page.keyboard.press('Enter')
    await page.getByText('What is expected is saved.').waitFor()
    expect((await configurationOf(device)).Desired).toEqual({ ...has, Watermark: 'Harrow Quay' })
    expect(problems).toEqual([])
  })

  it('is that of its type until it has its own, which begins with it and is given up again', {
    timeout: 120_000,
  }, async () => {
    const type = `Helmet ${randomUUID().slice(0, 8)}`
    await station.sergeant.send('PUT', `${DEVICES}/configuration/${encodeURIComponent(type)}`, {
      Configuration: { Stealth: false },
    })
    const device = await station.device({ type })
    const { page, problems } = await looking(station.given, station.okafor, at(device))
    await page.getByRole('radio', { name: new RegExp('As its type says') }).waitFor()
    await row(page, 'Stealth').getByText('Comes to it').waitFor()
    expect(await page.getByRole('group', { name: 'Add member' }).count()).toBe(0)
    await page.getByRole('radio', { name: /Of its own/ }).click({ force: true })
    await row(page, 'Stealth').getByRole('radio', { name: 'Yes' }).click()
    await button(page, 'Save').click()
    await soon(async () => (await configurationOf(device)).Desired).toEqual({ Stealth: true })
    await page.getByRole('radio', { name: /As its type says/ }).click({ force: true })
    await button(page, 'Save').click()
    await soon(async () => (await configurationOf(device)).Desired).toBeNull()
    expect(problems).toEqual([])
  })

  it('that somebody else saved meanwhile is a choice member by member; being renamed is none', {
    timeout: 120_000,
  }, async () => {
    const device = await station.device()
    await want(device, { A: 'a', B: 'b', C: 'c' })
    const { page, problems } = await looking(station.given, station.okafor, at(device))
    await field(page, 'A').fill('mine')
    await field(page, 'B').fill('mine too')
    await want(device, { A: 'theirs', B: 'b', C: 'theirs too' })
    await button(page, 'Save').click()
    await page.getByRole('dialog', { name: 'Somebody saved first' }).waitFor()
    await page.getByText('3 members differ. Choose which values to keep.').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    const choice = page.getByRole('radiogroup', { name: 'A', exact: true })
    await choice.getByRole('radio').first().click({ force: true })
    await page.getByRole('dialog').getByRole('button').last().click()
    await soon(async () => (await configurationOf(device)).Desired).toEqual({
      A: 'theirs',
      B: 'mine too',
      C: 'theirs too',
    })
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await field(page, 'C').fill('again')
    await station.sergeant.send('POST', `${DEVICES}/device/${device.Id}/deactivate`)
    await button(page, 'Save').click()
    await soon(async () => (await configurationOf(device)).Desired.C).toBe('again')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('is edited whole as JSON, and nothing is saved that is none', { timeout: 120_000 }, async () => {
    const device = await station.device()
    await want(device, JSON.parse('{"__proto__":{"kept":1},"List":[1]}'))
    const { page, problems } = await looking(station.given, station.okafor, at(device))
    await page.getByRole('radio', { name: 'JSON' }).click()
    const whole = field(page, 'The whole configuration')
    const text = await whole.inputValue()
    expect(text).toContain('__proto__')
    await whole.fill('{"List":')
    await page.getByText('This is not a JSON object yet.').first().waitFor()
    expect(await button(page, 'Save').getAttribute('aria-disabled')).toBe('true')
    await whole.fill(text.replace('[\n    1\n  ]', '[2]'))
    await button(page, 'Save').click()
    await soon(async () => JSON.stringify((await configurationOf(device)).Desired)).toBe(
      '{"__proto__":{"kept":1},"List":[2]}',
    )
    expect(problems).toEqual([])
  })
})

describe('what is wanted of a type', () => {
  it('is begun, saved and taken away with a way back', { timeout: 150_000 }, async () => {
    const type = `Dashcam ${randomUUID().slice(0, 8)}`
    const device = await station.device({ type })
    await station.commit(device, (await station.negotiate(device, { Night: false })).TransactionId)
    const { page, problems } = await looking(station.given, station.okafor, '/devices/types')
    await page.getByRole('link', { name: new RegExp(type) }).click()
    await page.getByText('Nothing is expected of this type yet.').waitFor()
    await field(page, 'Name of the member').fill('Night')
    await page.getByRole('button', { name: /Kind/ }).click()
    await page.getByRole('option', { name: 'Yes or no' }).click()
    await button(page, 'Add member').click()
    await row(page, 'Night').getByRole('radio', { name: 'Yes' }).waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await button(page, 'Save').click()
    await page.getByText('Saved by okafor').waitFor()
    expect((await station.read(device)).Standing).toMatchObject({ Configuration: 'Pending', ExpectedFrom: 'Type' })
    await button(page, 'Expect nothing any more').click()
    await page.getByText('Nothing is expected of this type yet.').waitFor()
    expect((await station.read(device)).Standing).toMatchObject({ Configuration: 'Agreed', ExpectedFrom: null })
    await page.keyboard.press('Control+z')
    await page.getByText('Saved by okafor').waitFor()
    expect((await configurationOf(device)).OfType).toEqual({ Night: true })
    expect(problems).toEqual([])
  })
})
