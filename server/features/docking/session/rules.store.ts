import type { Tx } from '../../../kernel/database/database.ts'

/** Categories and departments as rules name them: only those that are enabled. */

export const categoryNamed = (from: Tx, tenant: string, key: string): Promise<{ category_id: number } | undefined> =>
  from
    .selectFrom('categories')
    .select('category_id')
    .where('tenant_id', '=', tenant)
    .where('name_key', '=', key)
    .where('enabled', '=', 1)
    .executeTakeFirst()

export const departmentNamed = (
  from: Tx,
  tenant: string,
  key: string,
): Promise<{ department_id: number } | undefined> =>
  from
    .selectFrom('departments')
    .select('department_id')
    .where('tenant_id', '=', tenant)
    .where('name_key', '=', key)
    .where('enabled', '=', 1)
    .executeTakeFirst()

export const policiesOfDepartment = async (
  from: Tx,
  departmentId: number,
): Promise<{ principalId: number; level: string }[]> => {
  const rows = await from
    .selectFrom('department_policies')
    .select(['principal_id', 'level'])
    .where('department_id', '=', departmentId)
    .orderBy('principal_id')
    .execute()
  return rows.map(({ principal_id: principalId, level }) => ({ principalId, level }))
}

/** Whether its policies name this person, or a group that they are in. */
export async function isOfDepartment(from: Tx, departmentId: number, principalId: number): Promise<boolean> {
  const row = await from
    .selectFrom('department_policies as d')
    .leftJoin('memberships as m', 'm.group_id', 'd.principal_id')
    .select('d.principal_id')
    .where('d.department_id', '=', departmentId)
    .where((e) => e.or([e('d.principal_id', '=', principalId), e('m.member_id', '=', principalId)]))
    .executeTakeFirst()
  return row !== undefined
}
