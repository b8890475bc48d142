/** What the engine reads, and what it keeps of what it decided. Times go out in whole milliseconds. */
import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import type { CorrelationLinksTable } from '../../kernel/database/tables-cad.ts'
import { among } from '../../kernel/database/expressions.ts'
import type { RefusalRow } from '../../kernel/evidence/attribution.store.ts'

export * from './reviews.store.ts'

export type What = 'case' | 'evidence' | 'device'

/** Recordings first: cases are then looked for among what is known of them. */
export async function pendingOf(from: Tx, what: What, most: number): Promise<string[]> {
  const rows = await from
    .selectFrom('correlation_pending')
    .select('object_id')
    .where('what', '=', what)
    .orderBy('object_id')
    .limit(most)
    .execute()
  return rows.map(({ object_id: id }) => id)
}

export async function settlePending(tx: Tx, what: What, objectIds: readonly string[]): Promise<void> {
  if (objectIds.length === 0) return
  await tx.deleteFrom('correlation_pending').where('what', '=', what).where('object_id', 'in', objectIds).execute()
}

export async function addPending(tx: Tx, what: What, objectIds: readonly string[]): Promise<void> {
  if (objectIds.length === 0) return
  await tx
    .insertInto('correlation_pending')
    .values(objectIds.map((id) => ({ what, object_id: id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export interface RecordingFacts {
  readonly evidence_id: number
  readonly device_id: string
  readonly recorded_ms: number
  /** Of the recording on its camera; null where it came another way. */
  readonly docked_from: string | null
  readonly docked_to: string | null
  readonly camera_from: string | null
  readonly clock: string | null
  readonly marks: string | null
  readonly docked_wkt: string | null
  /** Of the first original. */
  readonly start_ms: number | null
  readonly end_ms: number | null
  readonly time_offset: string | null
  readonly media: string | null
}

/** What is known of these recordings; what is not there any more, or was never proved to be of a device, is not among them. */
export async function recordingFacts(from: Tx, evidenceIds: readonly number[]): Promise<RecordingFacts[]> {
  const { rows } = await sql<RecordingFacts>`
    SELECT r.evidence_id, r.device_id, r.recorded_ticks / 10000 AS recorded_ms,
      d.corrected_start_utc AS docked_from, d.corrected_end_utc AS docked_to, d.start_utc AS camera_from,
      s.clock, d.marks, d.location_wkt AS docked_wkt,
      o.start_ticks / 10000 AS start_ms, o.end_ticks / 10000 AS end_ms, o.time_offset, o.media
    FROM evidence_recordings r
    LEFT JOIN dock_recordings d ON d.recording_id =
      (SELECT min(recording_id) FROM dock_recordings WHERE evidence_id = r.evidence_id)
    LEFT JOIN dock_sessions s ON s.session_id = d.session_id
    LEFT JOIN resources o ON o.resource_id =
      (SELECT min(resource_id) FROM resources WHERE evidence_id = r.evidence_id AND role = 'original')
    WHERE r.evidence_id IN (${among(evidenceIds)}) ORDER BY r.evidence_id`.execute(from)
  return rows
}

export async function originalNames(from: Tx, evidenceIds: readonly number[]): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ evidence_id: number; name: string }>`
    SELECT evidence_id, name FROM resources WHERE role = 'original' AND evidence_id IN (${among(evidenceIds)})
    ORDER BY resource_id`.execute(from)
  const found = new Map<number, string[]>()
  for (const row of rows) found.set(row.evidence_id, [...(found.get(row.evidence_id) ?? []), row.name])
  return found
}

export interface RecordingRow {
  readonly evidence_id: number
  readonly device_id: string
  readonly recorded_ms: number
  readonly from_ms: number
  readonly to_ms: number
  readonly offset_ms: number | null
  readonly uncertainty_ms: number | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly names: string
}

export async function putRecordings(tx: Tx, rows: readonly RecordingRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('correlation_recordings')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.column('evidence_id').doUpdateSet((e) => ({
        device_id: e.ref('excluded.device_id'),
        recorded_ms: e.ref('excluded.recorded_ms'),
        from_ms: e.ref('excluded.from_ms'),
        to_ms: e.ref('excluded.to_ms'),
        offset_ms: e.ref('excluded.offset_ms'),
        uncertainty_ms: e.ref('excluded.uncertainty_ms'),
        latitude: e.ref('excluded.latitude'),
        longitude: e.ref('excluded.longitude'),
        names: e.ref('excluded.names'),
      })),
    )
    .execute()
}

/** Recordings, and the evidence as it stands. */
export async function recordingsById(
  from: Tx,
  evidenceIds: readonly number[],
): Promise<(RecordingRow & { readonly tenant_id: string; readonly lifecycle_state: string })[]> {
  const { rows } = await sql<RecordingRow & { tenant_id: string; lifecycle_state: string }>`
    SELECT c.*, e.tenant_id, e.lifecycle_state FROM correlation_recordings c
    JOIN evidence_recordings r ON r.evidence_id = c.evidence_id
    JOIN evidence e ON e.evidence_id = c.evidence_id
    WHERE c.evidence_id IN (${among(evidenceIds)}) ORDER BY c.evidence_id`.execute(from)
  return rows
}

export async function evidencesOfDevice(from: Tx, deviceId: string): Promise<number[]> {
  const rows = await from
    .selectFrom('evidence_recordings')
    .select('evidence_id')
    .where('device_id', '=', deviceId)
    .execute()
  return rows.map(({ evidence_id: id }) => id)
}

export interface IncidentRow {
  readonly case_id: number
  readonly tenant_id: string
  readonly title: string
  readonly from_ms: number | null
  readonly to_ms: number | null
  readonly state: 'Open' | 'Closed'
  readonly lifecycle_state: 'Normal' | 'Protected' | 'Deleted'
  readonly external_reference_2: string | null
  readonly location_wkt: string | null
}

const INCIDENT = sql`c.case_id, c.tenant_id, c.title, c.occurred_ticks / 10000 AS from_ms, c.ended_ticks / 10000 AS to_ms,
  c.state, c.lifecycle_state, c.external_reference_2, c.location_wkt`

export async function incidentsById(from: Tx, caseIds: readonly number[]): Promise<IncidentRow[]> {
  const { rows } = await sql<IncidentRow>`
    SELECT ${INCIDENT} FROM cases c WHERE c.case_id IN (${among(caseIds)}) ORDER BY c.case_id`.execute(from)
  return rows
}

/** Cases that began in this time. @param officers to whom one of these is assigned; null: whoever is */
export async function incidentsBetween(
  from: Tx,
  tenant: string,
  time: { readonly from: number; readonly to: number },
  officers: readonly number[] | null,
): Promise<IncidentRow[]> {
  const [first, last] = [BigInt(time.from) * 10_000n, BigInt(time.to) * 10_000n + 9_999n]
  const theirs =
    officers === null
      ? sql``
      : sql` AND c.case_id IN (SELECT p.case_id FROM case_personnel p WHERE p.principal_id IN (${among(officers)}) AND lower(p.role) = 'assigned')`
  const { rows } = await sql<IncidentRow>`
    SELECT ${INCIDENT} FROM cases c WHERE c.tenant_id = ${tenant} AND c.occurred_ticks BETWEEN ${first} AND ${last}${theirs}
    ORDER BY c.case_id`.execute(from)
  return rows
}

/** Recordings that may belong to a case: in its time, of a device that was one of its officers', or of any device. */
export async function recordingsBetween(
  from: Tx,
  time: { readonly from: number; readonly to: number; readonly longest: number },
  officers: readonly number[] | null,
): Promise<number[]> {
  const theirs =
    officers === null
      ? sql``
      : sql` AND device_id IN (SELECT device_id FROM device_associations WHERE principal_id IN (${among(officers)}))`
  const { rows } = await sql<{ evidence_id: number }>`
    SELECT evidence_id FROM correlation_recordings
    WHERE from_ms BETWEEN ${time.from - time.longest} AND ${time.to} AND to_ms >= ${time.from}${theirs}`.execute(from)
  return rows.map(({ evidence_id: id }) => id)
}

/** Whatever the engine has said about this case before. */
export async function touchedByCase(from: Tx, caseId: number): Promise<number[]> {
  const { rows } = await sql<{ evidence_id: number }>`
    SELECT evidence_id FROM case_links WHERE case_id = ${caseId} AND kind = 'Automatic'
    UNION SELECT evidence_id FROM correlation_reviews WHERE case_id = ${caseId} AND ended_utc IS NULL`.execute(from)
  return rows.map(({ evidence_id: id }) => id)
}

export interface LinkedRow {
  readonly case_id: number
  readonly evidence_id: number
  readonly confirmed: number
}

export async function automaticLinks(from: Tx, evidenceIds: readonly number[]): Promise<LinkedRow[]> {
  const { rows } = await sql<LinkedRow>`
    SELECT case_id, evidence_id, confirmed FROM case_links WHERE kind = 'Automatic' AND evidence_id IN (${among(evidenceIds)})
    ORDER BY evidence_id, case_id`.execute(from)
  return rows
}

export const putRefusal = (tx: Tx, row: RefusalRow): Promise<unknown> =>
  tx
    .insertInto('correlation_refusals')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export type LinkFacts = Selectable<CorrelationLinksTable>

export async function linkFacts(from: Tx, evidenceIds: readonly number[]): Promise<LinkFacts[]> {
  const { rows } = await sql<LinkFacts>`
    SELECT * FROM correlation_links WHERE evidence_id IN (${among(evidenceIds)})`.execute(from)
  return rows
}

export async function putLinkFacts(tx: Tx, row: LinkFacts): Promise<void> {
  await tx
    .insertInto('correlation_links')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['case_id', 'evidence_id']).doUpdateSet({
        rule: row.rule,
        overlap_ms: row.overlap_ms,
        offset_ms: row.offset_ms,
        uncertainty_ms: row.uncertainty_ms,
        confidence: row.confidence,
        facts: row.facts,
        judged_utc: row.judged_utc,
      }),
    )
    .execute()
}

