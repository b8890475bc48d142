import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import * as contract from '../../../../shared/cases/access-requests.contract.ts'
import { call } from '../../../client/api.ts'
import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { useIsMember, useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Note } from '../../../ui/note/note.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type AccessRequest, useAccessRequests, useRefreshWork } from './queries.ts'
import styles from './work.module.css'

const AskDialog = lazyOpened(async () => (await import('./ask-dialog.tsx')).AskDialog)

/** A case that the person may not view: asking for it, and what became of having asked. Guests cannot ask. */
export function NoAccess({ caseId }: { readonly caseId: string }) {
  const { t } = useTranslation('caseWork')
  const ofCases = useTranslation('cases')
  const member = useIsMember()
  const { data: own } = useAccessRequests('own', caseId, member)
  const [asking, setAsking] = useState(false)
  const last = own?.[0]
  return (
    <div className={styles['asked']}>
      <EmptyState
        title={t('noAccess')}
        action={
          <>
            {member && own !== undefined && last?.State !== 'Open' && (
              <Button icon="key" onPress={() => setAsking(true)}>
                {t('ask')}
              </Button>
            )}
            <Link to="/cases">{ofCases.t('toList')}</Link>
          </>
        }
      >
        {t(member ? 'noAccessBody' : 'noAccessGuest')}
      </EmptyState>
      {last?.State === 'Open' && <OpenRequest caseId={caseId} request={last} />}
      {last?.State === 'Declined' && <DeclinedRequest request={last} />}
      {asking && <AskDialog caseId={caseId} held={[]} onClose={() => setAsking(false)} />}
    </div>
  )
}

function OpenRequest({ caseId, request }: { readonly caseId: string; readonly request: AccessRequest }) {
  const { t } = useTranslation('caseWork')
  const ofCases = useTranslation('cases')
  const format = useFormat()
  const { tenant } = useSession()
  const refresh = useRefreshWork(caseId)
  const withdraw = (): void =>
    void call(contract.withdrawAccessRequest, { params: { tenantId: tenant, requestId: request.RequestId } })
      .then(refresh)
      .then(() => toasts.show({ text: t('askWithdrawn') }), toasts.problem)
  return (
    <Note
      icon="key"
      title={t('askedOpen', { level: ofCases.t(`level${request.Level}`), day: format.day(request.AtUtc) })}
      action={
        <Button size="small" onPress={withdraw}>
          {t('askWithdraw')}
        </Button>
      }
    >
      {visible(request.Reason)}
    </Note>
  )
}

function DeclinedRequest({ request: { AtUtc, Decision } }: { readonly request: AccessRequest }) {
  const { t } = useTranslation('caseWork')
  const format = useFormat()
  return (
    <Note icon="barred" title={t('askedDeclined', { day: format.day(AtUtc), by: visible(Decision?.By ?? '') })}>
      {visible(Decision?.Message ?? '')}
    </Note>
  )
}
