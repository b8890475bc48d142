import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import { listOf, membersOf } from '../../../kernel/database/expressions.ts'
import type { AccessRequestsTable } from '../../../kernel/database/tables-cases.ts'
import type { Viewer } from '../../../kernel/access/viewable.store.ts'

export type RequestRow = Selectable<AccessRequestsTable>

/** A request with the names that it is shown with. */
export interface ShownRequest extends RequestRow {
  readonly title: string
  readonly ordinal_year: number
  readonly ordinal_number: number
}

/** Listed at once. */
const MOST = 200

const ofCase = (caseId: number | null) => (caseId === null ? sql`1 = 1` : sql`r.case_id = ${caseId}`)

/** Of one person, in whatever state, the newest first. */
export async function requestsBy(
  from: Tx,
  tenant: string,
  person: number,
  caseId: number | null,
): Promise<ShownRequest[]> {
  const { rows } = await sql<ShownRequest>`
    SELECT r.*, c.title, c.ordinal_year, c.ordinal_number FROM access_requests r JOIN cases c ON c.case_id = r.case_id
    WHERE r.principal_id = ${person} AND c.tenant_id = ${tenant} AND ${ofCase(caseId)}
    ORDER BY r.request_id DESC LIMIT ${MOST}`.execute(from)
  return rows
}

/** Open ones for cases on which the viewer holds Manage, the oldest first. */
export async function requestsToDecide(
  from: Tx,
  tenant: string,
  viewer: Viewer,
  caseId: number | null,
): Promise<ShownRequest[]> {
  const { rows } = await sql<ShownRequest>`
    SELECT r.*, c.title, c.ordinal_year, c.ordinal_number FROM access_requests r JOIN cases c ON c.case_id = r.case_id
    WHERE r.state = 'Open' AND c.tenant_id = ${tenant} AND c.lifecycle_state <> 'Deleted' AND ${ofCase(caseId)}
      AND EXISTS (SELECT 1 FROM case_policies p WHERE p.case_id = r.case_id AND p.level = 'Manage'
        AND p.principal_id IN ${membersOf(listOf(viewer.identities))})
    ORDER BY r.request_id LIMIT ${MOST}`.execute(from)
  return rows
}

export const requestById = (from: Tx, id: number): Promise<RequestRow | undefined> =>
  from.selectFrom('access_requests').selectAll().where('request_id', '=', id).executeTakeFirst()

/** Those of one person that nobody decided. */
export const openRequestsBy = (from: Tx, person: number): Promise<RequestRow[]> =>
  from
    .selectFrom('access_requests')
    .selectAll()
    .where('principal_id', '=', person)
    .where('state', '=', 'Open')
    .execute()

export async function insertRequest(tx: Tx, row: Insertable<AccessRequestsTable>): Promise<number> {
  const made = await tx.insertInto('access_requests').values(row).returning('request_id').executeTakeFirstOrThrow()
  return made.request_id
}

export async function updateRequest(tx: Tx, id: number, set: Updateable<AccessRequestsTable>): Promise<void> {
  await tx.updateTable('access_requests').set(set).where('request_id', '=', id).execute()
}

/** The users and groups that hold Manage on a case. */
export async function managersOf(from: Tx, caseId: number): Promise<number[]> {
  const rows = await from
    .selectFrom('case_policies')
    .select('principal_id')
    .where('case_id', '=', caseId)
    .where('level', '=', 'Manage')
    .execute()
  return rows.map((row) => row.principal_id)
}
