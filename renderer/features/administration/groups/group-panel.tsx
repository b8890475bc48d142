import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/identity/groups.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Note } from '../../../ui/note/note.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { ActDialog } from '../act-dialog.tsx'
import { useRefresh } from '../queries.ts'
import { NameField } from '../editing/name-field.tsx'
import { Panel, Part } from '../editing/panel.tsx'
import { SaveFoot } from '../editing/save-foot.tsx'
import { useDraft } from '../editing/use-draft.ts'
import { nameProblem, wrongMembers } from '../editing/wrong-members.ts'
import { type Group, useGroup } from '../people-queries.ts'
import { policyWords } from '../policies/policy-labels.ts'
import { isNameTaken, Problem } from '../problem.tsx'
import { Members } from './members.tsx'

export function GroupPanel({ groupId, onClose }: { readonly groupId: string; readonly onClose: () => void }) {
  const { t } = useTranslation('administration')
  const { data: group, error, refetch } = useGroup(groupId)
  if (group !== undefined) return <Known group={group} onClose={onClose} />
  return (
    <Panel title={t('group')} onClose={onClose}>
      {error === null ? <Skeleton lines={6} /> : <Problem error={error} onRetry={() => void refetch()} />}
    </Panel>
  )
}

const draftOf = ({ Name }: Group): { readonly Name: string } => ({ Name })

function Known({ group, onClose }: { readonly group: Group; readonly onClose: () => void }) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const { draft, set, begin, changed } = useDraft(`group-${group.PrincipalId}`, group, draftOf)
  const { busy, error, run } = useAct()
  const [deleting, setDeleting] = useState(false)
  const body = { Name: draft.Name.trim() }
  const { Name: wrong } = wrongMembers(contract.RenameGroupModel, body, { Name: nameProblem(draft.Name) })
  const one = { params: { tenantId: tenant, groupId: group.PrincipalId } }
  const rename = async (): Promise<void> => {
    const saved = await call(contract.renameGroup, { ...one, body })
    begin(saved)
    refresh('principals')
    toasts.show({ text: t('savedToast', { name: saved.Name }) })
  }
  const save = (): void => {
    if (busy || !changed || wrong !== undefined) return
    run(rename)
  }
  const taken = isNameTaken(error)
  return (
    <Panel
      title={visible(group.Name)}
      onClose={onClose}
      onSubmit={save}
      foot={
        group.BuiltIn ? undefined : (
          <>
            <Button kind="danger" onPress={() => setDeleting(true)}>
              {t('groupDelete')}
            </Button>
            <SaveFoot save={t('save')} busy={busy} why={changed ? undefined : t('nothingChanged')} />
          </>
        )
      }
    >
      {group.BuiltIn ? (
        <Note title={t('builtInTitle')}>{t('builtInBody')}</Note>
      ) : (
        <NameField value={draft.Name} onChange={(Name) => set({ Name })} wrong={wrong} taken={taken} />
      )}
      {error !== null && !taken && <Problem error={error} title={t('notSaved')} />}
      <Members group={group} />
      <Part title={t('policies')}>
        <p className="small second">
          {group.Policies.length === 0
            ? t('noRights')
            : group.Policies.map(({ Policy }) => policyWords(Policy, t)).join(', ')}
        </p>
      </Part>
      {deleting && <DeleteDialog group={group} onGone={onClose} onClose={() => setDeleting(false)} />}
    </Panel>
  )
}

interface DeleteDialogProps {
  readonly group: Group
  readonly onGone: () => void
  readonly onClose: () => void
}

function DeleteDialog({ group, onGone, onClose }: DeleteDialogProps) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const remove = async (): Promise<void> => {
    await call(contract.deleteGroup, { params: { tenantId: tenant, groupId: group.PrincipalId } })
    onGone()
    refresh('principals')
    toasts.show({ text: t('groupDeleted', { name: group.Name }) })
  }
  return (
    <ActDialog
      title={t('groupDeleteTitle', { name: group.Name })}
      lead={t('groupDeleteLead', { count: group.MemberCount })}
      act={t('groupDelete')}
      failed={t('notDone')}
      danger
      onAct={remove}
      onClose={onClose}
    />
  )
}
