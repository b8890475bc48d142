import { definePage, type Page } from '../../client/page.ts'
import { readSearch, toAddress } from './list/search.ts'

export const evidenceListPage = definePage({
  path: '/evidence',
  readSearch: (given) => toAddress(readSearch(given)),
  load: async () => (await import('./list/list-page.tsx')).EvidenceListPage,
  name: { en: 'Evidence', fr: 'Preuves' },
  rail: { group: 'areas', icon: 'evidence' },
  command: { name: { en: 'Show all evidence', fr: 'Afficher toutes les preuves' }, icon: 'evidence' },
  key: { letter: 'e', does: { en: 'Go to evidence', fr: 'Aller aux preuves' } },
})

/** With parts of other features, which the list of pages puts in. */
export const evidencePage = (load: Page['load']) =>
  definePage({ path: '/evidence/$evidenceId', load, useName: (id) => id, isId: true, under: '/evidence' })
