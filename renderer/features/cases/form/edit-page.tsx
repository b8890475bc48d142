import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/cases/contract.ts'
import { call, Fault } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { asError } from '../../../ui/problem/as-error.ts'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Case, useCase, useTakeCase } from '../queries.ts'
import { Problem } from '../problem.tsx'
import { CasePeople, useNames } from '../people-names.tsx'
import { holds } from '../rights.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { type Draft, draftOf, membersOf } from '../fields.ts'
import styles from './form.module.css'
import { FormPage } from './form-page.tsx'
import { useCaseForm } from './use-case-form.ts'

export function EditCasePage({ caseId }: { readonly caseId: string }) {
  const { t } = useTranslation('cases')
  const { data: record, error, refetch } = useCase(caseId, null)
  if (record === undefined)
    return (
      <div className={styles['alone']}>
        {error === null ? <Skeleton lines={8} /> : <Problem error={error} onRetry={() => void refetch()} />}
      </div>
    )
  const back = (
    <Link to="/cases/$caseId" params={{ caseId }}>
      {t('toCase')}
    </Link>
  )
  if (!holds(record, 'Edit'))
    return (
      <div className={styles['alone']}>
        <EmptyState title={t('mayNotEdit')} action={back}>
          <CasePeople caseId={caseId}>
            <AskWhom record={record} />
          </CasePeople>
        </EmptyState>
      </div>
    )
  return (
    <CasePeople caseId={caseId}>
      <EditForm record={record} />
    </CasePeople>
  )
}

function AskWhom({ record }: { readonly record: Case }) {
  const { t } = useTranslation('cases')
  const { managers } = useNames()
  return t('askWhom', { names: managers(record) })
}

/** What somebody else saved while this form was open. */
interface Conflict {
  readonly theirs: Case
}

function EditForm({ record }: { readonly record: Case }) {
  const { t } = useTranslation('cases')
  const { tenant } = useSession()
  const navigate = useNavigate()
  const take = useTakeCase()
  const form = useCaseForm(`case-${record.CaseId}`, record)
  const base = form.base ?? record
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const params = { tenantId: tenant, caseId: record.CaseId }
  const toCase = (): Promise<void> => navigate({ to: '/cases/$caseId', params: { caseId: record.CaseId } })

  const save = async (draft: Draft, onto: Case): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      const saved = await call(contract.updateCase, {
        params,
        body: { ...membersOf(draft, onto), ConcurrencyId: onto.ConcurrencyId },
      })
      setConflict(null)
      form.forget()
      take(saved)
      toasts.show({ text: t('saved') })
      await toCase()
    } catch (failure) {
      if (failure instanceof Fault && failure.code === 'CaseNotUpToDate') await showTheirs()
      else {
        setConflict(null)
        setError(asError(failure))
      }
    } finally {
      setBusy(false)
    }
  }
  const showTheirs = async (): Promise<void> => {
    try {
      const theirs = await call(contract.getCase, { params, query: {} })
      take(theirs)
      setConflict({ theirs })
    } catch (failure) {
      setError(asError(failure))
    }
  }
  const closed = error instanceof Fault && error.code === 'CannotUpdateClosedCase'
  return (
    <>
      <FormPage
        title={t('editing', { title: base.Title })}
        form={form}
        mayDepartment={holds(record, 'Manage')}
        save={t('save')}
        busy={busy && conflict === null}
        error={error}
        errorTitle={t(closed ? 'closedMeanwhile' : 'notSaved')}
        onSave={() => void (form.changed ? save(form.draft, base) : toCase())}
        onLeave={() => {
          if (form.changed) toasts.show({ text: t('typedKept') })
          void toCase()
        }}
        onBegin={() => form.begin(record)}
      />
      {conflict !== null && (
        <ConflictDialog
          key={conflict.theirs.ConcurrencyId}
          was={draftOf(base)}
          theirs={draftOf(conflict.theirs)}
          yours={form.draft}
          by={conflict.theirs.LastModifiedBy}
          at={conflict.theirs.LastModifiedUtcTime}
          busy={busy}
          onSave={(draft) => void save(draft, conflict.theirs)}
          onClose={() => setConflict(null)}
        />
      )}
    </>
  )
}
