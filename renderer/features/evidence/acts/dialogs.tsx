/** The dialogs of acts, fetched with their words when the first of them is asked for: most who look at a list decide nothing. */
import { Suspense } from 'react'
import { withWords } from '../../../client/i18n.ts'
import type { ActDialogOf } from './protect-dialog.tsx'
import { lazyPart } from '../../../client/load-chunk.ts'

const DIALOGS = {
  protect: lazyPart(async () => ({
    default: (await withWords(import('./protect-dialog.tsx'), 'evidenceActs')).ProtectDialog,
  })),
  delete: lazyPart(async () => ({
    default: (await withWords(import('./delete-dialog.tsx'), 'evidenceActs')).DeleteDialog,
  })),
  move: lazyPart(async () => ({ default: (await withWords(import('./move-dialog.tsx'), 'evidenceActs')).MoveDialog })),
}

export type Decision = keyof typeof DIALOGS

export function DecisionDialog({ decision, ...of }: ActDialogOf & { readonly decision: Decision }) {
  const Dialog = DIALOGS[decision]
  return (
    <Suspense fallback={null}>
      <Dialog {...of} />
    </Suspense>
  )
}
