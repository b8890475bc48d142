/**
 * Tasks of a page that a person would feel: over 50 ms of its own main thread. The browser's Long Tasks API counts by the clock on the
 * wall, also while the machine gives its time to others; a trace of the same seconds says how long the thread itself was at work.
 */
import type { Page } from 'playwright-core'

export const FELT_MS = 50
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

/** Milliseconds. */
export interface Tasks {
  /** Those that were long by the clock. */
  readonly clock: number[]
  /** Those in which the page itself worked for so long. */
  readonly work: number[]
  /** How many there were, and the page's own work of the longest. */
  readonly count: number
  readonly longest: number
  /** The same of a fixed piece (`drawPieces`), the median of those drawn meanwhile; 0: none was. */
  readonly piece: number
}

/** @returns ends it */
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
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'blink.user_timing'] })
  return async () => {
    const trace = (await browser.stopTracing()).toString('utf8')
    const { traceEvents: events } = JSON.parse(trace) as { traceEvents: Traced[] }
    const mains = new Set(
      events
        .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid} ${tid}`),
    )
    const ofMains = events.filter(({ pid, tid }) => mains.has(`${pid} ${tid}`))
    const tasks = ofMains.filter(({ name, ph, tdur }) => name === 'RunTask' && ph === 'X' && tdur !== undefined)
    if (tasks.length === 0) throw new Error('The trace tells no times of threads')
    const marks = ofMains.filter(({ name }) => name === MARK)
    const isPiece = ({ pid, tid, ts, dur = 0 }: Traced): boolean =>
      marks.some((mark) => mark.pid === pid && mark.tid === tid && mark.ts >= ts && mark.ts <= ts + dur)
    const took = ({ tdur = 0 }: Traced): number => tdur / 1000
    const own = tasks.filter((task) => !isPiece(task)).map(took)
    const pieces = tasks
      .filter(isPiece)
      .map(took)
      .sort((one, other) => one - other)
    return {
      clock: await page.evaluate(() => (window as unknown as { clock: number[] }).clock),
      work: own.filter((milliseconds) => milliseconds > FELT_MS),
      count: own.length,
      longest: Math.max(...own),
      piece: pieces[Math.floor(pieces.length / 2)] ?? 0,
    }
  }
}

/**
 * A fixed piece of the browser's own work, to hold a page's tasks against in the same seconds: two hundred lines of five cells that are
 * made, laid out and taken away, three times, each in a task of its own.
 */
export const drawPieces = (page: Page): Promise<void> =>
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
