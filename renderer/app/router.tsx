/** Every address of the interface. A view's state (filters, sort, tab, position) is part of it. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as lazily,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { type AdminSearch, adminSearch } from '../features/administration/search-state.ts'
import { type CallsSearch, callsSearch, withoutUsual as withoutUsualCalls } from '../features/calls-board/search.ts'
import { type CaseSearch, caseSearch, withoutUsual as withoutUsualCases } from '../features/cases/list/search.ts'
import { type PageSearch, pageSearch, withoutUsualView } from '../features/cases/page/search-state.ts'
import {
  type DeviceSearch,
  deviceSearch,
  type DevicesSearch,
  devicesSearch,
  type TypesSearch,
  typesSearch,
} from '../features/devices/search-state.ts'
import { type DispositionSearch, dispositionSearch } from '../features/retention/search.ts'
import {
  type ReceiptSearch,
  receiptSearch,
  type SessionSearch,
  sessionSearch,
  type SessionsSearch,
  sessionsSearch,
  withoutUsual as withoutUsualSessions,
} from '../features/docking/sessions/search.ts'
import { type ListSearch, listSearch, withoutUsual } from '../features/evidence/list/search.ts'
import { withWords } from '../client/i18n.ts'
import { loadChunk } from '../client/load-chunk.ts'
import { isStale } from '../client/reach.ts'
import { type SearchState, searchSearch, withoutUsual as withoutUsualSearch } from '../features/search/search-state.ts'
import { Crashed } from './error-boundary.tsx'
import { PageProblem } from './page-problem.tsx'
import { PageWaiting } from './page-waiting.tsx'
import { Frame } from './frame/frame.tsx'
import { NotFound } from './not-found.tsx'

const lazyRouteComponent: typeof lazily = (load, name) => lazily(() => loadChunk(() => withWords(load())), name)

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
  component: lazily(() => loadChunk(() => import('../features/evidence/list/list-page.tsx')), 'EvidenceListPage'),
})

const evidence = createRoute({
  getParentRoute: () => root,
  path: '/evidence/$evidenceId',
  component: lazyRouteComponent(() => import('./evidence-route.tsx'), 'EvidenceRoute'),
})

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: (given: Record<string, unknown>): Partial<SearchState> =>
    withoutUsualSearch(searchSearch.parse(given)),
  component: lazyRouteComponent(() => import('./search-route.tsx'), 'SearchRoute'),
})

const caseList = createRoute({
  getParentRoute: () => root,
  path: '/cases',
  validateSearch: (search: Record<string, unknown>): Partial<CaseSearch> => withoutUsualCases(caseSearch.parse(search)),
  component: lazyRouteComponent(() => import('../features/cases/list/list-page.tsx'), 'CaseListPage'),
})

const caseNew = createRoute({
  getParentRoute: () => root,
  path: '/cases/new',
  component: lazyRouteComponent(() => import('../features/cases/form/create-page.tsx'), 'CreateCasePage'),
})

const casePage = createRoute({
  getParentRoute: () => root,
  path: '/cases/$caseId',
  validateSearch: (search: Record<string, unknown>): Partial<PageSearch> => withoutUsualView(pageSearch.parse(search)),
  component: lazyRouteComponent(() => import('./case-route.tsx'), 'CaseRoute'),
})

const caseEdit = createRoute({
  getParentRoute: () => root,
  path: '/cases/$caseId/edit',
  component: lazyRouteComponent(() => import('./case-edit-route.tsx'), 'CaseEditRoute'),
})

const administration = createRoute({
  getParentRoute: () => root,
  path: '/administration',
  validateSearch: (search: Record<string, unknown>): AdminSearch => adminSearch.parse(search),
  component: lazyRouteComponent(() => import('../features/administration/layout.tsx'), 'AdministrationLayout'),
})

const administrationHome = createRoute({
  getParentRoute: () => administration,
  path: '/',
  component: lazyRouteComponent(() => import('../features/administration/layout.tsx'), 'AdministrationHome'),
})

const administrationCategories = createRoute({
  getParentRoute: () => administration,
  path: '/categories',
  component: lazyRouteComponent(
    () => import('../features/administration/categories/categories-page.tsx'),
    'CategoriesPage',
  ),
})

const administrationSources = createRoute({
  getParentRoute: () => administration,
  path: '/sources',
  component: lazyRouteComponent(() => import('../features/administration/sources/sources-page.tsx'), 'SourcesPage'),
})

const administrationDepartments = createRoute({
  getParentRoute: () => administration,
  path: '/departments',
  component: lazyRouteComponent(
    () => import('../features/administration/departments/departments-page.tsx'),
    'DepartmentsPage',
  ),
})

const deviceList = createRoute({
  getParentRoute: () => root,
  path: '/devices',
  validateSearch: (search: Record<string, unknown>): DevicesSearch => devicesSearch.parse(search),
  component: lazyRouteComponent(() => import('../features/devices/list/devices-page.tsx'), 'DevicesPage'),
})

const deviceTypes = createRoute({
  getParentRoute: () => root,
  path: '/devices/types',
  validateSearch: (search: Record<string, unknown>): TypesSearch => typesSearch.parse(search),
  component: lazyRouteComponent(() => import('../features/devices/types/types-page.tsx'), 'DeviceTypesPage'),
})

const device = createRoute({
  getParentRoute: () => root,
  path: '/devices/$deviceId',
  validateSearch: (search: Record<string, unknown>): DeviceSearch => deviceSearch.parse(search),
  component: lazyRouteComponent(() => import('./device-route.tsx'), 'DeviceRoute'),
})

const disposition = createRoute({
  getParentRoute: () => root,
  path: '/disposition',
  validateSearch: (search: Record<string, unknown>): DispositionSearch => dispositionSearch.parse(search),
  component: lazyRouteComponent(() => import('../features/retention/disposition-page.tsx'), 'DispositionPage'),
})

const review = createRoute({
  getParentRoute: () => root,
  path: '/review',
  component: lazyRouteComponent(() => import('../features/correlation/review-page.tsx'), 'ReviewPage'),
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(() => import('../features/identity/account/account-page.tsx'), 'AccountPage'),
})

/** Where `/connect/authorize` leads with what a program asks. */
const authorize = createRoute({
  getParentRoute: () => root,
  path: '/authorize',
  component: lazyRouteComponent(() => import('../features/identity/sign-in/allow-page.tsx'), 'AllowPage'),
})

