/** Sample data as an administrator of a new station meets it: added, looked at, removed (review of the window, B12 and M16). */
// @module-tag screen
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { CASES, type SampleWorld, sampleWorld } from '../api/sample/world.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { findingsInThemes } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'

/** All of it is made by ffmpeg on the spot, beside other suites. */
const PATIENCE = 240_000
const MADE = { timeout: 120_000 }

let world: SampleWorld
afterEach(() => world?.given.close())

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => (document.activeElement as HTMLElement).innerText.trim())
/** Tab until this is reached. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if ((await focused(page)) === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never came to ${name}`)
}
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

describe('an administrator of a new station', () => {
  it('adds sample data by keyboard, sees how far it is, finds it marked everywhere, and removes it', {
    timeout: PATIENCE,
  }, async () => {
    world = await sampleWorld({ stationName: 'Harrow Quay', timeZone: 'Europe/Berlin' })
    const { given } = world
    const { page, problems, refusals } = await looking(given, ADMINISTRATOR, '/today', { reducedMotion: true })
    const sample = section(page, 'Sample data')
    await sample.getByText('All of it can be removed again.').waitFor()
    await tabTo(page, 'Add sample data')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add sample data?' })
    await dialog.getByText('The ledger is never changed').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await tabTo(page, 'Add sample data')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await sample.getByRole('progressbar', { name: 'Sample data is being added' }).waitFor()
    await soon(() => page.evaluate(() => document.activeElement === document.body)).toBe(false)
    expect(await findingsInThemes(page)).toEqual([])
    await sample.getByText('This station holds sample data.').waitFor(MADE)
    await page.getByText('Sample data is there.').waitFor()
    await section(page, 'My last shift').getByText('Sample: Arrival at the shop').waitFor()
    await section(page, 'Waiting for me').getByText('Ask the neighbour for their camera').waitFor()
    expect(await findingsInThemes(page)).toEqual([])

    // What it is stands where one looks at it.
    const { EvidenceIds, CaseIds } = await world.state()
    for (const place of [`/evidence/${EvidenceIds[0]}`, `/cases/${CaseIds[0]}`]) {
      await page.goto(`${given.url}${place}`)
      await page.getByText('Made by the station to try things on').waitFor()
      await page.getByRole('link', { name: 'Remove it on Today' }).waitFor()
    }
    await page.getByRole('link', { name: 'Remove it on Today' }).click()
    await soon(() => new URL(page.url()).pathname).toBe('/today')

    await sample.getByText('This station holds sample data.').waitFor()
    await tabTo(page, 'Remove sample data')
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Remove all sample data?' })
    for (const words of ['10 items with', '2 cases', '2 notes', '1 mark', '1 task'])
      await question.getByRole('listitem').filter({ hasText: words }).waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    // The focus begins on the way back.
    await soon(() => focused(page)).toBe('Cancel')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Remove sample data')
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    await page.getByText('All sample data is removed.').waitFor(MADE)
    await section(page, 'My shift').getByText('No recordings of yours yet').waitFor()
    await page.goto(`${given.url}/evidence`)
    await page.getByText('Sample: ').first().waitFor({ state: 'detached' })
    expect(await world.state()).toMatchObject({ State: 'None' })
    expect([problems, refusals]).toEqual([[], []])
  })

  it('stops it, goes on from the help, in French on a small screen, and reads what holds it', {
    timeout: PATIENCE,
  }, async () => {
    world = await sampleWorld({ stationName: 'Harrow Quay', timeZone: 'Europe/Paris' })
    const { given } = world
    const { page, problems, refusals } = await looking(given, ADMINISTRATOR, '/help?q=exemple', {
      language: 'fr',
      reducedMotion: true,
    })
    await page.setViewportSize({ width: 1024, height: 700 })
    await page.getByRole('button', { name: 'Ajouter des exemples' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ajouter des exemples' }).click()
    await page.getByRole('button', { name: 'Arrêter' }).click()
    await page.getByText('Une partie des exemples est là').waitFor(MADE)
    expect(await findingsInThemes(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await page.getByRole('button', { name: 'Continuer l’ajout' }).click()
    await page.getByText('Cette station contient des exemples.').waitFor(MADE)

    const { CaseIds } = await world.state()
    await given.expecting(
      200,
      world.as(world.chief, 'POST', `${CASES}/${CaseIds[0]}/protect`, { Reason: 'à regarder' }),
    )
    await page.goto(`${given.url}/today`)
    await page.getByRole('button', { name: 'Retirer les exemples' }).click()
    const question = page.getByRole('dialog', { name: 'Retirer tous les exemples' })
    await question
      .getByText(/Protégé.*Cambriolage/)
      .first()
      .waitFor()
    await question.getByRole('button', { name: 'Retirer les exemples' }).click({ force: true })
    expect(await findingsInThemes(page)).toEqual([])
    expect(await world.state()).toMatchObject({ State: 'Added' })
    expect([problems, refusals]).toEqual([[], []])
  })
})

it('an officer is offered none of it, and nothing of it is asked for', { timeout: PATIENCE }, async () => {
  world = await sampleWorld()
  await world.person('officer', ['CreateCases'])
  const asked: string[] = []
  const { page, problems, refusals } = await looking(
    world.given,
    { username: 'officer', password: 'seven lamps by the harbour' },
    '/today',
  )
  page.on('request', (request) => void asked.push(request.url()))
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  await page.goto(`${world.given.url}/help?q=sample`)
  await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor()
  expect(await page.getByText('sample data').count()).toBe(0)
  expect(asked.filter((url) => url.includes('sample-data'))).toEqual([])
  expect([problems, refusals]).toEqual([[], []])
})
