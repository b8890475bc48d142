/** Policies of departments: a template that is copied to their cases (decisions 4). */
import { fault } from '../../../shared/kernel/errors.ts'
import { highest, type GrantedLevel } from '../../../shared/kernel/permissions.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { sortPolicies } from './cases.access.ts'
import type { NewCasePolicy } from './cases.store.ts'
import { defaultDepartmentOf, departmentById, type DepartmentRow, policiesOfDepartment } from './departments.store.ts'

/**
 * The department of a new case: the named one, else the default. @returns null without either
 * @throws Fault DepartmentNotFound, CannotAssignToDisabledDepartment
 */
export const departmentOfNewCase = async (tx: Tx, tenant: string, id: string | null): Promise<DepartmentRow | null> =>
  id !== null ? findAssignableDepartment(tx, tenant, id) : ((await defaultDepartmentOf(tx, tenant)) ?? null)

/** @throws Fault DepartmentNotFound, CannotAssignToDisabledDepartment */
export async function findAssignableDepartment(tx: Tx, tenant: string, id: string): Promise<DepartmentRow> {
  const row = /^\d{1,15}$/.test(id) ? await departmentById(tx, tenant, Number(id)) : undefined
  if (row === undefined || String(row.department_id) !== id)
    throw fault('DepartmentNotFound', 'There is no such department.', [{ Path: 'DepartmentId', Message: 'names none' }])
  if (row.enabled === 0)
    throw fault('CannotAssignToDisabledDepartment', `The department "${row.name}" is disabled.`, [
      { Path: 'DepartmentId', Message: 'names a disabled department' },
    ])
  return row
}

/**
 * Adds the policies of the department. A principal with a policy of their own keeps the higher level. The department's level then counts
 * as their own: `fromDepartment` is false.
 */
export async function withDepartment(
  tx: Tx,
  policies: readonly NewCasePolicy[],
  departmentId: number | null,
): Promise<NewCasePolicy[]> {
  if (departmentId === null) return sortPolicies(policies)
  const merged = new Map(policies.map((policy) => [policy.principalId, policy]))
  for (const { principal_id: principalId, level } of await policiesOfDepartment(tx, departmentId)) {
    const known = merged.get(principalId)
    if (known === undefined) merged.set(principalId, { principalId, level, expires: null, fromDepartment: true })
    else if (highest(known.level, level) !== known.level)
      merged.set(principalId, {
        ...known,
        level: level as GrantedLevel,
        expires: null,
        fromDepartment: false,
      })
  }
  return sortPolicies([...merged.values()])
}

/** Drops the policies that were copied from a department and not changed since. */
export const withoutDepartment = (policies: readonly NewCasePolicy[]): NewCasePolicy[] =>
  policies.filter(({ fromDepartment }) => !fromDepartment)
