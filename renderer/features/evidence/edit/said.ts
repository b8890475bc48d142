import { useMemo } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import type { Fields } from './fields.ts'
import type { Part } from './parts.ts'
import type { Sent } from './save.ts'

type Back = () => Promise<Sent>
export type Said = ReturnType<typeof useSaid>

/** What is said of a change of an evidence, with its way back. */
export function useSaid({ label }: Fields) {
  const { t } = useTranslation('evidencePage')
  return useMemo(() => {
    const undo = (back: Back, field: string) => () =>
      back().then(({ done }) => {
        // Thrown, so that the undo list does not say that it is undone.
        if (!done) throw new Error(t('editUndoLate', { field }))
        toasts.show({ text: t('editUndone', { field }) })
      })
    const show = (text: string, back: Back, field = label('Tags')): void =>
      void toasts.show({ text, undo: undo(back, field) })
    return {
      undoReason: t('editUndoReason'),
      show,
      saved: (parts: readonly Part[], back: Back): void => {
        const field = parts.map(label).join(', ')
        show(t('editSaved', { field }), back, field)
      },
      late: (part: Part): void => void toasts.show({ text: t('editUndoLate', { field: label(part) }) }),
      givenUp: (part: Part, bringBack: () => void): void =>
        void toasts.show({ text: t('editGivenUp', { field: label(part) }), undo: bringBack }),
    }
  }, [t, label])
}
