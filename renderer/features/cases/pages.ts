import { useQuery } from '@tanstack/react-query'
import { definePage, type Page } from '../../client/page.ts'
import { withWords } from '../../client/i18n.ts'
import { caseSearch } from './list/search.ts'
import { pageSearch } from './page/search-state.ts'

export const caseListPage = definePage({
  path: '/cases',
  readSearch: (given) => caseSearch.withoutUsual(caseSearch.read(given)),
  load: async () => (await withWords(import('./list/list-page.tsx'), 'cases')).CaseListPage,
  name: { en: 'Cases', fr: 'Dossiers' },
  rail: { group: 'areas', icon: 'cases' },
  command: { name: { en: 'Show all cases', fr: 'Afficher tous les dossiers' }, icon: 'cases' },
  key: { letter: 'c', does: { en: 'Go to cases', fr: 'Aller aux dossiers' } },
})

export const createCasePage = definePage({
  path: '/cases/new',
  load: async () => (await withWords(import('./form/create-page.tsx'), 'cases')).CreateCasePage,
  name: { en: 'New case', fr: 'Nouveau dossier' },
  under: '/cases',
  command: { name: { en: 'Create case', fr: 'Créer un dossier' }, icon: 'plus' },
})

/** With parts of other features, which the list of pages puts in. */
export const casePage = (load: Page['load']) =>
  definePage({
    path: '/cases/$caseId',
    readSearch: (given) => pageSearch.withoutUsual(pageSearch.read(given)),
    load,
    useName: useOrdinal,
    isId: true,
    under: '/cases',
  })

export const editCasePage = definePage({
  path: '/cases/$caseId/edit',
  load: async () => (await withWords(import('./form/edit-page.tsx'), 'cases')).EditCasePage,
  name: { en: 'Edit', fr: 'Modifier' },
  under: '/cases/$caseId',
})

/** The number of a case, which is known as soon as the case is here. */
function useOrdinal(caseId: string): string {
  const { data } = useQuery<{ readonly Ordinal: string }>({ queryKey: ['case', caseId, 'record'], enabled: false })
  return data?.Ordinal ?? caseId
}
