/** `node test/ui/account-shots.ts`: how one comes in and one's own account, as WebP into screens/, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { asking, CALLBACK } from '../api/sessions/programs.ts'
import { ADMINISTRATOR, givenStation } from '../support/given.ts'
import { withAuthenticator } from './support/authenticator.ts'
import { pictureFile } from './support/pictures.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const
const PASSWORD = 'three blind mice, 1805'
const CLIENT = { id: 'viewer', name: 'Case viewer', redirects: ['http://127.0.0.1/callback'] }

await ensureRenderer()
const given = await givenStation({
  settings: { stationName: 'Harrow Quay', timeZone: 'Europe/Berlin', desktopClients: [CLIENT] },
})
const named = given.url.replace('127.0.0.1', 'localhost')
const users = '/userservice/api/v1/tenant/station/users'
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  let round = 0
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      round += 1
      const person = { Username: `okafor${round}`, FirstName: 'Dayo', LastName: 'Okafor' }
      const page = await (
        await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      ).newPage()
      const shot = (name: string): Promise<void> => save(page, `account-${name}-${theme}${suffix}`)
      await withAuthenticator(page)
      await signIn(page, '/administration/users', ADMINISTRATOR)
      const made = await page.evaluate(
        async ([place, body]) => {
          const headers = { 'content-type': 'application/json' }
          return (await (await fetch(place as string, { method: 'POST', headers, body: body as string })).json()) as {
            PrincipalId: string
          }
        },
        [users, JSON.stringify({ ...person, Password: PASSWORD })],
      )
      await signOut(page)
      await shot('sign-in')
      await signIn(page, '/account', { username: person.Username, password: PASSWORD }, 'due')
      await shot('due')
      await page.locator('input[name=password]').fill(PASSWORD)
      for (const name of ['new-password', 'new-password-again'])
        await page.locator(`input[name=${name}]`).fill(`${PASSWORD} again`)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'My account' }).waitFor()
      await withProgram(page)
      await page.reload()
      for (const name of ['Front desk', 'My phone']) {
        await page.getByRole('button', { name: 'Add a passkey' }).click()
        await page.getByLabel('Name of the passkey').fill(name)
        if (name === 'My phone') await shot('passkey')
        // One device holds one: the second stands on the page as it is asked for.
        if (name === 'My phone') break
        await page.locator('input[name=password]').fill(`${PASSWORD} again`)
        await page.keyboard.press('Enter')
        await page.getByRole('list', { name: 'Passkeys' }).getByText(name).waitFor()
      }
      await page.getByRole('button', { name: 'Cancel' }).click()
      await shot('page')
      await page.getByRole('button', { name: 'Turn on the second step' }).click()
      await page.locator('input[name=password]').fill(`${PASSWORD} again`)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('img', { name: /QR/ }).waitFor()
      await shot('key')
      await signOut(page)
      await signIn(page, `/administration/users?open=${made.PrincipalId}`, ADMINISTRATOR)
      await page.getByRole('button', { name: 'Give a new password' }).click()
      await shot('reset')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Remove the passkeys' }).click()
      await shot('take')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.goto(`${named}/administration/users/${made.PrincipalId}/history`)
      await page.getByRole('grid').getByText('Passkey added').waitFor()
      await shot('history')
      await page.context().close()
    }
} finally {
  await browser.close()
  await given.close()
  rmSync(folder, { recursive: true })
}

async function signIn(
  page: Page,
  at: string,
  who: { readonly username: string; readonly password: string },
  due?: 'due',
): Promise<void> {
  await page.goto(`${named}${at}`)
  await page.locator('input[name=username]').fill(who.username)
  await page.locator('input[name=password]').fill(who.password)
  await page.getByText('I have read the notice').click()
  await page.locator('button[type=submit]').click()
  await (due === undefined
    ? page.getByRole('navigation').first().waitFor()
    : page.getByRole('heading', { name: 'Choose your own password' }).waitFor())
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Harrow Quay' }).waitFor()
}

async function withProgram(page: Page): Promise<void> {
  const { verifier, request } = asking({ redirect_uri: CALLBACK })
  const code = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch('/connect/authorization', { method: 'POST', headers, body })
      return new URL(((await answer.json()) as { RedirectTo: string }).RedirectTo).searchParams.get('code') ?? ''
    },
    JSON.stringify({ Request: request, Allow: true }),
  )
  const form = { grant_type: 'authorization_code', client_id: 'viewer', redirect_uri: CALLBACK, code }
  const body = new URLSearchParams({ ...form, code_verifier: verifier })
  await fetch(`${given.url}/connect/token`, { method: 'POST', body })
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(600)
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  const webp = pictureFile(name)
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', webp])
  process.stdout.write(`${name}\n`)
}
