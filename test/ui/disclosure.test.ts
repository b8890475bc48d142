/** Disclosure in the window: recorded by keyboard, supplemented, replaced, acknowledged; the list of the station; what may not leave; who may not know. */
// @module-tag screen
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { findings, findingsInThemes } from './support/axe.ts'
import { looking, type Person, soon } from './support/cases.ts'
import { DISCLOSURES, disclosureStation, type DisclosureStation, PROSECUTOR } from './support/disclosure.ts'
import type { Credentials, LookOptions } from './support/window.ts'

let station: DisclosureStation
beforeAll(async () => {
  station = await disclosureStation()
}, 120_000)
afterAll(() => station?.given.close())

const open = (who: Person | Credentials, at: string, options?: LookOptions) =>
  looking(station.given, who, at, { reducedMotion: true, ...options })
const panel = (page: Page) => page.getByRole('region', { name: 'Disclosure' })
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const ofCase = (): string => `/cases/${station.caseId}/disclosure`
const recordOf = (page: Page, no: number): Locator =>
  page
    .getByRole('region', { name: 'Records' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: new RegExp(`^Details of disclosure ${no}:`) }) })
const listed = async (): Promise<Json> => station.okafor.send('GET', `${DISCLOSURES}/case/${station.caseId}`)

async function downloaded(page: Page, press: () => Promise<void>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  const file = path.join(station.given.dir, download.suggestedFilename())
  await download.saveAs(file)
  return execFileSync('head', ['-c', '4000', file])
}

async function paper(page: Page, row: Locator, name: string): Promise<Buffer> {
  await row.getByRole('button', { name: 'Papers' }).press('Enter')
  return downloaded(page, () => page.getByRole('menuitem', { name, exact: true }).press('Enter'))
}