const administrationUsers = createRoute({
  getParentRoute: () => administration,
  path: '/users',
  component: lazyRouteComponent(() => import('../features/administration/users/users-page.tsx'), 'UsersPage'),
})

const administrationUserHistory = createRoute({
  getParentRoute: () => administration,
  path: '/users/$userId/history',
  component: lazyRouteComponent(() => import('../features/administration/users/history-page.tsx'), 'UserHistoryPage'),
})

const administrationGroups = createRoute({
  getParentRoute: () => administration,
  path: '/groups',
  component: lazyRouteComponent(() => import('../features/administration/groups/groups-page.tsx'), 'GroupsPage'),
})

const administrationPolicies = createRoute({
  getParentRoute: () => administration,
  path: '/policies',
  component: lazyRouteComponent(() => import('../features/administration/policies/policies-page.tsx'), 'PoliciesPage'),
})

const administrationServices = createRoute({
  getParentRoute: () => administration,
  path: '/services',
  component: lazyRouteComponent(() => import('../features/administration/services/services-page.tsx'), 'ServicesPage'),
})

const administrationTemplates = createRoute({
  getParentRoute: () => administration,
  path: '/templates',
  component: lazyRouteComponent(
    () => import('../features/administration/templates/templates-page.tsx'),
    'TemplatesPage',
  ),
})

const administrationPrefilled = createRoute({
  getParentRoute: () => administration,
  path: '/prefilled',
  component: lazyRouteComponent(
    () => import('../features/administration/prefilled/prefilled-page.tsx'),
    'PrefilledPage',
  ),
})

const administrationNetwork = createRoute({
  getParentRoute: () => administration,
  path: '/network',
  component: lazyRouteComponent(() => import('../features/administration/network/network-page.tsx'), 'NetworkPage'),
})

