import { useState } from 'react'
import * as contract from '../../../shared/disclosure/contract.ts'
import { call } from '../../client/api.ts'
import { type Proposal, useDisclosuresChanged } from '../../client/disclosure/disclosure.ts'
import { Refusal } from '../../client/disclosure/refusal.tsx'
import { useRequestKey } from '../../client/request-key.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { DateTimeField } from '../../ui/date-time/date-time.tsx'
import { TextField } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import styles from './form.module.css'
import { recipientWords } from './labels.ts'

/** Records that what a second person approved is given now. */
export function GiveDialog({ one, onClose }: { readonly one: Proposal; readonly onClose: () => void }) {
  const { t } = useTranslation('disclosure')
  const { zone } = useFormat()
  const { tenant } = useSession()
  const changed = useDisclosuresChanged()
  const keyOf = useRequestKey()
  const [serial, setSerial] = useState('')
  const [at, setAt] = useState<string | null>(null)
  const give = async (): Promise<void> => {
    const body = {
      ...(serial.trim() === '' ? {} : { MediumSerial: serial.trim() }),
      ...(at === null ? {} : { GivenTimeUtc: at }),
    }
    const made = await call(contract.giveProposed, {
      params: { tenantId: tenant, caseId: one.CaseId, no: String(one.No) },
      body,
      idempotencyKey: keyOf({ of: one.No, body }),
    })
    toasts.show({ text: t('recorded', { no: made.No }) })
  }
  return (
    <ActDialog
      title={t('giveTitle')}
      lead={t('giveLead', { name: recipientWords(one.Recipient, t), medium: t(one.Medium) })}
      act={t('saveRecord')}
      failed={t('notRecorded')}
      problem={(error) => <Refusal error={error} title={t('notRecorded')} />}
      onAct={() => give().finally(changed)}
      onClose={onClose}
    >
      <div className={styles['two']}>
        <TextField
          label={t('serial')}
          description={t('giveSerialHow')}
          value={serial}
          onChange={setSerial}
          maxLength={128}
          autoFocus
        />
        <DateTimeField
          label={t('when')}
          description={t('whenHow')}
          zone={zone}
          precision="minute"
          value={at}
          onChange={setAt}
        />
      </div>
    </ActDialog>
  )
}
