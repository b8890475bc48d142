/** The matrix as it stands, what is about to change in it, and its save. */
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as groupContract from '../../../../shared/identity/groups.contract.ts'
import * as contract from '../../../../shared/identity/policies.contract.ts'
import { call, Fault } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { takeAnswer } from '../../../client/take-answer.ts'
import { asError } from '../../../ui/problem/as-error.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useList, useRefresh } from '../queries.ts'
import { useDraft } from '../editing/use-draft.ts'
import { useGroups } from '../people-queries.ts'
import { nameOf } from '../labels.ts'
import {
  changed,
  type Changes,
  type GroupMembers,
  type Held,
  type Holder,
  holdersOf,
  membersAfter,
  type Policy,
  stillOpen,
  touched,
} from './matrix.ts'

interface PoliciesDraft {
  readonly changes: readonly (readonly [string, Held])[]
  readonly added: readonly Holder[]
}
const EMPTY = (): PoliciesDraft => ({ changes: [], added: [] })

export interface PolicyMatrix {
  /** null before the first answer. */
  readonly policies: readonly Policy[] | null
  readonly holders: readonly Holder[]
  readonly groups: readonly GroupMembers[]
  readonly changes: Changes
  readonly loadError: Error | null
  readonly retry: () => void
  readonly put: (policy: Policy, holder: string, held: Held) => void
  readonly add: (holder: Holder) => void
  readonly drop: () => void
  readonly save: () => void
  readonly busy: boolean
  readonly error: Error | null
  /** Somebody changed one of these rights meanwhile: what is on screen is the new state, with the changes on top. */
  readonly moved: boolean
}

export function usePolicies(): PolicyMatrix {
  const { t } = useTranslation('administration')
  const {
    rows: policies,
    error: loadError,
    retry,
  } = useList('policies', (tenantId, signal) => call(contract.listPolicies, { params: { tenantId }, signal }))
  const { rows: groupItems } = useGroups('')
  const { draft, set, begin } = useDraft('policies', null, EMPTY)
  const changes = useMemo<Changes>(() => new Map(draft.changes), [draft.changes])
  const builtIn = useMemo(
    () => new Set((groupItems ?? []).filter(({ BuiltIn }) => BuiltIn).map(({ PrincipalId }) => PrincipalId)),
    [groupItems],
  )
  const holders = useMemo(
    () => holdersOf(policies ?? [], draft.added, builtIn, (member) => nameOf(member, t)),
    [policies, draft.added, builtIn, t],
  )
  const put = useCallback(
    (policy: Policy, holder: string, held: Held): void => set({ changes: [...changed(changes, policy, holder, held)] }),
    [changes, set],
  )
  useEffect(() => {
    if (policies === null) return
    const open = stillOpen(changes, policies)
    if (open !== changes) set({ changes: [...open] })
  }, [policies, changes, set])
  const saving = useMatrixSave(policies, changes, () => begin(null))
  return {
    policies,
    holders,
    groups: useMembers(holders),
    changes,
    loadError,
    retry,
    put,
    add: (holder) => set({ added: [...draft.added.filter(({ id }) => id !== holder.id), holder] }),
    drop: () => begin(null),
    ...saving,
  }
}

function useMatrixSave(policies: readonly Policy[] | null, changes: Changes, done: () => void) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const queries = useQueryClient()
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const [moved, setMoved] = useState(false)
  /** One right after the other; those that are through are taken over, so that what fails later can be sent again alone. */
  const send = async (): Promise<void> => {
    for (const policy of touched(policies ?? [], changes)) {
      const saved = await call(contract.replacePolicy, {
        params: { tenantId: tenant, policy: policy.Policy },
        body: { Members: membersAfter(policy, changes), ConcurrencyId: policy.ConcurrencyId },
      })
      await takeAnswer<readonly Policy[]>(queries, ['administration', 'policies', tenant], (now) =>
        now?.map((one) => (one.Policy === saved.Policy ? saved : one)),
      )
    }
    done()
    // One's own rights may be other ones now.
    refresh('session')
    toasts.show({ text: t('policiesSaved') })
  }
  const save = (): void => {
    if (busy || changes.size === 0) return
    setBusy(true)
    setError(null)
    setMoved(false)
    send()
      .catch((failure: unknown) => {
        if (failure instanceof Fault && failure.code === 'ConcurrentWritingError') {
          setMoved(true)
          refresh()
        } else setError(asError(failure))
      })
      .finally(() => setBusy(false))
  }
  return { save, busy, error, moved }
}

/** Who is in the groups of the matrix: a right comes through them too. */
function useMembers(holders: readonly Holder[]): readonly GroupMembers[] {
  const { tenant } = useSession()
  const ids = holders.filter(({ type }) => type === 'group').map(({ id }) => id)
  return useQueries({
    queries: ids.map((groupId) => ({
      queryKey: ['administration', 'group', tenant, groupId],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call(groupContract.getGroup, { params: { tenantId: tenant, groupId }, signal }),
    })),
    combine: (answers) =>
      answers.flatMap(({ data }) =>
        data === undefined
          ? []
          : [{ id: data.PrincipalId, members: data.Members.flatMap(({ PrincipalId }) => PrincipalId ?? []) }],
      ),
  })
}
