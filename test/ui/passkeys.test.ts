/** Passkeys, one's own password, sessions and programs: by keyboard in Chromium, with its virtual authenticator, on a real station. */
// @module-tag screen
// @module-tag merge
import decodeQR from 'qr/decode.js'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asking, CALLBACK } from '../api/sessions/programs.ts'
import { ADMINISTRATOR, type Given, givenStation } from '../support/given.ts'
import { withAuthenticator } from './support/authenticator.ts'
import { findings, findingsInThemes } from './support/axe.ts'
import { soon } from './support/cases.ts'
import { look, type LookOptions } from './support/window.ts'

const PASSWORD = 'three blind mice, 1805'
const NEW = 'nine herons on one leg'
const CLIENT = { id: 'viewer', name: 'Case viewer', redirects: ['http://127.0.0.1/callback'] }
let given: Given
/** Passkeys belong to a name. */
let named = ''
let people = 0
beforeAll(async () => {
  given = await givenStation({ settings: { stationName: 'Harrow Quay', desktopClients: [CLIENT] } })
  named = given.url.replace('127.0.0.1', 'localhost')
}, 120_000)
afterAll(() => given?.close())

async function person(): Promise<string> {
  const username = `warden-${people++}`
  await given.command('user.create', { username, password: PASSWORD, group: null, policies: [], guest: false })
  return username
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function firstStep(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill(password)
  await page.getByRole('checkbox').check({ force: true })
  await page.locator('button[type=submit]').click()
}

async function signedIn(origin: string, options: LookOptions & { who?: string; at?: string } = {}) {
  const looking = await look(origin, { reducedMotion: true, ...options })
  const username = options.who ?? (await person())
  await looking.page.goto(`${origin}${options.at ?? '/account'}`)
  await firstStep(looking.page, username, options.who === undefined ? PASSWORD : ADMINISTRATOR.password)
  await looking.page.getByRole('navigation').first().waitFor()
  return { ...looking, username }
}

/** With Tab alone, as whoever has no mouse. */
async function reach(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press('Tab')
    const here = page.locator(':focus')
    if ((await here.count()) === 0) continue
    const words = (await here.getAttribute('aria-label')) ?? (await here.innerText())
    if (words.trim() === name) return
  }
  throw new Error(`Tab never comes to ${name}`)
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Harrow Quay' }).waitFor()
}

/** As far as the list that holds it. */
async function added(page: Page, name: string): Promise<void> {
  await button(page, 'Add a passkey').click()
  await page.getByLabel('Name of the passkey').fill(name)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Passkeys' }).getByText(name).waitFor()
}

describe('passkeys', () => {
  it('by keyboard: made, signed in with, taken away', { tags: ['journey'] }, async () => {
    const { page, problems, username } = await signedIn(named)
    const device = await withAuthenticator(page)
    await page.getByRole('heading', { name: 'My account' }).waitFor()
    await reach(page, 'Add a passkey')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Front desk')
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    const list = page.getByRole('list', { name: 'Passkeys' })
    await list.getByText('Front desk').waitFor()
    await list.getByText('not used yet').waitFor()
    expect(await device.credentials()).toBe(1)

    await signOut(page)
    await page.getByRole('checkbox').focus()
    await page.keyboard.press('Space')
    await reach(page, 'Sign in with a passkey')
    await page.keyboard.press('Enter')
    await list.getByText(/last used/).waitFor()
    await page.getByText(username).first().waitFor()

    await reach(page, 'Remove')
    await page.keyboard.press('Enter')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await soon(() => list.count()).toBe(0)
    await signOut(page)
    await page.getByRole('checkbox').check({ force: true })
    await button(page, 'Sign in with a passkey').click()
    await page.getByText(/^This passkey does not open this station/).waitFor()
    expect(await page.getByRole('heading', { name: 'Harrow Quay' }).count()).toBe(1)
    expect(problems).toEqual([])
  })

  it('without the notice read nothing is asked of the browser; a finger that is not theirs keeps nothing', async () => {
    const { page, username } = await signedIn(named)
    const device = await withAuthenticator(page)
    await device.verifies(false)
    await button(page, 'Add a passkey').click()
    await page.getByLabel('Name of the passkey').fill('Stranger')
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText(/^The browser was stopped or waited too long/).waitFor()
    expect(await device.credentials()).toBe(0)
    await button(page, 'Cancel').click()
    await device.verifies(true)
    await added(page, 'Front desk')
    await signOut(page)
    await button(page, 'Sign in with a passkey').click()
    await page.getByText('Read the notice and tick the box.').waitFor()
    // On the command line: whose device was lost.
    await given.command('user.reset-passkeys', { username })
    await page.getByRole('checkbox').check({ force: true })
    await button(page, 'Sign in with a passkey').click()
    await page.getByText(/^This passkey does not open this station/).waitFor()
  })

  it('at an address of numbers the account says why there are none, and sign-in does not offer any', async () => {
    const { page, problems } = await look(given.url)
    await page.goto(`${given.url}/account`)
    await page.locator('input[name=username]').waitFor()
    expect(await button(page, 'Sign in with a passkey').count()).toBe(0)
    await firstStep(page, await person())
    await page.getByText('There are no passkeys at this address').waitFor()
    await page.getByText(named).waitFor()
    expect(await button(page, 'Add a passkey').count()).toBe(0)
    expect(problems).toEqual([])
  })
})

