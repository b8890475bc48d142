/** What people know an evidence by beside its record: the camera, whose it was, and the cases that the caller can view. */
import { sql } from 'kysely'
import { cameraLabel } from '../../../shared/evidence/display-name.ts'
import { byRow, caseViewable, type Viewer } from '../access/viewable.store.ts'
import type { Tx } from '../database/database.ts'
import { jsonMember, listOf, membersOf } from '../database/expressions.ts'
import { deviceRecordId } from './device.ts'
import type { Device } from './model.ts'

export interface Camera {
  /** Of the device's record; null where it has none that it could be found by. */
  readonly deviceId: string | null
  readonly label: string
}

/** By evidence. @param rows with the device as JSON */
export async function camerasOf(
  from: Tx,
  rows: readonly { readonly evidence_id: number; readonly device: string | null }[],
): Promise<Map<number, Camera>> {
  const said = rows.flatMap(({ evidence_id: id, device }) => {
    if (device === null) return []
    const read = JSON.parse(device) as Device
    return [{ id, device: read, deviceId: deviceRecordId(read) }]
  })
  const ids = [...new Set(said.flatMap(({ deviceId }) => deviceId ?? []))]
  const known = new Map(
    (ids.length === 0
      ? []
      : await from
          .selectFrom('devices')
          .select(['device_id', 'common_name', 'device_type'])
          .where('device_id', 'in', ids)
          .execute()
    ).map((row) => [row.device_id, row]),
  )
  return new Map(
    said.flatMap(({ id, device, deviceId }): [number, Camera][] => {
      const row = known.get(deviceId ?? '')
      const label = cameraLabel({
        commonName: row?.common_name ?? null,
        deviceType: device.DeviceType ?? row?.device_type ?? null,
        serialNumber: device.SerialNumber,
      })
      return label === null ? [] : [[id, { deviceId: row === undefined ? null : deviceId, label }]]
    }),
  )
}

export interface LinkedCase {
  readonly evidence_id: number
  readonly case_id: number
  readonly title: string
  readonly ordinal_year: number
  readonly ordinal_number: number
  readonly source_type: 'Manual' | 'Cad'
  readonly address: string | null
}

/** The cases of these evidences that the viewer can view, oldest first; the others are not told, not even by a number. */
export async function viewableCasesOf(from: Tx, viewer: Viewer, ids: readonly number[]): Promise<LinkedCase[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<LinkedCase>`
    SELECT DISTINCT k.evidence_id, c.case_id, c.title, c.ordinal_year, c.ordinal_number, c.source_type,
      coalesce(c.location_text, ${jsonMember('c.location', 'Address')}) AS address
    FROM case_links k JOIN cases c ON c.case_id = k.case_id
    WHERE k.evidence_id IN ${membersOf(listOf(ids))} AND c.lifecycle_state <> 'Deleted' AND ${caseViewable('c.case_id', byRow(viewer))}
    ORDER BY k.evidence_id, c.case_id`.execute(from)
  return rows
}

export interface OfficerRow {
  readonly evidence_id: number
  readonly principal_id: number
  readonly name: string
  readonly first_name: string
  readonly last_name: string
}

/** Who had the camera when it recorded; of files of a folder whom their docking gave them to. */
export async function recordingOfficers(from: Tx, ids: readonly number[]): Promise<OfficerRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<OfficerRow>`
    SELECT o.evidence_id, p.principal_id, p.name, p.first_name, p.last_name FROM (
      SELECT r.evidence_id, a.principal_id FROM evidence_recordings r JOIN device_associations a ON a.device_id = r.device_id
        AND a.from_ticks <= r.recorded_ticks AND (a.to_ticks IS NULL OR a.to_ticks > r.recorded_ticks)
      WHERE r.evidence_id IN ${membersOf(listOf(ids))}
      UNION SELECT d.evidence_id, CAST(${jsonMember('d.officer', 'PrincipalId')} AS BIGINT) FROM dock_recordings d
      WHERE d.evidence_id IN ${membersOf(listOf(ids))} AND d.officer IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM evidence_recordings r WHERE r.evidence_id = d.evidence_id)
    ) o JOIN principals p ON p.principal_id = o.principal_id ORDER BY o.evidence_id, p.last_name, p.principal_id`.execute(
    from,
  )
  return rows
}

/** By the id of the device's record. */
export async function cameraNames(from: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await from
    .selectFrom('devices')
    .select(['device_id', 'common_name', 'device_type', 'serial_number'])
    .where('device_id', 'in', ids)
    .execute()
  return new Map(
    rows.map((row) => {
      const facts = { commonName: row.common_name, deviceType: row.device_type, serialNumber: row.serial_number }
      return [row.device_id, cameraLabel(facts) ?? row.serial_number]
    }),
  )
}

/** As in a list, `Okafor, Dayo`; whoever has no last name by the user name. */
export async function officerNames(from: Tx, ids: readonly number[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await from
    .selectFrom('principals')
    .select(['principal_id', 'name', 'first_name', 'last_name'])
    .where('principal_id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ principal_id: id, name, first_name: first, last_name: last }) => [
      String(id),
      [last, first].filter((one) => one !== '').join(', ') || name,
    ]),
  )
}
