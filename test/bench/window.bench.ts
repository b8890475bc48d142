/**
 * The window in real Chromium on loopback, against a station with 100,000 evidences: the first useful paint (rows of the list on the
 * screen) of a signed-in person, cold and warm, beside a page of the same station that holds nothing; the longest tasks while the list is
 * scrolled from one end to the other; the bytes of the first screen as they go over the wire.
 *   npm run bench -- window [evidences = 100000]
 * Prints one line of JSON a question.
 */
import { spawnSync } from 'node:child_process'
import { type BrowserContext, chromium } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { startServer } from '../../server/index.ts'
import { ADMINISTRATOR, givenStation } from '../support/given.ts'
import { writeEvidences } from './list-rows.ts'

const evidences = Number(process.argv[2] ?? '100000')
const print = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
const round = (value: number): number => Math.round(value * 10) / 10

await ensureRenderer()
const given = await givenStation()
const executablePath = spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout.trim()
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  await given.stop()
  writeEvidences(given.file, evidences)
  const station = await startServer(given.settings)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  await signInOnce(context, station.url)
  print({ name: 'first screen', ...(await bytesOf(context, station.url)) })
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
  await page.goto(origin)
  await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
  await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
  await page.getByText('I have read the notice').click()
  await page.locator('button[type=submit]').click()
  await page.getByRole('grid').waitFor()
  await page.close()
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
    let frames = 0
    let slowest = 0
    let before = await frame()
    // Steadily for a while, then in leaps over the whole list.
    const steady = Array.from({ length: 300 }, (_none, index) => index * 120)
    const leaps = Array.from({ length: 120 }, (_none, index) => (height / 120) * index)
    for (const top of [...steady, ...leaps]) {
      scroller.scrollTop = top
      const now = await frame()
      slowest = Math.max(slowest, now - before)
      before = now
      frames += 1
    }
    await new Promise((resolve) => setTimeout(resolve, 1500))
    observer.disconnect()
    return { height, frames, slowest, tasks, rows: document.querySelectorAll('[role=row]').length }
  })
  await page.close()
  return {
    frames: found.frames,
    slowestFrameMs: round(found.slowest),
    longTasks: found.tasks.length,
    longestTaskMs: round(Math.max(0, ...found.tasks)),
    rowsInPage: found.rows,
    scrolledPixels: found.height,
  }
}
