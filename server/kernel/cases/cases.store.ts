/** Rows of cases that features beside `cases` read too. */
import { type Selectable, sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import { among } from '../database/expressions.ts'
import type { CasesTable } from '../database/tables-cases.ts'

export type CaseRow = Selectable<CasesTable>

/** The cases among these that are not deleted. */
export async function liveCasesById(from: Tx, ids: readonly number[]): Promise<{ case_id: number; title: string }[]> {
  if (ids.length === 0) return []
  return from
    .selectFrom('cases')
    .select(['case_id', 'title'])
    .where('case_id', 'in', ids)
    .where('lifecycle_state', '<>', 'Deleted')
    .execute()
}

/** By case, the principals who were assigned to it. */
export async function assignedTo(from: Tx, caseIds: readonly number[]): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ case_id: number; principal_id: number }>`
    SELECT DISTINCT case_id, principal_id FROM case_personnel
    WHERE case_id IN (${among(caseIds)}) AND lower(role) = 'assigned' ORDER BY case_id, principal_id`.execute(from)
  const found = new Map<number, number[]>()
  for (const row of rows) found.set(row.case_id, [...(found.get(row.case_id) ?? []), row.principal_id])
  return found
}
