/** What the board reads. Times go out in whole milliseconds. */
import { sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import type { ShiftStart } from './shifts.ts'
import { among, jsonMember, jsonPairs, listOf, membersOf } from '../../kernel/database/expressions.ts'

export interface CallRow {
  readonly case_id: number
  readonly title: string
  readonly event_id: string
  readonly from_ms: number
  readonly to_ms: number | null
  /** What its messages said last. */
  readonly stated: string
}

const CALL = sql`c.case_id, c.title, e.event_id, c.occurred_ticks / 10000 AS from_ms, c.ended_ticks / 10000 AS to_ms, e.stated`

/** Calls that began in this time, the second moment outside; not those in the recycle bin. */
export async function callsBetween(from: Tx, tenant: string, time: { from: number; to: number }): Promise<CallRow[]> {
  const [first, last] = [BigInt(time.from) * 10_000n, BigInt(time.to) * 10_000n - 1n]
  const { rows } = await sql<CallRow>`
    SELECT ${CALL} FROM cases c JOIN cad_events e ON e.case_id = c.case_id
    WHERE c.tenant_id = ${tenant} AND c.occurred_ticks BETWEEN ${first} AND ${last} AND c.lifecycle_state <> 'Deleted'
    ORDER BY c.occurred_ticks, c.case_id`.execute(from)
  return rows
}

export async function callById(from: Tx, tenant: string, caseId: number): Promise<CallRow | undefined> {
  const { rows } = await sql<CallRow>`
    SELECT ${CALL} FROM cases c JOIN cad_events e ON e.case_id = c.case_id
    WHERE c.tenant_id = ${tenant} AND c.case_id = ${caseId} AND c.occurred_ticks IS NOT NULL`.execute(from)
  return rows[0]
}

/** Of these calls the one that began last; not one in the recycle bin. */
export async function latestCall(from: Tx, tenant: string, caseIds: ReadonlySet<number>): Promise<CallRow | undefined> {
  if (caseIds.size === 0) return undefined
  const { rows } = await sql<CallRow>`
    SELECT ${CALL} FROM cases c JOIN cad_events e ON e.case_id = c.case_id
    WHERE c.tenant_id = ${tenant} AND c.case_id IN (${among([...caseIds])})
      AND c.occurred_ticks IS NOT NULL AND c.lifecycle_state <> 'Deleted'
    ORDER BY c.occurred_ticks DESC, c.case_id DESC LIMIT 1`.execute(from)
  return rows[0]
}

/** Ids of calls, newest first: whoever asks looks for one that somebody may see. */
export async function callIdsBefore(from: Tx, tenant: string, before: number, count: number): Promise<number[]> {
  const { rows } = await sql<{ case_id: number }>`
    SELECT case_id FROM cad_events WHERE tenant_id = ${tenant} AND case_id < ${before} ORDER BY case_id DESC LIMIT ${count}`.execute(
    from,
  )
  return rows.map(({ case_id: id }) => id)
}

export interface OfficerRow {
  readonly principal_id: number
  readonly name: string
  readonly name_key: string
  readonly first_name: string
  readonly last_name: string
  readonly badge: string
}

export async function officerRows(from: Tx, ids: readonly number[]): Promise<Map<number, OfficerRow>> {
  const { rows } = await sql<OfficerRow>`
    SELECT principal_id, name, name_key, first_name, last_name, badge FROM principals
    WHERE principal_id IN (${among(ids)})`.execute(from)
  return new Map(rows.map((row) => [row.principal_id, row]))
}

export interface RecordedRow {
  readonly evidence_id: number
  readonly device_id: string
  readonly from_ms: number
  readonly to_ms: number
  /** Of its first file; null where it has none. */
  readonly name: string | null
}

const RECORDED = sql`r.evidence_id, r.device_id, r.from_ms, r.to_ms, ${jsonMember('r.names', 0)} AS name
  FROM correlation_recordings r JOIN evidence e ON e.evidence_id = r.evidence_id AND e.lifecycle_state NOT IN ('Deleted', 'Destroyed')`

/** What cameras recorded that were ever these officers', in this time. @param time `longest`: no recording is longer */
export async function recordedBetween(
  from: Tx,
  officers: readonly number[],
  time: { readonly from: number; readonly to: number; readonly longest: number },
): Promise<RecordedRow[]> {
  const { rows } = await sql<RecordedRow>`
    SELECT ${RECORDED}
    WHERE r.from_ms BETWEEN ${time.from - time.longest} AND ${time.to} AND r.to_ms >= ${time.from}
      AND r.device_id IN (SELECT device_id FROM device_associations WHERE principal_id IN (${among(officers)}))
    ORDER BY r.from_ms, r.evidence_id`.execute(from)
  return rows
}

/** Of each device the last so many that began before. */
export async function recordedBefore(from: Tx, devices: readonly string[], before: number): Promise<RecordedRow[]> {
  const { rows } = await sql<RecordedRow>`
    SELECT ${RECORDED} JOIN ${jsonPairs(JSON.stringify(devices))} d ON d.value = r.device_id
    WHERE r.from_ms = (SELECT max(b.from_ms) FROM correlation_recordings b WHERE b.device_id = d.value AND b.from_ms < ${before})`.execute(
    from,
  )
  return rows
}

/** Names of recordings that ever came from this device out of a bay in this time, also of such as are no more. */
export async function namesDocked(
  from: Tx,
  deviceId: string,
  time: { readonly from: number; readonly to: number },
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT r.name FROM dock_sessions s JOIN dock_recordings r ON r.session_id = s.session_id
    WHERE s.device_id = ${deviceId} AND s.detected_at >= ${time.from} AND r.corrected_start_utc BETWEEN ${iso(time.from)} AND ${iso(time.to)}`.execute(
    from,
  )
  return rows.map(({ name }) => name)
}

const iso = (millis: number): string => new Date(millis).toISOString().slice(0, 19)

export interface CameraRow {
  readonly device_id: string
  readonly principal_id: number
  readonly from_ms: number
  readonly to_ms: number | null
  readonly name: string
}

/** Which cameras were these officers' in this time. */
export async function camerasOf(
  from: Tx,
  officers: readonly number[],
  time: { readonly from: number; readonly to: number },
): Promise<CameraRow[]> {
  const { rows } = await sql<CameraRow>`
    SELECT a.device_id, a.principal_id, a.from_ticks / 10000 AS from_ms, a.to_ticks / 10000 AS to_ms,
      coalesce(d.common_name, d.serial_number) AS name
    FROM device_associations a JOIN devices d ON d.device_id = a.device_id
    WHERE a.principal_id IN (${among(officers)}) AND a.from_ticks <= ${BigInt(time.to) * 10_000n}
      AND (a.to_ticks IS NULL OR a.to_ticks > ${BigInt(time.from) * 10_000n})
    ORDER BY a.principal_id, a.association_id`.execute(from)
  return rows
}

export async function deviceNames(from: Tx, devices: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ device_id: string; name: string }>`
    SELECT device_id, coalesce(common_name, serial_number) AS name FROM devices
    WHERE device_id IN (SELECT value FROM ${jsonPairs(JSON.stringify(devices))})`.execute(from)
  return new Map(rows.map((row) => [row.device_id, row.name]))
}

export interface ActivityRow {
  readonly device_id: string
  readonly from_ms: number
  readonly to_ms: number | null
}

export async function activityOf(from: Tx, devices: readonly string[]): Promise<ActivityRow[]> {
  const { rows } = await sql<ActivityRow>`
    SELECT device_id, from_ticks / 10000 AS from_ms, to_ticks / 10000 AS to_ms FROM device_activity
    WHERE device_id IN (SELECT value FROM ${jsonPairs(JSON.stringify(devices))})`.execute(from)
  return rows
}

export interface DockingRow {
  readonly session_id: number
  readonly device_id: string
  readonly state: string
  readonly ended: number
  readonly detected_at: number
  readonly committed_at: number | null
}

/** What is told apart by when a camera was docked lies within so long after a call; later ones matter by the first of them alone. */
const NEAR = 2 * 86_400_000

/** Dockings of these devices that may tell what became of this time: those near it, the first whole one after it, and the newest. */
export async function dockingsOf(
  from: Tx,
  devices: readonly string[],
  time: { readonly from: number; readonly to: number },
): Promise<DockingRow[]> {
  const { rows } = await sql<DockingRow>`
    WITH d AS (SELECT value AS device_id FROM ${jsonPairs(JSON.stringify(devices))})
    SELECT s.session_id, s.device_id, s.state, s.ended, s.detected_at, s.committed_at FROM dock_sessions s
    WHERE s.session_id IN (
      SELECT n.session_id FROM d JOIN dock_sessions n ON n.device_id = d.device_id AND n.detected_at BETWEEN ${time.from - NEAR} AND ${time.to + NEAR}
      UNION SELECT (SELECT f.session_id FROM dock_sessions f WHERE f.device_id = d.device_id AND f.detected_at > ${time.to} AND f.committed_at IS NOT NULL ORDER BY f.detected_at LIMIT 1) FROM d
      UNION SELECT (SELECT l.session_id FROM dock_sessions l WHERE l.device_id = d.device_id ORDER BY l.detected_at DESC LIMIT 1) FROM d)
    ORDER BY s.detected_at, s.session_id`.execute(from)
  return rows
}

export interface FailedRow {
  readonly session_id: number
  readonly device_id: string
  /** By corrected time; null where unknown. */
  readonly from_utc: string | null
  readonly to_utc: string | null
}

/** Files of recordings that could not be taken in these dockings, nor in a later one of the same camera. */
export async function failedFiles(from: Tx, sessions: readonly number[]): Promise<FailedRow[]> {
  const { rows } = await sql<FailedRow>`
    SELECT f.session_id, s.device_id, r.corrected_start_utc AS from_utc, r.corrected_end_utc AS to_utc
    FROM dock_files f JOIN dock_sessions s ON s.session_id = f.session_id LEFT JOIN dock_recordings r ON r.recording_id = f.recording_id
    WHERE f.session_id IN ${membersOf(listOf(sessions))} AND f.outcome IN ('failed', 'gone')
      AND f.recording_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM dock_files g JOIN dock_sessions h ON h.session_id = g.session_id
        WHERE g.path_key = f.path_key AND g.outcome IN ('taken', 'here') AND h.device_id = s.device_id AND h.session_id >= f.session_id)`.execute(
    from,
  )
  return rows
}

/** In their order; empty where nothing was set. */
export async function shiftRows(from: Tx, tenant: string): Promise<ShiftStart[]> {
  const rows = await from
    .selectFrom('board_shifts')
    .select(['start_minute', 'name'])
    .where('tenant_id', '=', tenant)
    .orderBy('start_minute')
    .execute()
  return rows.map(({ start_minute: minute, name }) => ({ minute, name }))
}

export async function replaceShifts(tx: Tx, tenant: string, shifts: readonly ShiftStart[]): Promise<void> {
  await tx.deleteFrom('board_shifts').where('tenant_id', '=', tenant).execute()
  await tx
    .insertInto('board_shifts')
    .values(shifts.map(({ minute, name }) => ({ tenant_id: tenant, start_minute: minute, name })))
    .execute()
}

/** When these were, by corrected time. */
export async function spansOf(from: Tx, ids: readonly number[]): Promise<Map<number, { from: number; to: number }>> {
  const { rows } = await sql<{ evidence_id: number; from_ms: number; to_ms: number }>`
    SELECT evidence_id, from_ms, to_ms FROM correlation_recordings WHERE evidence_id IN (${among(ids)})`.execute(from)
  return new Map(rows.map((row) => [row.evidence_id, { from: row.from_ms, to: row.to_ms }]))
}
