import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import type { EvidenceTable, IngestedFilesTable, ResourcesTable, Tables } from '../database/tables.ts'
import { findByDevice, findByPlace } from './search-index.store.ts'
import { keepRecording } from './recordings.store.ts'
import { jsonMember, jsonPairs, listOf, membersOf } from '../database/expressions.ts'
import { statement } from '../database/kysely.ts'

type Db = Kysely<Tables>
export type EvidenceRow = Selectable<EvidenceTable>
export type ResourceRow = Selectable<ResourcesTable>

export interface PolicyRow {
  evidence_id: number
  principal_id: number
  level: string
  expires_utc: string | null
  name: string
  k_id: string
  kind: string
}

export async function insertEvidence(
  tx: Db,
  row: Insertable<EvidenceTable>,
  tags: readonly { tag: string; key: string }[],
): Promise<number> {
  const { evidence_id: id } = await tx
    .insertInto('evidence')
    .values(row)
    .returning('evidence_id')
    .executeTakeFirstOrThrow()
  if (tags.length > 0) {
    await tx
      .insertInto('evidence_tags')
      .values(tags.map(({ tag, key }, position) => ({ evidence_id: id, position, tag, tag_key: key })))
      .execute()
  }
  if (row.location_wkt) await findByPlace(tx, 'evidence', id, row.location_wkt)
  if (row.device) {
    await findByDevice(tx, id, row.device)
    const { device, device_identity: identity = null, start_ticks: start = null } = row
    await keepRecording(tx, id, { device, identity, start })
  }
  return id
}

export async function insertPolicy(tx: Db, evidenceId: number, principalId: number, level: string): Promise<void> {
  await tx
    .insertInto('evidence_policies')
    .values({ evidence_id: evidenceId, principal_id: principalId, level, expires_utc: null, expires_ticks: null })
    .execute()
}

/** What was destroyed is not there. */
export function evidenceById(db: Db, tenant: string, id: number): Promise<EvidenceRow | undefined> {
  return db
    .selectFrom('evidence')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('evidence_id', '=', id)
    .where('lifecycle_state', '<>', 'Destroyed')
    .executeTakeFirst()
}

/** Of several, in the order of their ids; as `evidenceById`. */
export function evidencesById(db: Db, tenant: string, ids: readonly number[]): Promise<EvidenceRow[]> {
  return db
    .selectFrom('evidence')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('evidence_id', 'in', ids)
    .where('lifecycle_state', '<>', 'Destroyed')
    .orderBy('evidence_id')
    .execute()
}

/** Names by id; destroyed evidence has none. */
export async function evidenceNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('evidence')
    .select(['evidence_id', 'name'])
    .where('evidence_id', 'in', membersOf(listOf(ids)))
    .where('lifecycle_state', '<>', 'Destroyed')
    .execute()
  return new Map(rows.map((row) => [row.evidence_id, row.name]))
}

export async function setAssociation(
  tx: Db,
  ids: readonly number[],
  state: EvidenceRow['association_state'],
): Promise<void> {
  if (ids.length > 0)
    await tx.updateTable('evidence').set({ association_state: state }).where('evidence_id', 'in', ids).execute()
}

/** Each its own, with one statement. */
export async function setConcurrencyIds(tx: Db, ids: ReadonlyMap<number, string>): Promise<void> {
  const given = JSON.stringify(Object.fromEntries(ids))
  await sql`UPDATE evidence SET concurrency_id = given.value FROM ${jsonPairs(given)} AS given
    WHERE evidence.evidence_id = CAST(given.key AS BIGINT)`.execute(tx)
}

/** By id alone, for what the platform does by itself. */
export function evidenceOf(db: Db, id: number): Promise<EvidenceRow> {
  return db.selectFrom('evidence').selectAll().where('evidence_id', '=', id).executeTakeFirstOrThrow()
}

export async function updateEvidence(tx: Db, id: number, set: Updateable<EvidenceTable>): Promise<void> {
  await tx.updateTable('evidence').set(set).where('evidence_id', '=', id).execute()
  if (set.location_wkt) await findByPlace(tx, 'evidence', id, set.location_wkt)
}

const selectTags = statement((from, given: { ids: string }) =>
  from
    .selectFrom('evidence_tags')
    .select(['evidence_id', 'tag'])
    .where('evidence_id', 'in', membersOf(given.ids))
    .orderBy('evidence_id')
    .orderBy('position'),
)

export async function tagsOf(db: Db, evidenceIds: readonly number[]): Promise<Map<number, string[]>> {
  const tags = new Map<number, string[]>(evidenceIds.map((id) => [id, []]))
  if (evidenceIds.length === 0) return tags
  for (const row of await selectTags(db, { ids: listOf(evidenceIds) })) tags.get(row.evidence_id)?.push(row.tag)
  return tags
}

const selectPolicies = statement((from, given: { ids: string }) =>
  from
    .selectFrom('evidence_policies as p')
    .innerJoin('principals as who', 'who.principal_id', 'p.principal_id')
    .select(['p.evidence_id', 'p.principal_id', 'p.level', 'p.expires_utc', 'who.name', 'who.k_id', 'who.kind'])
    .where('p.evidence_id', 'in', membersOf(given.ids))
    .orderBy('p.evidence_id')
    .orderBy('p.principal_id'),
)

