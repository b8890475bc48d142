/** The whole main job as an officer does it, through a browser and through the desktop program: from the set-up link to signing out. */
// @module-tag screen
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadSettings } from '../../server/config/settings.ts'
import { startServer } from '../../server/index.ts'
import { startShell } from '../desktop/shell.ts'
import { media } from './support/media.ts'
import { look } from './support/window.ts'

const PERSON = { username: 'okafor', first: 'Dayo', last: 'Okafor', password: 'three blind mice, 1805' }
const NAME = 'Harrow Quay'

function temporary(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-ui-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function newStation() {
  const data = path.join(temporary(), 'data')
  const given = { data, port: 0, reserveBytes: 65_536, minFreeBytes: 0, logLevel: 'silent', stationName: NAME }
  const station = await startServer(loadSettings({}, given))
  onTestFinished(() => station.close())
  return station
}

/** @param page shows the set-up page already */
async function mainJob(page: Page): Promise<void> {
  await page.getByLabel('First name').fill(PERSON.first)
  await page.getByLabel('Last name').fill(PERSON.last)
  await page.getByLabel('User name').fill(PERSON.username)
  for (const index of [0, 1]) await page.locator('input[autocomplete=new-password]').nth(index).fill(PERSON.password)
  await page.getByText('I have read the notice').click()
  await page.getByRole('button', { name: 'Create account and sign in' }).click()
  await page.getByRole('heading', { name: 'Keep this key on paper' }).waitFor()
  await page.getByText(/\S+\+[0-9a-f]{8}\+\S{44}/).waitFor()
  await page.getByText(/^([0-9a-f]{8} ?){8}$/).waitFor()
  await page.getByRole('button', { name: 'Continue to the station' }).click()
  await page.getByRole('heading', { name: 'Today', exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Set up the station' }).waitFor()
  expect(page.url(), 'the token stays nowhere').not.toContain('token')
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Evidence' }).click()
  await page.getByText('No evidence yet').waitFor()
  await signOut(page)
  await refusedThenIn(page)

  const { video, picture, sound } = await media()
  await page.evaluate(() => Object.assign(window, { showOpenFilePicker: undefined }))
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: /^Add/ }).first().click()
  await (await chooser).setFiles([video, picture, sound])
  await page.getByText('3 of 3 are safe').waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Close' }).click()
  const rows = page.getByRole('grid').getByRole('row')
  await expect.poll(() => rows.filter({ hasText: 'Verified' }).count(), { timeout: 90_000 }).toBe(3)

  await rows.filter({ hasText: path.basename(video) }).dblclick()
  await expect.poll(() => page.url()).toMatch(/\/evidence\/\d+/)
  await evidencePage(page, path.basename(video))

  await page.keyboard.press('Control+Shift+L')
  await page.getByRole('heading', { name: 'Locked' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.body.innerText)).not.toContain(path.basename(video))
  expect(await page.title()).not.toContain(path.basename(video))
  await page.locator('input[autocomplete=current-password]').fill(PERSON.password)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await page.getByRole('heading', { name: path.basename(video) }).waitFor()
  await signOut(page)
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.locator('input[name=username]').waitFor()
}

async function refusedThenIn(page: Page): Promise<void> {
  await page.locator('input[name=username]').fill(PERSON.username)
  await page.locator('input[autocomplete=current-password]').fill('not my password at all')
  await page.getByText('I have read the notice').click()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The name or the password is not right.').waitFor()
  await page.locator('input[autocomplete=current-password]').fill(PERSON.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Evidence', exact: true }).waitFor()
}

/** Play, step, take a still, check a hash, read custody. */
async function evidencePage(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { name }).waitFor()
  const position = (): Promise<number> =>
    page.evaluate(() => document.querySelector('video')?.currentTime ?? Number.NaN)
  const playing = (): Promise<boolean> => page.evaluate(() => document.querySelector('video')?.paused === false)
  await expect
    .poll(() => page.evaluate(() => document.querySelector('video')?.readyState ?? 0), { timeout: 20_000 })
    .toBeGreaterThan(1)
  await page.getByRole('button', { name: /^Play/ }).first().click()
  await expect.poll(position, { timeout: 20_000 }).toBeGreaterThan(0.3)
  await page.keyboard.press('k')
  await expect.poll(playing, { timeout: 10_000 }).toBe(false)
  await page.keyboard.press('Home')
  await expect.poll(position, { timeout: 10_000 }).toBeLessThan(0.05)
  await page.keyboard.press('.')
  await page.keyboard.press('.')
  await page.getByText('frame 2').waitFor()

  await page.keyboard.press('s')
  await page.getByText(/Still/).nth(1).waitFor()
  await page
    .getByText(/ at 0:00:00\.\d{3}\.png/)
    .first()
    .waitFor({ timeout: 30_000 })

  await page
    .getByRole('button', { name: /Check now/ })
    .first()
    .click()
  await page
    .getByText(/Matches/)
    .first()
    .waitFor({ timeout: 30_000 })

  await page.getByText('Chain verified in front of you').waitFor({ timeout: 30_000 })
  await page
    .getByText(/Still taken/)
    .first()
    .waitFor({ timeout: 20_000 })
}

describe('the main job, from the set-up link to signing out', () => {
  it('through a browser', { tags: ['journey'], timeout: 300_000 }, async () => {
    const station = await newStation()
    const { page, problems } = await look(station.url)
    await page.goto(station.setupUrl ?? '')
    await mainJob(page)
    expect(problems).toEqual([])
  })

  it('through the desktop program', { timeout: 300_000 }, async () => {
    const shell = await startShell({
      userData: temporary(),
      env: { SALLYPORT_STATION_NAME: NAME, LANG: 'en_GB.UTF-8' },
    })
    onTestFinished(async () => void (await shell.end()))
    const page = await shell.page()
    await mainJob(page)
  })

  it('S1: nobody signed in sees nothing but the door', { tags: ['journey'] }, async () => {
    const station = await newStation()
    const { page } = await look(station.url)
    await page.goto(`${station.url}/evidence`)
    await page.getByText('Open the set-up link').waitFor()
    expect(await page.getByRole('grid').count()).toBe(0)
  })
})
