/** Reports, the calendar of retention, printing and the holds of a case as people come to them (review of the window, M10, M11, M18, B16). */
// @module-tag screen
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findingsInThemes } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { reportsStation, type ReportsStation } from './support/reports.ts'

let station: ReportsStation
beforeAll(async () => {
  station = await reportsStation()
}, 120_000)
afterAll(() => station?.given.close())

const opened = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
}

describe('an administrator', () => {
  it('goes from the rail through every report, without a refusal, and axe finds nothing', {
    tags: ['journey'],
  }, async () => {
    const { page, problems, refusals } = await looking(station.given, station.sergeant, '/', { reducedMotion: true })
    await page.getByRole('link', { name: 'Reports', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
    const names = await page.getByRole('navigation', { name: 'Reports' }).getByRole('link').allInnerTexts()
    expect(names).toEqual([
      'Coverage by officer',
      'Without a category',
      'Downloads and views',
      'Retention ahead',
      'Storage forecast',
      'Cameras not docked',
      'Failed jobs',
      'Retention calendar',
    ])
    for (const name of names) {
      await opened(page, name)
      expect([name, await findingsInThemes(page)]).toEqual([name, []])
    }
    expect([problems, refusals]).toEqual([[], []])
  })

  it('sees the figures of a time of their choice, and takes them along as CSV and PDF', async () => {
    const { page } = await looking(station.given, station.sergeant, '/reports?report=storage')
    await page.getByText('Disk full', { exact: true }).waitFor()
    await page
      .getByText(/^between .* and /)
      .first()
      .waitFor()
    await opened(page, 'Retention ahead')
    await page.getByRole('radio', { name: 'Next 30 days' }).click()
    await soon(() => new URL(page.url()).searchParams.get('until')).not.toBeNull()
    for (const [name, begin] of [
      ['CSV', '\uFEFF"from"'],
      ['PDF', '%PDF-'],
    ] as const) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()])
      expect(readFileSync(await download.path(), 'utf8').startsWith(begin)).toBe(true)
    }
  })

  it('opens a day of the calendar and reads what becomes due, by which rule, and what is held', async () => {
    const { page } = await looking(station.given, station.sergeant, '/reports?report=calendar')
    const due = page.getByRole('button', { name: /5 items.*1 of them held/ })
    for (let months = 0; months < 2 && (await due.count()) === 0; months++) {
      await page.getByRole('button', { name: 'Next month' }).click()
      await page.waitForLoadState('networkidle')
    }
    await due.click()
    const rule = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Patrol' }) })
    await rule.waitFor()
    expect((await rule.getByRole('cell').allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
      '5',
      '0',
      '0 B',
      '1',
    ])
    expect(await findingsInThemes(page)).toEqual([])
  })
})

describe('S4: an officer', () => {
  it('has no link to reports, and is told whom to ask at its address', async () => {
    const { page, refusals } = await looking(station.given, station.reyes, '/reports')
    await page.getByText('No report is open to you').waitFor()
    expect(await page.getByRole('link', { name: 'Reports', exact: true }).count()).toBe(0)
    expect(refusals).toEqual([])
  })

  it('prints an evidence from its menu: chooses, waits, saves a PDF', async () => {
    const { page, problems } = await looking(station.given, station.reyes, `/evidence/${station.evidenceId}`)
    await page.getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('menuitem', { name: 'Print…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Evidence sheet').first().waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await dialog.getByText('Custody report, everything').click()
    await dialog.getByRole('button', { name: 'Create PDF' }).click()
    await dialog.getByText(/^Ready, /).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Save' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^Custody report \d+ .*\.pdf$/)
    expect(readFileSync(await download.path(), 'latin1').startsWith('%PDF-')).toBe(true)
    expect(problems).toEqual([])
  })

  it('prints labels of a case with a preview of where they stand, and reads its holds', async () => {
    const { page, refusals } = await looking(station.given, station.reyes, `/cases/${station.heldCase}`)
    const menu = async (item: string): Promise<void> => {
      await page.getByRole('button', { name: 'More', exact: true }).last().click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await menu('Print…')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('QR labels').first().click()
    await dialog.getByRole('figure', { name: 'Preview of the first sheet' }).getByRole('img').first().waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create PDF' }).click()
    await dialog.getByText(/^Ready, /).waitFor()
    await page.keyboard.press('Escape')
    await menu('Holds…')
    await page.getByRole('dialog').getByText('Court order 4711').waitFor()
    await page
      .getByRole('dialog')
      .getByText(/^by chief/)
      .waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    expect(refusals).toEqual([])
  })
})

it('speaks French', async () => {
  const { page } = await looking(station.given, station.sergeant, '/reports?report=cameras', { language: 'fr' })
  await page.getByRole('heading', { level: 1, name: 'Rapports' }).waitFor()
  await page.getByRole('heading', { level: 2, name: 'Caméras non déposées' }).waitFor()
  await page.getByText('Jamais déposée ici').first().waitFor()
})
