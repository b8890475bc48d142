import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/identity/groups.contract.ts'
import { call } from '../../../client/api.ts'
import { useRequestKey } from '../../../client/request-key.ts'
import { useSession } from '../../../client/session.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useRefresh } from '../queries.ts'
import { NameField } from '../editing/name-field.tsx'
import { Panel } from '../editing/panel.tsx'
import { SaveFoot } from '../editing/save-foot.tsx'
import { useDraft } from '../editing/use-draft.ts'
import { nameProblem, wrongMembers } from '../editing/wrong-members.ts'
import type { Group } from '../people-queries.ts'
import { isNameTaken, Problem } from '../problem.tsx'

interface GroupFormProps {
  readonly onClose: () => void
  readonly onMade: (group: Group) => void
}

const EMPTY = (): { readonly Name: string } => ({ Name: '' })

/** A new group, empty; who is in it is settled in the next step. */
export function GroupForm({ onClose, onMade }: GroupFormProps) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const { draft, set, begin } = useDraft('group-new', null, EMPTY)
  const [tried, setTried] = useState(false)
  const { busy, error, run } = useAct()
  const keyFor = useRequestKey()
  const body = { Name: draft.Name.trim() }
  const { Name: wrong } = wrongMembers(contract.CreateGroupModel, body, { Name: nameProblem(draft.Name) })
  const make = async (): Promise<void> => {
    const made = await call(contract.createGroup, {
      params: { tenantId: tenant },
      body,
      idempotencyKey: keyFor(body),
    })
    begin(null)
    refresh('principals')
    toasts.show({ text: t('madeToast', { name: made.Name }) })
    onMade(made)
  }
  const save = (): void => {
    setTried(true)
    if (busy || wrong !== undefined) return
    run(make)
  }
  const taken = isNameTaken(error)
  return (
    <Panel
      title={t('groupNew')}
      onClose={onClose}
      onSubmit={save}
      foot={<SaveFoot save={t('groupMake')} busy={busy} />}
    >
      <NameField
        value={draft.Name}
        onChange={(Name) => set({ Name })}
        wrong={tried ? wrong : undefined}
        taken={taken}
        description={t('groupNewHow')}
      />
      {error !== null && !taken && <Problem error={error} title={t('notSaved')} />}
    </Panel>
  )
}
