/** Whose a recording is, and what people said that it does not belong to: what correlation decides by and the calls board shows. */
import { sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import { among } from '../database/expressions.ts'

export interface OfficerAt {
  readonly evidence_id: number
  readonly principal_id: number
  readonly waits: number
}

/** Whose these recordings are: who was associated with the device, active then. `waits`: nobody confirmed that yet. */
export async function officersOf(from: Tx, evidenceIds: readonly number[]): Promise<OfficerAt[]> {
  const { rows } = await sql<OfficerAt>`
    SELECT r.evidence_id, a.principal_id, min(CASE WHEN EXISTS (SELECT 1 FROM device_accesses g
        WHERE g.association_id = a.association_id AND g.from_ticks <= r.recorded_ticks
        AND (g.to_ticks IS NULL OR g.to_ticks > r.recorded_ticks)) THEN 0 ELSE 1 END) AS waits
    FROM evidence_recordings r JOIN device_associations a ON a.device_id = r.device_id
      AND a.from_ticks <= r.recorded_ticks AND (a.to_ticks IS NULL OR a.to_ticks > r.recorded_ticks)
    WHERE r.evidence_id IN (${among(evidenceIds)})
    GROUP BY r.evidence_id, a.principal_id ORDER BY r.evidence_id, a.principal_id`.execute(from)
  return rows
}

/** Of these, what a device recorded while it was active. */
export async function activeWhenRecorded(from: Tx, evidenceIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ evidence_id: number }>`
    SELECT DISTINCT r.evidence_id FROM evidence_recordings r JOIN device_activity a ON a.device_id = r.device_id
      AND a.from_ticks <= r.recorded_ticks AND (a.to_ticks IS NULL OR a.to_ticks > r.recorded_ticks)
    WHERE r.evidence_id IN (${among(evidenceIds)})`.execute(from)
  return new Set(rows.map((row) => row.evidence_id))
}

export type RefusalRow = {
  readonly case_id: number
  readonly evidence_id: number
  readonly reason: string
  readonly refused_utc: string
  readonly refused_by: string
}

export async function refusalsOf(from: Tx, evidenceIds: readonly number[]): Promise<RefusalRow[]> {
  const { rows } = await sql<RefusalRow>`
    SELECT * FROM correlation_refusals WHERE evidence_id IN (${among(evidenceIds)})`.execute(from)
  return rows
}
