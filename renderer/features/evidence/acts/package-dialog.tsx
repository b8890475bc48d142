import { useState } from 'react'
import { contentsOf } from '../../../client/packages/contents.ts'
import { OrderDialog } from '../../../client/packages/order-dialog.tsx'
import type { ActDialogOf } from './protect-dialog.tsx'

/** A package of chosen evidence. What this person may not download was left out before, and is said. */
export function PackageDialog({ targets, leftOut, onClose, onDone }: ActDialogOf) {
  const [of] = useState({ evidenceIds: targets.map(({ EvidenceId }) => EvidenceId) })
  return <OrderDialog of={of} contents={contentsOf(targets)} leftOut={leftOut} onClose={onClose} onDone={onDone} />
}
