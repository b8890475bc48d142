/** What the index of the search cannot make by its own triggers (migrations/first-release/search.ts), each in the transaction of the change. */
import type { Selectable } from 'kysely'
import { boundsOf } from '../../../shared/kernel/wkt.ts'
import type { Tx } from '../database/database.ts'
import type { SearchPendingTable } from '../database/tables-search.ts'
import { deviceRecordId } from './device.ts'
import type { Device } from './model.ts'

/** In the order of the column `kind`. */
const KINDS = { case: 0, evidence: 1 } as const

/** The box around where it is; a place that changed has none until then. */
export async function findByPlace(tx: Tx, kind: keyof typeof KINDS, id: number, wkt: string): Promise<void> {
  const bounds = boundsOf(wkt)
  if (bounds === null) return
  await tx.updateTable('search_list').set(bounds).where('kind', '=', KINDS[kind]).where('object_id', '=', id).execute()
}

/** @param device JSON of a Device, as the evidence holds it */
export async function findByDevice(tx: Tx, evidenceId: number, device: string): Promise<void> {
  await tx
    .updateTable('search_list')
    .set({ device_id: deviceRecordId(JSON.parse(device) as Device) })
    .where('kind', '=', KINDS.evidence)
    .where('object_id', '=', evidenceId)
    .execute()
}

/** @param resourceId the resource that holds the Exif */
export async function findByExif(tx: Tx, resourceId: number, evidenceId: number, words: string): Promise<void> {
  await tx
    .insertInto('search_exif')
    .values({ resource_id: resourceId, evidence_id: evidenceId, words })
    .onConflict((conflict) => conflict.column('resource_id').doUpdateSet({ words }))
    .execute()
}

export type Pending = Selectable<SearchPendingTable>

export const pendingRows = (from: Tx, count: number): Promise<Pending[]> =>
  from.selectFrom('search_pending').selectAll().limit(count).execute()

export async function settlePending(tx: Tx, { what, object_id: id }: Pending): Promise<void> {
  await tx.deleteFrom('search_pending').where('what', '=', what).where('object_id', '=', id).execute()
}

export const caseWkt = async (from: Tx, id: number): Promise<string | null> =>
  (await from.selectFrom('cases').select('location_wkt').where('case_id', '=', id).executeTakeFirst())?.location_wkt ??
  null

export const evidencePlace = (
  from: Tx,
  id: number,
): Promise<{ location_wkt: string | null; device: string | null } | undefined> =>
  from.selectFrom('evidence').select(['location_wkt', 'device']).where('evidence_id', '=', id).executeTakeFirst()

export const exifBlob = (
  from: Tx,
  resourceId: number,
): Promise<{ evidence_id: number; sha256: string | null } | undefined> =>
  from
    .selectFrom('resources')
    .select(['evidence_id', 'sha256'])
    .where('resource_id', '=', resourceId)
    .executeTakeFirst()
