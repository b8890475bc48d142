import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Changed, useActs } from './acts.ts'
import type { Change } from './changes.ts'
import { type Course, PartDone } from './course.ts'
import type { Named, Target } from './targets.ts'

/** From so many on the way back takes long enough to be told. */
const MANY = 20

/**
 * Changes many items and says how many, with a way back; also for what was changed before one was refused or it was stopped.
 * @throws PartDone, Fault
 */
export function useChangeMany() {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const { change, changeBack } = useActs()
  const undo = async (made: readonly Changed[], by: Change): Promise<void> => {
    const telling = made.length < MANY ? null : toasts.show({ text: t('undoing') })
    try {
      const count = await changeBack(made, by)
      const words = { count, shown: format.count(count) }
      toasts.show({ text: count === 0 ? t('undoneNone') : t('undone', words) })
    } catch (failure) {
      throw failure instanceof PartDone ? failure.refusal : failure
    } finally {
      if (telling !== null) toasts.close(telling)
    }
  }
  return async (
    targets: readonly Target[],
    by: Change,
    said: (changed: readonly Named[]) => string,
    course: Course,
  ): Promise<void> => {
    const made: Changed[] = []
    try {
      await change(targets, by, (changed) => made.push(changed), course)
    } finally {
      if (made.length > 0) toasts.show({ text: said(made.map(({ after }) => after)), undo: () => undo(made, by) })
    }
    if (made.length === 0) toasts.show({ text: t('nothingDiffered') })
  }
}
