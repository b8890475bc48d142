import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { TextField } from '../../ui/field/field.tsx'

interface Props {
  readonly onRefuse: (reason: string) => Promise<unknown>
  readonly onClose: () => void
}

/** A refusal stays for ever, so it says why. */
export default function RefuseDialog({ onRefuse, onClose }: Props) {
  const { t } = useTranslation('calls')
  const [reason, setReason] = useState('')
  return (
    <ActDialog
      title={t('refuseTitle')}
      lead={t('refuseLead')}
      act={t('refuse')}
      failed={t('refuseFailed')}
      check={() => reason.trim() !== ''}
      onAct={() => onRefuse(reason.trim())}
      onClose={onClose}
    >
      <TextField label={t('refuseReason')} value={reason} onChange={setReason} maxLength={500} required />
    </ActDialog>
  )
}
