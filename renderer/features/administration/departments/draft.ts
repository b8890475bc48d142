/** A department as it is typed, and back to what the station takes. Pure. */
import { GRANTED_LEVELS, type GrantedLevel } from '../../../../shared/kernel/permissions.ts'
import { CreateDepartmentModel } from '../../../../shared/cases/departments.contract.ts'
import { nameProblem, wrongMembers } from '../editing/wrong-members.ts'
import type { Department } from '../queries.ts'

export interface Access {
  readonly PrincipalId: string
  readonly KId: string
  readonly PrincipalType: string
  readonly Username: string
  readonly Permissions: GrantedLevel
}

export interface DepartmentDraft {
  readonly Name: string
  readonly Description: string
  readonly AccessPolicies: readonly Access[]
  readonly Enabled: boolean
}

/** @param department null for a new one */
export const departmentDraft = (department: Department | null): DepartmentDraft => ({
  Name: department?.Name ?? '',
  Description: department?.Description ?? '',
  AccessPolicies: (department?.AccessPolicies ?? []).map((policy) => ({
    PrincipalId: policy.PrincipalId ?? '',
    KId: policy.KId ?? '',
    PrincipalType: policy.PrincipalType ?? '',
    Username: policy.Username ?? '',
    Permissions: GRANTED_LEVELS.find((level) => level === policy.Permissions) ?? 'View',
  })),
  Enabled: department?.Enabled ?? true,
})

export type WrongDepartment = ReturnType<typeof wrongInDepartment>

/** What can be told before the station is asked. */
export const wrongInDepartment = (draft: DepartmentDraft) => ({
  ...wrongMembers(CreateDepartmentModel, departmentMembers(draft), {
    Name: nameProblem(draft.Name),
    Description: 'notStorable',
  } as const),
  ...(draft.AccessPolicies.some(({ Permissions }) => Permissions === 'Manage')
    ? {}
    : { AccessPolicies: 'manageMissing' as const }),
})

export const departmentMembers = ({ Name, Description, AccessPolicies, Enabled }: DepartmentDraft) => ({
  Name: Name.trim(),
  Description: Description.trim() === '' ? null : Description.trim(),
  AccessPolicies: AccessPolicies.map((policy) => ({ ...policy })),
  Enabled,
})
