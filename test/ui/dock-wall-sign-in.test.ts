/** Taking a camera at its bay, for whoever signs in with more than a password: a passkey, or a code beside the password. */
// @module-tag screen
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { type Authenticator, withAuthenticator } from './support/authenticator.ts'
import { findingsInThemes } from './support/axe.ts'
import { soon } from './support/cases.ts'
import { type DockWorld, spare, tile, wallStation } from './support/dock.ts'
import { look, signInByForm } from './support/window.ts'

let world: DockWorld
/** Passkeys belong to a name. */
let named = ''
let bays = 0
beforeAll(async () => {
  world = await wallStation()
  named = world.given.url.replace('127.0.0.1', 'localhost')
}, 120_000)
afterAll(() => world?.close())

type Officer = Awaited<ReturnType<typeof spare>>
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const sessionOf = (page: Page): Promise<string> =>
  page.evaluate(async () => ((await (await fetch('/connect/session')).json()) as { State: string }).State)
const takenBy = (): (string | null)[] =>
  world.given
    .ledger()
    .filter(({ action }) => action === 'device.associated')
    .map(({ actor }) => actor.id)

/** A camera that nobody wears lies in a bay of its own, and somebody could take it. */
async function docked(lastName: string): Promise<{ officer: Officer; serial: string; bay: number }> {
  const bay = ++bays
  const serial = `S-${bay}`
  const officer = await spare(world, serial, lastName)
  world.camera(`bay ${bay}`, { serial, recordings: [1] }).plugIn()
  return { officer, serial, bay }
}

