/** Every address of the interface. A view's state (filters, sort, tab, position) is part of it. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { type ListSearch, listSearch, withoutUsual } from '../features/evidence/list/search.ts'
import { Crashed } from './error-boundary.tsx'
import { Frame } from './frame/frame.tsx'
import { NotFound } from './not-found.tsx'

const root = createRootRoute({
  component: () => (
    <Frame>
      <Outlet />
    </Frame>
  ),
  notFoundComponent: NotFound,
  errorComponent: ({ error }) => <Crashed error={error} />,
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/evidence', replace: true })
  },
})

/** The set-up link of a station that is set up already. */
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  beforeLoad: () => {
    throw redirect({ to: '/evidence', replace: true })
  },
})

const evidenceList = createRoute({
  getParentRoute: () => root,
  path: '/evidence',
  validateSearch: (search: Record<string, unknown>): Partial<ListSearch> => withoutUsual(listSearch.parse(search)),
  component: lazyRouteComponent(() => import('../features/evidence/list/list-page.tsx'), 'EvidenceListPage'),
})

const evidence = createRoute({
  getParentRoute: () => root,
  path: '/evidence/$evidenceId',
  component: lazyRouteComponent(() => import('./evidence-route.tsx'), 'EvidenceRoute'),
})

const parts = createRoute({
  getParentRoute: () => root,
  path: '/parts',
  component: lazyRouteComponent(() => import('../features/parts/parts-page.tsx'), 'PartsPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([home, setUp, evidenceList, evidence, parts]),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
