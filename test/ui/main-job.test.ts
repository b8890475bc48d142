/** The whole main job in a browser, as an officer does it: set up, sign in, add files, watch them become evidence, lock, sign out. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadSettings } from '../../server/config/settings.ts'
import { startServer } from '../../server/index.ts'
import { media } from './support/media.ts'
import { look, signIn } from './support/window.ts'

const PERSON = { username: 'okafor', first: 'Dayo', last: 'Okafor', password: 'three blind mice, 1805' }

async function newStation() {
  const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-ui-'))
  const station = await startServer(
    loadSettings(
      {},
      {
        data: path.join(folder, 'data'),
        port: 0,
        reserveBytes: 65_536,
        minFreeBytes: 0,
        logLevel: 'silent',
        stationName: 'Harrow Quay',
      },
    ),
  )
  onTestFinished(async () => {
    await station.close()
    rmSync(folder, { recursive: true })
  })
  return station
}

describe('the main job', () => {
  it('from the set-up link to signing out', { timeout: 240_000 }, async () => {
    const station = await newStation()
    const { page, problems } = await look(station.url)

    // Set-up, by the link that works once.
    await page.goto(station.setupUrl ?? '')
    await page.getByLabel('First name').fill(PERSON.first)
    await page.getByLabel('Last name').fill(PERSON.last)
    await page.getByLabel('User name').fill(PERSON.username)
    for (const index of [0, 1]) await page.locator('input[autocomplete=new-password]').nth(index).fill(PERSON.password)
    await page.getByText('I have read the notice').click()
    await page.getByRole('button', { name: 'Make the account and sign in' }).click()
    await page.getByRole('heading', { name: 'Evidence' }).waitFor()
    expect(page.url(), 'the token stays nowhere').not.toContain('token')
    await page.getByText('No evidence yet').waitFor()

    // Sign out, and in again with the notice.
    await page.getByRole('button', { name: /Signed in as/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Harrow Quay' }).waitFor()
    await page.getByLabel('User name').fill(PERSON.username)
    await page.locator('input[autocomplete=current-password]').fill('not my password at all')
    await page.getByText('I have read the notice').click()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The name or the password is not right.').waitFor()
    await page.locator('input[autocomplete=current-password]').fill(PERSON.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Evidence' }).waitFor()

    // Three files.
    const { video, picture, sound } = await media()
    const chooser = page.waitForEvent('filechooser')
    await page.evaluate(() => Object.assign(window, { showOpenFilePicker: undefined }))
    await page.getByRole('button', { name: 'Add evidence' }).first().click()
    await (await chooser).setFiles([video, picture, sound])
    await page.getByText('3 of 3 are safe').waitFor({ timeout: 60_000 })
    await page.getByRole('grid').getByText(path.basename(video)).waitFor()

    // Lock and unlock: the very place, and nothing of it in between.
    await page.keyboard.press('Control+Shift+L')
    await page.getByRole('heading', { name: 'Locked' }).waitFor()
    await expect.poll(() => page.getByText(path.basename(video)).first().isVisible()).toBe(false)
    await page.locator('input[autocomplete=current-password]').fill(PERSON.password)
    await page.getByRole('button', { name: 'Unlock' }).click()
    await page.getByRole('grid').getByText(path.basename(video)).waitFor()

    expect(problems).toEqual([])
  })

  it('S1: nobody signed in sees nothing but the door', async () => {
    const station = await newStation()
    const { page } = await look(station.url)
    await page.goto(`${station.url}/evidence`)
    await page.getByText('Open the set-up link').waitFor()
    expect(await page.getByRole('grid').count()).toBe(0)
    void signIn
  })
})
