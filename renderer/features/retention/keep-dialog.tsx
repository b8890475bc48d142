import { useState } from 'react'
import * as contract from '../../../shared/retention/disposition.contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { useTextDraft } from '../../client/use-text-draft.ts'
import { useTextProblem } from '../../client/use-text-problem.ts'
import { type ActDialogProps, ActDialog as Plain } from '../../ui/act/act-dialog.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Select } from '../../ui/select/select.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { spanWords } from './labels.ts'
import { Problem } from './problem.tsx'
import { type Item, type Stay, useRefresh } from './queries.ts'

const SPANS = ['90', '365', '1825', '3650'] as const

interface KeepProps {
  readonly items: readonly Item[]
  readonly onKept: () => void
  readonly onClose: () => void
}

/** Out of the queue for a time, by one person: what keeps needs no second one. */
export function KeepDialog({ items, onKept, onClose }: KeepProps) {
  const { t } = useTranslation('disposition')
  const { tenant } = useSession()
  const format = useFormat()
  const refresh = useRefresh()
  const [days, setDays] = useState<(typeof SPANS)[number]>('365')
  const [reason, setReason, forgetReason] = useTextDraft(`keep-${items.map(({ ItemId }) => ItemId).join(',')}`)
  const wrong = useTextProblem(contract.isReason, reason.trim(), t('reasonMissing'))
  const keep = async (): Promise<void> => {
    const { UntilUtc } = await call(contract.keepInstead, {
      params: { tenantName: tenant },
      body: { Items: items.map(({ ItemId }) => ItemId), Reason: reason.trim(), Days: Number(days) },
    })
    forgetReason()
    refresh()
    onKept()
    toasts.show({ text: t('kept', { day: format.day(UntilUtc) }) })
  }
  return (
    <ActDialog
      title={t('keepTitle', { count: items.length })}
      lead={t('keepLead')}
      act={t('keep')}
      failed={t('notKept')}
      why={wrong}
      onAct={keep}
      onClose={onClose}
    >
      <Select
        label={t('keepFor')}
        value={days}
        onChange={setDays}
        options={SPANS.map((id) => ({ id, label: spanWords(Number(id), t) }))}
      />
      <TextArea
        label={t('keepReason')}
        description={t('keepReasonHow')}
        rows={3}
        maxLength={contract.LONGEST_REASON}
        error={reason.trim() === '' ? undefined : wrong}
        required
        autoFocus
        value={reason}
        onChange={setReason}
      />
    </ActDialog>
  )
}

interface LookedProps {
  readonly stay: Stay
  readonly onSettled: () => void
  readonly onClose: () => void
}

/** After it the withdrawn link suspends nothing any more. */
export function LookedDialog({ stay, onSettled, onClose }: LookedProps) {
  const { t } = useTranslation('disposition')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const [reason, setReason, forgetReason] = useTextDraft(`settle-${stay.EvidenceId}`)
  const wrong = useTextProblem(contract.isReason, reason.trim(), t('reasonMissing'))
  const settle = async (): Promise<void> => {
    await call(contract.settleLinks, {
      params: { tenantName: tenant, evidenceId: stay.EvidenceId },
      body: { Reason: reason.trim() },
    })
    forgetReason()
    refresh()
    onSettled()
    toasts.show({ text: t('lookedDone') })
  }
  return (
    <ActDialog
      title={t('lookedTitle')}
      lead={t('lookedLead', { name: visible(stay.Name) })}
      act={t('lookedAct')}
      failed={t('lookedFailed')}
      why={wrong}
      onAct={settle}
      onClose={onClose}
    >
      <TextArea
        label={t('keepReason')}
        description={t('keepReasonHow')}
        rows={3}
        maxLength={contract.LONGEST_REASON}
        error={reason.trim() === '' ? undefined : wrong}
        required
        autoFocus
        value={reason}
        onChange={setReason}
      />
    </ActDialog>
  )
}

/** A decision about what goes or is kept. */
const ActDialog = (props: Omit<ActDialogProps, 'problem'>) => (
  <Plain {...props} problem={(error) => <Problem error={error} title={props.failed} />} />
)
