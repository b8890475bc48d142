/**
 * How long this thread's event loop was held by one piece of work. The wall clock also counts what other processes took of a busy machine;
 * the thread's own CPU time does not, so promises are judged by CPU time and both are reported.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface LoopDelay {
  /** Milliseconds of this thread's CPU in the worst gap between two turns of the loop. */
  readonly cpu: number
  /** Milliseconds of the worst delay, as the platform's own histogram counted it. */
  readonly wall: number
}

/** Begins to watch; the function that it returns ends the watch and tells the worst. */
export function watchLoop(): () => Promise<LoopDelay> {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  let cpu = 0
  let before = threadMillis()
  const look = (): void => {
    const now = threadMillis()
    cpu = Math.max(cpu, now - before)
    before = now
  }
  const timer = setInterval(look, 1)
  return async () => {
    // Work that began just now belongs to it.
    await new Promise((resolve) => setTimeout(resolve, 2))
    clearInterval(timer)
    look()
    histogram.disable()
    return { cpu, wall: histogram.max / 1e6 }
  }
}

function threadMillis(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Begins to watch the writer; the function that it returns ends the watch and tells how long the longest transaction held it. */
export function watchWriter(): () => number {
  let worst = 0
  const longest = (millis: unknown): void => {
    worst = Math.max(worst, millis as number)
  }
  subscribe('sallyport:writer-held', longest)
  return () => {
    unsubscribe('sallyport:writer-held', longest)
    return worst
  }
}
