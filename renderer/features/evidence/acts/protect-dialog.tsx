import { useState } from 'react'
import { LONGEST_REASON } from '../../../../shared/cases/case-acts.contract.ts'
import { ProtectEvidenceModel } from '../../../../shared/evidence/acts.contract.ts'
import { useTranslation } from '../../../client/translate.ts'
import { useTextDraft } from '../../../client/use-text-draft.ts'
import { bySchema, useTextProblem } from '../../../client/use-text-problem.ts'
import { DateTimeField } from '../../../ui/date-time/date-time.tsx'
import { TextArea } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { ActDialog } from './act-dialog.tsx'
import { useActs } from './acts.ts'
import type { Course } from './course.ts'
import { type Named, type Target, toastOf } from './targets.ts'

export interface ActDialogOf {
  readonly targets: readonly Target[]
  readonly leftOut?: string | undefined
  /** The case on whose page they were chosen. */
  readonly caseId?: string | undefined
  readonly onClose: () => void
  /** All of it was done. */
  readonly onDone?: (() => void) | undefined
}

/** Bars deletion, with a reason that stays in the ledger (decisions 4 and 6). */
export function ProtectDialog({ targets, leftOut, onClose, onDone }: ActDialogOf) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const { protect, unprotect } = useActs()
  const [reason, setReason, forgetReason] = useTextDraft(
    `evidence-${targets.map(({ EvidenceId }) => EvidenceId).join(',')}-protect`,
  )
  const wrong = useTextProblem(bySchema(ProtectEvidenceModel.shape.Reason), reason, t('reasonMissing'))
  const [until, setUntil] = useState<string | null>(null)
  const run = async (left: readonly Named[], course: Course): Promise<void> => {
    await protect(left, { reason, until }, course)
    forgetReason()
    onDone?.()
    toasts.show({
      text: t('protectedToast', toastOf(targets, format.count)),
      undo: () => unprotect(targets),
    })
  }
  return (
    <ActDialog
      title={t('protectTitle')}
      lead={t('protectLead')}
      act={t('protectAct')}
      failed={t('notProtected')}
      why={wrong}
      targets={targets}
      leftOut={leftOut}
      onAct={run}
      onClose={onClose}
    >
      <TextArea
        label={t('reason')}
        description={t('reasonHow')}
        value={reason}
        onChange={setReason}
        maxLength={LONGEST_REASON}
        error={reason.trim() === '' ? undefined : wrong}
        required
        autoFocus
      />
      <DateTimeField
        label={t('protectUntil')}
        description={t('protectUntilHow')}
        zone={format.zone}
        value={until}
        onChange={setUntil}
      />
    </ActDialog>
  )
}