it('a password that an administrator set is changed before anything else', async () => {
  const username = await person()
  const users = '/userservice/api/v1/tenant/station/users'
  const { page, problems } = await signedIn(given.url, { who: ADMINISTRATOR.username, at: '/administration/users' })
  await page.getByRole('grid').getByText(username).first().click()
  await button(page, 'Give a new password').click()
  await page.getByRole('textbox', { name: 'New password' }).fill(NEW)
  expect(await page.getByRole('checkbox', { name: 'They choose another one at their next sign-in' }).isChecked()).toBe(
    true,
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Give a new password' }).click()
  await page.getByText('Chooses another password at the next sign-in.').waitFor()

  const { page: theirs } = await look(given.url, { reducedMotion: true })
  await theirs.goto(`${given.url}/cases`)
  await firstStep(theirs, username, NEW)
  await theirs.getByRole('heading', { name: 'Choose your own password' }).waitFor()
  expect(await findingsInThemes(theirs)).toEqual([])
  expect(await theirs.getByRole('navigation').count()).toBe(0)
  expect(await theirs.evaluate((place) => fetch(place).then(({ status }) => status), users)).toBe(403)
  // The focus is where one types.
  for (const text of [NEW, 'short', 'other']) {
    await theirs.keyboard.type(text)
    await theirs.keyboard.press('Tab')
    if ((await theirs.locator(':focus').getAttribute('type')) === 'button') await theirs.keyboard.press('Tab')
  }
  await theirs.locator('input[name=new-password-again]').press('Enter')
  await theirs.getByText('A password has at least 12 characters.').waitFor()
  for (const name of ['new-password', 'new-password-again']) await theirs.locator(`input[name=${name}]`).fill(PASSWORD)
  await theirs.keyboard.press('Enter')
  await theirs.getByRole('heading', { name: 'Cases' }).first().waitFor()
  expect(problems).toEqual([])
})

it('programs that one let in, and where one is signed in, are ended at the account', async () => {
  const { page, problems } = await signedIn(given.url)
  await page.getByText(/^None\. When a program/).waitFor()
  const { verifier, request } = asking({ redirect_uri: CALLBACK })
  const code = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch('/connect/authorization', { method: 'POST', headers, body })
      return new URL(((await answer.json()) as { RedirectTo: string }).RedirectTo).searchParams.get('code') ?? ''
    },
    JSON.stringify({ Request: request, Allow: true }),
  )
  const form = {
    grant_type: 'authorization_code',
    client_id: 'viewer',
    redirect_uri: CALLBACK,
    code,
    code_verifier: verifier,
  }
  const tokens = await fetch(`${given.url}/connect/token`, { method: 'POST', body: new URLSearchParams(form) })
  expect(tokens.status).toBe(200)
  await page.reload()
  const programs = page.getByRole('list', { name: 'Programs that act in your name' })
  await programs.getByText('Case viewer').waitFor()
  await programs.getByRole('button', { name: 'End' }).click()
  await page.getByText(/^None\. When a program/).waitFor()
  const sessions = page.getByRole('list', { name: 'Where you are signed in' })
  await sessions.getByText('Here, 127.0.0.1').waitFor()
  expect(await sessions.getByRole('button').count()).toBe(0)
  expect(problems).toEqual([])
})

