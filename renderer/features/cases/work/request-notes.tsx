import { useState } from 'react'
import * as contract from '../../../../shared/cases/access-requests.contract.ts'
import { call } from '../../../client/api.ts'
import { personName } from '../../../client/principals.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { useTextDraft } from '../../../client/use-text-draft.ts'
import { Button } from '../../../ui/button/button.tsx'
import { RadioGroup } from '../../../ui/field/radio-group.tsx'
import { TextArea } from '../../../ui/field/field.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Note } from '../../../ui/note/note.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { ActDialog } from '../page/act-dialog.tsx'
import { levelOptions } from '../page/level-options.ts'
import page from '../page/page.module.css'
import type { Case } from '../queries.ts'
import { holds } from '../rights.ts'
import { type AccessRequest, useAccessRequests, useRefreshWork } from './queries.ts'

/** Who asks for access to the case, for those who manage it. */
export function RequestNotes({ record }: { readonly record: Case }) {
  const { t } = useTranslation('caseWork')
  const ofCases = useTranslation('cases')
  const { data: requests = [] } = useAccessRequests('toDecide', record.CaseId, holds(record, 'Manage'))
  const [deciding, setDeciding] = useState<{ request: AccessRequest; grants: boolean } | null>(null)
  if (requests.length === 0) return null
  return (
    <div className={page['notes']}>
      {requests.map((request) => (
        <Note
          key={request.RequestId}
          icon="key"
          state="attention"
          title={t('requestTitle', {
            name: visible(personName(request.By)),
            level: ofCases.t(`level${request.Level}`),
          })}
          action={
            <>
              <Button size="small" onPress={() => setDeciding({ request, grants: false })}>
                {t('requestDecline')}
              </Button>
              <Button size="small" onPress={() => setDeciding({ request, grants: true })}>
                {t('requestGrant')}
              </Button>
            </>
          }
        >
          {visible(request.Reason)}
        </Note>
      ))}
      {deciding !== null && <DecideDialog record={record} {...deciding} onClose={() => setDeciding(null)} />}
    </div>
  )
}

interface DecideProps {
  readonly record: Case
  readonly request: AccessRequest
  readonly grants: boolean
  readonly onClose: () => void
}

function DecideDialog({ record, request, grants, onClose }: DecideProps) {
  const { t } = useTranslation('caseWork')
  const ofCases = useTranslation('cases')
  const { tenant } = useSession()
  const refresh = useRefreshWork(record.CaseId)
  const [level, setLevel] = useState<string>(request.Level)
  const [message, setMessage, forget] = useTextDraft(`access-request-${request.RequestId}`)
  const name = visible(personName(request.By))
  const decide = async (): Promise<void> => {
    await call(contract.decideAccessRequest, {
      params: { tenantId: tenant, requestId: request.RequestId },
      body: {
        Decision: grants ? 'Grant' : 'Decline',
        ...(grants ? { Level: level as AccessRequest['Level'] } : {}),
        ...(message.trim() === '' ? {} : { Message: message.trim() }),
      },
    })
    forget()
    await refresh()
    toasts.show({ text: t(grants ? 'requestGranted' : 'requestDeclined', { name }) })
  }
  return (
    <ActDialog
      title={t(grants ? 'requestGrantTitle' : 'requestDeclineTitle', { name })}
      lead={t(grants ? 'requestGrantLead' : 'requestDeclineLead')}
      act={t(grants ? 'requestGrant' : 'requestDecline')}
      failed={t('requestFailed')}
      onAct={decide}
      onClose={onClose}
    >
      {grants && (
        <RadioGroup
          label={ofCases.t('level')}
          value={level}
          onChange={setLevel}
          options={levelOptions(ofCases.t, 'Edit')}
        />
      )}
      <TextArea
        label={t('requestMessage', { name })}
        description={t('requestMessageHow')}
        rows={2}
        value={message}
        onChange={setMessage}
        maxLength={contract.LONGEST_REQUEST}
      />
    </ActDialog>
  )
}
