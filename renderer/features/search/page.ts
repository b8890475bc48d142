import { definePage, type Page } from '../../client/page.ts'
import { searchSearch, withoutUsual } from './search-state.ts'

/** With the map of another feature, which the list of pages puts in. */
export const searchPage = (load: Page['load']) =>
  definePage({
    path: '/search',
    readSearch: (given) => withoutUsual(searchSearch.parse(given)),
    load,
    name: 'searchGo',
    rail: { group: 'areas', icon: 'search' },
    command: { name: 'commandSearch', icon: 'search' },
    key: { letter: 's', does: 'keyGoSearch' },
  })
