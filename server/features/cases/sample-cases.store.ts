import { sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'

/** Whether the dispatch system or headquarters knows the case. */
export async function isOfDispatch(from: Tx, caseId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM cad_events WHERE case_id = ${caseId}
    UNION ALL SELECT 1 FROM cad_messages WHERE case_id = ${caseId}
    UNION ALL SELECT 1 FROM forwarding_cases WHERE case_id = ${caseId} LIMIT 1`.execute(from)
  return rows.length > 0
}

/** Tables of which every row about a case goes with it. What refers to others stands before them. */
const OF_A_CASE = [
  'case_link_changes',
  'case_followers',
  'case_personnel',
  'case_policies',
  'access_requests',
  'correlation_links',
  'correlation_refusals',
  'correlation_reviews',
  'withdrawn_links',
] as const
const WRITTEN = [
  ['note', 'notes', 'note_id'],
  ['task', 'case_tasks', 'task_id'],
] as const

/**
 * Deletes the row of a case and all that belongs to it. Versions keep their number, time and author and lose what they say, as with destroyed
 * evidence. Evidence that is still linked makes this fail.
 */
export async function deleteCaseRows(tx: Tx, caseId: number): Promise<void> {
  for (const [entity, table, key] of WRITTEN) {
    await sql`UPDATE versions SET state = '{}' WHERE entity = ${entity}
      AND entity_id IN (SELECT ${sql.ref(key)} FROM ${sql.table(table)} WHERE case_id = ${caseId})`.execute(tx)
    await sql`DELETE FROM ${sql.table(table)} WHERE case_id = ${caseId}`.execute(tx)
  }
  for (const table of OF_A_CASE) await sql`DELETE FROM ${sql.table(table)} WHERE case_id = ${caseId}`.execute(tx)
  await sql`UPDATE versions SET state = '{}' WHERE entity = 'case' AND entity_id = ${caseId}`.execute(tx)
  await sql`DELETE FROM notices WHERE object_type = 'case' AND object_id = ${String(caseId)}`.execute(tx)
  // Evidence in the recycle bin, and items of the disposition queue, stay and name the case no more.
  await sql`UPDATE evidence SET deleted_with_case = NULL WHERE deleted_with_case = ${caseId}`.execute(tx)
  await sql`UPDATE disposition_items SET case_id = NULL WHERE case_id = ${caseId}`.execute(tx)
  await sql`DELETE FROM cases WHERE case_id = ${caseId}`.execute(tx)
}