export const policiesOf = async (db: Db, evidenceIds: readonly number[]): Promise<PolicyRow[]> =>
  evidenceIds.length === 0 ? [] : selectPolicies(db, { ids: listOf(evidenceIds) })

export async function insertResource(tx: Db, row: Insertable<ResourcesTable>): Promise<number> {
  const { resource_id: id } = await tx
    .insertInto('resources')
    .values(row)
    .returning('resource_id')
    .executeTakeFirstOrThrow()
  return id
}

export function resourceById(db: Db, id: number): Promise<ResourceRow | undefined> {
  return db.selectFrom('resources').selectAll().where('resource_id', '=', id).executeTakeFirst()
}

export function resourcesOf(db: Db, evidenceId: number): Promise<ResourceRow[]> {
  return db.selectFrom('resources').selectAll().where('evidence_id', '=', evidenceId).orderBy('resource_id').execute()
}

/** Derived from this one already, in this role: a job that runs twice finds its own work. What somebody took from it is nobody's preview. */
export function derivedFrom(db: Db, parentId: number, role: string): Promise<ResourceRow | undefined> {
  return db
    .selectFrom('resources')
    .selectAll()
    .where('parent_id', '=', parentId)
    .where('role', '=', role)
    .where(sql<boolean>`${jsonMember('media', 'Still')} is null`)
    .where(sql<boolean>`${jsonMember('media', 'Clip')} is null`)
    .where(sql<boolean>`${jsonMember('media', 'Crop')} is null`)
    .executeTakeFirst()
}

export async function updateResource(tx: Db, id: number, set: Updateable<ResourcesTable>): Promise<void> {
  await tx.updateTable('resources').set(set).where('resource_id', '=', id).execute()
}

export async function countOpenResources(db: Db, evidenceId: number): Promise<number> {
  const row = await db
    .selectFrom('resources')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('evidence_id', '=', evidenceId)
    .where('state', '=', 'None')
    .executeTakeFirstOrThrow()
  return row.n
}

export async function insertBlob(
  tx: Db,
  blob: { sha256: string; length: number; readBack: string },
  createdUtc: string,
): Promise<void> {
  await tx
    .insertInto('blobs')
    .values({ sha256: blob.sha256, length: blob.length, read_back: blob.readBack, created_utc: createdUtc })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function blobIsKnown(db: Db, sha256: string): Promise<boolean> {
  return (await db.selectFrom('blobs').select('sha256').where('sha256', '=', sha256).executeTakeFirst()) !== undefined
}

export async function insertQuarantine(
  tx: Db,
  row: {
    path: string
    reason: string
    sha256: string | null
    length: number | null
    resourceId: number | null
    createdUtc: string
  },
): Promise<void> {
  await tx
    .insertInto('quarantine')
    .values({
      path: row.path,
      reason: row.reason,
      sha256: row.sha256,
      length: row.length,
      resource_id: row.resourceId,
      created_utc: row.createdUtc,
    })
    .execute()
}

export function ingestedFile(db: Db, sourceKey: string): Promise<Selectable<IngestedFilesTable> | undefined> {
  return db.selectFrom('ingested_files').selectAll().where('source_key', '=', sourceKey).executeTakeFirst()
}

export async function rememberIngestedFile(tx: Db, row: Insertable<IngestedFilesTable>): Promise<void> {
  await tx
    .insertInto('ingested_files')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('source_key').doUpdateSet((e) => ({
        resource_id: e.ref('excluded.resource_id'),
        length: e.ref('excluded.length'),
        modified_ns: e.ref('excluded.modified_ns'),
        sha256: e.ref('excluded.sha256'),
        ingested_utc: e.ref('excluded.ingested_utc'),
      })),
    )
    .execute()
}

/** Evidence that is still open though one of its resources is complete (decisions 6, purge). */
export function unfinishedEvidence(db: Db, now: { openBefore: string }): Promise<EvidenceRow[]> {
  return db
    .selectFrom('evidence as e')
    .selectAll('e')
    .where('e.state', '=', 'None')
    .where('e.created_utc', '<', now.openBefore)
    .where((e) =>
      e.exists(
        e
          .selectFrom('resources as r')
          .select('r.resource_id')
          .whereRef('r.evidence_id', '=', 'e.evidence_id')
          .where('r.state', '=', 'UserCompleted'),
      ),
    )
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('resources as r')
            .select('r.resource_id')
            .whereRef('r.evidence_id', '=', 'e.evidence_id')
            .where('r.state', '=', 'None'),
        ),
      ),
    )
    .execute()
}

/** Whether an original of this evidence came with a time of its own. */
export const hasTimedOriginal = async (db: Db, evidenceId: number): Promise<boolean> =>
  (await db
    .selectFrom('resources')
    .select('resource_id')
    .where('evidence_id', '=', evidenceId)
    .where('role', '=', 'original')
    .where('start_utc', 'is not', null)
    .limit(1)
    .executeTakeFirst()) !== undefined
