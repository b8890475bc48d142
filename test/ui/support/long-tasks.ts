/**
 * Tasks of a page that a person would feel: over 50 ms of its own main thread. The browser's Long Tasks API counts by the clock on the
 * wall, also while the machine gives its time to others; a trace of the same seconds says how long the thread itself was at work.
 */
import type { Page } from 'playwright-core'

export const FELT_MS = 50

interface Traced {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** @returns ends it, with the tasks that were long by the clock, and those in which the page itself worked for so long; milliseconds */
export async function watchTasks(page: Page): Promise<() => Promise<{ clock: number[]; work: number[] }>> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('A page of no browser')
  await page.evaluate(() => {
    const clock: number[] = []
    Object.assign(window, { clock })
    new PerformanceObserver((list) => clock.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    })
  })
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
  return async () => {
    const trace = (await browser.stopTracing()).toString('utf8')
    const { traceEvents: events } = JSON.parse(trace) as { traceEvents: Traced[] }
    const mains = new Set(
      events
        .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid} ${tid}`),
    )
    const tasks = events.filter(({ name, pid, tid }) => name === 'RunTask' && mains.has(`${pid} ${tid}`))
    if (!tasks.some(({ tdur }) => tdur !== undefined)) throw new Error('The trace tells no times of threads')
    return {
      clock: await page.evaluate(() => (window as unknown as { clock: number[] }).clock),
      work: tasks.map(({ tdur = 0 }) => tdur / 1000).filter((milliseconds) => milliseconds > FELT_MS),
    }
  }
}
