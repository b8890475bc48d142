import { useCallback, useRef } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { toasts } from '../../../../ui/toast/toast.tsx'
import { placeText } from '../player/marks.ts'
import { useBookmarkActs } from './bookmarks.ts'

/**
 * Marks a place at once, called by where it is: whoever watches goes on watching and gives it a better name later. The toast takes it
 * back.
 */
export function useMarking(evidenceId: string, resourceId: string): (start: number, end?: number | null) => void {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const acts = useBookmarkActs(evidenceId)
  const busy = useRef(false)
  return useCallback(
    (start, end = null) => {
      // A key held down makes one mark.
      if (busy.current) return
      busy.current = true
      const StartSeconds = Number(placeText(start))
      const Title = format.position(start)
      acts
        .add(resourceId, { StartSeconds, EndSeconds: end === null ? null : Number(placeText(end)), Title })
        .then(
          (made) =>
            toasts.show({
              text: t(end === null ? 'bookmarkMade' : 'bookmarkMadeRange', { at: Title }),
              undo: () => acts.remove(made),
            }),
          (error: unknown) => toasts.problem(error),
        )
        .finally(() => {
          busy.current = false
        })
    },
    [acts, resourceId, t, format],
  )
}
