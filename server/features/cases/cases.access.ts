/** Access to cases (decisions 3): levels, the policies of a request, and the last-Manage guard. */
import type { z } from 'zod'
import type { AccessPolicyModel, CreateCaseModel } from '../../../shared/cases/contract.ts'
import { Fault, fault, type Problem } from '../../../shared/kernel/errors.ts'
import { includes, type Level, type GrantedLevel } from '../../../shared/kernel/permissions.ts'
import type { Tx } from '../../kernel/database/database.ts'
import {
  type CasePolicyRow,
  type KnownPrincipal,
  type NewCasePolicy,
  principalsById,
  hasEligibleManager,
} from './cases.store.ts'

type SentPolicies = readonly z.output<typeof AccessPolicyModel>[]
type SentExpirations = NonNullable<z.output<typeof CreateCaseModel>['AccessPolicyExpirations']>

const REASONS = {
  View: 'PrincipalCannotReadCase',
  Download: 'PrincipalCannotDownloadCase',
  Edit: 'PrincipalCannotEditCase',
  Manage: 'PrincipalCannotManageCase',
} as const

/** @throws Fault Forbidden; the reason goes to the ledger (decisions 2) */
export function requireLevel(held: Level, needed: GrantedLevel): void {
  if (!includes(held, needed))
    throw new Fault('Forbidden', `This needs ${needed} on the case.`, { reason: REASONS[needed] })
}

interface Named {
  readonly PrincipalId: string
  readonly KId?: string | null
  readonly PrincipalType?: string
}

/**
 * Loads all principals that these lists name, with one statement. @returns a function that finds the principal of an entry
 * @throws Fault UnableToLoadUser, from the returned function, when the members of an entry do not name exactly one principal
 */
export async function findNamedPrincipals(
  from: Tx,
  tenant: string,
  ...lists: readonly (readonly Pick<Named, 'PrincipalId'>[])[]
): Promise<(named: Named, path: string) => KnownPrincipal> {
  const ids = new Set(lists.flat().flatMap(({ PrincipalId: id }) => (/^\d{1,15}$/.test(id) ? [Number(id)] : [])))
  const found = new Map(
    (await principalsById(from, tenant, [...ids])).map((principal) => [String(principal.principal_id), principal]),
  )
  return ({ PrincipalId, KId, PrincipalType }, path) => {
    const known = found.get(PrincipalId)
    if (
      known === undefined ||
      (KId !== undefined && KId !== null && KId !== known.k_id) ||
      (PrincipalType !== undefined && PrincipalType.toLowerCase() !== known.kind)
    )
      throw fault('UnableToLoadUser', 'A policy or personnel entry names nobody.', [
        { Path: path, Message: 'names no one principal' },
      ])
    return known
  }
}

/**
 * The policies that a request results in. An existing entry keeps its expiry, unless it is raised to Manage, which never expires.
 * @throws Fault UnableToLoadUser, InvalidModel
 */
export async function resolvePolicies(
  tx: Tx,
  tenant: string,
  policies: SentPolicies,
  expirations: SentExpirations,
  before: readonly CasePolicyRow[],
): Promise<NewCasePolicy[]> {
  const previous = new Map(before.map((row) => [row.principal_id, asNewPolicy(row)]))
  const resolved = new Map<number, NewCasePolicy>()
  const problems: Problem[] = []
  const named = await findNamedPrincipals(tx, tenant, policies, expirations)
  for (const [at, policy] of policies.entries()) {
    const { principal_id: id } = named(policy, `AccessPolicies[${at}]`)
    if (resolved.has(id)) problems.push({ Path: `AccessPolicies[${at}]`, Message: 'names a principal a second time' })
    const level = policy.Permissions
    const was = previous.get(id)
    resolved.set(id, {
      principalId: id,
      level,
      expires: level === 'Manage' ? null : (was?.expires ?? null),
      fromDepartment: was?.fromDepartment === true && was.level === level,
    })
  }
  for (const [at, expiration] of expirations.entries()) {
    const { principal_id: id } = named(expiration, `AccessPolicyExpirations[${at}]`)
    const policy = resolved.get(id)
    const path = `AccessPolicyExpirations[${at}]`
    if (policy === undefined) problems.push({ Path: path, Message: 'names a principal without a policy on the case' })
    else if (policy.level === 'Manage' && expiration.ExpirationDateUtc !== null)
      problems.push({ Path: path, Message: 'Manage never expires' })
    else resolved.set(id, { ...policy, expires: expiration.ExpirationDateUtc, fromDepartment: false })
  }
  if (problems.length > 0) throw fault('InvalidModel', 'The access policies cannot be understood.', problems)
  return sortPolicies([...resolved.values()])
}

/** Sorted as they are stored, so that two lists can be compared. */
export const sortPolicies = (policies: readonly NewCasePolicy[]): NewCasePolicy[] =>
  [...policies].sort((left, right) => left.principalId - right.principalId)

const expiryOf = ({ expires_utc: text, expires_ticks: ticks }: CasePolicyRow) =>
  text === null || ticks === null ? null : { text, ticks }

export const asNewPolicy = (row: CasePolicyRow): NewCasePolicy => ({
  principalId: row.principal_id,
  level: row.level,
  expires: expiryOf(row),
  fromDepartment: row.from_department === 1,
})

/** Whether the policies give Manage to an account that the last-Manage guard counts. */
export const hasManager = (tx: Tx, policies: readonly NewCasePolicy[]): Promise<boolean> =>
  hasEligibleManager(
    tx,
    policies.filter(({ level }) => level === 'Manage').map(({ principalId }) => principalId),
  )
