import { useParams } from '@tanstack/react-router'
import { withWords } from '../client/i18n.ts'
import { EvidencePage } from '../features/evidence/page/evidence-page.tsx'
import { lazyPart } from '../client/load-chunk.ts'

const EvidenceLinks = lazyPart(() => withWords(import('../features/correlation/evidence-links.tsx')))

export function EvidenceRoute() {
  const { evidenceId } = useParams({ from: '/evidence/$evidenceId' })
  // Another evidence is another page: nothing of the player before goes over.
  return <EvidencePage key={evidenceId} evidenceId={evidenceId} links={EvidenceLinks} />
}