/** As at a desk, where everybody sets up what they sign in with. */
async function atTheAccount(page: Page, officer: Officer, work: () => Promise<void>): Promise<void> {
  await signInByForm(page, named, '/account', officer)
  await work()
  await page.getByRole('button', { name: /Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Harrow Quay' }).waitFor()
}

async function withPasskey(page: Page, officer: Officer): Promise<Authenticator> {
  const device = await withAuthenticator(page)
  await atTheAccount(page, officer, async () => {
    await button(page, 'Add a passkey').click()
    await page.getByLabel('Name of the passkey').fill('Front desk')
    await page.locator('input[name=password]').fill(officer.password)
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Passkeys' }).getByText('Front desk').waitFor()
  })
  return device
}

async function withSecondStep(page: Page, officer: Officer) {
  let codes: string[] = []
  let secret = ''
  await atTheAccount(page, officer, async () => {
    await button(page, 'Turn on the second step').click()
    await page.locator('input[name=password]').fill(officer.password)
    await button(page, 'Continue').click()
    secret = (await page.getByLabel('Key', { exact: true }).innerText()).replaceAll(/\s/g, '')
    await page.locator('input[name=code]').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
    await button(page, 'Turn it on').click()
    const kept = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    // They come with the answer of the station; reading them all waits for none.
    await kept.first().waitFor()
    codes = await kept.allInnerTexts()
    await button(page, 'I have kept them').click()
  })
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  // The code that turned it on counts no more; the station takes the next one too.
  return { codes, next: () => totp.generate({ timestamp: Date.now() + 30_000 }) }
}

async function touched(page: Page, bay: number, serial: string): Promise<void> {
  await page.goto(`${named}/dock`)
  await touch(page, bay, serial)
}

async function touch(page: Page, bay: number, serial: string): Promise<void> {
  await tile(page, bay)
    .getByRole('button', { name: `This is mine ${serial}` })
    .click()
  await dialog(page).getByRole('textbox', { name: 'User name' }).waitFor()
}
const readNotice = (page: Page) =>
  dialog(page).getByRole('checkbox', { name: 'I have read the notice' }).check({ force: true })
const isTheirs = (page: Page, serial: string) =>
  dialog(page)
    .getByText(new RegExp(`^Camera ${serial} is yours until`))
    .waitFor()

describe('a passkey', () => {
  it('takes the camera with no name and no password, once the notice is read, and signs out', {
    timeout: 180_000,
  }, async () => {
    const { officer, serial, bay } = await docked('Passmore')
    const { page, problems } = await look(named, { reducedMotion: true })
    const device = await withPasskey(page, officer)
    await touched(page, bay, serial)
    await button(page, 'With a passkey').click()
    await dialog(page).getByText('Read the notice and tick the box.').waitFor()
    // Neither name nor password is missing where a passkey is brought.
    expect(await dialog(page).locator('[aria-invalid=true]').count()).toBe(1)
    expect(await findingsInThemes(page)).toEqual([])
    await readNotice(page)
    await device.verifies(false)
    await button(page, 'With a passkey').click()
    await dialog(page).getByText('The browser brought no passkey').waitFor()
    expect(takenBy()).not.toContain(officer.id)
    await device.verifies(true)
    await button(page, 'With a passkey').click()
    await isTheirs(page, serial)
    expect(await sessionOf(page)).toBe('none')
    expect(takenBy().at(-1)).toBe(officer.id)
    await page.keyboard.press('Enter')
    await soon(() => tile(page, bay).getByRole('button').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('one that is nobody’s any more takes nothing, and the password still does', { timeout: 180_000 }, async () => {
    const { officer, serial, bay } = await docked('Quayle')
    const { page, problems } = await look(named, { reducedMotion: true })
    await withPasskey(page, officer)
    await world.given.command('user.reset-passkeys', { username: officer.username })
    await touched(page, bay, serial)
    await readNotice(page)
    await button(page, 'With a passkey').click()
    await dialog(page).getByText('This passkey does not open this station').waitFor()
    expect(await sessionOf(page)).toBe('none')
    await dialog(page).getByRole('textbox', { name: 'User name' }).fill(officer.username)
    await dialog(page).locator('input[name=password]').fill(officer.password)
    await page.keyboard.press('Enter')
    await isTheirs(page, serial)
    expect(problems).toEqual([])
  })

  it('while the browser asks for it the dialog stays, untouched as it is; closed, the question is taken back', {
    timeout: 180_000,
  }, async () => {
    const { officer, serial, bay } = await docked('Rourke')
    const { page, problems } = await look(named, { reducedMotion: true })
    const device = await withPasskey(page, officer)
    await page.clock.install()
    await touched(page, bay, serial)
    await readNotice(page)
    await device.present(false)
    await button(page, 'With a passkey').click()
    await page.locator('[data-pending]').first().waitFor()
    // What came of it would be read by nobody.
    await page.clock.fastForward(90_000)
    expect(await page.locator('[data-pending]').count()).toBeGreaterThan(0)
    await button(page, 'Cancel').click()
    await dialog(page).waitFor({ state: 'detached' })
    expect([await sessionOf(page), takenBy().includes(officer.id)]).toEqual(['none', false])
    // A browser asks one thing at a time: were it still asked, there would be no passkey now.
    await device.present(true)
    await touch(page, bay, serial)
    await readNotice(page)
    await button(page, 'With a passkey').click()
    await isTheirs(page, serial)
    expect(takenBy().at(-1)).toBe(officer.id)
    // Done and left there it goes by itself, as always.
    await page.clock.fastForward(61_000)
    await dialog(page).waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })
})

describe('a second step', () => {
  it('is asked for behind the password, refused in words, and taken; a recovery code does too', {
    timeout: 180_000,
  }, async () => {
    const { officer, serial, bay } = await docked('Sallow')
    const { page, problems } = await look(named, { reducedMotion: true })
    const { codes, next } = await withSecondStep(page, officer)
    await touched(page, bay, serial)
    await dialog(page).getByRole('textbox', { name: 'User name' }).fill(officer.username)
    await dialog(page).locator('input[name=password]').fill(officer.password)
    await readNotice(page)
    await dialog(page).locator('input[name=password]').press('Enter')
    const code = dialog(page).getByRole('textbox', { name: 'Code' })
    await code.waitFor()
    await soon(() => code.evaluate((input) => input === document.activeElement)).toBe(true)
    await dialog(page).getByText('or one of your recovery codes').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    // Nothing typed is asked for in words, and sent to nobody.
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Required', { exact: true }).waitFor()
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('The code is not right').waitFor()
    expect([await sessionOf(page), await code.inputValue(), takenBy().includes(officer.id)]).toEqual([
      'none',
      '',
      false,
    ])
    await code.fill(next())
    await page.keyboard.press('Enter')
    await isTheirs(page, serial)
    expect([await sessionOf(page), takenBy().at(-1)]).toEqual(['none', officer.id])

    const other: Json = await docked('Tarn')
    await touched(page, other.bay, other.serial)
    await dialog(page).getByRole('textbox', { name: 'User name' }).fill(officer.username)
    await dialog(page).locator('input[name=password]').fill(officer.password)
    await readNotice(page)
    await dialog(page).locator('input[name=password]').press('Enter')
    await code.fill(codes[0] ?? '')
    await page.keyboard.press('Enter')
    await isTheirs(page, other.serial)
    expect([await sessionOf(page), takenBy().filter((id) => id === officer.id)]).toHaveProperty('1.length', 2)
    expect(problems).toEqual([])
  })
})
