/** The page Fixity as people work with it: by keyboard, with an alarm, with places elsewhere; and who may not. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { type IntegrityStation, integrityStation } from './support/integrity.ts'

let station: IntegrityStation
beforeAll(async () => {
  station = await integrityStation()
}, 120_000)
afterAll(() => station?.given.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

describe('who may not', () => {
  it('finds no way in, and by the address whom to ask', { timeout: 60_000 }, async () => {
    const { page, problems } = await looking(station.given, station.okafor, '/fixity')
    await page.getByText('Ask one of them.').waitFor()
    const areas = page.getByRole('navigation', { name: 'Areas' })
    await areas.getByRole('link', { name: 'Cases' }).waitFor()
    expect(await areas.getByRole('link', { name: 'Fixity' }).count()).toBe(0)
    expect(problems).toEqual([])
  })
})

describe('the page Fixity', () => {
  it('by keyboard: empty states, a place for checkpoints, a folder for snapshots, a trial', {
    timeout: 120_000,
  }, async () => {
    const { given, sergeant } = station
    const { page, problems } = await looking(given, sergeant, '/fixity')
    await page.getByText('Nothing is stored yet').first().waitFor()
    for (const words of [
      'No alarm is open.',
      'Nothing was read again yet.',
      'No copy lies elsewhere.',
      'There is no backup.',
    ])
      expect(await page.getByText(words).count()).toBe(1)
    expect(await findings(page)).toEqual([])

    await button(page, 'Add a place').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Folder' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Name the folder by its whole path.').waitFor()
    await page.keyboard.type('/no/such/drive')
    await page.keyboard.press('Enter')
    await page.getByText('There is no such folder. Is the drive there?').waitFor()
    expect(await findings(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Folder' }).fill(station.drive('checkpoints'))
    await page.keyboard.press('Enter')
    await section(page, 'Checkpoints elsewhere').getByText('Copied').waitFor()

    await station.evidence('Front desk')
    await button(page, 'Add a folder').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Folder' }).fill(station.drive('snapshots'))
    await page.keyboard.press('Enter')
    const snapshots = section(page, 'Snapshots')
    await snapshots.getByText('Created', { exact: true }).waitFor()
    await snapshots.getByText('No trial restore of a snapshot yet.').waitFor()
    // Older snapshots are removed after the new one is told: until then the button takes no press.
    await page.getByRole('button', { name: 'Trial restore', exact: true, disabled: false }).focus()
    await page.keyboard.press('Enter')
    await snapshots.getByText(/Trial restore .*all as they were/).waitFor()
    expect((await station.read()).Backups.Drills).toMatchObject([{ Result: 'restored' }])
    expect(problems).toEqual([])
  })

  it('by keyboard: everything is read, an alarm stands on every page, and is acknowledged with a reason', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const { given, sergeant } = station
    const evidenceId = await station.evidence('Corridor camera')
    const sha256 = await station.damage(evidenceId)
    const { page, problems } = await looking(given, sergeant, '/fixity')
    await button(page, 'Check all files now').focus()
    await page.keyboard.press('Enter')
    const alarms = section(page, 'Alarms')
    await alarms.getByText('Changed on disk').waitFor()
    await page.getByText('1 alarm', { exact: true }).first().waitFor()
    await alarms.getByRole('link', { name: `Evidence ${evidenceId}` }).waitFor()
    expect(await findings(page)).toEqual([])

    const french = await looking(given, sergeant, '/fixity', { language: 'fr' })
    await french.page.getByText('Les octets sur le disque sont d’autres à présent.').waitFor()

    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Cases' }).click()
    await page.getByText('One alarm about what is stored here waits for somebody').waitFor()
    await page.getByRole('link', { name: 'Review it' }).focus()
    await page.keyboard.press('Enter')
    await button(page, 'Acknowledge').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge', exact: true }).click()
    await soon(() => page.getByRole('textbox', { name: 'Reason' }).getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('textbox', { name: 'Reason' }).fill('The disk is replaced tonight; the copy is whole.')
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge', exact: true }).focus()
    await page.keyboard.press('Enter')
    await alarms.getByText('No alarm is open.').waitFor()
    // Known, and not well for that.
    await page.getByText('1 blob is not as it was').waitFor()
    expect((await station.read()).Alarms[0]).toMatchObject({
      Subject: sha256,
      AcknowledgedBy: { Name: 'sergeant' },
      Reason: 'The disk is replaced tonight; the copy is whole.',
    })
    expect(problems).toEqual([])
  })

  it.each([
    ['dark', 'small', 'en'],
    ['contrast', 'wide', 'en'],
    ['light', 'small', 'fr'],
  ] as const)('is whole in %s, %s, %s', { timeout: 60_000 }, async (theme, size, language) => {
    const { page, problems } = await looking(station.given, station.sergeant, '/fixity', { theme, size, language })
    const snapshots = page.getByRole('region', { name: language === 'fr' ? 'Instantanés' : 'Snapshots' })
    await snapshots.getByRole('listitem').first().waitFor()
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
  })
})
