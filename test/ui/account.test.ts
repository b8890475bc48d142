/** One's own account, the second step at sign-in, and a program that asks: in Chromium, on a real station, with a real authenticator. */
// @module-tag screen
// @module-tag merge
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asking } from '../api/sessions/programs.ts'
import { type Given, givenStation } from '../support/given.ts'
import { findingsInThemes } from './support/axe.ts'
import { look, type LookOptions } from './support/window.ts'

const PASSWORD = 'three blind mice, 1805'
const CLIENT = { id: 'viewer', name: 'Case viewer', redirects: ['http://127.0.0.1/callback'] }
let given: Given
let people = 0
beforeAll(async () => {
  given = await givenStation({ settings: { stationName: 'Harrow Quay', desktopClients: [CLIENT] } })
})
afterAll(() => given?.close())

/** Somebody new, so that what one test turns on is nothing to the next. */
async function person(): Promise<string> {
  const username = `officer-${people++}`
  await given.command('user.create', { username, password: PASSWORD, group: null, policies: [], guest: false })
  return username
}

async function firstStep(page: Page, username: string): Promise<void> {
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.getByRole('checkbox').check({ force: true })
  await page.locator('button[type=submit]').click()
}

/** An authenticator, which knows only what the page shows. Steps that were used are waited out by going ahead. */
function phoneOf(secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return (stepsAhead = 0): string => totp.generate({ timestamp: Date.now() + stepsAhead * 30_000 })
}

async function signedIn(options: LookOptions = {}) {
  const looking = await look(given.url, { reducedMotion: true, ...options })
  const username = await person()
  await looking.page.goto(`${given.url}/account`)
  await firstStep(looking.page, username)
  await looking.page.getByRole('navigation').first().waitFor()
  return { ...looking, username }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** As far as the key that is shown. */
async function begin(page: Page): Promise<ReturnType<typeof phoneOf>> {
  await button(page, 'Turn on the second step').click()
  await page.locator('input[name=password]').fill(PASSWORD)
  await button(page, 'Continue').click()
  const shown = await page.getByLabel('Key', { exact: true }).innerText()
  return phoneOf(shown.replaceAll(/\s/g, ''))
}

async function turnOn(page: Page) {
  const phone = await begin(page)
  await page.locator('input[name=code]').fill(phone())
  await button(page, 'Turn it on').click()
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await list.waitFor()
  const codes = await list.getByRole('listitem').allInnerTexts()
  return { phone, codes }
}

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Harrow Quay' }).waitFor()
}

