/**
 * The window in real Chromium on loopback, against a station with 100,000 evidences: the first useful paint (rows of the list on the
 * screen) of a signed-in person, cold and warm, beside a page of the same station that holds nothing; frames and the longest tasks while the list is
 * scrolled from one end to the other; the bytes of the first screen as they go over the wire; the scripts that each page fetches, counted and
 * as gzip; the first picture of a video.
 *   npm run bench -- window [evidences = 100000]
 * Prints one line of JSON a question.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { startServer } from '../../server/index.ts'
import { ADMINISTRATOR, givenStation } from '../support/given.ts'
import { media } from '../ui/support/media.ts'
import { scriptsOf } from '../ui/support/scripts.ts'
import { writeEvidences } from './list-rows.ts'

const evidences = Number(process.argv[2] ?? '100000')
const print = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
const PAGES = [
  '/evidence',
  '/evidence/$evidenceId',
  '/cases',
  '/cases/$caseId',
  '/cases/$caseId/edit',
  '/cases/new',
  '/dock',
  '/dock/sessions',
  '/calls',
  '/search',
  '/review',
  '/devices',
  '/devices/types',
  '/disposition',
  '/fixity',
  '/account',
  ...['users', 'groups', 'policies', 'services', 'categories', 'sources', 'departments', 'templates'].map(
    (section) => `/administration/${section}`,
  ),
  ...['prefilled', 'cad', 'network', 'denials'].map((section) => `/administration/${section}`),
]
/** Pages whose addresses hold this are looked at, for looking at one alone. */
const ONLY = process.env['SALLYPORT_BENCH_ONLY']
/** As long as the window waits before it fetches other pages, and needs for it. */
const AHEAD_MS = 8_000
const round = (value: number): number => Math.round(value * 10) / 10

await ensureRenderer()
const given = await givenStation()
const executablePath = spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout.trim()
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  const { video } = await media()
  const { EvidenceId: evidenceId } = await given.evidence({ Name: 'Tanners Row.mp4' })
  const { ResourceId: resourceId, UploadUri } = await given.resource(evidenceId, { Name: 'Tanners Row.mp4' })
  await given.put(UploadUri, readFileSync(video))
  const resource = `${given.documents}/evidence/${evidenceId}/resource/${resourceId}`
  await given.expecting(200, given.call('POST', `${resource}/complete`, { body: {} }))
  await given.settled(evidenceId)
  await given.stop()
  writeEvidences(given.file, evidences)
  const station = await startServer(given.settings)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  await signInOnce(context, station.url)
  print({ name: 'first screen', ...(await bytesOf(context, station.url)) })
  const made = await context.request.post(`${station.url}/api/v1/case/station`, {
    data: { Title: 'Tanners Row', EvidenceIds: [evidenceId] },
    headers: { origin: station.url },
  })
  const { CaseId: caseId } = (await made.json()) as { readonly CaseId: string }
  for (const path of PAGES.filter((one) => one.includes(ONLY ?? ''))) {
    const address = path.replace('$evidenceId', evidenceId).replace('$caseId', caseId)
    print({ name: `scripts of ${path}`, ...(await scriptsFirst(context, `${station.url}${address}`)) })
  }
  for (const name of ['cold', 'warm', 'warm again'])
    print({ name: `first picture, ${name}`, ...(await firstPicture(context, `${station.url}/evidence/${evidenceId}`)) })
  for (const name of ['once', 'twice', 'again'])
    print({ name: `first picture from the list, ${name}`, ...(await firstPictureFromList(context, station.url)) })
  for (const name of ['cold', 'warm', 'warm again'])
    print({ name: `paint, ${name}`, ...(await paint(context, station.url)) })
  print({ name: `scroll through ${evidences}`, ...(await scroll(context, station.url)) })
  await station.close()
} finally {
  await browser.close()
  await given.close()
}

