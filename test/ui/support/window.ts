/**
 * A real station and real Chromium looking at it, as a person would. Whatever the browser complains about (errors, refused by the page's
 * policy, requests off the station's origin) is collected and must be empty at the end of a test.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { ADMINISTRATOR } from '../../support/given.ts'

export type Theme = 'light' | 'dark' | 'contrast'
export const SIZES = {
  wide: { width: 1440, height: 900 },
  small: { width: 1024, height: 700 },
} as const

let launched: Promise<Browser> | null = null
/** One browser for a file of tests; closed with its process. */
export const browser = (): Promise<Browser> => {
  launched ??= chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
  return launched
}

export function chromiumPath(): string {
  const found = spawnSync(
    'sh',
    ['-c', 'command -v chromium || command -v chromium-browser || command -v google-chrome'],
    {
      encoding: 'utf8',
    },
  ).stdout.trim()
  if (found === '') throw new Error('There is no Chromium: apt-get install chromium')
  return found
}

export interface Looking {
  readonly page: Page
  readonly context: BrowserContext
  /** What went wrong in the page, a line each. */
  readonly problems: string[]
  /** Requests of the page that the station refused, a line each; sign-in apart. */
  readonly refusals: string[]
}

export interface LookOptions {
  readonly theme?: Theme
  readonly size?: keyof typeof SIZES
  readonly language?: 'en' | 'fr'
  readonly reducedMotion?: boolean
  /** Another browser than the one of the file. */
  readonly within?: Browser
}

/** A fresh browser profile on a station's origin. */
export async function look(origin: string, options: LookOptions = {}): Promise<Looking> {
  const context = await (options.within ?? (await browser())).newContext({
    viewport: SIZES[options.size ?? 'wide'],
    locale: options.language === 'fr' ? 'fr-FR' : 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: options.theme === 'dark' ? 'dark' : 'light',
    reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
    acceptDownloads: true,
  })
  if (options.theme === 'contrast')
    await context.addInitScript(() => localStorage.setItem('sallyport.theme', 'contrast'))
  const page = await context.newPage()
  const problems: string[] = []
  const refusals: string[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.status() >= 400 && response.status() < 500 && pathname !== '/connect/session')
      refusals.push(`${response.status()} ${response.request().method()} ${pathname}`)
  })
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // A refusal that the page shows in words is also logged by the browser.
    if (message.type() === 'error' && !/Failed to load resource.*(40[0-9]|429|503)/.test(message.text()))
      problems.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== origin)
      problems.push(`off origin: ${request.url()}`)
  })
  onTestFinished(() => context.close())
  return { page, context, problems, refusals }
}

/** Through the page, as everybody does. */
export async function signIn(page: Page, origin: string, at = '/evidence'): Promise<void> {
  await page.goto(`${origin}${at}`)
  await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
  await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
  await page.getByRole('checkbox').check({ force: true })
  await page.locator('button[type=submit]').click()
  await page.getByRole('navigation').first().waitFor()
}

export const shotsFolder = (): string => path.resolve('test/.work/shots')
