/** Rows of requests for disclosure (docs/decisions/0040). */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import type { DisclosureRequestsTable } from '../../kernel/database/tables-disclosure.ts'

export type RequestRow = Selectable<DisclosureRequestsTable>

export const requestsOf = (from: Tx, caseId: number): Promise<RequestRow[]> =>
  from.selectFrom('disclosure_requests').selectAll().where('case_id', '=', caseId).orderBy('no').execute()

export async function insertRequest(tx: Tx, row: Insertable<DisclosureRequestsTable>): Promise<void> {
  await tx.insertInto('disclosure_requests').values(row).execute()
}

export async function updateRequest(tx: Tx, id: number, set: Updateable<DisclosureRequestsTable>): Promise<void> {
  await tx.updateTable('disclosure_requests').set(set).where('request_id', '=', id).execute()
}

/** Open ones that are due by this day and of which nobody was reminded for their day, the earliest first. */
export const requestsToRemind = (from: Tx, by: string, most: number): Promise<RequestRow[]> =>
  from
    .selectFrom('disclosure_requests')
    .selectAll()
    .where('state', '=', 'open')
    .where('request_due', '<=', by)
    .where((e) => e.or([e('reminded_due', 'is', null), e('reminded_due', '<>', e.ref('request_due'))]))
    .orderBy('request_due')
    .orderBy('request_id')
    .limit(most)
    .execute()
