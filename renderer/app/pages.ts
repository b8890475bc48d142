/**
 * Every page of the window, in the order in which rail, palette and keys name them. Routes and the path in the header follow from it too.
 * A new page stands in its feature and in this list.
 */
import {
  administrationLayout,
  administrationPage,
  pairPage,
  sectionPages,
  userHistoryPage,
} from '../features/administration/pages.ts'
import { callsPage } from '../features/calls-board/page.ts'
import { caseListPage, casePage, createCasePage, editCasePage } from '../features/cases/pages.ts'
import { reviewPage } from '../features/correlation/page.ts'
import { deviceListPage, devicePage, deviceTypesPage } from '../features/devices/pages.ts'
import {
  dockReceiptPage,
  dockSessionPage,
  dockSessionsPage,
  dockWallPage,
  takePage,
} from '../features/docking/pages.ts'
import { evidenceListPage, evidencePage } from '../features/evidence/pages.ts'
import { backlogPage, headquartersPage } from '../features/forwarding/pages.ts'
import { helpPage } from '../features/help/page.ts'
import { accountPage, allowPage } from '../features/identity/pages.ts'
import { integrityPage } from '../features/integrity/page.ts'
import { packagesPage } from '../features/packages/page.ts'
import { reportsPage } from '../features/reports/page.ts'
import { caseDisclosurePage, disclosurePage } from '../features/disclosure/page.ts'
import { dispositionPage } from '../features/retention/page.ts'
import { shareLinksPage } from '../features/share-links/page.ts'
import { searchPage } from '../features/search/page.ts'
import { todayPage } from '../features/today/page.ts'
import { withWords } from '../client/i18n.ts'
import type { Page } from '../client/page.ts'

export const pages = [
  todayPage(async () => (await withWords(import('./today-route.tsx'), 'today')).TodayRoute),
  evidenceListPage,
  evidencePage(
    async () =>
      (await withWords(import('./evidence-route.tsx'), 'evidenceList', 'evidencePage', 'evidenceActs', 'jobReasons'))
        .EvidenceRoute,
  ),
  caseListPage,
  dockWallPage,
  callsPage,
  deviceListPage,
  deviceTypesPage,
  devicePage,
  packagesPage,
  disclosurePage,
  shareLinksPage,
  dispositionPage,
  reportsPage,
  searchPage(async () => (await withWords(import('./search-route.tsx'), 'search')).SearchRoute),
  reviewPage,
  integrityPage,
  headquartersPage,
  backlogPage,
  createCasePage,
  casePage(async () => (await withWords(import('./case-route.tsx'), 'cases', 'caseWork')).CaseRoute),
  editCasePage,
  caseDisclosurePage,
  accountPage,
  allowPage,
  takePage,
  dockSessionsPage,
  dockSessionPage,
  dockReceiptPage,
  helpPage(async () => (await withWords(import('./help-route.tsx'), 'help')).HelpRoute),
] as const

/** Inside its layout. */
export const administration = {
  layout: administrationLayout,
  pages: [administrationPage, ...sectionPages, userHistoryPage, pairPage],
} as const

export const allPages: readonly Page[] = [...pages, ...administration.pages]

/** The way to a page as the header shows it, from the area down to the page. An address that leads nowhere is shown as what it begins with. */
export function trailOf(address: string): readonly { readonly page: Page; readonly to: string; readonly id: string }[] {
  const segments = address.split('/')
  const page = allPages.find(({ path }) => fits(path, segments))
  if (page === undefined) return segments.length > 2 ? trailOf(segments.slice(0, -1).join('/')) : trailOf('/today')
  const id = segments[page.path.split('/').findLastIndex((segment) => segment.startsWith('$'))] ?? ''
  if (page.under === undefined) return [{ page, to: address, id }]
  return [...trailOf(segments.slice(0, page.under.split('/').length).join('/')), { page, to: address, id }]
}

/** @param segments of an address; pages with a parameter stand behind those whose address says the same in words */
function fits(path: string, segments: readonly string[]): boolean {
  const own = path.split('/')
  return own.length === segments.length && own.every((one, at) => one === segments[at] || one.startsWith('$'))
}
