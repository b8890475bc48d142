/**
 * A real station and real Chromium looking at it, as a person would. Whatever the browser complains about (errors, refused by the page's
 * policy, requests off the station's origin) is collected and must be empty at the end of a test.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Cookie, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { ADMINISTRATOR, type Json } from '../../support/given.ts'

export type Theme = 'light' | 'dark' | 'contrast'
export const SIZES = {
  wide: { width: 1440, height: 900 },
  small: { width: 1024, height: 700 },
  /** Held in one hand, and touched. */
  phone: { width: 390, height: 844 },
} as const

let launched: Promise<Browser> | null = null
/**
 * One browser for the test files of a process; closed with it. A process of its pages outlives each of them, and keeps what it compiled.
 * There is no graphics card where tests run: to imitate one costs more than to draw without. Pages are open for seconds: to optimize their
 * code, and to collect their garbage on further threads, costs a sixth more than it saves.
 */
export const browser = (): Promise<Browser> => {
  launched ??= launch(['--js-flags=--no-opt --no-maglev --single-threaded'])
  return launched
}

/** Runs pages as fast as anybody's: for what measures them. Closed by its caller. */
export const unslowedBrowser = (): Promise<Browser> => launch([])

const launch = (args: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--process-per-site', '--disable-gpu', ...args],
  })

/** The shell is the same engine without what a desktop sees around the pages, which costs a third more. */
export function chromiumPath(): string {
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  const found = spawnSync('sh', ['-c', names.map((name) => `command -v ${name}`).join(' || ')], {
    encoding: 'utf8',
  }).stdout.trim()
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
  /** Ends before the test does: for those that look many times. */
  close(): Promise<void>
}

export interface LookOptions {
  readonly theme?: Theme
  readonly size?: keyof typeof SIZES
  readonly language?: 'en' | 'fr'
  readonly reducedMotion?: boolean
  /** Another browser than the one of the process. */
  readonly within?: Browser
  /** A profile that no other test gets, because this one changes it for good. */
  readonly alone?: boolean
}

interface Profile {
  readonly origin: string
  readonly locale: string
  readonly touched: boolean
  readonly context: BrowserContext
  /** Stays open, and with it the process that has the pages compiled. */
  readonly keeper: Page
}
/** Profiles without cookies and storage, which a test gives back for the next one: what the browser fetched and compiled is still there. */
let ready: Profile[] = []

/** A browser profile on a station's origin, without a past. */
export async function look(origin: string, options: LookOptions = {}): Promise<Looking> {
  const { context, close } = await (options.within !== undefined || options.alone === true
    ? profileAlone(options)
    : sharedProfile(origin, options))
  onTestFinished(close)
  const page = await newPage(context, options)
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
  return { page, context, problems, refusals, close }
}

type Opened = Pick<Looking, 'context' | 'close'>

async function profileAlone(options: LookOptions): Promise<Opened> {
  const context = await newContext(options)
  return { context, close: () => context.close() }
}

/** What a page can choose for itself is no matter of the profile: one for many pages has them compiled. */
async function newPage(context: BrowserContext, options: LookOptions): Promise<Page> {
  const page = await context.newPage()
  if (options.size !== undefined) await page.setViewportSize(SIZES[options.size])
  await page.emulateMedia({
    colorScheme: options.theme === 'dark' ? 'dark' : 'light',
    reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
  })
  if (options.theme === 'contrast') await page.addInitScript(() => localStorage.setItem('sallyport.theme', 'contrast'))
  return page
}

const localeOf = ({ language }: LookOptions): string => (language === 'fr' ? 'fr-FR' : 'en-GB')

/** Whether it is touched or has a pointer is a matter of the whole profile. */
const isTouched = ({ size }: LookOptions): boolean => size === 'phone'

const newContext = async (options: LookOptions): Promise<BrowserContext> =>
  (options.within ?? (await browser())).newContext({
    viewport: SIZES.wide,
    locale: localeOf(options),
    timezoneId: 'Europe/Berlin',
    acceptDownloads: true,
    hasTouch: isTouched(options),
  })

async function sharedProfile(origin: string, options: LookOptions): Promise<Opened> {
  // Stations before this one are gone.
  const gone = ready.filter((one) => one.origin !== origin)
  ready = ready.filter((one) => one.origin === origin)
  await Promise.all(gone.map(({ context }) => context.close()))
  const locale = localeOf(options)
  const found = ready.find((one) => one.locale === locale && one.touched === isTouched(options))
  ready = ready.filter((one) => one !== found)
  const profile = found ?? (await newProfile(origin, locale, options))
  let given: Promise<void> | null = null
  const close = (): Promise<void> => (given ??= giveBack(profile))
  return { context: profile.context, close }
}

async function newProfile(origin: string, locale: string, options: LookOptions): Promise<Profile> {
  const context = await newContext(options)
  const keeper = await context.newPage()
  await keeper.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await keeper.goto(origin)
  return { origin, locale, touched: isTouched(options), context, keeper }
}

async function giveBack(profile: Profile): Promise<void> {
  const { origin, context, keeper } = profile
  await Promise.all(context.pages().map((page) => (page === keeper ? null : page.close())))
  const session = used.get(context)
  if (session !== undefined) free.set(session.of, session.cookies)
  used.delete(context)
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearPermissions()
  await context.clearCookies()
  const debug = await context.newCDPSession(keeper)
  await debug.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await debug.detach()
  ready.push(profile)
}

export interface Credentials {
  readonly username: string
  readonly password: string
}

interface Session {
  /** Station and person. */
  readonly of: string
  readonly cookies: Cookie[]
}
/** Sessions of profiles that a test has, and those that no test has: to verify a password costs a tenth of a second each time. */
const used = new Map<BrowserContext, Session>()
const free = new Map<string, Cookie[]>()

/** With a session that no other page has. The form has its suites: screens, account, passkeys, dock-wall-sign-in. */
export async function signIn(
  page: Page,
  origin: string,
  at = '/evidence',
  credentials: Credentials = ADMINISTRATOR,
): Promise<void> {
  const context = page.context()
  const of = `${origin} ${credentials.username}`
  const cookies = free.get(of)
  free.delete(of)
  if (cookies === undefined || !(await isOpen(context, origin, cookies, credentials)))
    await openSession(context, origin, credentials)
  used.set(context, { of, cookies: await context.cookies(origin) })
  await page.goto(`${origin}${at}`)
  await page.getByRole('navigation').first().waitFor()
}

/** The test that had it may have signed out, locked the screen, or changed who signs in. */
async function isOpen(context: BrowserContext, origin: string, cookies: Cookie[], { username }: Credentials) {
  await context.addCookies(cookies)
  const { State, User } = (await (await context.request.get(`${origin}/connect/session`)).json()) as Json
  return State === 'open' && User.Username === username
}

async function openSession(context: BrowserContext, origin: string, { username, password }: Credentials) {
  const opened = await context.request.post(`${origin}/connect/session`, {
    headers: { origin },
    data: { Username: username, Password: password, NoticeId: 'default' },
  })
  if (!opened.ok()) throw new Error(`${username} did not get in: ${await opened.text()}`)
}

/** Through the page, as everybody does. */
export async function signInByForm(
  page: Page,
  origin: string,
  at = '/evidence',
  { username, password }: Credentials = ADMINISTRATOR,
): Promise<void> {
  await page.goto(`${origin}${at}`)
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill(password)
  await page.getByRole('checkbox').check({ force: true })
  await page.locator('button[type=submit]').click()
  await page.getByRole('navigation').first().waitFor()
}

export const shotsFolder = (): string => path.resolve('test/.work/shots')