it('from the menu of the person to a second step, out, in again with a code, and off again', {
  tags: ['journey'],
}, async () => {
  const { page, problems, username } = await signedIn()
  await page.goto(`${given.url}/evidence`)
  await page.getByRole('button', { name: /Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  await page.getByRole('heading', { name: 'My account' }).waitFor()
  const { phone, codes } = await turnOn(page)
  expect(new Set(codes).size).toBe(10)
  await button(page, 'I have kept them').click()
  await page.getByText(/^On since/).waitFor()
  // Nothing of what was shown once is still there, nor after a reload.
  await page.reload()
  await page.getByText('10 codes are left').waitFor()
  expect(await page.content()).not.toContain(codes[0])

  await signOut(page)
  await firstStep(page, username)
  await page.getByRole('heading', { name: 'Second step' }).waitFor()
  await page.locator('input[name=code]').fill('000000')
  await button(page, 'Continue').click()
  await page.getByText('The code is not right, or was used before. Wait for the next one.').waitFor()
  expect(await page.locator('input[name=code]').inputValue()).toBe('')
  await page.locator('input[name=code]').fill(phone(1))
  await page.keyboard.press('Enter')
  await page.getByText(/^On since/).waitFor()

  await button(page, 'Turn off the second step').click()
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('input[name=code]').fill(codes[0] as string)
  await page.getByRole('button', { name: 'Turn off the second step' }).last().click()
  await button(page, 'Turn on the second step').waitFor()
  expect(problems).toEqual([])
})

it('a recovery code lets in when the phone is gone, and new ones can be made', async () => {
  const { page, problems, username } = await signedIn()
  const { codes, phone } = await turnOn(page)
  await button(page, 'I have kept them').click()
  await signOut(page)
  await firstStep(page, username)
  await button(page, 'Use a recovery code').click()
  await page.getByLabel('Recovery code').fill((codes[3] as string).toLowerCase())
  await button(page, 'Continue').click()
  await page.getByText('9 codes are left').waitFor()
  await button(page, 'Create new codes').click()
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('input[name=code]').fill(phone(1))
  await page.getByRole('button', { name: 'Create new codes' }).last().click()
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await list.waitFor()
  for (const code of await list.getByRole('listitem').allInnerTexts()) expect(codes).not.toContain(code)
  expect(problems).toEqual([])
})

it('a wrong password turns nothing on and is said beside the field', async () => {
  const { page } = await signedIn()
  await button(page, 'Turn on the second step').click()
  await button(page, 'Continue').click()
  await page.getByText('Required', { exact: true }).waitFor()
  await page.locator('input[name=password]').fill('not the right pass phrase')
  await button(page, 'Continue').click()
  await page.getByText('The password is not right.').waitFor()
  await button(page, 'Cancel').click()
  await button(page, 'Turn on the second step').waitFor()
})

describe('a program that asks', () => {
  let program: Server
  let asked: URL[] = []
  let address = ''
  beforeAll(async () => {
    program = createServer((request, response) => {
      asked.push(new URL(request.url ?? '', address))
      response.end('done')
    })
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(program.address() as AddressInfo).port}`
  })
  afterAll(() => void program?.close())
  const request = () => {
    asked = []
    const redirect = `${address}/callback`
    return { ...asking({ redirect_uri: redirect }), redirect }
  }

  it('sends who is not signed in to sign in and back, asks, and gets a code that is good', async () => {
    const { page } = await look(given.url)
    const { verifier, request: query, redirect } = request()
    await page.goto(`${given.url}/connect/authorize?${query}`)
    await firstStep(page, await person())
    await page.getByRole('heading', { name: 'Let Case viewer act in your name?' }).waitFor()
    expect(asked).toEqual([])
    await button(page, 'Allow').click()
    await page.waitForURL(`${redirect}?**`)
    const answer = asked.find(({ pathname }) => pathname === '/callback')?.searchParams
    expect(answer?.get('state')).toBe('a state')
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CLIENT.id,
      redirect_uri: redirect,
      code: answer?.get('code') as string,
      code_verifier: verifier,
    })
    const tokens = await fetch(`${given.url}/connect/token`, { method: 'POST', body: form })
    expect(tokens.status).toBe(200)
  })

  it('is told no', async () => {
    const { page } = await signedIn()
    const { request: query, redirect } = request()
    await page.goto(`${given.url}/connect/authorize?${query}`)
    await button(page, 'Do not allow').click()
    await page.waitForURL(`${redirect}?**`)
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  })

  it('with an address of another machine is shown to nobody', async () => {
    const { page } = await signedIn()
    const { request: query } = asking({ redirect_uri: 'https://attacker.example/callback' })
    await page.goto(`${given.url}/authorize?${new URLSearchParams({ request: query })}`)
    await page.getByText('This request cannot be answered').waitFor()
    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0)
  })
})

interface Screen {
  readonly name: string
  readonly open: (page: Page) => Promise<unknown>
}

const SCREENS: readonly Screen[] = [
  { name: 'account', open: (page) => button(page, 'Turn on the second step').waitFor() },
  { name: 'account, a new key', open: begin },
  { name: 'account, recovery codes', open: turnOn },
  {
    name: 'second step at sign-in',
    open: async (page) => {
      await turnOn(page)
      await button(page, 'I have kept them').click()
      await page.getByText(/^On since/).waitFor()
      const name = await page
        .getByText(/officer-\d+$/)
        .first()
        .innerText()
      await signOut(page)
      await firstStep(page, /officer-\d+$/.exec(name)?.[0] as string)
      await page.getByRole('heading', { name: 'Second step' }).waitFor()
    },
  },
  {
    name: 'a program asks',
    open: async (page) => {
      await page.goto(`${given.url}/connect/authorize?${asking().request}`)
      await button(page, 'Allow').waitFor()
    },
  },
]

describe('axe-core finds nothing in any theme, and nothing is beyond the edge at double zoom', () => {
  it.each(SCREENS)('$name', async ({ open }) => {
    const { page, problems } = await signedIn({ theme: 'light' })
    await open(page)
    expect(await findingsInThemes(page)).toEqual([])
    await page.setViewportSize({ width: 640, height: 512 })
    await page.waitForTimeout(200)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(wide).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
  })
})

it('in French: the account page, and nothing of English on it', async () => {
  const { page } = await signedIn({ language: 'fr' })
  await page.getByRole('heading', { name: 'Mon compte' }).waitFor()
  await page.getByRole('button', { name: 'Activer la deuxième étape' }).click()
  expect(await page.locator('main').innerText()).not.toMatch(/second step|password|code of/i)
})
