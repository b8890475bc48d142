/** What was found when stored bytes were read back from the disk. */
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { BlobChecksTable } from '../database/tables-integrity.ts'
import type { FixityChecksTable, Tables } from '../database/tables.ts'

type Db = Kysely<Tables>
export type BlobCheckRow = Selectable<BlobChecksTable>
export type CheckRow = Selectable<FixityChecksTable>

/** The latest check of each of these resources that was checked since its import. */
export async function lastChecks(db: Db, resourceIds: readonly number[]): Promise<Map<number, CheckRow>> {
  if (resourceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('fixity_checks as c')
    .selectAll('c')
    .where('c.resource_id', 'in', resourceIds)
    .where(
      sql<boolean>`NOT EXISTS (SELECT 1 FROM fixity_checks l WHERE l.resource_id = c.resource_id AND l.check_id > c.check_id)`,
    )
    .execute()
  return new Map(rows.map((row) => [row.resource_id, row]))
}

/** The latest reading of each of these blobs by the schedule. */
export const blobChecks = async (from: Db, hashes: readonly string[]): Promise<Map<string, BlobCheckRow>> => {
  if (hashes.length === 0) return new Map()
  const rows = await from.selectFrom('blob_checks').selectAll().where('sha256', 'in', hashes).execute()
  return new Map(rows.map((row) => [row.sha256, row]))
}

/** How each blob was read back at import. */
export async function readBacks(db: Db, hashes: readonly string[]): Promise<Map<string, 'direct' | 'cache'>> {
  if (hashes.length === 0) return new Map()
  const rows = await db.selectFrom('blobs').select(['sha256', 'read_back']).where('sha256', 'in', hashes).execute()
  return new Map(rows.map((row) => [row.sha256, row.read_back as 'direct' | 'cache']))
}

export async function insertCheck(tx: Db, row: Insertable<FixityChecksTable>): Promise<void> {
  await tx.insertInto('fixity_checks').values(row).execute()
}
