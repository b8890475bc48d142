/**
 * Whether the station answers, asked for as soon as there is a doubt: the browser lost its network, an event stream broke, a request did
 * not arrive. While it does not answer it is asked again and again, so that everything goes on by itself.
 */
import type { QueryClient } from '@tanstack/react-query'
import { getSession } from '../../shared/identity/sessions.contract.ts'
import { call, Fault, onReach, reached, unreachable } from './api.ts'

const FIRST = 1_000
const LONGEST = 5_000

/** @returns whether the station answered just now */
export async function probe(): Promise<boolean> {
  try {
    await call(getSession, {})
    return true
  } catch (error) {
    // A refusal is an answer.
    if (error instanceof Fault) return true
    reached(false)
    return false
  }
}

/** Resolves once the station answers again. */
export const whenReached = (): Promise<void> =>
  new Promise((resolve) => {
    if (unreachable() === null) {
      resolve()
      return
    }
    const stop = onReach((since) => {
      if (since !== null) return
      stop()
      resolve()
    })
  })

/** Paths of the scripts that a page begins with. Their names carry a hash of what is in them, so another build has another path. */
const scriptsOf = (page: Document): string[] =>
  [...page.querySelectorAll('script[src]')]
    .map((script) => new URL(script.getAttribute('src') as string, location.origin).pathname)
    .filter((path) => path.startsWith('/assets/'))

let stale = false
/** The station serves another build than this page is of. */
export const isStale = (): boolean => stale

async function lookForNewBuild(): Promise<void> {
  const here = scriptsOf(document)
  if (here.length === 0) return
  try {
    const answer = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
    if (!answer.ok) return
    const there = scriptsOf(new DOMParser().parseFromString(await answer.text(), 'text/html'))
    if (there.some((path) => !here.includes(path))) stale = true
  } catch {
    // Gone again; it is looked for when it is back.
  }
}

/** @returns how to stop. Called once for a page. */
export function watchReach(queries: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  const again = (wait: number): void => {
    timer ??= setTimeout(() => {
      timer = null
      void probe().then((answered) => {
        if (!answered) again(Math.min(wait * 2, LONGEST))
      })
    }, wait)
  }
  const lost = (): void => reached(false)
  const back = (): void => void probe()
  const stop = onReach((since) => {
    if (since !== null) {
      again(FIRST)
      return
    }
    if (timer !== null) clearTimeout(timer)
    timer = null
    // An answer that was on its way when the network went is none of now.
    if (!navigator.onLine) again(FIRST)
    // What failed meanwhile, and what changed while nobody listened.
    void queries.invalidateQueries()
    void lookForNewBuild()
  })
  if (unreachable() !== null) again(FIRST)
  window.addEventListener('offline', lost)
  window.addEventListener('online', back)
  return () => {
    stop()
    if (timer !== null) clearTimeout(timer)
    window.removeEventListener('offline', lost)
    window.removeEventListener('online', back)
  }
}