export async function dropLinkFacts(tx: Tx, caseId: number, evidenceId: number): Promise<void> {
  await tx.deleteFrom('correlation_links').where('case_id', '=', caseId).where('evidence_id', '=', evidenceId).execute()
}

export async function setRule(tx: Tx, caseId: number, evidenceId: number, rule: string): Promise<void> {
  await tx
    .updateTable('case_links')
    .set({ rule })
    .where('case_id', '=', caseId)
    .where('evidence_id', '=', evidenceId)
    .where('kind', '=', 'Automatic')
    .execute()
}

export async function insertWithdrawn(
  tx: Tx,
  row: {
    readonly case_id: number
    readonly evidence_id: number
    readonly rule: string | null
    readonly reason: string
    readonly withdrawn_utc: string
    readonly withdrawn_by: string
  },
): Promise<void> {
  await tx
    .insertInto('withdrawn_links')
    .values({ ...row, settled_utc: null, settled_by: null, settled_reason: null })
    .execute()
}

export interface WithdrawnRow {
  readonly evidence_id: number
  readonly reason: string
  readonly withdrawn_utc: string
  readonly settled_utc: string | null
}

/** The last one first. @param evidenceId of this recording alone */
export async function withdrawnOf(from: Tx, caseId: number, evidenceId?: number): Promise<WithdrawnRow[]> {
  return from
    .selectFrom('withdrawn_links')
    .select(['evidence_id', 'reason', 'withdrawn_utc', 'settled_utc'])
    .where('case_id', '=', caseId)
    .$if(evidenceId !== undefined, (query) => query.where('evidence_id', '=', evidenceId as number))
    .orderBy('withdrawn_link_id', 'desc')
    .execute()
}

export async function officerNames(from: Tx, principalIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ principal_id: number; name: string; first_name: string; last_name: string }>`
    SELECT principal_id, name, first_name, last_name FROM principals WHERE principal_id IN (${among(principalIds)})`.execute(
    from,
  )
  return new Map(rows.map((row) => [row.principal_id, `${row.first_name} ${row.last_name}`.trim() || row.name]))
}
