/** The dock receipt as a page, on paper and as a document. */
// @module-tag screen
// @module-tag merge
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { findings, findingsInThemes } from './support/axe.ts'
import { looking } from './support/cases.ts'
import { behindWords, type DockedStation, dockedStation, fresh, type Wearer } from './support/docked.ts'

/** What the clock of the camera lags by, in milliseconds. */
const BEHIND = 72_000
let station: DockedStation
let keeper: Wearer
let session: Json
let receipt: Json
beforeAll(async () => {
  station = await dockedStation()
  keeper = await station.person('okafor', ['ManageDevices'])
  session = await station.docked(fresh('LR'), { behind: BEHIND, extra: { 'notes/Łódź \u202e.txt': 'a note' } })
  receipt = (await station.get(`/session/${session.DockSessionId}/receipt/receipt.json`)).json
}, 120_000)
afterAll(() => station?.close())

const place = (more = ''): string => `/dock/sessions/${session.DockSessionId}/receipt${more}`
const tight = (text: string): string => text.replaceAll(/\s/g, '')

/** What was printed, page by page. */
function pagesOf(pdf: Buffer): string[] {
  const folder = mkdtempSync(path.join(station.given.dir, 'printed-'))
  writeFileSync(path.join(folder, 'printed.pdf'), pdf)
  const text = execFileSync('pdftotext', ['-raw', 'printed.pdf', '-'], { cwd: folder, encoding: 'utf8' })
  return text.split('\f').slice(0, -1).map(tight)
}

describe('the receipt', () => {
  it('says on the screen what the station signed, and how to check it', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const { page, problems } = await looking(station.given, keeper, place())
    const paper = page.getByRole('article', { name: `Dock receipt ${session.DockSessionId}` })
    await paper.getByText('All 12 files of this camera’s recordings are stored here').waitFor()
    const crumbs = await page.getByRole('navigation', { name: 'Where you are' }).innerText()
    expect(crumbs.split('\n')).toEqual(['Dock', 'Docked cameras', session.Device.SerialNumber, 'Receipt'])
    const said = tight(await paper.innerText())
    const { bytes } = await station.get(`/session/${session.DockSessionId}/receipt/receipt.sig`)
    const signature = Buffer.from(bytes).toString('base64')
    for (const { path: file, sha256 } of receipt.files as Json[]) {
      if (sha256 !== null) expect(said).toContain(sha256)
      if (/^[\x20-\x7e]*$/.test(file)) expect(said).toContain(tight(file))
    }
    for (const words of [
      behindWords(receipt.clock.at(-1).camera.offsetMilliseconds, BEHIND),
      'No officer known when it recorded',
      'Nothing was removed from the camera · rule: never',
      // What nobody could see is written out; other scripts stand as they are.
      'notes/Łódź ‹U+202E›.txt',
      receipt.ledgerHead.hash,
      session.ReceiptSha256,
      signature,
      `-sigfile ${session.DockSessionId}-receipt.sig`,
    ])
      expect(said).toContain(tight(words))
    expect(await findingsInThemes(page)).toEqual([])
    for (const name of ['receipt.json', 'receipt.sig', 'key.pem', 'PDF A4', 'PDF Letter']) {
      const coming = page.waitForEvent('download')
      await page.getByRole('link', { name, exact: true }).click()
      const file = await (await coming).path()
      if (name.startsWith('PDF'))
        expect(execFileSync('pdftotext', [file, '-'], { encoding: 'utf8' })).toContain('Dock receipt')
    }
    expect(problems).toEqual([])
  })

  it('prints alone, dark on light, on one page of A4 or Letter', { timeout: 120_000 }, async () => {
    const { page, problems } = await looking(station.given, keeper, place(), { theme: 'dark' })
    await page.getByRole('article').waitFor()
    for (const format of ['A4', 'Letter']) {
      const pages = pagesOf(await page.pdf({ format, printBackground: true }))
      expect([format, pages.length]).toEqual([format, 1])
      const [said = ''] = pages
      for (const { sha256 } of receipt.files as Json[]) if (sha256 !== null) expect(said).toContain(sha256)
      expect(said).toContain('Howtocheckit')
      // Neither what leads elsewhere nor what acts.
      for (const words of ['Evidenceboard', 'Tothesession', 'PDFA4', 'Search']) expect(said).not.toContain(words)
    }
    await page.emulateMedia({ media: 'print' })
    const ground = await page.getByRole('article').evaluate((paper) => getComputedStyle(paper).color)
    expect(Math.max(...(ground.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number))).toBeLessThan(60)
    await page.emulateMedia({ media: null })
    expect(problems).toEqual([])
  })

  it('a long list flows over pages and loses nothing', { timeout: 180_000 }, async () => {
    const long = await station.docked(fresh('LL'), { recordings: [30, 30], bytes: 100 })
    const { page } = await looking(station.given, keeper, `/dock/sessions/${long.DockSessionId}/receipt`)
    await page.getByRole('article').waitFor()
    const pages = pagesOf(await page.pdf({ format: 'A4' }))
    expect(pages.length).toBeGreaterThan(1)
    const { json } = await station.get(`/session/${long.DockSessionId}/receipt/receipt.json`)
    for (const { sha256 } of json.files as Json[]) if (sha256 !== null) expect(pages.join('')).toContain(sha256)
  })

  it('whoever comes from the paper is told whether it says what was signed', {
    timeout: 120_000,
  }, async () => {
    const same = `?entry=${session.ReceiptLedgerSeq ?? 1}&sha256=${session.ReceiptSha256}`
    const { page, problems } = await looking(station.given, keeper, place(same))
    await page.getByText('The hash on the paper is the one that the station signed.').waitFor()
    await page.goto(`${station.given.url}${place(`?sha256=${session.ReceiptSha256.replace(/^./, 'x')}`)}`)
    await page.getByText('The hash on the paper is not that of this receipt.').waitFor()
    expect(await findings(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('is whole in French on a small screen, and of a session that is not there says so', {
    timeout: 120_000,
  }, async () => {
    const options = { language: 'fr', size: 'small' } as const
    const { page, problems } = await looking(station.given, keeper, place(), options)
    await page.getByText('Comment le vérifier').waitFor()
    await page.getByText('Il décrit la caméra et ne va avec aucun enregistrement.').waitFor()
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    await page.goto(`${station.given.url}/dock/sessions/999999/receipt`)
    await page.getByText('999999').first().waitFor()
    expect(problems).toEqual([])
  })
})
