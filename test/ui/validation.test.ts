/** The self-validation on the page Fixity: begun, watched, read, stopped and repeated, by keyboard and in both languages. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { findings } from './support/axe.ts'
import { looking } from './support/cases.ts'
import { type IntegrityStation, integrityStation } from './support/integrity.ts'

const VALIDATION = '/api/v1/tenant/station/validation'
let station: IntegrityStation
beforeAll(async () => {
  station = await integrityStation()
}, 120_000)
afterAll(() => station?.given.close())

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const state = (): Promise<Json> => station.sergeant.send('GET', VALIDATION)

it('C7 by keyboard: a self-validation begins, is stopped, runs to its end, and says what holds', {
  timeout: 180_000,
}, async () => {
  const { page, problems } = await looking(station.given, station.sergeant, '/fixity')
  const part = section(page, 'Self-validation')
  await part.getByText('This station has not validated itself yet.').waitFor()
  expect(await findings(page)).toEqual([])

  await part.getByRole('button', { name: 'Validate now' }).focus()
  await page.keyboard.press('Enter')
  await part.getByText(/^Check \d+ of 10: /).waitFor()
  expect(await findings(page)).toEqual([])
  await part.getByRole('button', { name: 'Stop' }).focus()
  await page.keyboard.press('Enter')
  await part.getByText('This station has not validated itself yet.').waitFor()
  expect((await state()).Newest).toBe(null)

  await part.getByRole('button', { name: 'Validate now' }).focus()
  await page.keyboard.press('Enter')
  await part.getByText(/^\d+ checks hold/).waitFor({ timeout: 120_000 })
  await part.getByText('The signature holds.').waitFor()
  expect(await part.getByText('Holds', { exact: true }).count()).toBeGreaterThanOrEqual(8)
  await part.getByText('This version does not redact, so there is no proof that could be tried.').waitFor()

  await part.getByRole('checkbox', { name: 'Validate every week' }).focus()
  await page.keyboard.press('Space')
  await part.getByText(/^Next: /).waitFor()
  expect((await state()).Weekly).toBe(true)
  await part.getByText('What was done').click()
  await part.getByText(/Hashed messages whose SHA-256 NIST publishes/).waitFor()
  await part.getByText('Earlier results').click()
  await part.getByText('There is no earlier one.').waitFor()
  expect(await findings(page)).toEqual([])
  expect(problems).toEqual([])

  const { page: inFrench } = await looking(station.given, station.sergeant, '/fixity', { language: 'fr' })
  const french = section(inFrench, 'Autovalidation')
  await french.getByText(/Cette version ne caviarde pas/).waitFor()
  await french.getByText('Ce qui a été fait').click()
  await french.getByText(/^Calcul de l’empreinte de messages dont le NIST publie/).waitFor()
  expect(await french.getByText(/\b(?:the|this|with|and)\b/).allTextContents()).toEqual([])
})
