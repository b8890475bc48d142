import { useState } from 'react'
import { z } from 'zod'
import * as contract from '../../../shared/disclosure/contract.ts'
import { LONGEST_REASON, RECIPIENT_ROLES } from '../../../shared/disclosure/kinds.ts'
import { call } from '../../client/api.ts'
import { useDisclosuresChanged } from '../../client/disclosure/disclosure.ts'
import { Refusal } from '../../client/disclosure/refusal.tsx'
import { draftKept, keepDraft } from '../../client/drafts.ts'
import { useRequestKey } from '../../client/request-key.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { TextArea, TextField } from '../../ui/field/field.tsx'
import { Select } from '../../ui/select/select.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import styles from './form.module.css'
import { Day } from './recipient-part.tsx'

const Typed = z.object({
  name: z.string(),
  organisation: z.string(),
  role: z.enum(RECIPIENT_ROLES),
  what: z.string(),
  authority: z.string(),
  number: z.string(),
  /** Days of the calendar. */
  date: z.string().nullable(),
  due: z.string().nullable(),
})
type Typed = z.output<typeof Typed>

const EMPTY: Typed = {
  name: '',
  organisation: '',
  role: 'defence',
  what: '',
  authority: '',
  number: '',
  date: null,
  due: null,
}

/** Records that somebody asked for something. What is typed is kept until it is recorded. */
export function RequestDialog({ caseId, onClose }: { readonly caseId: string; readonly onClose: () => void }) {
  const { t } = useTranslation('disclosure')
  const { tenant, session } = useSession()
  const changed = useDisclosuresChanged()
  const keyOf = useRequestKey()
  const owner = session.User?.PrincipalId ?? ''
  const key = `disclosure-request-${caseId}`
  const [typed, setTyped] = useState<Typed>(() => {
    const kept = Typed.safeParse(draftKept(key, owner))
    return kept.success ? kept.data : EMPTY
  })
  const change = (what: Partial<Typed>): void => {
    const next = { ...typed, ...what }
    setTyped(next)
    keepDraft(key, owner, next)
  }
  const record = async (): Promise<void> => {
    const body = {
      Recipient: { Name: typed.name.trim(), Organisation: typed.organisation.trim(), Role: typed.role },
      What: typed.what.trim(),
      Authority: typed.authority.trim(),
      Number: typed.number.trim(),
      Date: typed.date,
      Due: typed.due,
    }
    const params = { tenantId: tenant, caseId }
    await call(contract.recordRequest, { params, body, idempotencyKey: keyOf(body) })
    keepDraft(key, owner, undefined)
    toasts.show({ text: t('requestRecorded') })
  }
  const missing = typed.name.trim() === '' ? 'missAsker' : typed.what.trim() === '' ? 'missAsked' : null
  return (
    <ActDialog
      title={t('requestTitle')}
      lead={t('requestLead')}
      act={t('saveRecord')}
      failed={t('requestNotRecorded')}
      why={missing === null ? undefined : t(missing)}
      problem={(error) => <Refusal error={error} title={t('requestNotRecorded')} />}
      onAct={() => record().finally(changed)}
      onClose={onClose}
    >
      <div className={styles['form']}>
        <div className={styles['three']}>
          <TextField
            label={t('asker')}
            value={typed.name}
            onChange={(name) => change({ name })}
            maxLength={256}
            required
            autoFocus
          />
          <TextField
            label={t('organisation')}
            value={typed.organisation}
            onChange={(organisation) => change({ organisation })}
            maxLength={256}
          />
          <Select
            label={t('role')}
            value={typed.role}
            onChange={(role) => change({ role })}
            options={RECIPIENT_ROLES.map((id) => ({ id, label: t(id) }))}
          />
        </div>
        <TextArea
          label={t('asked')}
          value={typed.what}
          onChange={(what) => change({ what })}
          rows={3}
          maxLength={LONGEST_REASON}
          required
        />
        <div className={styles['two']}>
          <TextField
            label={t('authority')}
            value={typed.authority}
            onChange={(authority) => change({ authority })}
            maxLength={LONGEST_REASON}
          />
          <TextField
            label={t('requestNumber')}
            value={typed.number}
            onChange={(number) => change({ number })}
            maxLength={128}
          />
          <Day label={t('requestDate')} value={typed.date} onChange={(date) => change({ date })} />
          <Day label={t('requestDue')} value={typed.due} onChange={(due) => change({ due })} />
        </div>
      </div>
    </ActDialog>
  )
}
