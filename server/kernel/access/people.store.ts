import type { PersonNameOut } from '../../../shared/kernel/people.contract.ts'
import type { Tx } from '../database/database.ts'
import { listOf, membersOf } from '../database/expressions.ts'

/**
 * What users are called today, those who are disabled too; other principals and ids that name nobody are left out. For ids that the caller is
 * told anyway. One statement.
 */
export async function namesOfUsers(from: Tx, ids: Iterable<string | number | null>): Promise<PersonNameOut[]> {
  const wanted = new Set([...ids].flatMap((id) => (id !== null && /^\d{1,15}$/.test(String(id)) ? [Number(id)] : [])))
  if (wanted.size === 0) return []
  const rows = await from
    .selectFrom('principals')
    .select(['principal_id', 'name', 'first_name', 'last_name'])
    .where('kind', '=', 'user')
    .where('principal_id', 'in', membersOf(listOf(wanted)))
    .orderBy('principal_id')
    .execute()
  return rows.map((row) => ({
    PrincipalId: String(row.principal_id),
    Username: row.name,
    FirstName: row.first_name,
    LastName: row.last_name,
  }))
}
