import { useRef, useState } from 'react'
import * as links from '../../../../shared/cases/case-links.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { ActDialog } from './act-dialog.tsx'
import { useActs } from './acts.ts'
import type { Course } from './course.ts'
import { type Named, type Target, toastOf } from './targets.ts'
import { CaseChoice, type ChosenCase } from './case-choice.tsx'
import type { ActDialogOf } from './protect-dialog.tsx'

/** Links evidence to a case. What is in that case already stays there, also after *Undo*. */
export function LinkDialog({ targets, leftOut, onClose, onDone }: ActDialogOf) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const { link } = useActs()
  const notLinkedTo = useNotLinkedTo()
  const [chosen, setChosen] = useState<ChosenCase | null>(null)
  /** What *Undo* removes again. Asked once for a case: after a stop, what was linked before it is in the case. */
  const fresh = useRef<{ readonly caseId: string; readonly targets: readonly Target[] } | null>(null)
  const run = async (left: readonly Named[], course: Course): Promise<void> => {
    if (chosen === null) return
    const { id, title } = chosen
    if (fresh.current?.caseId !== id) fresh.current = { caseId: id, targets: await notLinkedTo(targets, id) }
    const added = fresh.current.targets
    await link(left, id, 'Add', course)
    onDone?.()
    if (added.length === 0) toasts.show({ text: t('linkedBefore', { ...toastOf(targets, format.count), title }) })
    else
      toasts.show({
        text: t('linkedToast', { ...toastOf(added, format.count), title }),
        undo: () => link(added, id, 'Remove'),
      })
  }
  return (
    <ActDialog
      title={t('linkTitle')}
      lead={t('linkLead')}
      act={t('linkAct')}
      failed={t('notLinked')}
      why={chosen === null ? t('caseMissing') : undefined}
      check={() => chosen !== null}
      targets={targets}
      leftOut={leftOut}
      onAct={run}
      onClose={onClose}
    >
      <CaseChoice label={t('linkTo')} chosen={chosen} onChoose={setChosen} />
    </ActDialog>
  )
}

/** Asks only about evidence that is in a case at all. */
function useNotLinkedTo() {
  const { tenant } = useSession()
  const isLinkedTo = async ({ EvidenceId: evidenceId }: Target, caseId: string): Promise<boolean> => {
    const params = { tenantId: tenant, evidenceId }
    const { Relations } = await call(links.getEvidenceRelations, { params, query: {} })
    return Relations.some(({ CaseId }) => CaseId === caseId)
  }
  return async (targets: readonly Target[], caseId: string): Promise<readonly Target[]> => {
    const found: Target[] = []
    for (const target of targets)
      if (target.AssociationState === 'None' || !(await isLinkedTo(target, caseId))) found.push(target)
    return found
  }
}
