import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/identity/users.contract.ts'
import { isShortPassword, PASSWORD_MIN } from '../../../../shared/identity/sign-in.ts'
import { call } from '../../../client/api.ts'
import { useRequestKey } from '../../../client/request-key.ts'
import { useSession } from '../../../client/session.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { PasswordField } from '../../../ui/field/field.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useRefresh } from '../queries.ts'
import { Panel, Part } from '../editing/panel.tsx'
import { Restored, SaveFoot } from '../editing/save-foot.tsx'
import { useDraft } from '../editing/use-draft.ts'
import { type User, useGroups } from '../people-queries.ts'
import { isNameTaken, Problem } from '../problem.tsx'
import { userDraft, userMembers, wrongInUser } from './draft.ts'
import { UserFields } from './user-fields.tsx'
import { listName } from './user-labels.tsx'

interface UserFormProps {
  readonly onClose: () => void
  readonly onMade: (user: User) => void
}

/** A new person: who they are, the first password, and the groups they begin in. */
export function UserForm({ onClose, onMade }: UserFormProps) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const editing = useDraft('user-new', null, userDraft)
  const [password, setPassword] = useState('')
  const [due, setDue] = useState(true)
  const [guest, setGuest] = useState(false)
  const [groups, setGroups] = useState<readonly string[]>([])
  const [tried, setTried] = useState(false)
  const { busy, error, run } = useAct()
  const keyFor = useRequestKey()
  const wrong = wrongInUser(editing.draft)
  const short = isShortPassword(password)

  const make = async (): Promise<void> => {
    const given = { Password: password, ChangePassword: due, Guest: guest, GroupIds: [...groups] }
    const body = { ...userMembers(editing.draft), ...given }
    const made = await call(contract.createUser, {
      params: { tenantId: tenant },
      body,
      idempotencyKey: keyFor(body),
    })
    editing.begin(null)
    refresh('principals')
    toasts.show({ text: t('madeToast', { name: listName(made) }) })
    onMade(made)
  }
  const save = (): void => {
    setTried(true)
    if (busy || short || Object.keys(wrong).length > 0) return
    run(make)
  }
  const taken = isNameTaken(error)
  return (
    <Panel title={t('userNew')} onClose={onClose} onSubmit={save} foot={<SaveFoot save={t('userMake')} busy={busy} />}>
      {editing.restored && <Restored onDrop={() => editing.begin(null)} />}
      <UserFields draft={editing.draft} set={editing.set} wrong={tried ? wrong : {}} taken={taken} />
      <PasswordField
        label={t('firstPassword')}
        required
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        description={t('firstPasswordHow')}
        error={tried && short ? t('passwordShort', { count: PASSWORD_MIN }) : undefined}
      />
      <Checkbox checked={due} onChange={setDue} description={t('dueHow')}>
        {t('due')}
      </Checkbox>
      <Checkbox checked={guest} onChange={setGuest} description={t('guestHow')}>
        {t('guest')}
      </Checkbox>
      <GroupChoice chosen={groups} guest={guest} onChange={setGroups} />
      {error !== null && !taken && <Problem error={error} title={t('notSaved')} />}
    </Panel>
  )
}

interface GroupChoiceProps {
  readonly chosen: readonly string[]
  readonly guest: boolean
  readonly onChange: (chosen: readonly string[]) => void
}

function GroupChoice({ chosen, guest, onChange }: GroupChoiceProps) {
  const { t } = useTranslation('administration')
  const { rows } = useGroups('')
  if (rows === null || rows.length === 0) return null
  return (
    <Part title={t('groups')}>
      {rows.map(({ PrincipalId, Name, BuiltIn }) => (
        <Checkbox
          key={PrincipalId}
          checked={chosen.includes(PrincipalId)}
          onChange={(on) => onChange(on ? [...chosen, PrincipalId] : chosen.filter((id) => id !== PrincipalId))}
          why={BuiltIn && guest ? t('noGuestAdministrators') : undefined}
          description={BuiltIn ? t('administratorsHow') : undefined}
        >
          {visible(Name)}
        </Checkbox>
      ))}
    </Part>
  )
}
