/** The history of the dock and a session's page, as people work with them. */
// @module-tag screen
// @module-tag merge
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPage } from '../api/sessions/page.ts'
import type { Json } from '../support/given.ts'
import { findings, findingsInThemes } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { behindWords, type DockedStation, dockedStation, fresh, type Wearer } from './support/docked.ts'

let station: DockedStation
let keeper: Wearer
let officer: Wearer
beforeAll(async () => {
  station = await dockedStation()
  keeper = await station.person('okafor', ['ManageDevices'])
  officer = await station.person('lindqvist', [])
}, 120_000)
afterAll(() => station?.close())

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('gridcell') })
const dialog = (page: Page) => page.getByRole('dialog')

describe('the history of the dock', () => {
  it('teaches while nothing was docked, and tells who may not whom to ask', { timeout: 120_000 }, async () => {
    const { page, problems } = await looking(station.given, keeper, '/dock/sessions')
    await page.getByText('No camera was docked yet').waitFor()
    expect(await findings(page)).toEqual([])
    const barred = await looking(station.given, officer, '/dock/sessions')
    await barred.page.getByText('This page is for people who manage devices').waitFor()
    expect([...problems, ...barred.problems]).toEqual([])
  })

  it('by keyboard: found by serial number and state, opened, each file with what became of it', {
    tags: ['journey'],
    timeout: 180_000,
  }, async () => {
    const [serial, other] = [fresh('LX'), fresh('LY')]
    await station.device(serial)
    const session = await station.docked(serial, { behind: 72_000, extra: { 'notes/readme.txt': 'a note' } })
    await station.docked(other, { recordings: [1] })
    const { page, problems } = await looking(station.given, keeper, '/dock/sessions')
    await page.getByRole('gridcell', { name: serial }).waitFor()
    await page.getByRole('gridcell', { name: other }).waitFor()
    expect(await findingsInThemes(page)).toEqual([])

    await page.getByRole('searchbox', { name: 'Find a serial number' }).focus()
    await page.keyboard.type(serial.toLowerCase())
    await soon(() => page.getByRole('gridcell', { name: other }).count()).toBe(0)
    // The other camera is gone from the list before all of the number is typed.
    await soon(() => new URL(page.url()).searchParams.get('serial')).toContain(serial.toLowerCase())
    await page.getByRole('button', { name: /^State/ }).click()
    await page.getByRole('menuitemradio', { name: 'Pulled early' }).click()
    await page.getByText('Nothing fits these filters').waitFor()
    await page.getByRole('button', { name: 'Clear State' }).click()
    await page.getByRole('gridcell', { name: serial }).waitFor()

    await rows(page).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: serial }).waitFor()
    await page.getByText('Safe to take').first().waitFor()
    const file = page.getByRole('row').filter({ hasText: 'R1_1.mp4' })
    await file.getByText('Copied', { exact: true }).waitFor()
    const { Clock } = (await station.get(`/session/${session.DockSessionId}`)).json
    await page.getByText(behindWords(Clock.at(-1).Camera.OffsetMilliseconds, 72_000)).waitFor()
    const readme = page.getByRole('row').filter({ hasText: 'readme.txt' })
    await readme.getByText('Left alone').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    expect(new URL(page.url()).pathname).toBe(`/dock/sessions/${session.DockSessionId}`)
    expect(problems).toEqual([])
  })

  it('whose it was is stated for recordings of nobody, and confirmed by another', { timeout: 180_000 }, async () => {
    const serial = fresh('LW')
    const device = await station.device(serial, '2026-11-20T00:00:00Z')
    const session: Json = await station.docked(serial, { recordings: [1, 1] })
    const place = `/dock/sessions/${session.DockSessionId}?tab=recordings`
    const { page, problems } = await looking(station.given, keeper, place)
    await page.getByText('2 recordings have no officer.').waitFor()
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Assign an officer' }).focus()
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('combobox', { name: 'Officer' }).fill('lindq')
    await page.getByRole('option', { name: /lindqvist/ }).click()
    await dialog(page).getByRole('button', { name: 'Assign' }).click()
    await page.getByText(/^lindqvist was assigned from/).waitFor()
    await soon(() => page.getByText('2 recordings have no officer.').count()).toBe(0)
    expect(await page.getByRole('gridcell', { name: 'lindqvist' }).count()).toBe(2)
    // Whoever stated it does not confirm it.
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('It was not confirmed').waitFor()

    const second = await looking(station.given, station.sergeant, place)
    await second.page.getByRole('button', { name: 'Confirm' }).click()
    await soon(() => second.page.getByText(/^lindqvist was assigned from/).count()).toBe(0)
    const [one]: Json[] = (await station.send(200, 'GET', `/device/${device.Id}/association`)) as never
    expect(one).toMatchObject({ Access: 'Given', Officer: { PrincipalId: officer.id } })
    expect([...problems, ...second.problems]).toEqual([])
  })

  it.each([
    ['dark', 'small', 'en'],
    ['light', 'small', 'fr'],
  ] as const)('is whole in %s, %s, %s', { timeout: 120_000 }, async (theme, size, language) => {
    const serial = fresh('LF')
    const session = await station.docked(serial, { recordings: [1] })
    const options = { theme, size, language }
    const { page, problems } = await looking(station.given, keeper, '/dock/sessions', options)
    await page.getByRole('gridcell', { name: serial }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    await page.goto(`${station.given.url}/dock/sessions/${session.DockSessionId}`)
    await page.getByText('R1_1.mp4').waitFor()
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
  })
})

