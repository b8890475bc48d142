import { useState } from 'react'
import * as contract from '../../../shared/disclosure/contract.ts'
import { LONGEST_REASON } from '../../../shared/disclosure/kinds.ts'
import { call } from '../../client/api.ts'
import { type Disclosure, useDisclosuresChanged } from '../../client/disclosure/disclosure.ts'
import { Refusal } from '../../client/disclosure/refusal.tsx'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { visible } from '../../ui/format/visible.ts'
import { toasts } from '../../ui/toast/toast.tsx'

interface Props {
  readonly line: Disclosure['Withheld'][number]
  readonly record: Disclosure
  readonly onClose: () => void
}

/** Records that the ground of a withheld line no longer applies: from then on it is due to the recipient. */
export function EndGroundDialog({ line, record, onClose }: Props) {
  const { t } = useTranslation('disclosure')
  const { tenant } = useSession()
  const changed = useDisclosuresChanged()
  const [reason, setReason] = useState('')
  const end = async (): Promise<void> => {
    await call(contract.endGround, {
      params: { tenantId: tenant, caseId: record.CaseId, no: String(record.No) },
      body: { EvidenceId: line.EvidenceId, ResourceId: line.ResourceId, Reason: reason.trim() },
    })
    toasts.show({ text: t('groundEndedToast') })
  }
  return (
    <ActDialog
      title={t('endGroundTitle')}
      lead={t('endGroundLead', { description: visible(line.Description) })}
      act={t('endGround')}
      failed={t('groundNotEnded')}
      why={reason.trim() === '' ? t('reasonMissing') : undefined}
      problem={(error) => <Refusal error={error} title={t('groundNotEnded')} />}
      onAct={() => end().finally(changed)}
      onClose={onClose}
    >
      <TextArea
        label={t('reason')}
        value={reason}
        onChange={setReason}
        rows={2}
        maxLength={LONGEST_REASON}
        required
        autoFocus
      />
    </ActDialog>
  )
}
