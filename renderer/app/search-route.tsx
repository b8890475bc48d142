import { lazy } from 'react'
import { SearchPage } from '../features/search/search-page.tsx'

/** The outline that evidence pages have; areas know nothing of each other, so it is put in here. */
const AreaMap = lazy(() => import('../features/evidence/page/where/area-map.tsx'))

export function SearchRoute() {
  return <SearchPage map={AreaMap} />
}
