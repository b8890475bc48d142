import type { Selectable } from 'kysely'
import type { Tx } from '../database/database.ts'
import { statement } from '../database/kysely.ts'
import type { CaseLinksTable } from '../database/tables-cases.ts'

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

/** Of several evidences, each in the order of `linksOfEvidence`. */
export const linksOfEvidences = (from: Tx, evidenceIds: readonly number[]): Promise<LinkRow[]> =>
  from
    .selectFrom('case_links')
    .selectAll()
    .where('evidence_id', 'in', evidenceIds)
    .orderBy('evidence_id')
    .orderBy('case_id')
    .orderBy('kind', 'desc')
    .execute()

/** Oldest evidence first, of two links to one the one that somebody made. */
export const linksOfCase = (from: Tx, caseId: number): Promise<LinkRow[]> => selectLinksOfCase(from, { id: caseId })

const selectLinksOfCase = statement((from, given: { id: number }) =>
  from
    .selectFrom('case_links')
    .selectAll()
    .where('case_id', '=', given.id)
    .orderBy('evidence_id')
    .orderBy('kind', 'desc'),
)

/** Of a case with these evidences, at most a few thousand. */
export const linksBetween = (from: Tx, caseId: number, evidenceIds: readonly number[]): Promise<LinkRow[]> =>
  from
    .selectFrom('case_links')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('evidence_id', 'in', evidenceIds)
    .execute()

/** By evidence; those without any are not in it. */
export async function countLinksOf(
  from: Tx,
  evidenceIds: readonly number[],
  kind: LinkKind,
): Promise<Map<number, number>> {
  const rows = await from
    .selectFrom('case_links')
    .select('evidence_id')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('evidence_id', 'in', evidenceIds)
    .where('kind', '=', kind)
    .groupBy('evidence_id')
    .execute()
  return new Map(rows.map((row) => [row.evidence_id, row.n]))
}

export const countLinks = async (from: Tx, evidenceId: number, kind: LinkKind): Promise<number> =>
  (await countLinksOf(from, [evidenceId], kind)).get(evidenceId) ?? 0

export async function insertLink(tx: Tx, link: LinkRow): Promise<void> {
  await insertLinks(tx, [link])
}

/** At most a few thousand at once. */
export async function insertLinks(tx: Tx, links: readonly LinkRow[]): Promise<void> {
  if (links.length > 0) await tx.insertInto('case_links').values(links).execute()
}

/** Of this kind, between a case and these evidences. */
export async function deleteLinksOfCase(
  tx: Tx,
  caseId: number,
  evidenceIds: readonly number[],
  kind: LinkKind,
): Promise<void> {
  if (evidenceIds.length === 0) return
  await tx
    .deleteFrom('case_links')
    .where('case_id', '=', caseId)
    .where('evidence_id', 'in', evidenceIds)
    .where('kind', '=', kind)
    .execute()
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
