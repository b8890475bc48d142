import { useState } from 'react'
import { LONGEST_REASON } from '../../../shared/disclosure/kinds.ts'
import { useDisclosuresChanged } from '../../client/disclosure/disclosure.ts'
import { Refusal } from '../../client/disclosure/refusal.tsx'
import { useTranslation } from '../../client/translate.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { toasts } from '../../ui/toast/toast.tsx'

interface Props {
  readonly title: string
  readonly lead: string
  /** Verb and object. */
  readonly act: string
  /** What did not happen. */
  readonly failed: string
  /** What happened. */
  readonly done: string
  /** @param reason without spaces around it */
  readonly onAct: (reason: string) => Promise<unknown>
  readonly onClose: () => void
}

/** An act about disclosure that needs a reason and nothing else. */
export function ReasonDialog({ title, lead, act, failed, done, onAct, onClose }: Props) {
  const { t } = useTranslation('disclosure')
  const changed = useDisclosuresChanged()
  const [reason, setReason] = useState('')
  const decide = async (): Promise<void> => {
    await onAct(reason.trim()).finally(changed)
    toasts.show({ text: done })
  }
  return (
    <ActDialog
      title={title}
      lead={lead}
      act={act}
      failed={failed}
      why={reason.trim() === '' ? t('reasonMissing') : undefined}
      problem={(error) => <Refusal error={error} title={failed} />}
      onAct={decide}
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
