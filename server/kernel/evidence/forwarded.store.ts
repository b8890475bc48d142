/** Blobs whose bytes are at headquarters only: a row, a receipt, and no file here (docs/operate/forwarding.md). They are not missing. */
import { sql } from 'kysely'
import { fault } from '../../../shared/kernel/errors.ts'
import type { Tx } from '../database/database.ts'

export interface ForwardedTotals {
  readonly blobs: number
  readonly bytes: number
  /** Where they are, by the receipts. */
  readonly addresses: readonly string[]
}

export async function forwardedTotals(from: Tx): Promise<ForwardedTotals> {
  const rows = await from
    .selectFrom('forwarded_blobs as f')
    .innerJoin('forwarding_receipts as p', 'p.resource_id', 'f.resource_id')
    .select('p.address')
    .select((e) => [
      e.fn.countAll<number>().as('blobs'),
      e.fn.coalesce(e.fn.sum<number>('f.length'), sql<number>`0`).as('bytes'),
    ])
    .groupBy('p.address')
    .orderBy('p.address')
    .execute()
  return {
    blobs: rows.reduce((sum, row) => sum + row.blobs, 0),
    bytes: rows.reduce((sum, row) => sum + Number(row.bytes), 0),
    addresses: rows.map((row) => row.address),
  }
}

/** Where the bytes are by the receipt; null when they are here. */
export async function forwardedTo(from: Tx, sha256: string): Promise<string | null> {
  const row = await from
    .selectFrom('forwarded_blobs as f')
    .innerJoin('forwarding_receipts as p', 'p.resource_id', 'f.resource_id')
    .select('p.address')
    .where('f.sha256', '=', sha256)
    .executeTakeFirst()
  return row?.address ?? null
}

/** @throws Fault OriginalForwarded */
export async function refuseForwarded(from: Tx, sha256: string): Promise<void> {
  const address = await forwardedTo(from, sha256)
  if (address !== null)
    throw fault('OriginalForwarded', `The bytes of this original are at ${address}, with a receipt. Fetch them first.`)
}

/** Whether a headquarters is set. */
export const hasHeadquarters = async (from: Tx): Promise<boolean> =>
  (await from.selectFrom('headquarters').select('tenant_id').limit(1).executeTakeFirst()) !== undefined
