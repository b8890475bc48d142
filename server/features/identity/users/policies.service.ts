import type { z } from 'zod'
import type { Problem } from '../../../../shared/kernel/errors.ts'
import {
  MOST_PRINCIPALS,
  type PolicyModel,
  type PrincipalMatch,
} from '../../../../shared/identity/policies.contract.ts'
import { SECURITY_POLICIES, type SecurityPolicy } from '../../../../shared/kernel/permissions.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { ALL_POLICIES, WITH_LEVEL } from './policies.ts'
import { principalOut, requireCurrent, stateId } from './principals.models.ts'
import * as rows from './principals.store.ts'
import type { Kind, PolicyMemberRow, PrincipalView } from './principals.store.ts'
import { ADMINISTRATORS, refuse } from './account-problems.ts'
import { searchWords } from './search-key.ts'
import type { AccountStateDeps } from './account-state.ts'
import { replacePolicyMembers } from './users.store.ts'

type Policy = z.input<typeof PolicyModel>

export interface SentMember {
  readonly PrincipalId: string
  readonly Level?: string | null | undefined
}

/** Security policies and their members (decisions 3), and the search for principals to share with. */
export interface Policies {
  list(tenant: string): Promise<Policy[]>
  /** @throws Fault InvalidModel with every problem listed; ConcurrentWritingError */
  replace(
    call: Call,
    tenant: string,
    policy: SecurityPolicy,
    given: { members: readonly SentMember[]; concurrencyId?: string | null | undefined },
  ): Promise<Policy>
  find(tenant: string, text: string, kind: Kind | undefined): Promise<z.input<typeof PrincipalMatch>[]>
}

export function createPolicies({ db, ledger, clock }: Pick<AccountStateDeps, 'db' | 'ledger' | 'clock'>): Policies {
  return {
    list: async (tenant) => {
      const all = await rows.policyMembers(db.read, tenant)
      return SECURITY_POLICIES.map((policy) =>
        policyModel(
          policy,
          all.filter((row) => row.policy === policy),
        ),
      )
    },

    replace: (call, tenant, policy, { members, concurrencyId }) =>
      db.transaction(async (tx) => {
        const before = await rows.policyMembers(tx, tenant, policy)
        requireCurrent(concurrencyId, stateId(held(before)))
        const resolved = await resolveMembers(tx, tenant, policy, members, before)
        const object = { type: 'policy', id: policy, name: policy }
        await replacePolicyMembers(tx, policy, resolved, clock.now())
        const after = await rows.policyMembers(tx, tenant, policy)
        const out = policyModel(policy, after)
        if (out.ConcurrencyId === stateId(held(before))) await ledger.append(tx, call, { action: 'user.read', object })
        else {
          const detail = { before: held(before), after: held(after) }
          await ledger.append(tx, call, { action: 'policy.changed', object, detail })
        }
        return out
      }),

    find: async (tenant, text, kind) => {
      const found = await rows.principalsPage(
        db.read,
        tenant,
        { kinds: kind === undefined ? ['user', 'group', 'service'] : [kind], words: searchWords(text), enabled: true },
        { after: null, count: MOST_PRINCIPALS },
      )
      return found.map((row) => ({
        ...principalOut(row),
        FirstName: row.first_name,
        LastName: row.last_name,
        Badge: row.badge,
        Guest: row.guest === 1,
      }))
    },
  }
}

/** Sorted by id, so that a new name does not change the state. */
const held = (members: readonly PolicyMemberRow[]): { id: string; level: string | null }[] =>
  members
    .toSorted((left, right) => left.principal_id - right.principal_id)
    .map(({ principal_id: id, level }) => ({ id: String(id), level }))

const policyModel = (policy: SecurityPolicy, members: readonly PolicyMemberRow[]): Policy => ({
  Policy: policy,
  WithLevel: WITH_LEVEL.has(policy),
  Members: members.map((row) => ({
    ...principalOut(row),
    Level: row.level,
    Enabled: row.enabled === 1,
    Guest: row.guest === 1,
  })),
  ConcurrencyId: stateId(held(members)),
})

/** The members that a request results in. Account Administrators are in every policy, at the highest level, even when they were not sent. */
async function resolveMembers(
  tx: Tx,
  tenant: string,
  policy: SecurityPolicy,
  given: readonly SentMember[],
  before: readonly PolicyMemberRow[],
): Promise<{ principalId: number; level: string | null }[]> {
  const found = await rows.principalsById(tx, tenant, [...new Set(given.map((member) => Number(member.PrincipalId)))])
  const known = new Map(found.map((row) => [String(row.principal_id), row]))
  const highest = ALL_POLICIES.find((grant) => grant.policy === policy)?.level ?? null
  const resolved = new Map<number, string | null>()
  refuse(
    given.flatMap((sent, at): Problem[] => {
      const row = known.get(sent.PrincipalId)
      const why = memberProblems(policy, row, sent, highest)
      if (row !== undefined && resolved.has(row.principal_id))
        return [{ Path: `Members.${at}`, Message: 'It names a principal a second time.' }]
      if (row !== undefined) resolved.set(row.principal_id, WITH_LEVEL.has(policy) ? (sent.Level ?? 'View') : null)
      return why.map(([member, Message]) => ({ Path: `Members.${at}.${member}`, Message }))
    }),
  )
  const builtIn = before.find(({ built_in: is }) => is === 1)
  if (builtIn !== undefined) resolved.set(builtIn.principal_id, highest)
  return [...resolved].map(([principalId, level]) => ({ principalId, level }))
}

function memberProblems(
  policy: SecurityPolicy,
  row: PrincipalView | undefined,
  { Level: level }: SentMember,
  highest: string | null,
): [member: keyof SentMember, why: string][] {
  if (row === undefined) return [['PrincipalId', 'It names no user, group or service.']]
  const sent = level !== null && level !== undefined
  if (row.guest === 1 && policy !== 'CreateCases') return [['PrincipalId', 'A guest can be in CreateCases only.']]
  if (sent && !WITH_LEVEL.has(policy)) return [['Level', `${policy} carries no level.`]]
  if (sent && row.built_in === 1 && level !== highest) return [['Level', `${ADMINISTRATORS} hold it at ${highest}.`]]
  return []
}
