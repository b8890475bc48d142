import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { caseViewable, type Viewer, viewable } from '../../../kernel/access/viewable.store.ts'
import { among } from '../../../kernel/database/expressions.ts'
import type { Tables } from '../../../kernel/database/tables.ts'

type Db = Kysely<Tables>

/** What is known of the files of an evidence beside their records: dates on cards and in folders, and where the camera was. */
export async function fileDates(from: Db, evidenceId: number): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ resource_id: number; modified_ns: string }>`
    SELECT d.resource_id, d.modified_ns FROM dock_files d JOIN resources r ON r.resource_id = d.resource_id
      WHERE r.evidence_id = ${evidenceId}
    UNION ALL SELECT i.resource_id, i.modified_ns FROM ingested_files i JOIN resources r ON r.resource_id = i.resource_id
      WHERE r.evidence_id = ${evidenceId}`.execute(from)
  return new Map(rows.map((row) => [row.resource_id, Number(BigInt(row.modified_ns) / 1_000_000n)]))
}

/** Well-known text of the first docked recording of the evidence. */
export async function trackOf(from: Db, evidenceId: number): Promise<string | null> {
  const row = await from
    .selectFrom('dock_recordings')
    .select('location_wkt')
    .where('evidence_id', '=', evidenceId)
    .where('location_wkt', 'is not', null)
    .orderBy('recording_id')
    .executeTakeFirst()
  return row?.location_wkt ?? null
}

/** By id, as a person reads them: first and last name, else the name of the account. */
export async function namesOf(from: Db, principalIds: readonly number[]): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; first_name: string; last_name: string }>`
    SELECT name, first_name, last_name FROM principals
    WHERE principal_id IN (${among(principalIds)}) AND deleted_utc IS NULL ORDER BY principal_id`.execute(from)
  return rows.map(({ name, first_name: first, last_name: last }) => `${first} ${last}`.trim() || name)
}

const MOST = 2000

/**
 * Custom fields of other evidence in the cases of this one, as far as the caller can view both; the last one first. For a long read. Whoever can
 * view a case can view its evidence today; evidence is asked for all the same, as in every list.
 */
export const fieldsBeside = (
  db: Db,
  evidence: { readonly evidence_id: number; readonly tenant_id: string },
  viewer: Viewer,
): CompiledQuery<{ custom_fields: string }> =>
  sql<{ custom_fields: string }>`
    SELECT e.custom_fields FROM evidence e
    WHERE e.tenant_id = ${evidence.tenant_id} AND e.evidence_id <> ${evidence.evidence_id}
      AND e.lifecycle_state NOT IN ('Deleted', 'Destroyed') AND e.custom_fields <> '{}'
      AND e.evidence_id IN (
        SELECT beside.evidence_id FROM case_links own
        JOIN cases shared ON shared.case_id = own.case_id AND shared.lifecycle_state <> 'Deleted'
        JOIN case_links beside ON beside.case_id = own.case_id
        WHERE own.evidence_id = ${evidence.evidence_id} AND ${caseViewable('own.case_id', viewer)})
      AND ${viewable('e.evidence_id', viewer)}
    ORDER BY e.evidence_id DESC LIMIT ${MOST}`.compile(db)
