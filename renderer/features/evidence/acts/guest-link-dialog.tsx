import { useState } from 'react'
import { MakeLinkDialog } from '../../../client/share-links/make-dialog.tsx'
import type { ActDialogOf } from './protect-dialog.tsx'

/** A link of chosen evidence for somebody without an account. What this person does not manage was left out before, and is said. */
export function GuestLinkDialog({ targets, leftOut, onClose, onDone }: ActDialogOf) {
  const [ids] = useState(() => targets.map(({ EvidenceId }) => EvidenceId))
  return <MakeLinkDialog evidenceIds={ids} leftOut={leftOut} onClose={onClose} onDone={onDone} />
}
