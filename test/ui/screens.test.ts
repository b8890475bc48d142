/** Every screen of the frame: nothing for axe-core to find in any theme, one usable column at 200 % zoom, everything by keyboard. */
// @module-tag screen
// @module-tag merge
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { ADMINISTRATOR, type Given, givenStation } from '../support/given.ts'
import { findingsInThemes } from './support/axe.ts'
import { look, signIn } from './support/window.ts'

let given: Given
beforeAll(async () => {
  given = await givenStation({ settings: { stationName: 'Harrow Quay' } })
  for (const name of ['note.txt', 'statement.txt', 'a rather long name of a file that somebody once gave.txt']) {
    await given.completed(Buffer.from(`what ${name} says\n`), { name, mimeType: 'text/plain' })
  }
})
afterAll(() => given.close())

interface Screen {
  readonly name: string
  readonly open: (page: Page) => Promise<void>
}

const inList = async (page: Page): Promise<void> => {
  await signIn(page, given.url)
  await page.getByRole('grid').getByText('Front desk').first().waitFor()
}

const SCREENS: readonly Screen[] = [
  {
    name: 'sign-in',
    open: async (page) => {
      await page.goto(given.url)
      await page.getByRole('heading', { name: 'Harrow Quay' }).waitFor()
    },
  },
  {
    name: 'sign-in, refused',
    open: async (page) => {
      await page.goto(given.url)
      await page.locator('button[type=submit]').click()
      await page.getByText('Read the notice and tick the box.').waitFor()
    },
  },
  { name: 'evidence list', open: inList },
  {
    name: 'evidence grid',
    open: async (page) => {
      await inList(page)
      await page.getByText('Grid', { exact: true }).click()
    },
  },
  {
    name: 'a selection',
    open: async (page) => {
      await inList(page)
      await page.getByRole('row').nth(1).focus()
      await page.keyboard.press('Space')
      await page.getByText('1 selected').waitFor()
    },
  },
  {
    name: 'nothing matches',
    open: async (page) => {
      await signIn(page, given.url, '/evidence?q=%22nosuchthing%22')
      await page.getByText('Nothing matches').waitFor()
    },
  },
  {
    name: 'jobs',
    open: async (page) => {
      await inList(page)
      await page.keyboard.press('Control+j')
      await page.getByRole('heading', { name: 'Jobs' }).waitFor()
    },
  },
  {
    name: 'palette',
    open: async (page) => {
      await inList(page)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('note')
      await page
        .getByText('1 result')
        .or(page.getByText(/\d results/))
        .waitFor()
    },
  },
  {
    name: 'keys',
    open: async (page) => {
      await inList(page)
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'menu of the person',
    open: async (page) => {
      await inList(page)
      await page.getByRole('button', { name: /Signed in as/ }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'a page that is not there',
    open: async (page) => {
      await signIn(page, given.url, '/no/such/page')
      await page.getByRole('heading', { name: 'Nothing is at this address' }).waitFor({ state: 'attached' })
    },
  },
  {
    name: 'locked',
    open: async (page) => {
      await inList(page)
      await page.keyboard.press('Control+Shift+L')
      await page.getByRole('heading', { name: 'Locked' }).waitFor()
    },
  },
]

describe('axe-core finds nothing in any theme; at 200 % zoom one column, nothing beyond its edge', () => {
  it.each(SCREENS)('$name', async ({ open }) => {
    const { page, problems } = await look(given.url, { theme: 'light', reducedMotion: true })
    await open(page)
    expect(await findingsInThemes(page)).toEqual([])
    // What a window of 1280 px shows at 200 % is what one of 640 px shows at 100 %.
    await page.setViewportSize({ width: 640, height: 512 })
    await page.waitForTimeout(200)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(wide).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
  })
})

it('by keyboard alone: sign in, filter, open an evidence, come back, lock, unlock, sign out', {
  tags: ['journey'],
}, async () => {
  const { page } = await look(given.url)
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const element = document.activeElement
      return `${element?.tagName.toLowerCase()} ${element?.getAttribute('aria-label') ?? element?.textContent ?? ''}`
    })
  const tabTo = async (what: RegExp): Promise<void> => {
    for (let tries = 0; tries < 40; tries++) {
      if (what.test(await focused())) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab never came to ${what}; it is at ${await focused()}`)
  }
  await page.goto(`${given.url}/evidence`)
  await page.getByRole('heading', { name: 'Harrow Quay' }).waitFor()
  await page.keyboard.type(ADMINISTRATOR.username)
  await page.keyboard.press('Tab')
  await page.keyboard.type(ADMINISTRATOR.password)
  await page.keyboard.press('Tab')
  if (/password/i.test(await focused())) await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await page.getByRole('grid').getByText('Front desk').first().waitFor()

  await page.keyboard.press('f')
  await page.keyboard.type('statement')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await tabTo(/row|statement.*Front desk|Front desk/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toMatch(/\/evidence\/\d+/)
  await page.goBack()
  await expect.poll(() => page.url()).toContain('q=')

  await page.keyboard.press('Control+Shift+L')
  await page.getByRole('heading', { name: 'Locked' }).waitFor()
  await page.keyboard.type(ADMINISTRATOR.password)
  await page.keyboard.press('Enter')
  await page.getByRole('grid').waitFor()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('sign out')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Harrow Quay' }).waitFor()
})

it('in French: every screen is, and the numbers and dates with it', { tags: ['journey'] }, async () => {
  const { page } = await look(given.url, { language: 'fr' })
  await page.goto(`${given.url}/evidence?cols=name,created,state`)
  await page.getByText('Avant de vous connecter').waitFor()
  await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
  await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
  await page.getByText('J’ai lu l’avis').click()
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.getByRole('heading', { name: 'Preuves' }).waitFor()
  await page
    .getByRole('grid')
    .getByText(/nov\. 2026|novembre|2026/)
    .first()
    .waitFor()
  const text = (await page.locator('body').innerText()).replaceAll(
    /Front desk|Harrow Quay|Sallyport|sergeant|uploader/g,
    '',
  )
  expect(text).not.toMatch(/\b(Evidence|Verified|Added|Lock|Jobs|Search|Type any|State|Disk|Queue|Clock)\b/)
})

it('a lock hides what stood above the page: dialogs and the palette', { tags: ['journey'] }, async () => {
  const { page, context } = await look(given.url)
  await inList(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('note')
  await page
    .getByRole('option', { name: /Front desk/ })
    .first()
    .waitFor()
  // Another page of the same browser locks: this one learns it with its next request.
  await context.request.post(`${given.url}/connect/session/lock`, { headers: { origin: given.url } })
  await page.getByRole('combobox').fill('stat')
  await page.getByRole('heading', { name: 'Locked' }).waitFor()
  expect(await page.evaluate(() => document.body.innerText)).not.toContain('Front desk')
  await page.locator('input[autocomplete=current-password]').click()
  await page.keyboard.type(ADMINISTRATOR.password)
  await page.keyboard.press('Enter')
  await page.getByRole('combobox').or(page.getByRole('grid')).first().waitFor()
})
