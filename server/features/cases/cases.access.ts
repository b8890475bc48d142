/** Who may do what with a case (decisions 3): levels, the policies that are sent, and the last-Manage guard. */
import type { z } from 'zod'
import type { AccessPolicyModel, CreateCaseModel } from '../../../shared/cases/contract.ts'
import { Fault, fault, type Problem } from '../../../shared/kernel/errors.ts'
import { includes, type Level } from '../../../shared/kernel/permissions.ts'
import type { Tx } from '../../kernel/database/database.ts'
import {
  type CasePolicyRow,
  type KnownPrincipal,
  type NewCasePolicy,
  principalsById,
  somebodyCounts,
} from './cases.store.ts'

type GivenPolicies = readonly z.output<typeof AccessPolicyModel>[]
type GivenExpirations = NonNullable<z.output<typeof CreateCaseModel>['AccessPolicyExpirations']>

const REASONS = {
  View: 'PrincipalCannotReadCase',
  Download: 'PrincipalCannotDownloadCase',
  Edit: 'PrincipalCannotEditCase',
  Manage: 'PrincipalCannotManageCase',
} as const

/** @throws Fault Forbidden; the reason goes to the ledger (decisions 2) */
export function requireLevel(held: Level, needed: Exclude<Level, 'None'>): void {
  if (!includes(held, needed))
    throw new Fault('Forbidden', `This needs ${needed} on the case.`, { reason: REASONS[needed] })
}

interface Named {
  readonly PrincipalId: string
  readonly KId?: string | null
  readonly PrincipalType?: string
}

/**
 * Looks up everybody whom these lists name with one statement, and gives the one whom an entry names.
 * @throws Fault UnableToLoadUser, from the function it gives, where the members of an entry name no one principal
 */
export async function principalsNamed(
  from: Tx,
  tenant: string,
  ...lists: readonly (readonly Pick<Named, 'PrincipalId'>[])[]
): Promise<(named: Named, path: string) => KnownPrincipal> {
  const ids = new Set(lists.flat().flatMap(({ PrincipalId: id }) => (/^\d{1,15}$/.test(id) ? [Number(id)] : [])))
  const found = new Map((await principalsById(from, tenant, [...ids])).map((one) => [String(one.principal_id), one]))
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
 * The policies as they shall be. An entry that was there keeps its expiry, unless it is raised to Manage, which never expires.
 * @throws Fault UnableToLoadUser, InvalidModel
 */
export async function settledPolicies(
  tx: Tx,
  tenant: string,
  given: GivenPolicies,
  expirations: GivenExpirations,
  before: readonly CasePolicyRow[],
): Promise<NewCasePolicy[]> {
  const kept = new Map(before.map((row) => [row.principal_id, asSettled(row)]))
  const settled = new Map<number, NewCasePolicy>()
  const problems: Problem[] = []
  const named = await principalsNamed(tx, tenant, given, expirations)
  for (const [at, policy] of given.entries()) {
    const { principal_id: id } = named(policy, `AccessPolicies[${at}]`)
    if (settled.has(id)) problems.push({ Path: `AccessPolicies[${at}]`, Message: 'names a principal a second time' })
    const level = policy.Permissions
    const was = kept.get(id)
    settled.set(id, {
      principalId: id,
      level,
      expires: level === 'Manage' ? null : (was?.expires ?? null),
      fromDepartment: was?.fromDepartment === true && was.level === level,
    })
  }
  for (const [at, expiration] of expirations.entries()) {
    const { principal_id: id } = named(expiration, `AccessPolicyExpirations[${at}]`)
    const policy = settled.get(id)
    const path = `AccessPolicyExpirations[${at}]`
    if (policy === undefined) problems.push({ Path: path, Message: 'names a principal without a policy on the case' })
    else if (policy.level === 'Manage' && expiration.ExpirationDateUtc !== null)
      problems.push({ Path: path, Message: 'Manage never expires' })
    else settled.set(id, { ...policy, expires: expiration.ExpirationDateUtc, fromDepartment: false })
  }
  if (problems.length > 0) throw fault('InvalidModel', 'The access policies cannot be understood.', problems)
  return inOrder([...settled.values()])
}

/** As they are stored, so that two lists can be compared. */
export const inOrder = (policies: readonly NewCasePolicy[]): NewCasePolicy[] =>
  [...policies].sort((one, other) => one.principalId - other.principalId)

const expiryOf = ({ expires_utc: text, expires_ticks: ticks }: CasePolicyRow) =>
  text === null || ticks === null ? null : { text, ticks }

export const asSettled = (row: CasePolicyRow): NewCasePolicy => ({
  principalId: row.principal_id,
  level: row.level,
  expires: expiryOf(row),
  fromDepartment: row.from_department === 1,
})

/** Somebody whom the guard counts has Manage. */
export const keepsManage = (tx: Tx, policies: readonly NewCasePolicy[]): Promise<boolean> =>
  somebodyCounts(
    tx,
    policies.filter(({ level }) => level === 'Manage').map(({ principalId }) => principalId),
  )
