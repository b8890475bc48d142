import { SearchPage } from '../features/search/search-page.tsx'
import { withWords } from '../client/i18n.ts'
import { lazyPart } from '../client/load-chunk.ts'

/** The outline that evidence pages have; areas know nothing of each other, so it is put in here. */
const AreaMap = lazyPart(() => withWords(import('../features/evidence/page/where/area-map.tsx'), 'evidencePage'))

export function SearchRoute() {
  return <SearchPage map={AreaMap} />
}
