import { useState } from 'react'
import * as contract from '../../../../shared/identity/users.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { useAct } from '../../../ui/act/use-act.ts'
import { LinkButton } from '../../../ui/button/button.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { Panel, Part } from '../editing/panel.tsx'
import { Restored, SaveFoot } from '../editing/save-foot.tsx'
import { useDraft } from '../editing/use-draft.ts'
import { type User, useUser } from '../people-queries.ts'
import styles from '../people.module.css'
import { isNameTaken, Problem } from '../problem.tsx'
import { useRefresh } from '../queries.ts'
import { useRights } from '../rights.ts'
import { Access } from './access.tsx'
import { Account } from './account.tsx'
import { changedMembers, userDraft, wrongInUser } from './draft.ts'
import { Sessions } from './sessions.tsx'
import { UserFields } from './user-fields.tsx'
import { listName, UserState } from './user-labels.tsx'

export function UserPanel({ userId, onClose }: { readonly userId: string; readonly onClose: () => void }) {
  const { t } = useTranslation('administration')
  const { data: user, error, refetch } = useUser(userId)
  if (user !== undefined) return <Known user={user} onClose={onClose} />
  return (
    <Panel title={t('user')} onClose={onClose}>
      {error === null ? <Skeleton lines={6} /> : <Problem error={error} onRetry={() => void refetch()} />}
    </Panel>
  )
}

function Known({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const editing = useDraft(`user-${user.PrincipalId}`, user, userDraft)
  const { draft, base, begin } = editing
  const [tried, setTried] = useState(false)
  const { busy, error, run } = useAct()
  const wrong = wrongInUser(draft)

  const change = async (): Promise<void> => {
    const saved = await call(contract.changeUser, {
      params: { tenantId: tenant, userId: user.PrincipalId },
      body: changedMembers(draft, userDraft(base)),
    })
    begin(saved)
    refresh('principals', 'session')
    toasts.show({ text: t('savedToast', { name: listName(saved) }) })
  }
  const save = (): void => {
    setTried(true)
    if (busy || !editing.changed || Object.keys(wrong).length > 0) return
    run(change)
  }
  const taken = isNameTaken(error)
  return (
    <Panel
      title={listName(user)}
      mark={user.Enabled && user.LockedUntilUtc === null ? null : <UserState user={user} />}
      onClose={onClose}
      onSubmit={save}
      foot={
        <SaveFoot
          save={t('save')}
          busy={busy}
          why={editing.changed ? undefined : t('nothingChanged')}
          onDrop={editing.changed ? () => begin(user) : undefined}
        />
      }
    >
      {editing.restored && <Restored onDrop={() => begin(user)} />}
      <UserFields draft={draft} set={editing.set} wrong={tried ? wrong : {}} taken={taken} />
      {error !== null && !taken && <Problem error={error} title={t('notSaved')} />}
      <Account user={user} />
      <Access user={user} />
      <Sessions userId={user.PrincipalId} />
      <HistoryLink userId={user.PrincipalId} />
    </Panel>
  )
}

/** The way to what the ledger says of somebody; absent without the right to read it. */
function HistoryLink({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('administration')
  const may = useRights()
  if (!may('AccessAuditTrail')) return null
  return (
    <Part title={t('history')}>
      <p className="small muted">{t('historyHow')}</p>
      <div className={styles['acts']}>
        <LinkButton size="small" href={`/administration/users/${userId}/history`}>
          {t('historyOpen')}
        </LinkButton>
      </div>
    </Part>
  )
}