describe('the administration', () => {
  it('takes a second step away once it is said what that does, and the history of a user is read as a page', async () => {
    const { page: theirs, username } = await signedIn(given.url)
    await button(theirs, 'Turn on the second step').click()
    await theirs.locator('input[name=password]').fill(PASSWORD)
    await button(theirs, 'Continue').click()
    const secret = (await theirs.getByLabel('Key', { exact: true }).innerText()).replaceAll(/\s/g, '')
    // The picture holds what the text does.
    const drawn = await theirs.getByRole('img', { name: /QR picture/ }).evaluate((svg) => ({
      size: Number(svg.getAttribute('viewBox')?.split(' ')[2]),
      path: svg.querySelector('path')?.getAttribute('d') ?? '',
    }))
    expect(read(drawn)).toContain(`secret=${secret}`)
    const { Secret, TOTP } = await import('otpauth')
    await theirs.locator('input[name=code]').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
    await button(theirs, 'Turn it on').click()
    await button(theirs, 'I have kept them').click()

    const { page, problems } = await signedIn(given.url, { who: ADMINISTRATOR.username, at: '/administration/users' })
    await page.getByRole('grid').getByText(username).first().click()
    await page.getByText('Second step on.').waitFor()
    await button(page, 'Turn off the second step').click()
    await page
      .getByRole('dialog')
      .getByText(/^For somebody who lost phone and recovery codes/)
      .waitFor()
    expect(await findings(page)).toEqual([])
    // What cannot be undone is not what Enter does.
    expect(await page.locator(':focus').innerText()).toBe('Cancel')
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off the second step' }).click()
    await page.getByText('No second step.').waitFor()
    expect(await button(page, 'Turn off the second step').count()).toBe(0)
    await page.getByRole('link', { name: 'Read the history' }).click()
    await page.getByRole('heading', { name: `History of ${username}` }).waitFor()
    const grid = page.getByRole('grid')
    for (const act of ['Second step of a user turned off', 'Second step turned on', 'Signed in'])
      await grid.getByText(act, { exact: true }).first().waitFor()
    expect(await findings(page)).toEqual([])
    await page.getByRole('link', { name: 'Back to the user' }).click()
    await page.getByRole('heading', { name: username }).waitFor()
    expect(problems).toEqual([])
  })

  it('is in the palette for who may, and not for others', async () => {
    const { page } = await signedIn(given.url, { who: ADMINISTRATOR.username, at: '/evidence' })
    const rights = page.getByRole('option', { name: 'Administration: Rights' })
    await page.keyboard.press('Control+k')
    await rights.waitFor()
    await page.keyboard.type('Rights')
    // The search for the word stands first, the page of that name below it, help about it last.
    const found = (): Promise<string[]> => page.getByRole('option').allInnerTexts()
    await soon(found).toEqual([
      expect.stringMatching(/^All results/),
      expect.stringMatching(/Rights/),
      expect.any(String),
    ])
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Administration: Rights', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Rights' }).waitFor()
    const { page: theirs } = await signedIn(given.url, { at: '/evidence' })
    await theirs.keyboard.press('Control+k')
    await theirs.getByRole('option', { name: 'My account' }).waitFor()
    expect(await theirs.getByRole('option', { name: /Administration/ }).count()).toBe(0)
  })
})

/** What a reader of QR pictures sees. */
function read({ size, path }: { size: number; path: string }): string {
  const scale = 4
  const side = size * scale
  const data = new Uint8Array(side * side * 4).fill(255)
  for (const [, x = '', y = ''] of path.matchAll(/M(\d+) (\d+)h/g))
    for (let row = 0; row < scale; row++)
      for (let column = 0; column < scale; column++) {
        const at = ((Number(y) * scale + row) * side + Number(x) * scale + column) * 4
        data.fill(0, at, at + 3)
      }
  return decodeQR({ width: side, height: side, data })
}

it('axe-core finds nothing in any theme, and nothing is beyond the edge at double zoom', async () => {
  const { page, problems } = await signedIn(named)
  await withAuthenticator(page)
  await added(page, 'Front desk')
  const inEachTheme = async (): Promise<void> => {
    expect(await findingsInThemes(page)).toEqual([])
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
    await page.setViewportSize({ width: 640, height: 512 })
    await page.waitForTimeout(200)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width, height })
  }
  await inEachTheme()
  await button(page, 'Remove').click()
  await button(page, 'Change the password').click()
  await inEachTheme()
  await signOut(page)
  await inEachTheme()
  expect(problems).toEqual([])
})
