import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/identity/groups.contract.ts'
import { call } from '../../../client/api.ts'
import { takeAnswer } from '../../../client/take-answer.ts'
import { useSession } from '../../../client/session.tsx'
import { IconButton } from '../../../ui/button/button.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { asError } from '../../../ui/problem/as-error.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useRefresh } from '../queries.ts'
import { Part } from '../editing/panel.tsx'
import styles from '../people.module.css'
import type { Group } from '../people-queries.ts'
import { PrincipalPicker } from '../principals.tsx'
import { Problem } from '../problem.tsx'
import { kindOf, nameOf } from '../labels.ts'

/** Who is in a group. Each act is done at once, with its way back; two people at work here take nothing from each other. */
export function Members({ group }: { readonly group: Group }) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const queries = useQueryClient()
  const refresh = useRefresh()
  const [error, setError] = useState<Error | null>(null)
  const params = { tenantId: tenant, groupId: group.PrincipalId }
  const put = async (id: string, name: string, add: boolean, back: boolean): Promise<void> => {
    const now = add
      ? await call(contract.addMembers, { params, body: { PrincipalIds: [id] } })
      : await call(contract.removeMember, { params: { ...params, principalId: id } })
    await takeAnswer<Group>(queries, ['administration', 'group', tenant, group.PrincipalId], () => now)
    // One's own rights may be other ones now.
    refresh('session')
    const undo = () => put(id, name, !add, false)
    toasts.show({
      text: t(add ? 'memberAdded' : 'memberRemoved', { name, group: group.Name }),
      ...(back ? { undo } : {}),
    })
  }
  const run = (id: string | null, name: string, add: boolean): void => {
    if (id === null) return
    setError(null)
    put(id, name, add, true).catch((failure: unknown) => setError(asError(failure)))
  }
  return (
    <Part title={t('membersOf', { count: group.Members.length })}>
      <PrincipalPicker
        label={t('addSomebody')}
        without="group"
        onPick={(one) => run(one.PrincipalId, nameOf(one, t), true)}
        barred={(one) =>
          group.Members.some(({ PrincipalId }) => PrincipalId === one.PrincipalId)
            ? t('isInAlready')
            : group.BuiltIn && one.Guest
              ? t('noGuestAdministrators')
              : undefined
        }
      />
      {error !== null && <Problem error={error} title={t('notDone')} />}
      {group.Members.length === 0 && <p className="small muted">{t('membersNone')}</p>}
      <ul className={styles['lines']}>
        {group.Members.map((member) => (
          <MemberLine
            key={member.PrincipalId}
            member={member}
            onRemove={() => run(member.PrincipalId, nameOf(member, t), false)}
          />
        ))}
      </ul>
    </Part>
  )
}

interface MemberLineProps {
  readonly member: Group['Members'][number]
  readonly onRemove: () => void
}

function MemberLine({ member, onRemove }: MemberLineProps) {
  const { t } = useTranslation('administration')
  const name = nameOf(member, t)
  const facts = [visible(member.Username ?? ''), kindOf(member.PrincipalType, t), member.Enabled ? '' : t('disabled')]
  return (
    <li className={styles['line']}>
      <span className={styles['two']}>
        <bdi>{name}</bdi>
        <span className={styles['second']}>{facts.filter((said) => said !== '').join(', ')}</span>
      </span>
      <IconButton icon="x" size="small" label={t('takeOut', { name })} onPress={onRemove} />
    </li>
  )
}
