import type { AnyRoute, AnyRouter } from '@tanstack/react-router'
import { withWords } from '../client/i18n.ts'
import { allPages } from './pages.ts'

const LARGE: ReadonlySet<string> = new Set(allPages.filter(({ isLarge }) => isLarge === true).map(({ path }) => path))

/** What the frame opens: its keys work while the station does not answer. */
const OF_FRAME: readonly (() => Promise<unknown>)[] = [
  () => withWords(import('./frame/palette.tsx'), 'help'),
  () => import('./frame/keys.tsx'),
  () => withWords(import('./frame/jobs-panel.tsx'), 'jobReasons'),
  () => import('./frame/undo-panel.tsx'),
  () => import('./frame/uploads-panel.tsx'),
  () => withWords(import('./frame/notices-panel.tsx'), 'notices'),
]

/** What pages open: with these here, a dialog or a list opens while the station does not answer. */
const OPENED: readonly (() => Promise<unknown>)[] = [
  () => import('../ui/dialog/dialog-surface.tsx'),
  () => import('../ui/popover/menu-surface.tsx'),
  () => import('../ui/popover/popover-surface.tsx'),
  () => import('../ui/select/select-field.tsx'),
  () => import('../ui/combobox/combobox-field.tsx'),
  () => import('../ui/date-time/date-time-parts.tsx'),
  () => import('../ui/field/number-parts.tsx'),
]

/** Fetches every page and what opens on it when there is nothing else to do, so that it needs no request. @returns how to stop */
export function prefetchPages(router: AnyRouter): () => void {
  const routes = Object.values<AnyRoute>(router.routesByPath).filter(({ fullPath }) => !LARGE.has(fullPath))
  const parts = [...OF_FRAME, ...OPENED, ...routes.map((route) => () => router.loadRouteChunk(route))]
  let stopped = false
  const run = async (): Promise<void> => {
    for (const load of parts) {
      await idle()
      if (stopped) return
      try {
        await load()
      } catch {
        // It is asked for again where it is needed.
      }
    }
  }
  const timer = setTimeout(() => void run(), PREFETCH_AFTER)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

const PREFETCH_AFTER = 4_000
const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(resolve, { timeout: 10_000 })
    else setTimeout(resolve, 200)
  })