const administrationPair = createRoute({
  getParentRoute: () => administration,
  path: '/network/pair',
  component: lazyRouteComponent(() => import('../features/administration/network/pair-page.tsx'), 'PairPage'),
})

const administrationCad = createRoute({
  getParentRoute: () => administration,
  path: '/cad',
  component: lazyRouteComponent(() => import('../features/administration/dispatch/cad-page.tsx'), 'CadPage'),
})

const administrationDenials = createRoute({
  getParentRoute: () => administration,
  path: '/denials',
  component: lazyRouteComponent(() => import('../features/administration/denials/denials-page.tsx'), 'DenialsPage'),
})

const integrity = createRoute({
  getParentRoute: () => root,
  path: '/fixity',
  component: lazyRouteComponent(() => import('../features/integrity/integrity-page.tsx'), 'IntegrityPage'),
})

const dock = createRoute({
  getParentRoute: () => root,
  path: '/dock',
  component: lazyRouteComponent(() => import('../features/docking/wall/wall-page.tsx')),
})

const calls = createRoute({
  getParentRoute: () => root,
  path: '/calls',
  validateSearch: (search: Record<string, unknown>): Partial<CallsSearch> =>
    withoutUsualCalls(callsSearch.parse(search)),
  component: lazyRouteComponent(() => import('../features/calls-board/calls-page.tsx'), 'CallsPage'),
})

/** With nobody signed in app.tsx shows the same page. */
const dockTake = createRoute({
  getParentRoute: () => root,
  path: '/dock/take',
  component: lazyRouteComponent(() => import('../features/docking/assign/take-page.tsx')),
})

const dockSessions = createRoute({
  getParentRoute: () => root,
  path: '/dock/sessions',
  validateSearch: (given: Record<string, unknown>): Partial<SessionsSearch> =>
    withoutUsualSessions(sessionsSearch.parse(given)),
  component: lazyRouteComponent(() => import('../features/docking/sessions/list-page.tsx'), 'DockSessionsPage'),
})

const dockSession = createRoute({
  getParentRoute: () => root,
  path: '/dock/sessions/$dockSessionId',
  validateSearch: (search: Record<string, unknown>): SessionSearch => sessionSearch.parse(search),
  component: lazyRouteComponent(() => import('./dock-session-route.tsx'), 'DockSessionRoute'),
})

const dockReceipt = createRoute({
  getParentRoute: () => root,
  path: '/dock/sessions/$dockSessionId/receipt',
  validateSearch: (search: Record<string, unknown>): ReceiptSearch => receiptSearch.parse(search),
  component: lazyRouteComponent(() => import('./dock-session-route.tsx'), 'DockReceiptRoute'),
})

const administrationTree = administration.addChildren([
  administrationHome,
  administrationCategories,
  administrationSources,
  administrationDepartments,
  administrationUsers,
  administrationUserHistory,
  administrationGroups,
  administrationPolicies,
  administrationServices,
  administrationTemplates,
  administrationPrefilled,
  administrationNetwork,
  administrationPair,
  administrationCad,
  administrationDenials,
])

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    setUp,
    evidenceList,
    evidence,
    search,
    caseList,
    caseNew,
    casePage,
    caseEdit,
    deviceList,
    deviceTypes,
    device,
    disposition,
    review,
    administrationTree,
    account,
    integrity,
    dock,
    dockTake,
    dockSessions,
    dockSession,
    dockReceipt,
    calls,
    authorize,
  ]),
  defaultPreload: 'intent',
  // Inside the sheet: rail, header, lock and keys stay.
  defaultErrorComponent: PageProblem,
  defaultPendingComponent: PageWaiting,
  defaultPendingMs: 1_000,
  scrollRestoration: true,
})

/** Of an earlier build parts may be gone: the page is loaded anew where somebody goes next, never under their hands. */
router.subscribe('onBeforeNavigate', ({ pathChanged, toLocation }) => {
  if (pathChanged && isStale()) window.location.assign(toLocation.href)
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
