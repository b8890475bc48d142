import { useParams } from '@tanstack/react-router'
import { DockReceiptPage } from '../features/docking/sessions/receipt-page.tsx'
import { DockSessionPage } from '../features/docking/sessions/session-page.tsx'

export function DockSessionRoute() {
  const { dockSessionId } = useParams({ from: '/dock/sessions/$dockSessionId' })
  return <DockSessionPage key={dockSessionId} id={dockSessionId} />
}

export function DockReceiptRoute() {
  const { dockSessionId } = useParams({ from: '/dock/sessions/$dockSessionId/receipt' })
  return <DockReceiptPage key={dockSessionId} id={dockSessionId} />
}
