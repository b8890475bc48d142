import { sql } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'

/** Live cases on which the person holds Manage in their own name, by number. */
const managed = (tenant: string, person: number) => sql`
  FROM case_policies p JOIN cases c ON c.case_id = p.case_id
  WHERE p.principal_id = ${person} AND p.level = 'Manage' AND c.tenant_id = ${tenant} AND c.lifecycle_state <> 'Deleted'`

export async function managedCases(
  from: Tx,
  tenant: string,
  person: number,
  most: number,
): Promise<{ case_id: number }[]> {
  const { rows } = await sql<{ case_id: number }>`
    SELECT c.case_id ${managed(tenant, person)} ORDER BY c.case_id LIMIT ${most}`.execute(from)
  return rows
}

export async function countManaged(from: Tx, tenant: string, person: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n ${managed(tenant, person)}`.execute(from)
  return Number(rows[0]?.n ?? 0)
}

/** Open tasks of the person on those cases. */
export async function countOpenTasks(from: Tx, tenant: string, person: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM case_tasks t WHERE t.assignee_id = ${person} AND t.done_utc IS NULL AND t.deleted_utc IS NULL
      AND t.case_id IN (SELECT c.case_id ${managed(tenant, person)})`.execute(from)
  return Number(rows[0]?.n ?? 0)
}
