/** What documents say of evidence, a few statements for many. */
import { type CompiledQuery, sql } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import { jsonNumber, listOf, membersOf } from '../../../kernel/database/expressions.ts'
import { viewable, type Viewer } from '../../../kernel/access/viewable.store.ts'

export interface NamedPerson {
  readonly principal_id: number
  readonly name: string
  readonly first_name: string | null
  readonly last_name: string | null
}

export async function peopleById(from: Tx, ids: Iterable<number>): Promise<Map<number, NamedPerson>> {
  const { rows } = await sql<NamedPerson>`
    SELECT principal_id, name, first_name, last_name FROM principals WHERE principal_id IN ${membersOf(listOf(ids))}`.execute(
    from,
  )
  return new Map(rows.map((row) => [row.principal_id, row]))
}

/** Categories by their ids, as evidence and cases name them. */
export async function categoryNames(from: Tx, ids: Iterable<string>): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)].map(Number).filter(Number.isSafeInteger)
  const { rows } = await sql<{ category_id: number; name: string }>`
    SELECT category_id, name FROM categories WHERE category_id IN ${membersOf(listOf(wanted))}`.execute(from)
  return new Map(rows.map((row) => [String(row.category_id), row.name]))
}

export async function departmentName(from: Tx, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM departments WHERE CAST(department_id AS TEXT) = ${id}`.execute(from)
  return rows[0]?.name ?? null
}

export interface LinkedCaseRow {
  readonly evidence_id: number
  readonly case_id: number
  readonly ordinal_year: number
  readonly ordinal_number: number
  readonly title: string
  /** 1: somebody made or confirmed the link. */
  readonly settled: number
}

/** Cases that are not deleted, by the evidence in them. */
export async function casesOfEvidence(from: Tx, ids: readonly number[]): Promise<LinkedCaseRow[]> {
  const { rows } = await sql<LinkedCaseRow>`
    SELECT l.evidence_id, c.case_id, c.ordinal_year, c.ordinal_number, c.title,
      max(CASE WHEN l.kind = 'Manual' OR l.confirmed = 1 THEN 1 ELSE 0 END) AS settled
    FROM case_links l JOIN cases c ON c.case_id = l.case_id
    WHERE l.evidence_id IN ${membersOf(listOf(ids))} AND c.lifecycle_state <> 'Deleted'
    GROUP BY l.evidence_id, c.case_id, c.ordinal_year, c.ordinal_number, c.title ORDER BY l.evidence_id, c.case_id`.execute(
    from,
  )
  return rows
}

/** Evidence of a case that the viewer can view and that is not in the recycle bin, in the order of recording. For a long read. */
export const evidenceOfCase = (from: Tx, caseId: number, viewer: Viewer, most: number): CompiledQuery<{ id: number }> =>
  sql<{ id: number }>`
    SELECT l.evidence_id AS id FROM evidence_list l JOIN evidence e ON e.evidence_id = l.evidence_id
    WHERE l.evidence_id IN (SELECT evidence_id FROM case_links WHERE case_id = ${caseId})
      AND e.lifecycle_state NOT IN ('Deleted', 'Destroyed') AND ${viewable('l.evidence_id', viewer)}
    ORDER BY l.recorded_ticks, l.evidence_id LIMIT ${most}`.compile(from)

/** Seconds of what leads an evidence; of what could not be measured, those of what is played in its place. */
export async function secondsOf(from: Tx, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ evidence_id: number; seconds: number | null }>`
    SELECT l.evidence_id, coalesce(
      (SELECT ${jsonNumber('r.media', 'DurationSeconds')} FROM resources r WHERE r.resource_id = l.lead_id),
      (SELECT max(${jsonNumber('p.media', 'DurationSeconds')}) FROM resources p
        WHERE p.evidence_id = l.evidence_id AND p.parent_id = l.lead_id)) AS seconds
    FROM evidence_list l WHERE l.evidence_id IN ${membersOf(listOf(ids))}`.execute(from)
  return new Map(rows.flatMap((row) => (row.seconds === null ? [] : [[row.evidence_id, row.seconds] as const])))
}