describe('I12 the times of what was docked', () => {
  interface Docked {
    readonly evidenceId: string
    readonly caseId: string
    /** Has none of the recording. */
    readonly otherCaseId: string
  }
  let docked: Docked
  beforeAll(async () => {
    const { given, sergeant } = station
    const serial = fresh('LZ')
    await station.device(serial)
    const session = await station.docked(serial, { recordings: [1], behind: 172_600, uncertainty: 2_500 })
    const evidence = (await station.filesOf(session.DockSessionId)).find((one) => one.EvidenceId !== null)
    const desk = newPage(given.url)
    await desk.signIn(sergeant.username, sergeant.password)
    const as = { token: null, headers: { cookie: desk.cookie as string, origin: given.url } }
    const cases = '/api/v1/case/station'
    const made = async () =>
      (await given.expecting(201, given.call('POST', cases, { ...as, body: { Title: serial } }))).CaseId
    const [caseId, otherCaseId] = [await made(), await made()]
    const body = { Evidences: [{ EvidenceId: evidence?.EvidenceId }] }
    await given.expecting(204, given.call('POST', `${cases}/${caseId}/link-evidences`, { ...as, body }))
    docked = { evidenceId: evidence?.EvidenceId as string, caseId, otherCaseId }
  }, 120_000)

  const SHORT = /recorded \d\d:00:00 · \+2\smin\s5[23]\ss ±4\.5\ss$/
  const WHOLE = /\d\d:0[23]:[0-5]\d CET · recorded \d\d:00:00 · corrected \+2\smin\s5[23]\ss ±4\.5\ss/
  const isWhole = (line: Locator): Promise<boolean> =>
    line.evaluate((one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight)

  it('I12 list, case, search, tiles and the choice of evidence show the recorded time, the offset and its uncertainty whole', {
    tags: ['journey'],
    timeout: 180_000,
  }, async () => {
    const { given, sergeant } = station
    const { page, problems } = await looking(given, sergeant, '/evidence', { size: 'small' })
    const offset = page.getByText(SHORT).first()
    for (const place of ['/evidence', `/cases/${docked.caseId}`, '/evidence?view=grid']) {
      await page.goto(`${given.url}${place}`)
      await offset.waitFor()
      expect(await isWhole(offset), place).toBe(true)
    }
    await page.goto(`${given.url}/cases/${docked.otherCaseId}`)
    await page.getByRole('button', { name: 'Link evidence' }).first().click()
    const choice = page.getByRole('dialog').getByText(SHORT).first()
    await choice.waitFor()
    expect(await isWhole(choice)).toBe(true)
    // Beside its filters the search has room for times on the wide window alone.
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${given.url}/search?q=${docked.evidenceId}`)
    await offset.waitFor()
    expect(await isWhole(offset)).toBe(true)
    expect(problems).toEqual([])
  })

  it('I12 the palette and a copied list say both times', { timeout: 120_000 }, async () => {
    const { given, sergeant } = station
    const { page, context, problems } = await looking(given, sergeant, '/evidence')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const row = page.getByRole('row').filter({ has: page.getByText(docked.evidenceId, { exact: true }) })
    await row.getByRole('checkbox').click({ force: true })
    await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Copy as a list' }).click()
    await page.getByText('Copied').first().waitFor()
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
    expect(await copied()).toMatch(WHOLE)
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await row.focus()
    await page.keyboard.press('Control+c')
    await soon(copied).toMatch(WHOLE)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(docked.evidenceId)
    await page.getByRole('option').getByText(WHOLE).first().waitFor()
    expect(problems).toEqual([])
  })
})
