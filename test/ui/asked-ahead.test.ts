/** What pages ask of the station before they are drawn: each question once, in the order of what is shown first, and nothing for who only points. */
// @module-tag screen
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATOR } from '../support/given.ts'
import { type CasesStation, casesStation, looking, soon } from './support/cases.ts'

/** As long as a page needs to ask again what it would ask twice. */
const SETTLED_MS = 1_500

let station: CasesStation
let evidenceId: string
let caseId: string
beforeAll(async () => {
  station = await casesStation()
  caseId = (await station.made({ Title: 'Burglary' })).CaseId
  evidenceId = await station.evidence('Tanners Row.jpg', {}, caseId)
}, 120_000)
afterAll(() => station?.given.close())

/** What is asked from now on about one thing, without its address. */
async function asked(page: Page, of: string): Promise<string[]> {
  // Of what was made in the last seconds the station tells each page that begins to listen, and the page asks again.
  await page.route('**/station/events', (route) => route.abort())
  const places: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.includes(of)) places.push(pathname.slice(pathname.indexOf(of) + of.length))
  })
  return places
}

const timesOf = (places: readonly string[], one: string): number => places.filter((place) => place === one).length

describe('V6 a page asks while it is put together', () => {
  it('an evidence: its files before what the panels beside them ask, and each once', async () => {
    const { page } = await looking(station.given, ADMINISTRATOR, '/today')
    const places = await asked(page, `/evidence/${evidenceId}`)
    await page.goto(`${station.given.url}/evidence/${evidenceId}`)
    await page.getByRole('heading', { level: 1, name: 'Tanners Row.jpg' }).waitFor()
    await soon(() => places.includes('/custody')).toBe(true)
    await page.waitForTimeout(SETTLED_MS)
    expect(places.indexOf('/resource'), places.join(', ')).toBeLessThan(places.indexOf('/custody'))
    // The address of the page itself is the first one.
    expect(timesOf(places, '')).toBe(2)
    expect(timesOf(places, '/resource')).toBe(1)
    expect(places.filter((place) => place.endsWith('/media'))).toHaveLength(1)
  })

  it('a case once', async () => {
    const { page } = await looking(station.given, ADMINISTRATOR, '/today')
    const places = await asked(page, `/case/station/${caseId}`)
    await page.goto(`${station.given.url}/cases/${caseId}`)
    await page.getByRole('heading', { level: 1, name: 'Burglary' }).waitFor()
    await page.waitForTimeout(SETTLED_MS)
    expect(timesOf(places, '')).toBe(1)
  })

  it('nothing of an evidence that somebody only points at, for that would be written down as a view', async () => {
    const { page } = await looking(station.given, ADMINISTRATOR, `/cases/${caseId}`)
    const places = await asked(page, `/documentstore/api/v1/tenant/station/evidence/${evidenceId}`)
    await page.goto(`${station.given.url}/today`)
    const link = page.getByRole('link', { name: /Tanners Row\.jpg/ }).first()
    await link.hover()
    await page.waitForTimeout(SETTLED_MS)
    expect(timesOf(places, '')).toBe(0)
    await link.click()
    await page.getByRole('heading', { level: 1, name: 'Tanners Row.jpg' }).waitFor()
    await soon(() => timesOf(places, '')).toBe(1)
  })

  it('what is refused: once, for each refusal is written down', async () => {
    const { page } = await looking(station.given, ADMINISTRATOR, '/today')
    for (const [place, of, title] of [
      ['/evidence/999999', '/documentstore/api/v1/tenant/station/evidence/999999', 'There is no such evidence'],
      ['/cases/999999', '/api/v1/case/station/999999', 'There is no such case'],
    ] as const) {
      const places = await asked(page, of)
      await page.goto(`${station.given.url}${place}`)
      await page.getByText(title).waitFor()
      await page.waitForTimeout(SETTLED_MS)
      expect(timesOf(places, '')).toBe(1)
    }
  })

  it('nothing under a locked screen', async () => {
    const { page, refusals } = await looking(station.given, ADMINISTRATOR, '/today')
    await page.waitForTimeout(SETTLED_MS)
    await page.evaluate(() => fetch('/connect/session/lock', { method: 'POST' }))
    const places = await asked(page, `/documentstore/api/v1/tenant/station/evidence/${evidenceId}`)
    await page.goto(`${station.given.url}/evidence/${evidenceId}`)
    await page.getByRole('heading', { name: 'Locked' }).waitFor()
    await page.waitForTimeout(SETTLED_MS)
    expect(places).toEqual([])
    expect(refusals).toEqual([])
  })
})
