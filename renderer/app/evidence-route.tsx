import { withWords } from '../client/i18n.ts'
import { EvidencePage } from '../features/evidence/page/evidence-page.tsx'
import { askAhead } from '../features/evidence/page/ahead.ts'
import { lazyPart } from '../client/load-chunk.ts'

const EvidenceLinks = lazyPart(() => withWords(import('../features/correlation/evidence-links.tsx'), 'correlation'))

export function EvidenceRoute({ evidenceId }: { readonly evidenceId: string }) {
  return <EvidencePage evidenceId={evidenceId} links={EvidenceLinks} />
}
EvidenceRoute.ahead = askAhead
