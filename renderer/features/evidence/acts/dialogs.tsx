/** The dialogs of acts, fetched with their words when the first of them is asked for: most who look at a list decide nothing. */
import { lazy, Suspense } from 'react'
import { laterWords } from '../../../client/i18n.ts'
import type { ActDialogOf } from './protect-dialog.tsx'

const DIALOGS = {
  protect: lazy(async () => {
    const [{ ProtectDialog }] = await Promise.all([import('./protect-dialog.tsx'), laterWords()])
    return { default: ProtectDialog }
  }),
  delete: lazy(async () => {
    const [{ DeleteDialog }] = await Promise.all([import('./delete-dialog.tsx'), laterWords()])
    return { default: DeleteDialog }
  }),
  move: lazy(async () => {
    const [{ MoveDialog }] = await Promise.all([import('./move-dialog.tsx'), laterWords()])
    return { default: MoveDialog }
  }),
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
