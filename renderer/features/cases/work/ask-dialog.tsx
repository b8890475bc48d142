import { useState } from 'react'
import * as contract from '../../../../shared/cases/access-requests.contract.ts'
import { call, newKey } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { useTextDraft } from '../../../client/use-text-draft.ts'
import { RadioGroup } from '../../../ui/field/radio-group.tsx'
import { TextArea } from '../../../ui/field/field.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { ActDialog } from '../page/act-dialog.tsx'
import { levelOptions } from '../page/level-options.ts'
import { type AccessRequest, useRefreshWork } from './queries.ts'

interface Props {
  readonly caseId: string
  /** What the person has on the case already. */
  readonly held: readonly string[]
  readonly onClose: () => void
}

/** Asks those who manage a case for access to it. */
export function AskDialog({ caseId, held, onClose }: Props) {
  const { t } = useTranslation('caseWork')
  const ofCases = useTranslation('cases')
  const { tenant } = useSession()
  const refresh = useRefreshWork(caseId)
  const levels = levelOptions(ofCases.t, 'Edit').filter(({ id }) => !held.includes(id))
  const [level, setLevel] = useState(levels[0]?.id ?? 'Edit')
  const [reason, setReason, forget] = useTextDraft(`case-${caseId}-ask`)
  const ask = async (): Promise<void> => {
    await call(contract.createAccessRequest, {
      params: { tenantId: tenant },
      body: { CaseId: caseId, Level: level as AccessRequest['Level'], Reason: reason.trim() },
      idempotencyKey: newKey(),
    })
    forget()
    await refresh()
    toasts.show({ text: t('asked') })
  }
  return (
    <ActDialog
      title={t('askTitle')}
      lead={t('askLead')}
      act={t('askSend')}
      failed={t('askFailed')}
      why={reason.trim() === '' ? t('askReasonMissing') : undefined}
      onAct={ask}
      onClose={onClose}
    >
      <RadioGroup label={t('askLevel')} value={level} onChange={setLevel} options={levels} />
      <TextArea
        label={t('askReason')}
        value={reason}
        onChange={setReason}
        rows={3}
        maxLength={contract.LONGEST_REQUEST}
        required
        autoFocus
      />
    </ActDialog>
  )
}
