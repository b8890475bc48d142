/**
 * Loads a part of the program that is fetched when it is needed. Without an answer of the station it waits and tries again, so that what
 * was asked for comes by itself. A part that the station does not have any more belongs to an earlier build: the page that needs it is
 * loaded again where it is shown.
 */
import { lazy } from 'react'
import { probe, whenReached } from './reach.ts'

/** Before each try again while the station answers: a single request may be lost. */
const PAUSES = [300, 1_500] as const
const RELOADED = 'sallyport.reloaded'
/** A page that was loaded again so lately and still lacks a part would do so for ever. */
const RELOADS_AFTER = 30_000

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

export function reloadedLately(): boolean {
  try {
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
    if (Date.now() - last < RELOADS_AFTER) return true
    sessionStorage.setItem(RELOADED, String(Date.now()))
    return false
  } catch {
    // Without storage nobody knows; then the page says what happened instead.
    return true
  }
}

/** @throws what the import threw, where the station answers and further tries did not help */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; ) {
    try {
      return await load()
    } catch (error) {
      // Only what could not be fetched is tried again; a part that threw while it began would throw again.
      if (!isMissing(error)) throw error
      if (!(await probe())) {
        await whenReached()
        continue
      }
      const wait = PAUSES[tries]
      tries += 1
      // Never loaded again from here: what is fetched ahead of time must not take the page from under somebody's hands.
      if (wait === undefined) throw error
      await pause(wait)
    }
  }
}

/** As the browsers and the bundler say that a module or its style sheet did not come. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|Unable to preload CSS|error loading/i.test(
    error.message,
  )

/** As React's own lazy, with the above. */
export const lazyPart: typeof lazy = (load) => lazy(() => loadChunk(load))