async function signInOnce(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${origin}/evidence`)
  await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
  await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
  await page.getByText('I have read the notice').click()
  await page.locator('button[type=submit]').click()
  await page.getByRole('grid').waitFor()
  await page.close()
}

/** The scripts that a page fetches in its first three seconds, before others are fetched ahead of time. */
async function scriptsFirst(context: BrowserContext, address: string) {
  const page = await context.newPage()
  await page.goto(address)
  await page.locator('main').first().waitFor()
  await page.waitForTimeout(3_000)
  const { each, ...sums } = await scriptsOf(page)
  await page.close()
  return { ...sums, each: each.join(', ') }
}

/** From the navigation until the browser shows the first picture of the video. */
async function firstPicture(context: BrowserContext, address: string) {
  const page = await watchingForPicture(context)
  await page.goto(address)
  const ms = await pictureOf(page)
  await page.close()
  return { pictureMs: round(ms) }
}

/** From the click on its row in the list, which had the time to fetch the pages ahead. */
async function firstPictureFromList(context: BrowserContext, origin: string) {
  const page = await watchingForPicture(context)
  await page.goto(`${origin}/evidence?q=Tanners`)
  const row = page.getByRole('grid').getByText('Tanners Row.mp4').first()
  await row.waitFor()
  await page.waitForTimeout(AHEAD_MS)
  await page.evaluate(() =>
    addEventListener('pointerdown', () => performance.mark('pressed'), { capture: true, once: true }),
  )
  await row.dblclick()
  const ms = await pictureOf(page)
  const pressed = await page.evaluate(() => performance.getEntriesByName('pressed')[0]?.startTime ?? 0)
  await page.close()
  return { pictureMs: round(ms - pressed) }
}

async function watchingForPicture(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      const video = document.querySelector('video')
      if (video === null) return
      watch.disconnect()
      video.requestVideoFrameCallback(() => performance.mark('picture'))
    })
    watch.observe(document, { subtree: true, childList: true })
  })
  return page
}

async function pictureOf(page: Page): Promise<number> {
  await page.waitForFunction(() => performance.getEntriesByName('picture').length > 0)
  return page.evaluate(() => performance.getEntriesByName('picture')[0]?.startTime ?? 0)
}

/** What the browser fetches until the list stands, with an empty cache. */
async function bytesOf(context: BrowserContext, origin: string) {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  const types = new Map<string, string>()
  const bytes: Record<string, number> = {}
  devtools.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId) ?? 'Other'
    bytes[type] = (bytes[type] ?? 0) + encodedDataLength
  })
  await page.goto(`${origin}/evidence`)
  await page.getByRole('grid').getByText('BWC').first().waitFor()
  await page.waitForTimeout(500)
  // The scripts alone, compressed, without the headers of their answers.
  const script = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  )
  await page.close()
  return {
    scriptKilobytes: round(script / 1000),
    kilobytes: Object.fromEntries(Object.entries(bytes).map(([type, count]) => [type, round(count / 1000)])),
  }
}

/** Milliseconds from the navigation until a row of the list is painted; and of a page that only says what its address is. */
async function paint(context: BrowserContext, origin: string) {
  const bare = await context.newPage()
  const since = performance.now()
  await bare.goto(`${origin}/healthz`)
  const bareMilliseconds = performance.now() - since
  await bare.close()
  const page = await context.newPage()
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (document.querySelector('[role=grid] [role=row] img, [role=grid] [role=row] svg') === null) return
      watch.disconnect()
      requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('useful')))
    })
    watch.observe(document, { subtree: true, childList: true })
  })
  await page.goto(`${origin}/evidence`)
  await page.getByRole('grid').getByText('BWC').first().waitFor()
  await page.waitForFunction(() => performance.getEntriesByName('useful').length > 0)
  const found = await page.evaluate(() => ({
    useful: performance.getEntriesByName('useful')[0]?.startTime ?? 0,
    first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  }))
  await page.close()
  return { usefulMs: round(found.useful), firstPaintMs: round(found.first), bareMs: round(bareMilliseconds) }
}

/** Every frame a screenful, from the first row to the last; tasks over 50 ms are what a person feels. */
async function scroll(context: BrowserContext, origin: string) {
  const page = await context.newPage()
  await page.goto(`${origin}/evidence`)
  await page.getByRole('grid').getByText('BWC').first().waitFor()
  await page.waitForTimeout(1500)
  const found = await page.evaluate(async () => {
    const tasks: number[] = []
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    observer.observe({ type: 'longtask' })
    const scroller = [...document.querySelectorAll<HTMLElement>('[role=grid], [role=grid] *')].find(
      (element) => element.scrollHeight > element.clientHeight * 3 && getComputedStyle(element).overflowY !== 'visible',
    )
    if (scroller === undefined) throw new Error('nothing scrolls')
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
    const height = scroller.scrollHeight
    const framesOf = async (tops: readonly number[]): Promise<readonly number[]> => {
      const times: number[] = []
      let before = await frame()
      for (const top of tops) {
        scroller.scrollTop = top
        const now = await frame()
        times.push(now - before)
        before = now
      }
      return times.toSorted((one, other) => one - other)
    }
    const steady = await framesOf(Array.from({ length: 300 }, (_none, index) => index * 120))
    // Over the whole list: every frame shows other rows.
    const leaps = await framesOf(Array.from({ length: 120 }, (_none, index) => (height / 120) * index))
    await new Promise((resolve) => setTimeout(resolve, 1500))
    observer.disconnect()
    return {
      height,
      steady,
      leaps,
      tasks,
      rows: document.querySelectorAll('[role=row]').length,
    }
  })
  await page.close()
  const p95 = (times: readonly number[]): number => round(times[Math.floor(times.length * 0.95)] ?? 0)
  return {
    steadyMsP95: p95(found.steady),
    leapMsP95: p95(found.leaps),
    slowestFrameMs: round(Math.max(found.steady.at(-1) ?? 0, found.leaps.at(-1) ?? 0)),
    longTasks: found.tasks.length,
    longestTaskMs: round(Math.max(0, ...found.tasks)),
    rowsInPage: found.rows,
    scrolledPixels: found.height,
  }
}
