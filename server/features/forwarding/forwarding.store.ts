import { type CompiledQuery, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import type * as t from '../../kernel/database/tables-forwarding.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import type { EvidenceRow, ResourceRow } from '../../kernel/evidence/records.store.ts'

export type HeadquartersRow = Selectable<t.HeadquartersTable>
export type ItemRow = Selectable<t.ForwardingItemsTable>
export type FileRow = Selectable<t.ForwardingFilesTable>
export type ReceiptRow = Selectable<t.ForwardingReceiptsTable>
export type ForwardedBlobRow = Selectable<t.ForwardedBlobsTable>
export type QuestionRow = Selectable<t.ForwardingQuestionsTable>
export type CaseForwardRow = Selectable<t.ForwardingCasesTable>

// Headquarters

export const headquartersOf = (from: Tx, tenant: string): Promise<HeadquartersRow | undefined> =>
  from.selectFrom('headquarters').selectAll().where('tenant_id', '=', tenant).executeTakeFirst()

export const allHeadquarters = (from: Tx): Promise<HeadquartersRow[]> =>
  from.selectFrom('headquarters').selectAll().orderBy('tenant_id').execute()

export async function putHeadquarters(tx: Tx, row: Insertable<t.HeadquartersTable>): Promise<void> {
  await tx.deleteFrom('headquarters').where('tenant_id', '=', row.tenant_id).execute()
  await tx.insertInto('headquarters').values(row).execute()
}

export async function changeHeadquarters(tx: Tx, tenant: string, set: Updateable<t.HeadquartersTable>): Promise<void> {
  await tx.updateTable('headquarters').set(set).where('tenant_id', '=', tenant).execute()
}

export async function deleteHeadquarters(tx: Tx, tenant: string): Promise<void> {
  await tx.deleteFrom('headquarters').where('tenant_id', '=', tenant).execute()
}

// What is to be forwarded

export interface Candidate {
  readonly evidence_id: number
  readonly category_id: string | null
  readonly created_utc: string
  readonly bytes: number
  readonly in_case: number
}

/** Complete evidence that was never put into the queue, after an id. For a long read. */
export const candidatesAfter = (db: Tx, tenant: string, after: number, count: number): CompiledQuery<Candidate> =>
  sql<Candidate>`
    SELECT e.evidence_id, e.category_id, e.created_utc,
      (SELECT coalesce(sum(r.length), 0) FROM resources r WHERE r.evidence_id = e.evidence_id AND r.role = 'original' AND r.state = 'UserCompleted') AS bytes,
      CASE WHEN EXISTS (SELECT 1 FROM case_links l WHERE l.evidence_id = e.evidence_id AND (l.kind = 'Manual' OR l.confirmed = 1)) THEN 1 ELSE 0 END AS in_case
    FROM evidence e
    WHERE e.tenant_id = ${tenant} AND e.evidence_id > ${after} AND e.state = 'UserCompleted' AND e.lifecycle_state IN ('None', 'Protected')
      AND NOT EXISTS (SELECT 1 FROM forwarding_items i WHERE i.evidence_id = e.evidence_id)
    ORDER BY e.evidence_id LIMIT ${count}`.compile(db)

/** Forwarded evidence that has another version since, and no open question. For a long read. */
export const changedSince = (
  db: Tx,
  tenant: string,
  count: number,
): CompiledQuery<{ evidence_id: number; bytes: number }> =>
  sql<{ evidence_id: number; bytes: number }>`
    SELECT i.evidence_id,
      (SELECT coalesce(sum(r.length), 0) FROM resources r WHERE r.evidence_id = i.evidence_id AND r.role = 'original' AND r.state = 'UserCompleted'
        AND NOT EXISTS (SELECT 1 FROM forwarding_receipts p WHERE p.resource_id = r.resource_id)) AS bytes
    FROM forwarding_items i JOIN evidence e ON e.evidence_id = i.evidence_id
    WHERE i.tenant_id = ${tenant} AND i.state = 'done' AND e.concurrency_id <> i.sent_concurrency_id
      AND e.lifecycle_state IN ('None', 'Protected')
    ORDER BY i.evidence_id LIMIT ${count}`.compile(db)

export const itemOf = (from: Tx, evidenceId: number): Promise<ItemRow | undefined> =>
  from.selectFrom('forwarding_items').selectAll().where('evidence_id', '=', evidenceId).executeTakeFirst()

export async function insertItem(tx: Tx, row: Insertable<t.ForwardingItemsTable>): Promise<void> {
  await tx
    .insertInto('forwarding_items')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function changeItem(tx: Tx, evidenceId: number, set: Updateable<t.ForwardingItemsTable>): Promise<void> {
  await tx.updateTable('forwarding_items').set(set).where('evidence_id', '=', evidenceId).execute()
}

const BY_ORDER = { oldest: ['created_at', 'asc'], newest: ['created_at', 'desc'], smallest: ['bytes', 'asc'] } as const

/** The item that is sent next: what somebody requested first, then by the order of the rules. */
export const nextItem = (
  from: Tx,
  tenant: string,
  now: number,
  order: keyof typeof BY_ORDER,
): Promise<ItemRow | undefined> => {
  const [column, direction] = BY_ORDER[order]
  return from
    .selectFrom('forwarding_items')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .orderBy('requested', 'desc')
    .orderBy(column, direction)
    .orderBy('evidence_id')
    .limit(1)
    .executeTakeFirst()
}

export interface BacklogRow {
  readonly state: ItemRow['state']
  readonly items: number
  readonly bytes: number
}

export const backlogOf = async (from: Tx, tenant: string): Promise<BacklogRow[]> => {
  const { rows } = await sql<BacklogRow>`
    SELECT i.state, count(*) AS items, coalesce(sum(i.bytes - coalesce((SELECT sum(f.sent_bytes) FROM forwarding_files f WHERE f.evidence_id = i.evidence_id), 0)), 0) AS bytes
    FROM forwarding_items i WHERE i.tenant_id = ${tenant} GROUP BY i.state`.execute(from)
  return rows
}

export interface ListedItem extends ItemRow {
  readonly name: string
}

/** Of a state, by id; done ones with the newest evidence first. */
export async function listItems(
  from: Tx,
  tenant: string,
  state: ItemRow['state'],
  page: { after: number; count: number },
): Promise<ListedItem[]> {
  const query = from
    .selectFrom('forwarding_items as i')
    .innerJoin('evidence as e', 'e.evidence_id', 'i.evidence_id')
    .selectAll('i')
    .select('e.name')
    .where('i.tenant_id', '=', tenant)
    .where('i.state', '=', state)
    .limit(page.count)
  return state === 'done'
    ? query
        .where('i.evidence_id', '<', page.after === 0 ? Number.MAX_SAFE_INTEGER : page.after)
        .orderBy('i.evidence_id', 'desc')
        .execute()
    : query.where('i.evidence_id', '>', page.after).orderBy('i.evidence_id').execute()
}

/** The rows of working lists and questions of an evidence that was destroyed. Receipts stay. */
export async function forgetForwarding(tx: Tx, evidenceId: number): Promise<void> {
  for (const table of ['forwarding_items', 'forwarding_files', 'forwarding_links', 'forwarding_questions'] as const)
    await tx.deleteFrom(table).where('evidence_id', '=', evidenceId).execute()
}

/** All items begin anew, at another headquarters. Receipts stay. */
export async function forgetItems(tx: Tx, tenant: string): Promise<void> {
  const mine = tx.selectFrom('forwarding_items').select('evidence_id').where('tenant_id', '=', tenant)
  await tx.deleteFrom('forwarding_files').where('evidence_id', 'in', mine).execute()
  await tx.deleteFrom('forwarding_links').where('evidence_id', 'in', mine).execute()
  await tx.deleteFrom('forwarding_cases').execute()
  await tx.deleteFrom('forwarding_questions').where('tenant_id', '=', tenant).where('decision', 'is', null).execute()
  await tx.deleteFrom('forwarding_items').where('tenant_id', '=', tenant).execute()
}

// Files

export const originalsOf = (from: Tx, evidenceId: number): Promise<ResourceRow[]> =>
  from
    .selectFrom('resources')
    .selectAll()
    .where('evidence_id', '=', evidenceId)
    .where('role', '=', 'original')
    .where('state', '=', 'UserCompleted')
    .orderBy('resource_id')
    .execute()

export const fileOf = (from: Tx, resourceId: number): Promise<FileRow | undefined> =>
  from.selectFrom('forwarding_files').selectAll().where('resource_id', '=', resourceId).executeTakeFirst()

export const filesOf = (from: Tx, evidenceId: number): Promise<FileRow[]> =>
  from.selectFrom('forwarding_files').selectAll().where('evidence_id', '=', evidenceId).execute()

export async function putFile(tx: Tx, row: Insertable<t.ForwardingFilesTable>): Promise<void> {
  await tx.deleteFrom('forwarding_files').where('resource_id', '=', row.resource_id).execute()
  await tx.insertInto('forwarding_files').values(row).execute()
}

export async function changeFile(tx: Tx, resourceId: number, set: Updateable<t.ForwardingFilesTable>): Promise<void> {
  await tx.updateTable('forwarding_files').set(set).where('resource_id', '=', resourceId).execute()
}

export async function deleteFile(tx: Tx, resourceId: number): Promise<void> {
  await tx.deleteFrom('forwarding_files').where('resource_id', '=', resourceId).execute()
}

// Receipts and cleared bytes

export const receiptOf = (from: Tx, resourceId: number): Promise<ReceiptRow | undefined> =>
  from.selectFrom('forwarding_receipts').selectAll().where('resource_id', '=', resourceId).executeTakeFirst()

export const receiptsOf = (from: Tx, evidenceId: number): Promise<ReceiptRow[]> =>
  from
    .selectFrom('forwarding_receipts')
    .selectAll()
    .where('evidence_id', '=', evidenceId)
    .orderBy('resource_id')
    .execute()

export async function insertReceipt(tx: Tx, row: Insertable<t.ForwardingReceiptsTable>): Promise<void> {
  await tx.insertInto('forwarding_receipts').values(row).execute()
}

export async function keepUntil(tx: Tx, resourceId: number, at: number): Promise<void> {
  await tx.updateTable('forwarding_receipts').set({ kept_until_at: at }).where('resource_id', '=', resourceId).execute()
}

/** Blobs with a receipt that are still here and whose days are over, after a hash. */
export const clearable = (
  from: Tx,
  before: string,
  now: number,
  after: string,
  count: number,
): Promise<{ sha256: string }[]> =>
  from
    .selectFrom('forwarding_receipts as p')
    .innerJoin('resources as r', 'r.resource_id', 'p.resource_id')
    .innerJoin('blobs as b', 'b.sha256', 'p.sha256')
    .select('p.sha256')
    .distinct()
    .whereRef('r.sha256', '=', 'p.sha256')
    .where('p.confirmed_utc', '<=', before)
    .where('p.kept_until_at', '<=', now)
    .where('p.sha256', '>', after)
    .where((e) =>
      e.not(e.exists(e.selectFrom('forwarded_blobs as f').select('f.sha256').whereRef('f.sha256', '=', 'p.sha256'))),
    )
    .orderBy('p.sha256')
    .limit(count)
    .execute()

/** All that name a blob as their bytes. */
export const resourcesWithBytes = (from: Tx, sha256: string): Promise<ResourceRow[]> =>
  from.selectFrom('resources').selectAll().where('sha256', '=', sha256).orderBy('resource_id').execute()

/** Thumbnails and views with these bytes. */
export async function countViews(from: Tx, sha256: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT (SELECT count(*) FROM resources WHERE thumbnail_sha256 = ${sha256}) + (SELECT count(*) FROM resource_views WHERE sha256 = ${sha256}) AS n`.execute(
    from,
  )
  return rows[0]?.n ?? 0
}

export const evidenceRows = (from: Tx, ids: readonly number[]): Promise<EvidenceRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : from.selectFrom('evidence').selectAll().where('evidence_id', 'in', ids).execute()

/** Evidence among these that waits in the disposition queue, cools off, or lies in the recycle bin. */
export async function inDisposition(from: Tx, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await from
    .selectFrom('disposition_files as f')
    .innerJoin('disposition_items as i', 'i.item_id', 'f.item_id')
    .select('f.evidence_id')
    .where('f.evidence_id', 'in', ids)
    .where('f.state', '=', 'in')
    .where('i.stage', '<>', 'ended')
    .execute()
  return new Set(rows.map((row) => row.evidence_id))
}

export async function openQuestions(from: Tx, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await from
    .selectFrom('forwarding_questions')
    .select('evidence_id')
    .where('evidence_id', 'in', ids)
    .where('decision', 'is', null)
    .execute()
  return new Set(rows.map((row) => row.evidence_id))
}

/** Jobs of these resources that have not ended, by subject. */
export async function unendedJobs(from: Tx, resourceIds: readonly number[]): Promise<Map<string, number>> {
  if (resourceIds.length === 0) return new Map()
  const rows = await from
    .selectFrom('jobs')
    .select('subject')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where(
      'subject',
      'in',
      resourceIds.map((id) => `resource:${id}`),
    )
    .where('state', 'in', ['queued', 'running', 'waiting'])
    .groupBy('subject')
    .execute()
  return new Map(rows.map((row) => [row.subject, row.n]))
}

export const forwardedBlob = (from: Tx, sha256: string): Promise<ForwardedBlobRow | undefined> =>
  from.selectFrom('forwarded_blobs').selectAll().where('sha256', '=', sha256).executeTakeFirst()

export const forwardedBlobs = async (from: Tx, hashes: readonly string[]): Promise<Map<string, ForwardedBlobRow>> =>
  hashes.length === 0
    ? new Map()
    : new Map(
        (await from.selectFrom('forwarded_blobs').selectAll().where('sha256', 'in', hashes).execute()).map((row) => [
          row.sha256,
          row,
        ]),
      )

/** The bytes of this blob are at headquarters only: fixity reads it no more. */
export async function insertForwardedBlob(tx: Tx, row: Insertable<t.ForwardedBlobsTable>): Promise<void> {
  await tx.insertInto('forwarded_blobs').values(row).execute()
  await tx.deleteFrom('blob_checks').where('sha256', '=', row.sha256).execute()
}

/** The bytes are here again, and were read back. */
export async function deleteForwardedBlob(
  tx: Tx,
  sha256: string,
  read: { readonly at: number; readonly dueAt: number; readonly readBack: 'direct' | 'cache' | null },
): Promise<boolean> {
  const row = await forwardedBlob(tx, sha256)
  if (row === undefined) return false
  await tx.deleteFrom('forwarded_blobs').where('sha256', '=', sha256).execute()
  await tx
    .insertInto('blob_checks')
    .values({ sha256, length: row.length, checked_at: read.at, due_at: read.dueAt, read_back: read.readBack })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}

export const blobsToRemove = (from: Tx, count: number): Promise<ForwardedBlobRow[]> =>
  from.selectFrom('forwarded_blobs').selectAll().where('removed', '=', 0).orderBy('sha256').limit(count).execute()

export async function markRemoved(tx: Tx, sha256: string): Promise<void> {
  await tx.updateTable('forwarded_blobs').set({ removed: 1 }).where('sha256', '=', sha256).execute()
}

export async function clearedTotals(from: Tx): Promise<{ blobs: number; bytes: number }> {
  const row = await from
    .selectFrom('forwarded_blobs')
    .select((e) => [
      e.fn.countAll<number>().as('blobs'),
      e.fn.coalesce(e.fn.sum<number>('length'), sql<number>`0`).as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  return { blobs: row.blobs, bytes: Number(row.bytes) }
}

/** Leaves no row of blobs that were destroyed. */
export async function forgetDestroyed(tx: Tx): Promise<void> {
  await sql`DELETE FROM forwarded_blobs WHERE NOT EXISTS (SELECT 1 FROM blobs b WHERE b.sha256 = forwarded_blobs.sha256)`.execute(
    tx,
  )
}

export const hasDestroyed = async (from: Tx): Promise<boolean> =>
  (
    await sql`SELECT 1 FROM forwarded_blobs f WHERE NOT EXISTS (SELECT 1 FROM blobs b WHERE b.sha256 = f.sha256) LIMIT 1`.execute(
      from,
    )
  ).rows.length > 0

// Cases

export const linkedCases = (from: Tx, evidenceId: number): Promise<CaseRow[]> =>
  from
    .selectFrom('cases')
    .selectAll()
    .where('lifecycle_state', '<>', 'Deleted')
    .where('case_id', 'in', (e) =>
      e
        .selectFrom('case_links')
        .select('case_id')
        .where('evidence_id', '=', evidenceId)
        .where((one) => one.or([one('kind', '=', 'Manual'), one('confirmed', '=', 1)])),
    )
    .orderBy('case_id')
    .execute()

export const linkIsForwarded = async (from: Tx, evidenceId: number, caseId: number): Promise<boolean> =>
  (await from
    .selectFrom('forwarding_links')
    .select('case_id')
    .where('evidence_id', '=', evidenceId)
    .where('case_id', '=', caseId)
    .executeTakeFirst()) !== undefined

export async function insertForwardedLink(tx: Tx, evidenceId: number, caseId: number): Promise<void> {
  await tx
    .insertInto('forwarding_links')
    .values({ evidence_id: evidenceId, case_id: caseId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const caseForward = (from: Tx, caseId: number): Promise<CaseForwardRow | undefined> =>
  from.selectFrom('forwarding_cases').selectAll().where('case_id', '=', caseId).executeTakeFirst()

export async function putCaseForward(tx: Tx, row: Insertable<t.ForwardingCasesTable>): Promise<void> {
  await tx.deleteFrom('forwarding_cases').where('case_id', '=', row.case_id).execute()
  await tx.insertInto('forwarding_cases').values(row).execute()
}

export const categoryName = async (from: Tx, id: string | null): Promise<string | null> => {
  if (id === null) return null
  const row = await from
    .selectFrom('categories')
    .select('name')
    .where('category_id', '=', Number(id))
    .executeTakeFirst()
  return row?.name ?? null
}

export const categoryByName = async (from: Tx, tenant: string, nameKey: string): Promise<number | null> => {
  const row = await from
    .selectFrom('categories')
    .select('category_id')
    .where('tenant_id', '=', tenant)
    .where('name_key', '=', nameKey)
    .executeTakeFirst()
  return row?.category_id ?? null
}

// Questions

export const questionsOf = (from: Tx, tenant: string): Promise<(QuestionRow & { name: string })[]> =>
  from
    .selectFrom('forwarding_questions as q')
    .innerJoin('evidence as e', 'e.evidence_id', 'q.evidence_id')
    .selectAll('q')
    .select('e.name')
    .where('q.tenant_id', '=', tenant)
    .where('q.decision', 'is', null)
    .orderBy('q.question_id')
    .limit(1000)
    .execute()

export const questionById = (from: Tx, tenant: string, id: number): Promise<QuestionRow | undefined> =>
  from
    .selectFrom('forwarding_questions')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('question_id', '=', id)
    .where('decision', 'is', null)
    .executeTakeFirst()

export const openQuestionOf = (from: Tx, evidenceId: number): Promise<QuestionRow | undefined> =>
  from
    .selectFrom('forwarding_questions')
    .selectAll()
    .where('evidence_id', '=', evidenceId)
    .where('decision', 'is', null)
    .executeTakeFirst()

export async function insertQuestion(tx: Tx, row: Insertable<t.ForwardingQuestionsTable>): Promise<number> {
  const { question_id: id } = await tx
    .insertInto('forwarding_questions')
    .values(row)
    .returning('question_id')
    .executeTakeFirstOrThrow()
  return id
}

export async function settleQuestion(tx: Tx, id: number, set: Updateable<t.ForwardingQuestionsTable>): Promise<void> {
  await tx.updateTable('forwarding_questions').set(set).where('question_id', '=', id).execute()
}

export async function countQuestions(from: Tx, tenant: string): Promise<number> {
  const row = await from
    .selectFrom('forwarding_questions')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('tenant_id', '=', tenant)
    .where('decision', 'is', null)
    .executeTakeFirstOrThrow()
  return row.n
}
