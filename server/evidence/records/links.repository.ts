import type { Selectable } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { CaseLinksTable } from '../../db/tables-cases.ts'

export type LinkRow = Selectable<CaseLinksTable>
export type LinkKind = LinkRow['kind']

export const linksOfEvidence = (from: Tx, evidenceId: number): Promise<LinkRow[]> =>
  from
    .selectFrom('case_links')
    .selectAll()
    .where('evidence_id', '=', evidenceId)
    .orderBy('case_id')
    .orderBy('kind', 'desc')
    .execute()

/** Oldest evidence first, of two links to one the one that somebody made. */
export const linksOfCase = (from: Tx, caseId: number): Promise<LinkRow[]> =>
  from
    .selectFrom('case_links')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('evidence_id')
    .orderBy('kind', 'desc')
    .execute()

export async function countLinks(from: Tx, evidenceId: number, kind: LinkKind): Promise<number> {
  const row = await from
    .selectFrom('case_links')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('evidence_id', '=', evidenceId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return row.n
}

export async function insertLink(tx: Tx, link: LinkRow): Promise<void> {
  await tx.insertInto('case_links').values(link).execute()
}

export async function deleteLink(
  tx: Tx,
  { case_id: caseId, evidence_id: evidenceId, kind }: Pick<LinkRow, 'case_id' | 'evidence_id' | 'kind'>,
): Promise<void> {
  await tx
    .deleteFrom('case_links')
    .where('case_id', '=', caseId)
    .where('evidence_id', '=', evidenceId)
    .where('kind', '=', kind)
    .execute()
}

export async function setConfirmed(tx: Tx, caseId: number, evidenceId: number): Promise<void> {
  await tx
    .updateTable('case_links')
    .set({ confirmed: 1 })
    .where('case_id', '=', caseId)
    .where('evidence_id', '=', evidenceId)
    .where('kind', '=', 'Automatic')
    .execute()
}
