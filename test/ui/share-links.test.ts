/** Links in the window: made by keyboard, opened by a guest on a phone, followed and recalled. */
// @module-tag screen
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LINKS, pictureIn, videoIn } from '../api/share-links/world.ts'
import type { Json } from '../support/given.ts'
import { findings, findingsInThemes } from './support/axe.ts'
import { type CasesStation, casesStation, looking, type Person, settled, soon } from './support/cases.ts'
import { look, type LookOptions } from './support/window.ts'

let station: CasesStation
let shared: string
let papers: string
beforeAll(async () => {
  station = await casesStation()
  const { dir } = station.given
  shared = await evidence('Front desk', { 'desk.mp4': await videoIn(dir), 'desk.jpg': await pictureIn(dir) })
  papers = await evidence('Custody record', { 'record.txt': Buffer.from('17:04 signed in\n') })
}, 120_000)
afterAll(() => station?.given.close())

async function evidence(Name: string, files: Readonly<Record<string, Uint8Array>>): Promise<string> {
  const { sergeant, given } = station
  const place = `${given.documents}/evidence`
  const { EvidenceId } = await sergeant.send('POST', place, { Name })
  for (const [name, bytes] of Object.entries(files)) {
    const file = await sergeant.send('POST', `${place}/${EvidenceId}/resource`, { Name: name })
    await given.put(file.UploadUri, bytes)
    await sergeant.send('POST', `${place}/${EvidenceId}/resource/${file.ResourceId}/complete`, {})
  }
  await sergeant.send('POST', `${place}/${EvidenceId}/complete`, {})
  await settled(sergeant.send, `${place}/${EvidenceId}`)
  return EvidenceId
}

const open = (who: Person, at: string, options?: LookOptions) =>
  looking(station.given, who, at, { reducedMotion: true, ...options })
/** A browser in which nobody is signed in. */
const asGuest = (options: LookOptions = {}) => look(station.given.url, { reducedMotion: true, ...options })
const shot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['SHARE_LINK_SHOTS']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

const made = (more: Json = {}): Promise<Json> =>
  station.sergeant.send('POST', LINKS, {
    EvidenceIds: [shared],
    Recipient: { Name: 'Ada Quill', Organisation: 'Quill Chambers' },
    Mode: 'view',
    ...more,
  })

async function enter(page: Page, address: string, code: string): Promise<void> {
  await page.goto(address)
  await page.getByLabel('Code').fill(code)
  await page.keyboard.press('Enter')
}

