import { SearchPage } from '../features/search/search-page.tsx'
import { withWords } from '../client/i18n.ts'
import { lazyPart } from '../client/load-chunk.ts'

/** The outline that evidence pages have; areas know nothing of each other, so it is put in here. */
const AreaMap = lazyPart(() => withWords(import('../features/evidence/page/where/area-map.tsx'), 'evidencePage'))

const DensityMap = lazyPart(() => withWords(import('../features/evidence/page/where/density-map.tsx'), 'evidencePage'))
const MAPS = { pick: AreaMap, density: DensityMap }

export function SearchRoute() {
  return <SearchPage maps={MAPS} />
}
