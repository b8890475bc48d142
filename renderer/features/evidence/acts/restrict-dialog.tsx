import { RestrictDialog as Dialog } from '../../../client/disclosure/restrictions.tsx'
import type { ActDialogOf } from './protect-dialog.tsx'

/** Keeps one evidence from leaving the station. */
export function RestrictDialog({ targets: [target], onClose }: ActDialogOf) {
  if (target === undefined) return null
  return (
    <Dialog evidenceId={target.EvidenceId} manages={target.AccessorPermissions.includes('Manage')} onClose={onClose} />
  )
}
