import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import { statement } from '../../kernel/database/kysely.ts'
import type { DepartmentPoliciesTable, DepartmentsTable } from '../../kernel/database/tables-cases.ts'

export type DepartmentRow = Selectable<DepartmentsTable>

export interface DepartmentPolicyRow extends DepartmentPoliciesTable {
  readonly name: string
  readonly k_id: string
  readonly kind: string
}

const departments = (from: Tx, tenant: string) =>
  from.selectFrom('departments').selectAll().where('tenant_id', '=', tenant)

export const departmentById = (from: Tx, tenant: string, id: number): Promise<DepartmentRow | undefined> =>
  departments(from, tenant).where('department_id', '=', id).executeTakeFirst()

export const departmentByKey = (from: Tx, tenant: string, nameKey: string): Promise<DepartmentRow | undefined> =>
  departments(from, tenant).where('name_key', '=', nameKey).executeTakeFirst()

// The 1 is a literal: it selects the index of the default department.
const selectDefault = statement((from, params: { tenant: string }) =>
  departments(from, params.tenant).where('is_default', '=', sql.lit(1)),
)

/** The schema allows at most one. */
export const defaultDepartmentOf = async (from: Tx, tenant: string): Promise<DepartmentRow | undefined> =>
  (await selectDefault(from, { tenant }))[0]

/** By name. */
export const departmentsOf = (from: Tx, tenant: string): Promise<DepartmentRow[]> =>
  departments(from, tenant).orderBy('name_key').execute()

export async function insertDepartment(tx: Tx, row: Insertable<DepartmentsTable>): Promise<number> {
  const { department_id: id } = await tx
    .insertInto('departments')
    .values(row)
    .returning('department_id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateDepartment(tx: Tx, id: number, set: Updateable<DepartmentsTable>): Promise<void> {
  await tx.updateTable('departments').set(set).where('department_id', '=', id).execute()
}

const policies = (from: Tx) =>
  from
    .selectFrom('department_policies as p')
    .innerJoin('principals as who', 'who.principal_id', 'p.principal_id')
    .select(['p.department_id', 'p.principal_id', 'p.level', 'who.name', 'who.k_id', 'who.kind'])
    .orderBy('p.principal_id')

export const policiesOfDepartment = (from: Tx, departmentId: number): Promise<DepartmentPolicyRow[]> =>
  policies(from).where('p.department_id', '=', departmentId).execute()

/** The policies of all departments. */
export const departmentPoliciesOf = (from: Tx, tenant: string): Promise<DepartmentPolicyRow[]> =>
  policies(from)
    .innerJoin('departments as d', 'd.department_id', 'p.department_id')
    .where('d.tenant_id', '=', tenant)
    .execute()

export async function replaceDepartmentPolicies(
  tx: Tx,
  departmentId: number,
  params: readonly { readonly principalId: number; readonly level: DepartmentPoliciesTable['level'] }[],
): Promise<void> {
  await tx.deleteFrom('department_policies').where('department_id', '=', departmentId).execute()
  if (params.length === 0) return
  await tx
    .insertInto('department_policies')
    .values(params.map(({ principalId, level }) => ({ department_id: departmentId, principal_id: principalId, level })))
    .execute()
}
