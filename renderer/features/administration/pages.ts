import { sections as english } from '../../../shared/administration/sections.messages.en.ts'
import { sections as french } from '../../../shared/administration/sections.messages.fr.ts'
import { definePage, type Page } from '../../client/page.ts'
import { withWords } from '../../client/i18n.ts'
import { isOfferedTo } from './rights.ts'
import { adminSearch } from './search-state.ts'
import { SECTIONS, type SectionId } from './sections.ts'

/** Around all the others: what they show stands in one address. */
export const administrationLayout = {
  readSearch: (given: Record<string, unknown>) => adminSearch.read(given),
  load: async () => (await withWords(import('./layout.tsx'), 'administration')).AdministrationLayout,
} as const

export const administrationPage = definePage({
  path: '/administration',
  load: async () => (await withWords(import('./layout.tsx'), 'administration')).AdministrationHome,
  name: { en: 'Administration', fr: 'Administration' },
  isOffered: (session) => SECTIONS.some((section) => isOfferedTo(session, section)),
  rail: { group: 'integrity', icon: 'admin' },
})

const LOAD: Readonly<Record<SectionId, Page['load']>> = {
  users: async () => (await withWords(import('./users/users-page.tsx'), 'administration')).UsersPage,
  groups: async () => (await withWords(import('./groups/groups-page.tsx'), 'administration')).GroupsPage,
  policies: async () => (await withWords(import('./policies/policies-page.tsx'), 'administration')).PoliciesPage,
  services: async () => (await withWords(import('./services/services-page.tsx'), 'administration')).ServicesPage,
  categories: async () =>
    (await withWords(import('./categories/categories-page.tsx'), 'administration')).CategoriesPage,
  sources: async () => (await withWords(import('./sources/sources-page.tsx'), 'administration')).SourcesPage,
  departments: async () =>
    (await withWords(import('./departments/departments-page.tsx'), 'administration')).DepartmentsPage,
  templates: async () =>
    (await withWords(import('./templates/templates-page.tsx'), 'administration', 'cases')).TemplatesPage,
  prefilled: async () =>
    (await withWords(import('./prefilled/prefilled-page.tsx'), 'administration', 'cases')).PrefilledPage,
  cad: async () =>
    (await withWords(import('./dispatch/cad-page.tsx'), 'administration', 'cad', 'cadReasons', 'cases')).CadPage,
  maps: async () => (await withWords(import('./maps/maps-page.tsx'), 'administration')).MapsPage,
  network: async () =>
    (await withWords(import('./network/network-page.tsx'), 'administration', 'network', 'connectionReasons'))
      .NetworkPage,
  nodes: async () => (await withWords(import('./nodes/nodes-page.tsx'), 'administration')).NodesPage,
  denials: async () => (await withWords(import('./denials/denials-page.tsx'), 'administration')).DenialsPage,
}

type PagesOf<Listed> = {
  readonly [At in keyof Listed]: Listed[At] extends { readonly to: infer To extends string } ? Page<To> : never
}
/** Beside each other in the administration. */
export const sectionPages = SECTIONS.map((section) => {
  const { id, to } = section
  return definePage({
    path: to,
    load: LOAD[id],
    name: { en: english[id], fr: french[id] },
    under: '/administration',
    isOffered: (session) => isOfferedTo(session, section),
    command: {
      name: { en: `Administration: ${english[id]}`, fr: `Administration : ${french[id]}` },
      icon: 'settings',
    },
  })
}) as unknown as PagesOf<typeof SECTIONS>

export const userHistoryPage = definePage({
  path: '/administration/users/$userId/history',
  load: async () =>
    (await withWords(import('./users/history-page.tsx'), 'administration', 'evidencePage')).UserHistoryPage,
  name: { en: english.users, fr: french.users },
  under: '/administration',
})

export const pairPage = definePage({
  path: '/administration/network/pair',
  load: async () => (await withWords(import('./network/pair-page.tsx'), 'administration', 'network')).PairPage,
  name: { en: english.network, fr: french.network },
  under: '/administration',
  isLarge: true,
})
