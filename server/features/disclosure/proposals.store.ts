/** Rows of what a second person approves before it is given (docs/decisions/0040). */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import type { DisclosureProposalsTable } from '../../kernel/database/tables-disclosure.ts'

export type ProposalRow = Selectable<DisclosureProposalsTable>

export const proposalsOf = (from: Tx, caseId: number): Promise<ProposalRow[]> =>
  from.selectFrom('disclosure_proposals').selectAll().where('case_id', '=', caseId).orderBy('no').execute()

/** Of cases that are not deleted, the newest first. */
export const waitingProposals = (from: Tx, tenant: string, most: number): Promise<ProposalRow[]> =>
  from
    .selectFrom('disclosure_proposals as p')
    .innerJoin('cases as c', 'c.case_id', 'p.case_id')
    .selectAll('p')
    .where('p.tenant_id', '=', tenant)
    .where('p.state', '=', 'waiting')
    .where('c.lifecycle_state', '<>', 'Deleted')
    .orderBy('p.proposal_id', 'desc')
    .limit(most)
    .execute()

/** @param no of the case, as it was asked for */
export async function proposalOf(from: Tx, caseId: number, no: string): Promise<ProposalRow | undefined> {
  const row = await from
    .selectFrom('disclosure_proposals')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('no', '=', Number(no))
    .executeTakeFirst()
  // A number beyond 2⁵³ is rounded, and must not find its neighbour.
  return row !== undefined && String(row.no) === no ? row : undefined
}

export async function insertProposal(tx: Tx, row: Insertable<DisclosureProposalsTable>): Promise<void> {
  await tx.insertInto('disclosure_proposals').values(row).execute()
}

export async function updateProposal(tx: Tx, id: number, set: Updateable<DisclosureProposalsTable>): Promise<void> {
  await tx.updateTable('disclosure_proposals').set(set).where('proposal_id', '=', id).execute()
}

/** The proposals from which these disclosures were given, by the disclosure. */
export async function proposalsGiven(from: Tx, caseId: number): Promise<Map<number, ProposalRow>> {
  const given = (await proposalsOf(from, caseId)).filter((one) => one.disclosure_id !== null)
  return new Map(given.map((one) => [one.disclosure_id as number, one]))
}
