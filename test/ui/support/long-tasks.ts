/**
 * Tasks of a page that a person would feel: over 50 ms of its own main thread. The browser's Long Tasks API counts by the clock on the
 * wall, also while the machine gives its time to others; a trace of the same seconds says how long the thread itself was at work. How
 * fast a thread works is the machine's affair too: beside the page's tasks stands a fixed piece of the browser's own work, drawn in the
 * same seconds, and where that piece alone shows a slow machine the limit follows it.
 */
import type { Page } from 'playwright-core'

const FELT_MS = 50
/** A task may last as long as so many pieces where the machine makes that more than 50 ms. */
const PIECES = 4
const MARK = 'a fixed piece of work'

interface Traced {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds: the begin, and how long by the clock and by the thread's own work. */
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

export interface Tasks {
  /** Milliseconds by the clock of those the browser itself calls long. */
  readonly clock: number[]
  /** Milliseconds of the thread's own work of the longest one, and of the fixed piece (median). */
  readonly longest: number
  readonly piece: number
  /** From here a task counts as felt: 50 ms, or more where the fixed piece says so. */
  readonly limit: number
  /** Those over the limit. */
  readonly work: number[]
}

/** @returns ends it, and tells which tasks there were */
export async function watchTasks(page: Page): Promise<() => Promise<Tasks>> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('A page of no browser')
  await page.evaluate(() => {
    const clock: number[] = []
    Object.assign(window, { clock })
    new PerformanceObserver((list) => clock.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    })
  })
  await browser.startTracing(page, {
    categories: ['disabled-by-default-devtools.timeline', 'blink.user_timing'],
  })
  await drawPieces(page)
  return async () => {
    await drawPieces(page)
    const trace = (await browser.stopTracing()).toString('utf8')
    const { traceEvents: events } = JSON.parse(trace) as { traceEvents: Traced[] }
    const mains = new Set(
      events
        .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid} ${tid}`),
    )
    const ofMains = events.filter(({ pid, tid }) => mains.has(`${pid} ${tid}`))
    const tasks = ofMains.filter(({ name, ph, tdur }) => name === 'RunTask' && ph === 'X' && tdur !== undefined)
    const marks = ofMains.filter(({ name }) => name === MARK)
    const isPiece = ({ pid, tid, ts, dur = 0 }: Traced): boolean =>
      marks.some((mark) => mark.pid === pid && mark.tid === tid && mark.ts >= ts && mark.ts <= ts + dur)
    const took = ({ tdur = 0 }: Traced): number => tdur / 1000
    const pieces = tasks.filter(isPiece).map(took)
    if (pieces.length < 2) throw new Error('The trace tells no times of threads')
    const own = tasks.filter((task) => !isPiece(task)).map(took)
    const piece = pieces.toSorted((one, other) => one - other)[Math.floor(pieces.length / 2)] ?? 0
    const limit = Math.max(FELT_MS, PIECES * piece)
    return {
      clock: await page.evaluate(() => (window as unknown as { clock: number[] }).clock),
      longest: Math.max(...own),
      piece,
      limit,
      work: own.filter((milliseconds) => milliseconds > limit),
    }
  }
}

/** Three times the same: two hundred lines of five cells that are made, laid out and taken away, each in a task of its own. */
const drawPieces = (page: Page): Promise<void> =>
  page.evaluate(async (mark) => {
    for (let time = 0; time < 3; time += 1) {
      await new Promise((done) => setTimeout(done))
      const place = document.createElement('div')
      for (let line = 0; line < 200; line += 1) {
        const row = place.appendChild(document.createElement('div'))
        for (let cell = 0; cell < 5; cell += 1)
          row.appendChild(document.createElement('span')).textContent = `${mark} ${line} ${cell}`
      }
      document.body.append(place)
      place.getBoundingClientRect()
      place.remove()
      performance.mark(mark)
    }
  }, MARK)
