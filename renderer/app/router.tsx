/** Every address of the window, from the list of pages. A view's state (filters, sort, tab, position) is part of it. */
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  defaultStringifySearch,
  lazyRouteComponent,
  Outlet,
  redirect,
  useParams,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { loadChunk } from '../client/load-chunk.ts'
import type { Page } from '../client/page.ts'
import { isStale } from '../client/reach.ts'
import { atWork, sessionQuery } from '../client/session.tsx'
import { Crashed } from './error-boundary.tsx'
import { Frame } from './frame/frame.tsx'
import { askForSession, queries } from './query-client.ts'
import { NotFound, PageProblem, PageWaiting } from './page-states.tsx'
import { administration, allPages, pages } from './pages.ts'

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
    throw redirect({ to: '/today', replace: true })
  },
})

/** The set-up link of a station that is set up already. */
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  beforeLoad: () => {
    throw redirect({ to: '/today', replace: true })
  },
})

const layout = createRoute({
  getParentRoute: () => root,
  id: 'administration',
  validateSearch: administration.layout.readSearch,
  component: componentOf(administration.layout.load),
})

const routeOf = <Parent extends AnyRoute, Path extends string, Search extends object>(
  parent: Parent,
  page: Page<Path, Search>,
) =>
  createRoute({
    getParentRoute: () => parent,
    path: page.path,
    validateSearch: page.readSearch,
    beforeLoad: ({ cause, params, search }) => {
      if (cause === 'enter') void askAhead(page, params, search)
    },
    component: viewOf(page),
  })
type RoutesOf<Parent extends AnyRoute, Listed> = {
  readonly [At in keyof Listed]: Listed[At] extends Page<infer Path, infer Search>
    ? ReturnType<typeof routeOf<Parent, Path, Search>>
    : never
}
const routesOf = <Parent extends AnyRoute, const Listed extends readonly Page[]>(parent: Parent, listed: Listed) =>
  // A list knows the type of each of its pages; what is made of it by `map` does not.
  listed.map((page) => routeOf(parent, page)) as unknown as RoutesOf<Parent, Listed>

function componentOf(load: Page['load']) {
  return lazyRouteComponent(() => loadChunk(async () => ({ default: (await load()) as (props: object) => ReactNode })))
}

/** A page that somebody goes to asks before it is drawn. What it could not get it asks for again when it is shown. */
async function askAhead({ load }: Page, params: Readonly<Record<string, string>>, search: object): Promise<void> {
  const session = queries.getQueryData(sessionQuery.queryKey)
  if (session === undefined || !atWork(session)) return
  try {
    const { ahead } = await load()
    await ahead?.({ queries, tenant: session.TenantId, params, search: { ...search } })
  } catch {}
}

/** Given what its address names. Another address is another page: nothing chosen or typed in the one before goes over. */
function viewOf({ load }: Page) {
  const View = componentOf(load)
  const Keyed = () => {
    const params: Readonly<Record<string, string>> = useParams({ strict: false })
    return <View key={Object.values(params).join('/')} {...params} />
  }
  // What the router asks of a component that comes later is its `preload`.
  return Object.assign(Keyed, { preload: View.preload }) as unknown as typeof View
}

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    setUp,
    ...routesOf(root, pages),
    layout.addChildren(routesOf(layout, administration.pages)),
  ]),
  // Commas and colons mean nothing in a query and are readable.
  stringifySearch: (search) => defaultStringifySearch(search).replaceAll('%2C', ',').replaceAll('%3A', ':'),
  defaultPreload: 'intent',
  // Inside the sheet: rail, header, lock and keys stay.
  defaultErrorComponent: PageProblem,
  defaultPendingComponent: PageWaiting,
  defaultPendingMs: 1_000,
  scrollRestoration: true,
})

/** Asks who is signed in and fetches the scripts of the page at the address meanwhile, then what the page shows. */
export function fetchFirstPage(): void {
  const { pathname, search } = router.latestLocation
  const [routes, params, found] = router.getMatchedRoutes(pathname)
  for (const route of routes)
    router.loadRouteChunk(route)?.catch(() => {
      // It is asked for again where it is shown.
    })
  const page = allPages.find(({ path }) => path === found?.fullPath)
  void askForSession().then(() => (page === undefined ? undefined : askAhead(page, params, page.readSearch(search))))
}

/** Of an earlier build parts may be gone: the page is loaded anew where somebody goes next, never under their hands. */
router.subscribe('onBeforeNavigate', ({ pathChanged, toLocation }) => {
  if (pathChanged && isStale()) window.location.assign(toLocation.href)
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
