import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { holds, type Period } from '../../../shared/kernel/periods.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { DeviceAssociationsTable } from '../../kernel/database/tables-devices.ts'
import { activityOf, periodOf } from './devices.store.ts'

/** Whose device it is and was, over which recordings that gives access, and which recordings there are. */

const OFFICER = ['p.name', 'p.k_id', 'p.kind', 'p.first_name', 'p.last_name'] as const

export interface OfficerRow {
  readonly principal_id: number
  readonly name: string
  readonly k_id: string
  readonly kind: string
  readonly first_name: string
  readonly last_name: string
}

export type AssociationRow = Selectable<DeviceAssociationsTable> & OfficerRow

const joined = (from: Tx) =>
  from
    .selectFrom('device_associations as a')
    .innerJoin('principals as p', 'p.principal_id', 'a.principal_id')
    .selectAll('a')
    .select(OFFICER)

/** Latest first. */
export const associationsOf = (from: Tx, deviceId: string): Promise<AssociationRow[]> =>
  joined(from)
    .where('a.device_id', '=', deviceId)
    .orderBy('a.from_ticks', 'desc')
    .orderBy('a.association_id', 'desc')
    .execute()

export const associationById = (from: Tx, deviceId: string, id: number): Promise<AssociationRow | undefined> =>
  joined(from).where('a.device_id', '=', deviceId).where('a.association_id', '=', id).executeTakeFirst()

/** Those at one moment, by device, the earliest first. */
export async function officersAt(
  from: Tx,
  deviceIds: readonly string[],
  ticks: bigint,
): Promise<Map<string, AssociationRow[]>> {
  if (deviceIds.length === 0) return new Map()
  const rows = await joined(from)
    .where('a.device_id', 'in', deviceIds)
    .where('a.from_ticks', '<=', ticks)
    .where((e) => e.or([e('a.to_ticks', 'is', null), e('a.to_ticks', '>', ticks)]))
    .orderBy('a.from_ticks')
    .orderBy('a.association_id')
    .execute()
  return Map.groupBy(rows, (row) => row.device_id)
}

/** Who carries a device at one moment; nobody while it is not active. */
export async function officersCarrying(from: Tx, deviceId: string, ticks: bigint): Promise<AssociationRow[]> {
  const active = (await activityOf(from, deviceId)).some((one) => holds(one, ticks))
  return active ? ((await officersAt(from, [deviceId], ticks)).get(deviceId) ?? []) : []
}

export async function insertAssociation(tx: Tx, row: Insertable<DeviceAssociationsTable>): Promise<number> {
  const { association_id: id } = await tx
    .insertInto('device_associations')
    .values(row)
    .returning('association_id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateAssociation(tx: Tx, id: number, set: Updateable<DeviceAssociationsTable>): Promise<void> {
  await tx.updateTable('device_associations').set(set).where('association_id', '=', id).execute()
}

/** What it gave goes with it. */
export async function deleteAssociation(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('device_associations').where('association_id', '=', id).execute()
}

export interface Access extends Period {
  readonly associationId: number
}

/** Over which recordings the associations of a device give access. */
export async function accessesOf(from: Tx, deviceId: string): Promise<Access[]> {
  const { rows } = await sql<{ association_id: number; from_text: string; to_text: string | null }>`
    SELECT a.association_id, CAST(a.from_ticks AS TEXT) AS from_text, CAST(a.to_ticks AS TEXT) AS to_text
    FROM device_accesses a JOIN device_associations o ON o.association_id = a.association_id
    WHERE o.device_id = ${deviceId} ORDER BY a.from_ticks`.execute(from)
  return rows.map((row) => ({ associationId: row.association_id, ...periodOf(row) }))
}

export async function replaceAccesses(
  tx: Tx,
  of: { readonly association_id: number; readonly device_id: string; readonly principal_id: number },
  periods: readonly Period[],
): Promise<void> {
  await tx.deleteFrom('device_accesses').where('association_id', '=', of.association_id).execute()
  for (const { from, to } of periods)
    await tx
      .insertInto('device_accesses')
      .values({
        association_id: of.association_id,
        device_id: of.device_id,
        principal_id: of.principal_id,
        from_ticks: from,
        to_ticks: to,
      })
      .execute()
}

export interface RecordingRow {
  readonly evidence_id: number
  readonly name: string
  readonly recorded: bigint
}

/** Evidence that the device recorded in this time, by its own proof. */
export async function recordingsIn(from: Tx, deviceId: string, period: Period): Promise<RecordingRow[]> {
  const end = period.to === null ? sql`` : sql` AND r.recorded_ticks < ${period.to}`
  const { rows } = await sql<{ evidence_id: number; name: string; recorded: string }>`
    SELECT r.evidence_id, e.name, CAST(r.recorded_ticks AS TEXT) AS recorded
    FROM evidence_recordings r JOIN evidence e ON e.evidence_id = r.evidence_id
    WHERE r.device_id = ${deviceId} AND r.recorded_ticks >= ${period.from}${end} ORDER BY r.evidence_id`.execute(from)
  return rows.map((row) => ({ ...row, recorded: BigInt(row.recorded) }))
}

/** A person of the tenant, guest or not, enabled or not. */
export const userById = (
  from: Tx,
  tenant: string,
  id: number,
): Promise<(OfficerRow & { guest: number; enabled: number }) | undefined> =>
  from
    .selectFrom('principals as p')
    .select(['p.principal_id', 'p.guest', 'p.enabled'])
    .select(OFFICER)
    .where('p.tenant_id', '=', tenant)
    .where('p.kind', '=', 'user')
    .where('p.deleted_utc', 'is', null)
    .where('p.principal_id', '=', id)
    .executeTakeFirst()
