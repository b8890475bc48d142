import { useTranslation } from '../../../client/translate.ts'
import { Outcome } from '../../../ui/act/outcome.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { ActDialog } from './act-dialog.tsx'
import { useActs } from './acts.ts'
import type { Course } from './course.ts'
import { type Named, toastOf, useMayAct } from './targets.ts'
import type { ActDialogOf } from './protect-dialog.tsx'

/** What goes, what stays, and the way back, before anything happens (guide, Destruction). */
export function DeleteDialog({ targets, leftOut, onClose, onDone }: ActDialogOf) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const { remove, restore } = useActs()
  const { restore: mayRestore } = useMayAct()
  const words = toastOf(targets, format.count)
  const run = async (left: readonly Named[], course: Course): Promise<void> => {
    await remove(left, course)
    onDone?.()
    const undo = () => restore(targets)
    toasts.show({ text: t('deletedToast', words), ...(mayRestore ? { undo } : {}) })
  }
  return (
    <ActDialog
      title={t('deleteTitle', words)}
      act={t('deleteAct')}
      failed={t('notDeleted')}
      danger
      targets={targets}
      leftOut={leftOut}
      onAct={run}
      onClose={onClose}
    >
      <Outcome icon="trash" title={t('goes')}>
        <li>{t('goesLists')}</li>
      </Outcome>
      <Outcome icon="ok" title={t('stays')}>
        <li>{t('staysBytes')}</li>
        <li>{t('staysCases')}</li>
        <li>{t('staysHistory')}</li>
      </Outcome>
      <Outcome icon="undo" title={t('wayBack')}>
        <li>{t('wayBackBody')}</li>
      </Outcome>
    </ActDialog>
  )
}
