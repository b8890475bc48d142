import { useParams } from '@tanstack/react-router'
import { EvidencePage } from '../features/evidence/page/evidence-page.tsx'

export function EvidenceRoute() {
  const { evidenceId } = useParams({ from: '/evidence/$evidenceId' })
  // Another evidence is another page: nothing of the player before goes over.
  return <EvidencePage key={evidenceId} evidenceId={evidenceId} />
}
