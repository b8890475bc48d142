/** Recordings that are somebody's own. Times are ticks of 100 ns since 1970. */
import { sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import { joinInOrder, jsonMember, listOf, membersOf } from '../../kernel/database/expressions.ts'
import { viewable, type Viewer } from '../../kernel/access/viewable.store.ts'

/** Evidence whose policies name the person, looked through for what they added or recorded; the newest. */
const MOST_NAMED = 200
/** Periods in which cameras were the person's, looked through for the newest recording; the newest. */
const MOST_PERIODS = 500

/** What one person recorded until `before`: one look into the index for each period in which a camera was theirs. Null: nothing. */
export async function lastRecorded(from: Tx, person: number, before: bigint): Promise<bigint | null> {
  const { rows } = await sql<{ at: string | null }>`
    SELECT CAST(max(recorded) AS TEXT) AS at FROM (
      SELECT (SELECT max(r.recorded_ticks) FROM evidence_recordings r WHERE r.device_id = a.device_id
        AND r.recorded_ticks >= a.from_ticks AND r.recorded_ticks < coalesce(a.to_ticks, ${before}) AND r.recorded_ticks < ${before}) AS recorded
      FROM (SELECT device_id, from_ticks, to_ticks FROM device_associations WHERE principal_id = ${person}
        ORDER BY association_id DESC LIMIT ${MOST_PERIODS}) a) newest`.execute(from)
  const at = rows[0]?.at ?? null
  return at === null ? null : BigInt(at)
}

/** Recorded in this time, the second moment outside, by cameras that were theirs then; the newest. */
export async function recordedBetween(
  from: Tx,
  person: number,
  time: { readonly from: bigint; readonly to: bigint },
  most: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT r.evidence_id AS id FROM device_associations a ${joinInOrder()} evidence_recordings r ON r.device_id = a.device_id
      AND r.recorded_ticks >= ${time.from} AND r.recorded_ticks < ${time.to}
      AND r.recorded_ticks >= a.from_ticks AND (a.to_ticks IS NULL OR a.to_ticks > r.recorded_ticks)
    WHERE a.principal_id = ${person} AND a.from_ticks < ${time.to} AND (a.to_ticks IS NULL OR a.to_ticks > ${time.from})
    ORDER BY r.recorded_ticks DESC, r.evidence_id DESC LIMIT ${most}`.execute(from)
  return rows.map(({ id }) => id)
}

export interface AddedRow {
  readonly id: number
  /** When it was added; of what a folder gave to its officer, when it was recorded. */
  readonly at: bigint
}

/** What they added themselves, and what a watched folder attributed to them, by the policies that name them. */
export async function addedBy(from: Tx, person: number): Promise<AddedRow[]> {
  const self = String(person)
  const { rows } = await sql<{ id: number; at: string }>`
    SELECT e.evidence_id AS id, CAST(CASE WHEN ${jsonMember('e.created_by', 'PrincipalId')} = ${self} THEN e.created_ticks ELSE l.recorded_ticks END AS TEXT) AS at
    FROM (SELECT evidence_id FROM evidence_policies WHERE principal_id = ${person} ORDER BY evidence_id DESC LIMIT ${MOST_NAMED}) p
    ${joinInOrder()} evidence e ON e.evidence_id = p.evidence_id
    ${joinInOrder()} evidence_list l ON l.evidence_id = p.evidence_id
    WHERE ${jsonMember('e.created_by', 'PrincipalId')} = ${self} OR EXISTS (
      SELECT 1 FROM dock_recordings d WHERE d.evidence_id = p.evidence_id AND ${jsonMember('d.officer', 'PrincipalId')} = ${self})`.execute(
    from,
  )
  return rows.map(({ id, at }) => ({ id, at: BigInt(at) }))
}

/** Evidence that was shared with a guest or their groups by itself; the newest. */
export async function namedIn(from: Tx, identities: ReadonlySet<number>, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT p.evidence_id AS id FROM evidence_policies p WHERE p.principal_id IN ${membersOf(listOf(identities))}
    ORDER BY p.evidence_id DESC LIMIT ${most}`.execute(from)
  return rows.map(({ id }) => id)
}

export interface RecordingRow {
  readonly evidence_id: number
  readonly name: string
  readonly category_id: string | null
  readonly association_state: string
  readonly type: number
  readonly status: string
  readonly at: string
  /** Of its first file, and of the camera. */
  readonly file_name: string | null
  readonly camera_name: string | null
}

/** Those of them that are there and that the caller can view, the newest first. */
export async function viewableRecordings(
  from: Tx,
  tenant: string,
  ids: readonly number[],
  viewer: Viewer,
): Promise<RecordingRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<RecordingRow>`
    SELECT e.evidence_id, e.name, e.category_id, e.association_state, l.type, l.status, CAST(l.recorded_ticks AS TEXT) AS at,
      (SELECT f.name FROM resources f WHERE f.resource_id = l.first_id) AS file_name,
      (SELECT min(d.name) FROM dock_recordings d WHERE d.evidence_id = e.evidence_id) AS camera_name
    FROM evidence e JOIN evidence_list l ON l.evidence_id = e.evidence_id
    WHERE e.evidence_id IN ${membersOf(listOf(ids))} AND e.tenant_id = ${tenant}
      AND e.lifecycle_state NOT IN ('Deleted', 'Destroyed') AND ${viewable('e.evidence_id', viewer)}
    ORDER BY l.recorded_ticks DESC, e.evidence_id DESC`.execute(from)
  return rows
}