describe('a disclosure of a case', () => {
  it('is recorded by keyboard on the page of the case; a reload loses nothing that was typed', {
    tags: ['journey'],
    timeout: 90_000,
  }, async () => {
    const { page, problems, refusals } = await open(station.okafor, `/cases/${station.caseId}`)
    await panel(page).getByText('Nothing disclosed yet.').waitFor()
    await panel(page).getByRole('button', { name: 'Record a disclosure…' }).press('Enter')
    const dialog = dialogOf(page, 'Record a disclosure')
    const name = dialog.getByRole('textbox', { name: /^Name/ })
    await name.waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await soon(() => name.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('A. Mercer')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Mercer & Cole')
    await dialog.getByRole('button', { name: /Role/ }).press('Enter')
    await page.getByRole('option', { name: 'Defence' }).press('Enter')
    await dialog.getByText('Nothing they get names sensitive material.').waitFor()
    await dialog.getByRole('textbox', { name: /^Authority/ }).fill('CPIA 1996, s. 3')
    await page.reload()
    await panel(page).getByRole('button', { name: 'Record a disclosure…' }).press('Enter')
    await soon(() => name.inputValue()).toBe('A. Mercer')
    for (const title of station.titles.slice(0, 2)) await dialog.getByRole('checkbox', { name: title }).press('Space')
    await dialog.getByText('2 of 4 chosen').waitFor()
    await dialog.getByRole('button', { name: 'Withhold an item' }).press('Enter')
    const line = dialog.getByRole('group', { name: 'Withheld item 1' })
    await line.getByRole('combobox', { name: /^Item/ }).fill('BWC 0410')
    await page.getByRole('option', { name: station.titles[2] as string }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await soon(() => line.getByRole('textbox', { name: /^Description/ }).inputValue()).toBe(station.titles[2])
    await line.getByRole('textbox', { name: /^Ground/ }).fill('Not relevant')
    expect(await findingsInThemes(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await messages(page).getByText('Disclosure 1 is recorded.').waitFor()
    const row = panel(page).getByRole('listitem').first()
    await row.getByText('2 files given, 1 item withheld').waitFor()
    await row.getByText('Not acknowledged yet').waitFor()
    // The next one begins empty.
    await panel(page).getByRole('button', { name: 'Record a disclosure…' }).press('Enter')
    await name.waitFor()
    expect(await name.inputValue()).toBe('')
    const [one] = (await listed()).Items
    expect(one).toMatchObject({ No: 1, Authority: 'CPIA 1996, s. 3', Recipient: { Role: 'defence' }, WithheldCount: 1 })
    expect([problems, refusals]).toEqual([[], []])
  })

  it('shows what was given with its hash, and papers that its recipient may have', { timeout: 60_000 }, async () => {
    const { page, problems, refusals } = await open(station.okafor, ofCase())
    const row = recordOf(page, 1)
    await row.getByRole('button', { name: /^Details of disclosure 1/ }).press('Enter')
    const dialog = dialogOf(page, 'Disclosure 1')
    await dialog.getByText(`${station.titles[0]}.txt`, { exact: true }).waitFor()
    await dialog.getByText('Ground: Not relevant').waitFor()
    await dialog.getByText('Decided by okafor').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect((await paper(page, row, 'Receipt (PDF)')).toString('latin1')).toContain('%PDF-')
    expect((await paper(page, row, 'MG6C, not sensitive (CSV)')).toString()).toContain(station.titles[2])
    await row.getByRole('button', { name: 'Papers' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Receipt (PDF)' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /MG6[DE]/ }).count()).toBe(0)
    expect([problems, refusals]).toEqual([[], []])
  })

  it('C5: is supplemented when evidence comes into the case: what is due is said, and chosen already', {
    timeout: 60_000,
  }, async () => {
    const late = 'Doorbell camera, 16 Tanner’s Row'
    const { page, problems, refusals } = await open(station.okafor, ofCase())
    const due = page.getByRole('region', { name: 'Supplement due' })
    await due.getByText('No supplement is due.').waitFor()
    // The page is open while it comes in.
    await station.evidence(late, {}, station.caseId)
    await due.getByText('Supplement due to A. Mercer, Mercer & Cole, Defence').waitFor()
    await due.getByText(`New in the case: ${late}`).waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await due.getByRole('button', { name: 'Supplement…' }).press('Enter')
    const dialog = dialogOf(page, 'Supplement to disclosure 1')
    await dialog.getByText('1 of 5 chosen').waitFor()
    expect(await dialog.getByRole('checkbox', { name: late }).isChecked()).toBe(true)
    await dialog.getByRole('checkbox', { name: late }).focus()
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await due.getByText('No supplement is due.').waitFor()
    await recordOf(page, 2).waitFor()
    expect((await listed()).Items[1]).toMatchObject({ No: 2, Chain: 1, ItemCount: 1 })
    expect([problems, refusals]).toEqual([[], []])
  })

  it('is replaced with a reason, and the earlier one stays', { timeout: 60_000 }, async () => {
    const { page, problems, refusals } = await open(station.okafor, ofCase())
    await recordOf(page, 2).getByRole('button', { name: 'Replace…' }).press('Enter')
    const dialog = dialogOf(page, 'Replace disclosure 2')
    const why = dialog.getByRole('textbox', { name: /^Why it was wrong/ })
    await why.waitFor()
    await why.fill('It was another drive')
    await dialog.getByRole('textbox', { name: /^Serial number/ }).fill('SN-0043')
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await recordOf(page, 2).getByText('Replaced by disclosure 3').waitFor()
    await recordOf(page, 3).getByText('Replaces disclosure 2: It was another drive').waitFor()
    expect(await recordOf(page, 2).getByRole('button', { name: 'Replace…' }).count()).toBe(0)
    expect((await listed()).Items).toHaveLength(3)
    expect([problems, refusals]).toEqual([[], []])
  })

  it('is acknowledged before two people, and by a scan that comes into the case and makes nothing due', {
    timeout: 60_000,
  }, async () => {
    const { page, problems, refusals } = await open(station.okafor, ofCase())
    await recordOf(page, 1).getByRole('button', { name: 'Acknowledge…' }).press('Enter')
    const first = dialogOf(page, 'Disclosure 1 was acknowledged')
    await first.getByRole('radio', { name: /^In person/ }).press('Space')
    expect(await first.getByRole('textbox', { name: /^Who acknowledged it/ }).inputValue()).toBe('A. Mercer')
    await first.getByRole('textbox', { name: /^First person/ }).fill('P. Lund')
    await first.getByRole('textbox', { name: /^Second person/ }).fill('R. Adeyemi')
    expect(await findingsInThemes(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await first.waitFor({ state: 'detached' })
    await recordOf(page, 1).getByText('Acknowledged', { exact: true }).waitFor()
    await recordOf(page, 3).getByRole('button', { name: 'Acknowledge…' }).press('Enter')
    const second = dialogOf(page, 'Disclosure 3 was acknowledged')
    await page.evaluate(() => Object.assign(window, { showOpenFilePicker: undefined }))
    const chooser = page.waitForEvent('filechooser')
    await second.getByRole('button', { name: 'Choose the file…' }).click()
    await (await chooser).setFiles({
      name: 'receipt 3.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n'),
    })
    await second.getByText('receipt 3.pdf is in the case.').waitFor()
    expect(await findings(page)).toEqual([])
    await second.getByRole('button', { name: 'Record it' }).press('Enter')
    await second.waitFor({ state: 'detached' })
    await recordOf(page, 3).getByText('Acknowledged', { exact: true }).waitFor()
    const { Items, Due } = await listed()
    expect(Items[2].Acknowledged).toMatchObject({ How: 'signature-scan', EvidenceId: expect.any(String) })
    expect(Due).toEqual([])
    expect([problems, refusals]).toEqual([[], []])
  })

  it('C5: that names what was restricted meanwhile is refused in words, with everything still in the form', {
    timeout: 60_000,
  }, async () => {
    const { page } = await open(station.okafor, ofCase())
    await page.getByRole('button', { name: 'Record a disclosure…' }).press('Enter')
    const dialog = dialogOf(page, 'Record a disclosure')
    await dialog.getByRole('textbox', { name: /^Name/ }).fill('J. Adeyemi')
    await dialog.getByRole('textbox', { name: /^Authority/ }).fill('A request')
    await dialog.getByRole('button', { name: 'Choose all' }).press('Enter')
    await station.restricted(station.ids[3] as string)
    await dialog.getByRole('textbox', { name: /^Name/ }).focus()
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Nothing was recorded', { exact: true }).waitFor()
    await dialog.getByText(/is restricted \(do-not-disclose\)/).waitFor()
    await dialog.getByText(/Leave it out, or have the restriction lifted/).waitFor()
    expect(await dialog.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('J. Adeyemi')
    // By now it is known: it can be left out, and is named as withheld by itself.
    await dialog.getByText(`Recorded as withheld by itself, since it is restricted: ${station.titles[3]}`).waitFor()
    await dialog.getByRole('checkbox', { name: station.titles[3] as string }).press('Space')
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Not to be disclosed' }).getByText('Do not disclose').waitFor()
    const row = recordOf(page, 4)
    expect((await paper(page, row, 'MG6D, sensitive (CSV)')).toString()).toContain(station.titles[3])
    expect((await paper(page, row, 'MG6E, report (PDF)')).toString('latin1')).toContain('%PDF-')
  })
})

describe('the list of the station', () => {
  it('leads to what is due, what is overdue first, by filters that stay in the address', {
    timeout: 60_000,
  }, async () => {
    await station.disclosed({
      Recipient: { ...PROSECUTOR, Name: 'P. Lund' },
      Request: { Number: 'CPS 9', Date: '2026-01-05', Due: '2026-01-19' },
      EvidenceIds: station.ids.slice(0, 1),
    })
    await station.evidence('Fingerprint, back door', {}, station.caseId)
    const { page, problems, refusals } = await open(station.okafor, '/disclosure')
    const due = page.getByRole('region', { name: 'Supplement due' })
    const first = due.getByRole('listitem').first()
    await first.getByText('P. Lund, Crown Prosecution Service, Prosecutor').waitFor()
    await first.getByText('Was asked for by 19 Jan 2026').waitFor()
    await page.getByText('1 is overdue').waitFor()
    expect(await due.getByRole('listitem').count()).toBe(3)
    await first.getByText(/^1 change since disclosure 5: 1 new$/).waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await page.getByRole('radio', { name: 'Not acknowledged' }).click()
    await due.waitFor({ state: 'detached' })
    await soon(() => new URL(page.url()).search).toBe('?show=waiting')
    await page.getByRole('button', { name: /Recipient/ }).press('Enter')
    await page.getByRole('option', { name: 'Defence' }).press('Enter')
    await page.getByText('Nothing here with these filters').waitFor()
    await page.getByRole('button', { name: 'Show all' }).press('Enter')
    await first.getByRole('link', { name: /^Open its disclosures/ }).press('Enter')
    await recordOf(page, 5).waitFor()
    expect([problems, refusals]).toEqual([[], []])
  })
})

describe('what may not leave', () => {
  it('is said near the head of the evidence, set and lifted with a reason, and stands in its custody in words', {
    timeout: 60_000,
  }, async () => {
    const { page, problems, refusals } = await open(station.okafor, `/evidence/${station.ids[1]}`)
    await page.getByText('Verified').first().waitFor()
    await page.locator('header').getByRole('button', { name: 'More' }).last().press('Enter')
    await page.getByRole('menuitem', { name: 'Restrict disclosure…' }).press('Enter')
    const dialog = dialogOf(page, 'Keep it from leaving the station')
    await dialog.getByRole('radio', { name: /^Privileged/ }).press('Space')
    expect(await dialog.getByRole('radio', { name: /^Sealed/ }).isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: /^Reason/ }).fill('Counsel is heard in the background')
    expect(await findingsInThemes(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    const note = page.getByText('Privileged: it goes into no package and no disclosure')
    await note.waitFor()
    await page.getByText('Counsel is heard in the background').first().waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await page.getByRole('tabpanel').getByText('Restricted from leaving the station: privileged').first().waitFor()
    await page.getByRole('button', { name: 'Lift…' }).press('Enter')
    const lift = dialogOf(page, 'Lift “Privileged”')
    await lift.getByRole('textbox', { name: /^Reason/ }).fill('The client agreed')
    await page.keyboard.press('Control+Enter')
    await note.waitFor({ state: 'detached' })
    await page.getByRole('tabpanel').getByText('Restriction lifted: privileged').first().waitFor()
    expect([problems, refusals]).toEqual([[], []])
  })

  it('sealed evidence is lifted by those who manage it, and by nobody else', { timeout: 60_000 }, async () => {
    const id = station.ids[2] as string
    await station.restricted(id, 'sealed')
    const { page } = await open(station.okafor, `/evidence/${id}`)
    await page.getByText('Sealed: it goes into no package and no disclosure').waitFor()
    expect(await page.getByRole('button', { name: 'Lift…' }).count()).toBe(0)
    const { page: theirs } = await open(station.sergeant, `/evidence/${id}`)
    await theirs.getByRole('button', { name: 'Lift…' }).waitFor()
  })
})

describe('who may not know', () => {
  it('S4: somebody with Download, and a guest with Manage, see no part, no count and no restriction, and nothing is asked for them', {
    timeout: 60_000,
  }, async () => {
    for (const who of [station.lindqvist, station.guest]) {
      const { page, problems, refusals, close } = await open(who, `/cases/${station.caseId}`)
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page
        .getByRole('grid', { name: 'Evidence' })
        .getByText(station.titles[0] as string)
        .waitFor()
      await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
      expect(await panel(page).count()).toBe(0)
      await page.goto(`${station.given.url}/evidence/${station.ids[3]}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
      expect(await page.getByText(/goes into no package/).count()).toBe(0)
      await page.locator('header').getByRole('button', { name: 'More' }).last().press('Enter')
      await page.getByRole('menuitem', { name: 'Print…' }).waitFor()
      expect(await page.getByRole('menuitem', { name: /Restrict/ }).count()).toBe(0)
      await page.keyboard.press('Escape')
      expect(asked.filter((one) => one.startsWith(DISCLOSURES))).toEqual([])
      if (who === station.guest) expect(await page.getByRole('link', { name: 'Disclosure' }).count()).toBe(0)
      expect([problems, refusals]).toEqual([[], []])
      await close()
    }
  })

  it('S4: the list of the station is empty for them, and the page of the case says that it is not theirs', async () => {
    const { page } = await open(station.lindqvist, '/disclosure')
    await page.getByText('Nothing is due', { exact: true }).waitFor()
    await page.goto(`${station.given.url}${ofCase()}`)
    await page.getByText('The disclosures could not be read').waitFor()
    await page.getByText(/You need Edit on the case/).waitFor()
    expect(await page.getByText('A. Mercer').count()).toBe(0)
    const { page: theirs } = await open(station.guest, ofCase())
    await theirs.getByText('Disclosure is for the people of the station').waitFor()
  })
})

describe('in French, on small screens', () => {
  it('nothing is cut off, and axe finds nothing', { timeout: 90_000 }, async () => {
    for (const at of ['/disclosure', ofCase(), `/cases/${station.caseId}?side=disclosure`])
      for (const size of ['phone', 'small'] as const) {
        const { page, problems, refusals, close } = await open(station.okafor, at, { size, language: 'fr' })
        await page
          .getByText(/Réception pas encore confirmée|réception pas encore confirmée/)
          .first()
          .waitFor()
        const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
        await soon(fits).toBe(true)
        expect(await findings(page), `${at} ${size}`).toEqual([])
        if (at !== '/disclosure') {
          await page.getByRole('button', { name: 'Enregistrer une communication…' }).first().press('Enter')
          await page.getByRole('dialog').getByText('Ce qui est remis').waitFor()
          // It is transparent until all of its fields are fetched, and axe takes it for none as long.
          const seen = () => page.getByRole('dialog').evaluate((one) => one.checkVisibility({ opacityProperty: true }))
          await soon(seen).toBe(true)
          await soon(fits).toBe(true)
          expect(await findings(page), `${at} ${size}`).toEqual([])
        }
        expect([problems, refusals]).toEqual([[], []])
        await close()
      }
  })
})
