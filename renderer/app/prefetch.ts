import type { AnyRoute, AnyRouter } from '@tanstack/react-router'
import { allPages } from './pages.ts'

const LARGE: ReadonlySet<string> = new Set(allPages.filter(({ isLarge }) => isLarge === true).map(({ path }) => path))

/** Fetches every page when there is nothing else to do, so that going there needs no request. @returns how to stop */
export function prefetchPages(router: AnyRouter): () => void {
  const routes = Object.values<AnyRoute>(router.routesByPath).filter(({ fullPath }) => !LARGE.has(fullPath))
  let stopped = false
  const load = async (route: AnyRoute): Promise<void> => {
    await router.loadRouteChunk(route)
    next()
  }
  const next = (): void => {
    const route = routes.shift()
    if (stopped || route === undefined) return
    idle(() => {
      if (!stopped) void load(route)
    })
  }
  const timer = setTimeout(next, PREFETCH_AFTER)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

const PREFETCH_AFTER = 4_000
const idle = (work: () => void): void => {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 10_000 })
  else setTimeout(work, 200)
}
