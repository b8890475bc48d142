import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as acts from '../../../../shared/cases/case-acts.contract.ts'
import { useTextDraft } from '../../../client/use-text-draft.ts'
import { bySchema, useTextProblem } from '../../../client/use-text-problem.ts'
import { DateTimeField } from '../../../ui/date-time/date-time.tsx'
import { TextArea } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Case, useCaseAct } from '../queries.ts'
import { ActDialog } from './act-dialog.tsx'

/** Bars deletion of the case and its evidence, with a reason that stays in the ledger (decisions 4). */
export function ProtectDialog({ record, onClose }: { readonly record: Case; readonly onClose: () => void }) {
  const { t } = useTranslation('cases')
  const { zone } = useFormat()
  const act = useCaseAct(record.CaseId)
  const [reason, setReason, forgetReason] = useTextDraft(`case-${record.CaseId}-protect`)
  const wrong = useTextProblem(bySchema(acts.ProtectCaseModel.shape.Reason), reason, t('reasonMissing'))
  const [until, setUntil] = useState<string | null>(null)
  const protect = async (): Promise<void> => {
    await act(acts.protectCase, { body: { Reason: reason, ...(until === null ? {} : { Until: until }) } })
    forgetReason()
    toasts.show({ text: t('protectedToast') })
  }
  return (
    <ActDialog
      title={t('protectTitle')}
      lead={t('protectLead')}
      act={t('protect')}
      failed={t('notProtected')}
      why={wrong}
      onAct={protect}
      onClose={onClose}
    >
      <TextArea
        label={t('reason')}
        description={t('reasonHow')}
        value={reason}
        onChange={setReason}
        maxLength={acts.LONGEST_REASON}
        error={reason.trim() === '' ? undefined : wrong}
        required
        autoFocus
      />
      <DateTimeField
        label={t('protectUntil')}
        description={t('protectUntilHow')}
        zone={zone}
        value={until}
        onChange={setUntil}
      />
    </ActDialog>
  )
}