describe('a link', () => {
  it('is made by keyboard, opened by a guest, followed and recalled', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const { page, problems, refusals } = await open(station.sergeant, `/evidence/${shared}`)
    await page.getByRole('button', { name: 'More' }).first().press('Enter')
    await page.getByRole('menuitem', { name: 'Share by link…' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Share 1 item by link' })
    await dialog.getByText('It shows 2 files with the mark.').waitFor()
    await dialog.getByText('Nobody outside this machine can open the link now').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await shot(page, 'make')
    await dialog.getByRole('textbox', { name: 'Name of the recipient' }).fill('Ada Quill')
    await page.keyboard.press('Control+Enter')
    const done = page.getByRole('dialog', { name: 'The link is ready' })
    const address = (await done.getByRole('group', { name: 'Address' }).locator('[translate=no]').innerText()).trim()
    const code = (await done.getByRole('group', { name: 'Code' }).locator('[translate=no]').innerText()).replaceAll(
      /\D/g,
      '',
    )
    expect(code).toMatch(/^\d{8}$/)
    expect(await findingsInThemes(page)).toEqual([])
    await shot(page, 'made')
    const slip = path.join(station.given.dir, 'slip.pdf')
    await page.pdf({ path: slip, format: 'A4' })
    const paper = execFileSync('pdftotext', ['-layout', slip, '-'], { encoding: 'utf8' })
    expect(paper.split('\f').filter((text) => text.trim() !== '')).toHaveLength(1)
    expect(paper.replaceAll(/\s/g, '')).toContain(address)
    for (const said of ['For Ada Quill', 'From Harrow Quay']) expect(paper).toContain(said)
    // The code goes another way, and the rest of the window is not for the recipient.
    for (const absent of [
      code,
      `${code.slice(0, 4)} ${code.slice(4)}`,
      'The link is ready',
      'Evidence store',
      'Administration',
    ])
      expect(paper).not.toContain(absent)
    await done.getByRole('button', { name: 'Print a slip' }).waitFor()
    await done.getByRole('button', { name: 'Done' }).press('Enter')
    await done.waitFor({ state: 'detached' })

    const guest = await asGuest({ size: 'phone' })
    await guest.page.goto(address)
    await guest.page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    expect(await findings(guest.page)).toEqual([])
    await shot(guest.page, 'guest-code')
    await guest.page.keyboard.type(code === '00000000' ? '11111111' : '00000000')
    await guest.page.keyboard.press('Enter')
    await guest.page.getByText('The address or the code is not right').waitFor()
    await guest.page.getByLabel('Code').fill(code)
    await guest.page.keyboard.press('Enter')
    await guest.page.getByRole('heading', { name: 'Shared evidence' }).waitFor()
    await guest.page.getByText('sergeant').waitFor()
    const video = guest.page.locator('video')
    await video.waitFor({ timeout: 30_000 })
    const picture = guest.page.getByRole('img', { name: 'desk.jpg' })
    await picture.waitFor({ timeout: 30_000 })
    await video.evaluate((player: HTMLVideoElement) => player.play())
    await soon(async () =>
      expect(await video.evaluate((player: HTMLVideoElement) => player.currentTime)).toBeGreaterThan(0),
    )
    await soon(async () => expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(800))
    expect(await findings(guest.page)).toEqual([])
    await shot(guest.page, 'guest-phone')
    // Nothing is wider than the phone.
    expect(await guest.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

    await page.goto(`${station.given.url}/shared-links`)
    const row = page.getByRole('listitem').filter({ hasText: 'Ada Quill' }).first()
    await row.getByText(/^Opened once/).waitFor()
    await row.getByRole('button', { name: 'Show files and openings' }).press('Enter')
    await row.getByText('Tried with a wrong code').waitFor()
    await row.getByText('Looked at desk.mp4').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await shot(page, 'list')
    await row.getByRole('button', { name: 'New code…' }).press('Enter')
    const renewing = page.getByRole('dialog', { name: /another code\?$/ })
    await renewing.waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await shot(page, 'renew')
    await renewing.getByRole('button', { name: 'Create new code' }).press('Enter')
    const renewed = page.getByRole('dialog', { name: 'The new code' })
    const other = (await renewed.getByRole('group', { name: 'Code' }).locator('[translate=no]').innerText()).replaceAll(
      /\D/g,
      '',
    )
    expect(other).toMatch(/^\d{8}$/)
    await shot(page, 'renewed')
    await renewed.getByRole('button', { name: 'Done' }).press('Enter')
    await renewed.waitFor({ state: 'detached' })
    await row.getByRole('button', { name: 'Recall' }).press('Enter')
    await page
      .getByRole('dialog', { name: /^Recall link/ })
      .getByRole('button', { name: 'Recall the link' })
      .press('Enter')
    await row.getByText('Recalled', { exact: true }).first().waitFor()
    await guest.page.reload()
    await guest.page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await guest.page.getByLabel('Code').fill(other)
    await guest.page.keyboard.press('Enter')
    await guest.page.getByText('This link no longer works').waitFor()
    expect([problems, refusals, guest.problems]).toEqual([[], [], []])
  })

  it('for downloading gives the original with its SHA-256, and is closed on the computer', {
    timeout: 60_000,
  }, async () => {
    const { Address, Code } = await made({ Mode: 'download' })
    const { page, problems } = await asGuest()
    await enter(page, Address, Code)
    const file = page.getByRole('article', { name: 'desk.jpg' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      file.getByRole('link', { name: /^Download the original/ }).click(),
    ])
    expect(download.suggestedFilename()).toBe('desk.jpg')
    expect(await findingsInThemes(page)).toEqual([])
    await shot(page, 'guest-download')
    await page.getByRole('button', { name: 'Close the link' }).press('Enter')
    await page.getByText('The link is closed on this computer').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    expect(problems).toEqual([])
  })

  it('of papers for viewing says that nothing could be shown, and how to go on', async () => {
    const { page } = await open(station.sergeant, `/evidence/${papers}`)
    await page.getByRole('button', { name: 'More' }).first().press('Enter')
    await page.getByRole('menuitem', { name: 'Share by link…' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Share 1 item by link' })
    await dialog.getByText('1 file cannot bear a mark and is not shown for viewing').waitFor()
    await dialog.getByText('None of it can be shown with a mark. Choose View and download.').first().waitFor()
    await dialog.getByRole('radio', { name: /^View Video/ }).press('ArrowDown')
    await dialog.getByText('1 file cannot bear a mark: it can be downloaded, not viewed.').waitFor()
  })

  it('the cookie of one link does not show it at the address of another', { timeout: 60_000 }, async () => {
    const [one, other] = [await made(), await made()]
    const { page } = await asGuest()
    await enter(page, one.Address, one.Code)
    await page.getByRole('heading', { name: 'Shared evidence' }).waitFor()
    await page.goto(other.Address)
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await page.goto(`${station.given.url}/link`)
    await page.getByText('This address is not complete').waitFor()
  })

  it('speaks French', async () => {
    const { Address, Code } = await made()
    const { page } = await asGuest({ language: 'fr', theme: 'dark' })
    await page.goto(Address)
    await page.getByRole('heading', { name: 'Saisissez votre code' }).waitFor()
    await page.getByLabel('Code').fill(Code)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Preuves partagées' }).waitFor()
    await page.locator('video').waitFor({ timeout: 30_000 })
    await shot(page, 'guest-fr-dark')
    const officer = await open(station.sergeant, '/shared-links', { language: 'fr', size: 'small', theme: 'dark' })
    await officer.page.getByText('Ada Quill, Quill Chambers').first().waitFor()
    await shot(officer.page, 'list-fr-dark')
  })
})
