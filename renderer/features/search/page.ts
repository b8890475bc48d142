import { definePage, type Page } from '../../client/page.ts'
import { searchSearch } from './search-state.ts'

/** With the map of another feature, which the list of pages puts in. */
export const searchPage = (load: Page['load']) =>
  definePage({
    path: '/search',
    readSearch: (given) => searchSearch.withoutUsual(searchSearch.read(given)),
    load,
    name: { en: 'Search', fr: 'Recherche' },
    rail: { group: 'areas', icon: 'search' },
    command: { name: { en: 'Search with filters', fr: 'Rechercher avec des filtres' }, icon: 'search' },
    key: { letter: 's', does: { en: 'Go to the search', fr: 'Aller à la recherche' } },
  })
