/** Disposition as people work with it: two of them, by keyboard, and what each may not. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { type DispositionStation, dispositionStation } from './support/disposition.ts'

let station: DispositionStation
beforeAll(async () => {
  station = await dispositionStation()
}, 120_000)
afterAll(() => station?.given.close())

const DISPOSITION = '/api/v1/tenant/station/disposition'
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const row = (page: Page, name: string) => page.getByRole('grid').getByRole('row').filter({ hasText: name })
const box = (page: Page, name: string) => row(page, name).getByRole('checkbox')

describe('who may not', () => {
  it('finds no way in, and by the address whom to ask', { timeout: 60_000 }, async () => {
    const { given } = station
    const stranger = { ...station.lindqvist, username: 'nobody', password: 'three blind mice, 1805' }
    await station.sergeant.send('POST', '/userservice/api/v1/tenant/station/users', {
      Username: stranger.username,
      Password: stranger.password,
      FirstName: 'No',
      LastName: 'Body',
      Policies: [],
      ChangePassword: false,
    })
    const { page, problems } = await looking(given, stranger, '/disposition')
    await page.getByText('Ask an account administrator.').waitFor()
    expect(await page.getByRole('link', { name: 'Disposition' }).count()).toBe(0)
    expect(await page.getByRole('grid').count()).toBe(0)
    expect(problems).toEqual([])
  })
})

describe('the queue', () => {
  it('by keyboard: one approves, is no second person, and another one is', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const { given, okafor, lindqvist, items } = station
    const first = await looking(given, okafor, '/disposition')
    const { page } = first
    await row(page, 'Shop theft').waitFor()
    await row(page, 'Shop theft').focus()
    await page.keyboard.press('Space')
    await page.getByText('You may approve.').waitFor()
    await page.getByText('11.6 GB, on').waitFor()
    // Without a reason nothing happens.
    await button(page, 'Approve as first person').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Give a reason.').waitFor()
    await page.getByRole('textbox', { name: /Reason/ }).fill('Seven years\u0007 are over.')
    await page.getByText('This holds characters that cannot be stored.').waitFor()
    await page.getByRole('textbox', { name: /Reason/ }).fill('')
    await page.getByRole('textbox', { name: /Reason/ }).focus()
    await page.keyboard.type('Seven years are over.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await row(page, 'Shop theft').getByText('1 of 2').waitFor()
    await box(page, 'Shop theft').click()
    await page.getByText('You approved it already; a second person has to.').waitFor()
    expect(await button(page, /^Approve/).count()).toBe(0)
    expect(first.problems).toEqual([])

    const second = await looking(given, lindqvist, '/disposition')
    await row(second.page, 'Shop theft').focus()
    await second.page.keyboard.press('Enter')
    await second.page.getByRole('textbox', { name: /Reason/ }).fill('No appeal is open.')
    await button(second.page, 'Approve as second person').focus()
    await second.page.keyboard.press('Enter')
    await row(second.page, 'Shop theft').getByText('Cooling off, 3 days').waitFor()
    const list = (await okafor.send('GET', DISPOSITION)).Items as {
      ItemId: string
      Stage: string
      Approvals: object[]
    }[]
    const item = list.find(({ ItemId }) => ItemId === items['Shop theft, Ferry Street'])
    expect([item?.Stage, item?.Approvals.length]).toEqual(['CoolingOff', 2])
    expect(second.problems).toEqual([])
  })

  it('what stays is shown with its reasons; a withdrawn link is looked at; what changed meanwhile is shown anew', {
    timeout: 120_000,
  }, async () => {
    const { given, lindqvist, okafor, items } = station
    const { page, problems } = await looking(given, lindqvist, '/disposition')
    await box(page, 'Affray').click()
    await page.getByText('which is open').waitFor()
    expect(await findings(page)).toEqual([])
    await page.getByText('a link to a case was withdrawn on 3 Nov 2026; review it first').waitFor()
    await page.getByRole('textbox', { name: /Reason/ }).fill('Reached.')
    await button(page, /^I have reviewed it/).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('It belongs to nothing else.')
    await button(page, 'Mark as reviewed').click()
    await soon(() => page.getByText('review it first').count()).toBe(0)
    // Somebody else approves while this one looks.
    await page.getByText('files destroyed').waitFor()
    await station.approve(okafor, 'Affray, Corn Market')
    await button(page, 'Approve as first person').click()
    await page.getByText('Something changed since the preview').waitFor()
    expect(await page.getByRole('textbox', { name: /Reason/ }).inputValue()).toBe('Reached.')
    const list = (await okafor.send('GET', DISPOSITION)).Items as { ItemId: string; Approvals: object[] }[]
    expect(list.find(({ ItemId }) => ItemId === items['Affray, Corn Market'])?.Approvals).toHaveLength(1)
    expect(problems.filter((one) => !one.includes('409'))).toEqual([])
  })

  it('shows whose accounts approve, and who else controls them (I10)', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const { given, sergeant, okafor } = station
    const made = { username: 'brandt', password: 'four grey geese, 1951' }
    await sergeant.send('POST', '/userservice/api/v1/tenant/station/users', {
      Username: made.username,
      Password: made.password,
      FirstName: 'Ilse',
      LastName: 'Brandt',
      Policies: [{ Policy: 'ApproveDisposition' }],
      ChangePassword: false,
    })
    const { page, problems } = await looking(given, { ...okafor, ...made }, '/disposition')
    await box(page, 'Theft from vehicle').click()
    const accounts = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Whose accounts these are' }) })
    const account = (name: string) => accounts.getByRole('listitem').filter({ hasText: name })
    const own = account('Okafor')
    await own.getByText(/^Created \d+ \w+ \d{4} by .*sergeant.*\. May approve since /).waitFor()
    await own.getByText(/^Nobody else controls this account, since \d+ \w+ \d{4}\.$/).waitFor()
    const controlled = account('Brandt (you)')
    await controlled.getByText(/^Controlled by others: created by .*sergeant.* on \d+ \w+ \d{4}\./).waitFor()
    await controlled.getByText('does not end before the owner has set a password and a second step').waitFor()
    expect(await button(page, /^Approve/).count()).toBe(0)
    expect(await findings(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('from the recycle bin it is kept instead, with a reason', { timeout: 120_000 }, async () => {
    const { given, okafor } = station
    const { page, problems } = await looking(given, okafor, '/disposition?view=bin')
    await row(page, 'Noise complaint').getByText('Recycle bin, 5 days').waitFor()
    await box(page, 'Noise complaint').click()
    await button(page, 'Keep instead').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Keep this one' })
    await dialog.getByRole('textbox').fill('The neighbours\u0007 appeal.')
    await dialog.getByText('This holds characters that cannot be stored.').first().waitFor()
    await dialog.getByRole('textbox').fill('The neighbours appeal.')
    await dialog.getByRole('button', { name: 'Keep instead' }).click()
    await page.getByText('The recycle bin is empty').waitFor()
    expect(problems).toEqual([])
  })

  it('a certificate is told whole, and its parts are downloaded', { timeout: 120_000 }, async () => {
    const { given, lindqvist } = station
    const { page, problems } = await looking(given, lindqvist, '/disposition?view=certificates')
    await row(page, 'Burglary').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Certificate 1' }).waitFor()
    await page.getByText(/^Snapshots of backups may keep these bytes .* is gone by \d+ \w+ \d{4};/).waitFor()
    for (const [name, file] of [
      ['Certificate', '1-certificate.json'],
      ['Signature', '1-certificate.sig'],
      ['Key', '1-key.pem'],
    ] as const) {
      const coming = page.waitForEvent('download')
      await page.getByRole('link', { name, exact: true }).click()
      expect((await coming).suggestedFilename()).toBe(file)
    }
    expect(await findings(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('says of backups in French too until when they may keep the bytes', { timeout: 120_000 }, async () => {
    const { given, lindqvist } = station
    const { page } = await looking(given, lindqvist, '/disposition?view=certificates', { language: 'fr' })
    await row(page, 'Burglary').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sauvegardes' }).waitFor()
    await page.getByText(/peuvent garder ces octets .* au plus tard le \d+ [^ ]+ \d{4}\s;/).waitFor()
    expect(await findings(page)).toEqual([])
  })

  it('axe finds nothing in the dark either', { timeout: 120_000 }, async () => {
    const { given, lindqvist } = station
    const { page } = await looking(given, lindqvist, '/disposition', { theme: 'dark' })
    await box(page, 'Assault').click()
    await page.getByText('There is nothing to approve').waitFor()
    expect(await findings(page)).toEqual([])
  })
})

describe('quarantine', () => {
  it('by keyboard: two people let refused bytes go, and one keeps them after all', { timeout: 120_000 }, async () => {
    const { given, okafor, lindqvist, sergeant } = station
    const { EvidenceId } = await sergeant.send('POST', `${given.documents}/evidence`, { Name: 'Refused upload' })
    const place = `${given.documents}/evidence/${EvidenceId}/resource`
    const { ResourceId, UploadUri } = await sergeant.send('POST', place, { Name: 'cut.mp4', Sha256: 'a'.repeat(64) })
    await given.put(UploadUri, Buffer.from('half of a film'))
    await expect(sergeant.send('POST', `${place}/${ResourceId}/complete`, {})).rejects.toThrow()
    const act = async (page: Page, name: string, reason: string): Promise<void> => {
      await row(page, `Evidence ${EvidenceId}`).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: /^Quarantined file \d+$/ }).waitFor()
      expect(await findings(page)).toEqual([])
      await page.getByRole('textbox', { name: 'Reason, for the ledger' }).fill(reason)
      await button(page, name).focus()
      await page.keyboard.press('Enter')
    }
    const first = await looking(given, okafor, '/disposition?view=quarantine')
    await row(first.page, `Evidence ${EvidenceId}`).getByText('Kept').waitFor()
    await act(first.page, 'Approve as first person', 'Sent again, whole.')
    await row(first.page, `Evidence ${EvidenceId}`).getByText('1 of 2').waitFor()
    await row(first.page, `Evidence ${EvidenceId}`).click()
    await first.page.getByText('You approved it already; a second person has to.').waitFor()
    const second = await looking(given, lindqvist, '/disposition?view=quarantine')
    await act(second.page, 'Approve as second person', 'It is of no use.')
    await row(second.page, `Evidence ${EvidenceId}`)
      .getByText(/^Cooling off, \d+ days$/)
      .waitFor()
    await act(second.page, 'Keep after all', 'The lawyer asks for it.')
    await row(second.page, `Evidence ${EvidenceId}`).getByText('Kept').waitFor()
    expect([first.problems, second.problems]).toEqual([[], []])
  })
})

describe('retention of sources', () => {
  it('by keyboard: one is made, and what it would do is shown before', { timeout: 120_000 }, async () => {
    const { given, sergeant } = station
    const { page, problems } = await looking(given, sergeant, '/administration/sources')
    await row(page, 'Training cameras').getByText('1 year').waitFor()
    await button(page, 'New source').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Give it a name.').waitFor()
    await page.keyboard.type('Front desk')
    await page.getByRole('textbox', { name: 'Source' }).fill('training')
    await page.getByText('What saving would do').waitFor()
    await page.getByText('1 file · 40.4 GB').first().waitFor()
    await page.getByRole('textbox', { name: 'Days' }).fill('3650')
    await page.keyboard.press('Enter')
    await row(page, 'Front desk').getByText('10 years').waitFor()
    expect(await findings(page)).toEqual([])
    await button(page, 'Delete this source').click()
    await page.getByRole('dialog').getByText('Nothing is destroyed by this.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete this source' }).click()
    await soon(() => row(page, 'Front desk').count()).toBe(0)
    expect(problems).toEqual([])
  })
})
