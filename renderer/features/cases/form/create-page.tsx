import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/cases/contract.ts'
import { call, Fault } from '../../../client/api.ts'
import { useRequestKey } from '../../../client/request-key.ts'
import { useSession } from '../../../client/session.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { asError } from '../../../ui/problem/as-error.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useTakeCase } from '../queries.ts'
import { membersOf } from '../fields.ts'
import { useMay } from '../rights.ts'
import styles from './form.module.css'
import { FormPage } from './form-page.tsx'
import { useCaseForm } from './use-case-form.ts'

/** Whoever may not create cases is told whom to ask before they type anything. */
export function CreateCasePage() {
  const { t } = useTranslation('cases')
  const may = useMay('CreateCases')
  // A form that somebody types into stays when the right is taken away meanwhile: the station refuses, and the text is there.
  const [begun] = useState(may)
  if (may || begun) return <CreateCase />
  return (
    <div className={styles['alone']}>
      <EmptyState title={t('mayNotMake')} action={<Link to="/cases">{t('toList')}</Link>}>
        {t('mayNotMakeBody')}
      </EmptyState>
    </div>
  )
}

/** A new case. One press makes one, however often the answer is lost on its way (decisions 1). */
function CreateCase() {
  const { t } = useTranslation('cases')
  const { tenant } = useSession()
  const navigate = useNavigate()
  const take = useTakeCase()
  const form = useCaseForm('case-new', null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const keyFor = useRequestKey()
  const save = async (): Promise<void> => {
    const body = membersOf(form.draft, null)
    setBusy(true)
    setError(null)
    try {
      const idempotencyKey = keyFor(body)
      const record = await call(contract.createCase, { params: { tenantId: tenant }, body, idempotencyKey })
      form.forget()
      take(record)
      toasts.show({ text: t('made', { ordinal: record.Ordinal }) })
      await navigate({ to: '/cases/$caseId', params: { caseId: record.CaseId }, replace: true })
    } catch (failure) {
      setError(asError(failure))
    } finally {
      setBusy(false)
    }
  }
  const refused = error instanceof Fault && error.code === 'Forbidden'
  return (
    <FormPage
      title={t('newCase')}
      form={form}
      mayDepartment
      save={t('make')}
      busy={busy}
      error={error}
      errorTitle={t(refused ? 'mayNotMake' : 'notMade')}
      onSave={() => void save()}
      onLeave={() => {
        if (form.changed) toasts.show({ text: t('typedKept') })
        void navigate({ to: '/cases' })
      }}
      onBegin={() => form.begin(null)}
    />
  )
}
