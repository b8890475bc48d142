import { useParams } from '@tanstack/react-router'
import { EditCasePage } from '../features/cases/form/edit-page.tsx'

export function CaseEditRoute() {
  const { caseId } = useParams({ from: '/cases/$caseId/edit' })
  return <EditCasePage key={caseId} caseId={caseId} />
}
