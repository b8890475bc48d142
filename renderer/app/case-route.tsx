import { useMemo } from 'react'
import { withWords } from '../client/i18n.ts'
import { CasePage } from '../features/cases/page/case-page.tsx'
import { askAhead } from '../features/cases/queries.ts'
import type { MapProps } from '../features/cases/page/places.tsx'
import { shapesOf } from '../../shared/kernel/wkt-shapes.ts'
import { lazyOpened } from '../client/lazy-opened.tsx'
import { lazyPart } from '../client/load-chunk.ts'

const CaseLinks = lazyPart(() => withWords(import('../features/correlation/case-links.tsx'), 'correlation'))
/** Acts on evidence are the evidence area's; a case only adds what it does itself. */
const CaseActs = lazyPart(async () => ({
  default: (await withWords(import('../features/evidence/acts/case-acts.tsx'), 'evidenceList', 'evidenceActs'))
    .CaseActs,
}))
const CaseTimes = lazyOpened(
  async () =>
    (
      await withWords(
        import('../features/evidence/suggest/case-times.tsx'),
        'evidenceList',
        'evidenceActs',
        'evidenceSuggestions',
      )
    ).CaseTimes,
)
const CasePackages = lazyPart(async () => ({
  default: (
    await withWords(import('../features/packages/case-packages.tsx'), 'packages', 'packageProblems', 'jobReasons')
  ).CasePackages,
}))
const CaseDisclosure = lazyPart(async () => ({
  default: (await withWords(import('../features/disclosure/case-disclosure.tsx'), 'disclosure')).CaseDisclosure,
}))
const OutlineMap = lazyPart(() => withWords(import('../features/evidence/page/where/outline-map.tsx'), 'evidencePage'))

/** The outline that evidence pages have; areas know nothing of each other, so it is put in here. */
function CaseMap({ wkts, label }: MapProps) {
  const shapes = useMemo(() => wkts.flatMap((wkt) => shapesOf(wkt) ?? []), [wkts])
  return <OutlineMap shapes={shapes} tiles={null} label={label} />
}

export function CaseRoute({ caseId }: { readonly caseId: string }) {
  return (
    <CasePage
      caseId={caseId}
      map={CaseMap}
      links={CaseLinks}
      acts={CaseActs}
      times={CaseTimes}
      packages={CasePackages}
      disclosure={CaseDisclosure}
    />
  )
}
CaseRoute.ahead = askAhead
