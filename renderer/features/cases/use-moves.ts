import * as contract from '../../../shared/cases/contract.ts'
import { useTranslation } from '../../client/translate.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { toasts } from '../../ui/toast/toast.tsx'
import { type Case, useCaseAct } from './queries.ts'

/** Closing and opening again, each with its way back. */
export function useMoves(record: Pick<Case, 'CaseId' | 'Title'>) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const act = useCaseAct(record.CaseId)
  const title = visible(record.Title)
  const close = async (back = true): Promise<void> => {
    const closed = await act(contract.closeCase, {})
    const day = closed.ScheduledDeletionUtc === null ? null : format.day(closed.ScheduledDeletionUtc)
    toasts.show({
      text: day === null ? t('closedToast', { title }) : t('closedToastDay', { title, day }),
      ...(back ? { undo: () => reopen(false) } : {}),
    })
  }
  const reopen = async (back = true): Promise<void> => {
    await act(contract.reopenCase, {})
    toasts.show({
      text: t('reopenedToast', { title }),
      ...(back ? { undo: () => close(false) } : {}),
    })
  }
  return { close: () => void close().catch(toasts.problem), reopen: () => void reopen().catch(toasts.problem) }
}
