/** Models of departments from rows, and the stored state of versions (decisions 4). */
import type { z } from 'zod'
import type { DefaultDepartmentModel, DepartmentModel } from '../../../shared/cases/departments.contract.ts'
import type { DepartmentPolicyRow, DepartmentRow } from './departments.store.ts'
import type { Author } from './history.ts'

export type DepartmentOut = z.input<typeof DepartmentModel>
export type DefaultDepartmentOut = z.input<typeof DefaultDepartmentModel>

/** Members that are the same for every caller; versions store these. */
export const stateOf = (row: DepartmentRow, policies: readonly DepartmentPolicyRow[]) => ({
  DepartmentId: String(row.department_id),
  Name: row.name,
  Description: row.description,
  Enabled: row.enabled === 1,
  IsDefault: row.is_default === 1,
  AccessPolicies: policies.map((policy) => ({
    Permissions: policy.level as string,
    PrincipalId: String(policy.principal_id),
    KId: policy.k_id,
    PrincipalType: policy.kind,
    Username: policy.name,
  })),
})

/** @param policies null when the caller may not see them (decisions 3) */
export const departmentModel = (
  row: DepartmentRow,
  policies: readonly DepartmentPolicyRow[] | null,
): DepartmentOut => ({
  ...stateOf(row, policies ?? []),
  ...(policies === null ? { AccessPolicies: null } : {}),
  ConcurrencyId: row.concurrency_id,
  CreatedUtcTime: row.created_utc,
  LastModifiedUtcTime: row.modified_utc,
  LastModifiedBy: JSON.parse(row.modified_by) as Author,
})

/** @param row null: no department is the default */
export const defaultModel = (row: DepartmentRow | null): DefaultDepartmentOut =>
  row === null
    ? { DepartmentId: null, Name: null, ConcurrencyId: null }
    : { DepartmentId: String(row.department_id), Name: row.name, ConcurrencyId: row.concurrency_id }

export const objectOf = (row: DepartmentRow) => ({ type: 'department', id: String(row.department_id), name: row.name })
