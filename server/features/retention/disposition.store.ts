import { type Kysely, sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import { among } from '../../kernel/database/expressions.ts'
import type { Tables } from '../../kernel/database/tables.ts'
import type { ItemRow } from './disposition/queue.store.ts'
import type { CertificateRow } from './disposition/tombstone.store.ts'

type Db = Kysely<Tables>

export interface Amount {
  readonly files: number
  readonly bytes: number
}

/** Members of a listed item that are not in its row. */
export interface ListedItem extends ItemRow {
  readonly title: string | null
  readonly ordinal_year: number | null
  readonly ordinal_number: number | null
  readonly evidence: number
  readonly files: number
  readonly bytes: number
  /** Number of evidence without a hold, as last judged. */
  readonly free: number
  readonly held: string | null
}

const LISTED = sql`
  SELECT i.*, c.title, c.ordinal_year, c.ordinal_number, f.evidence, f.files, f.bytes, f.free, f.held FROM disposition_items i
  LEFT JOIN cases c ON c.case_id = i.case_id
  JOIN (SELECT d.item_id, count(*) AS evidence, coalesce(sum(l.originals), 0) AS files, coalesce(sum(l.length), 0) AS bytes,
      sum(CASE WHEN d.held IS NULL THEN 1 ELSE 0 END) AS free, max(d.held) AS held
    FROM disposition_items o JOIN disposition_files d ON d.item_id = o.item_id AND d.state = 'in'
    LEFT JOIN evidence_list l ON l.evidence_id = d.evidence_id
    WHERE o.stage <> 'ended' GROUP BY d.item_id) f ON f.item_id = i.item_id`

/** Open items, newest first. @param before the last id of the previous page */
export async function listedItems(
  db: Db,
  tenant: string,
  stages: readonly ItemRow['stage'][],
  { before, count }: { before: number | null; count: number },
): Promise<ListedItem[]> {
  const { rows } = await sql<ListedItem>`${LISTED}
    WHERE i.tenant_id = ${tenant} AND i.stage IN (${sql.join(stages)}) ${before === null ? sql`` : sql`AND i.item_id < ${before}`}
    ORDER BY i.item_id DESC LIMIT ${count}`.execute(db)
  return rows
}

/** The open items among these, by id. */
export async function listedItemsById(db: Db, tenant: string, ids: readonly number[]): Promise<ListedItem[]> {
  const { rows } = await sql<ListedItem>`${LISTED}
    WHERE i.tenant_id = ${tenant} AND i.stage <> 'ended' AND i.item_id IN (${among(ids)}) ORDER BY i.item_id`.execute(
    db,
  )
  return rows
}

export async function amountsOf(db: Db, evidenceIds: readonly number[]): Promise<Map<number, Amount>> {
  const found = new Map<number, Amount>()
  for (let at = 0; at < evidenceIds.length; at += 10_000) {
    const rows = await db
      .selectFrom('evidence_list')
      .select(['evidence_id', 'originals', 'length'])
      .where('evidence_id', 'in', evidenceIds.slice(at, at + 10_000))
      .execute()
    for (const row of rows) found.set(row.evidence_id, { files: row.originals, bytes: row.length })
  }
  return found
}

/** Evidence of the cases of these items that is in none of the items. */
export async function otherEvidence(db: Db, itemIds: readonly number[], count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT l.evidence_id AS id FROM disposition_items i JOIN case_links l ON l.case_id = i.case_id
    JOIN evidence e ON e.evidence_id = l.evidence_id AND e.lifecycle_state <> 'Destroyed'
    WHERE i.item_id IN (${among(itemIds)}) AND NOT EXISTS (
      SELECT 1 FROM disposition_files f WHERE f.evidence_id = l.evidence_id AND f.state = 'in')
    ORDER BY 1 LIMIT ${count}`.execute(db)
  return rows.map((row) => row.id)
}

export interface Figures {
  readonly waiting: number
  readonly due: number
  readonly files: number
  readonly bytes: number
  readonly bin: number
  readonly certificates: number
}

export async function figuresOf(db: Db, tenant: string): Promise<Figures> {
  const { rows } = await sql<Omit<Figures, 'certificates'>>`
    SELECT count(DISTINCT CASE WHEN i.stage = 'waiting' AND f.held IS NULL THEN i.item_id END) AS waiting,
      count(DISTINCT CASE WHEN i.stage <> 'bin' THEN i.item_id END) AS due,
      count(DISTINCT CASE WHEN i.stage = 'bin' THEN i.item_id END) AS bin,
      coalesce(sum(CASE WHEN i.stage <> 'bin' THEN l.originals END), 0) AS files,
      coalesce(sum(CASE WHEN i.stage <> 'bin' THEN l.length END), 0) AS bytes
    FROM disposition_items i JOIN disposition_files f ON f.item_id = i.item_id AND f.state = 'in'
    LEFT JOIN evidence_list l ON l.evidence_id = f.evidence_id
    WHERE i.tenant_id = ${tenant} AND i.stage <> 'ended'`.execute(db)
  const certificates = await db
    .selectFrom('certificates')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('tenant_id', '=', tenant)
    .executeTakeFirstOrThrow()
  return { ...(rows[0] as Omit<Figures, 'certificates'>), certificates: certificates.n }
}

/** Items that wait for an approval, oldest first; not those of which everything is held. */
export async function waitingItems(db: Db, tenant: string, most: number): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    SELECT i.* FROM disposition_items i WHERE i.tenant_id = ${tenant} AND i.stage = 'waiting' AND EXISTS (
      SELECT 1 FROM disposition_files f WHERE f.item_id = i.item_id AND f.state = 'in' AND f.held IS NULL)
    ORDER BY i.item_id LIMIT ${most}`.execute(db)
  return rows
}

/** When the destruction of each item was requested: when its first evidence was deleted, in milliseconds since 1970. */
export async function requestedSince(db: Db, itemIds: readonly number[]): Promise<Map<number, number>> {
  if (itemIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('disposition_files as f')
    .innerJoin('evidence as e', 'e.evidence_id', 'f.evidence_id')
    .select(['f.item_id', (e) => e.fn.min('e.deleted_utc').as('since')])
    .where('f.item_id', 'in', itemIds)
    .where('e.deleted_utc', 'is not', null)
    .groupBy('f.item_id')
    .execute()
  return new Map(rows.map((row) => [row.item_id, Date.parse(row.since as string)]))
}

/** @returns how many */
export async function settleWithdrawn(
  tx: Tx,
  evidenceId: number,
  settled: { utc: string; by: string; reason: string },
): Promise<number> {
  const done = await tx
    .updateTable('withdrawn_links')
    .set({ settled_utc: settled.utc, settled_by: settled.by, settled_reason: settled.reason })
    .where('evidence_id', '=', evidenceId)
    .where('settled_utc', 'is', null)
    .executeTakeFirst()
  return Number(done.numUpdatedRows)
}

/** Newest first. */
export const certificatesPage = (
  db: Db,
  tenant: string,
  { before, count }: { before: number | null; count: number },
): Promise<CertificateRow[]> =>
  db
    .selectFrom('certificates')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .$if(before !== null, (query) => query.where('certificate_id', '<', before as number))
    .orderBy('certificate_id', 'desc')
    .limit(count)
    .execute()

export const certificateById = (db: Db, tenant: string, id: number): Promise<CertificateRow | undefined> =>
  db
    .selectFrom('certificates')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('certificate_id', '=', id)
    .executeTakeFirst()
