import { SearchPage } from '../features/search/search-page.tsx'
import { lazyPart } from '../client/load-chunk.ts'

/** The outline that evidence pages have; areas know nothing of each other, so it is put in here. */
const AreaMap = lazyPart(() => import('../features/evidence/page/where/area-map.tsx'))

export function SearchRoute() {
  return <SearchPage map={AreaMap} />
}
