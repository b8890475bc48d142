import { type Selectable, sql } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import type { CertificatesTable } from '../../../kernel/database/tables-retention.ts'
import { fieldColumns } from '../../../kernel/evidence/rows.ts'
import { counterAt, wordsRow } from '../../../kernel/database/expressions.ts'

export type CertificateRow = Selectable<CertificatesTable>

/** One set of bytes of an evidence: a resource, its thumbnail, or a derived view. */
export interface NamedBytes {
  readonly resourceId: number
  readonly name: string
  readonly role: string
  readonly type: string
  readonly sha256: string
  readonly length: number
}

/** All bytes of an evidence, in order. */
export async function bytesOf(from: Tx, evidenceId: number): Promise<NamedBytes[]> {
  const { rows } = await sql<NamedBytes>`
    SELECT r.resource_id AS "resourceId", r.name AS name, n.role AS role, n.type AS type, n.sha256 AS sha256, b.length AS length
    FROM resources r JOIN (
      SELECT resource_id, role, coalesce(sniffed_type, mime_type) AS type, sha256 FROM resources WHERE evidence_id = ${evidenceId}
      UNION ALL
      SELECT resource_id, 'thumbnail', 'image/*', thumbnail_sha256 FROM resources WHERE evidence_id = ${evidenceId}
      UNION ALL
      SELECT v.resource_id, v.kind, v.mime_type, v.sha256 FROM resource_views v
      JOIN resources o ON o.resource_id = v.resource_id WHERE o.evidence_id = ${evidenceId}
    ) n ON n.resource_id = r.resource_id
    JOIN blobs b ON b.sha256 = n.sha256
    ORDER BY r.resource_id, n.role`.execute(from)
  return rows
}

/** Its files that came from outside. */
export async function originalsOf(from: Tx, evidenceId: number): Promise<number[]> {
  const rows = await from
    .selectFrom('resources')
    .select('resource_id')
    .where('evidence_id', '=', evidenceId)
    .where('role', '=', 'original')
    .execute()
  return rows.map((row) => row.resource_id)
}

/** Whether a job runs or waits for one of its files. */
export async function isWorkedOn(from: Tx, evidenceId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM resources r JOIN jobs j ON j.subject = 'resource:' || r.resource_id
    WHERE r.evidence_id = ${evidenceId} AND j.state IN ('queued', 'running') LIMIT 1`.execute(from)
  return rows.length > 0
}

const ofResources = (evidenceId: number) => sql`(SELECT resource_id FROM resources WHERE evidence_id = ${evidenceId})`

/**
 * Turns the evidence into a tombstone. Its number, its times of creation and destruction and its last version id stay. All other data about
 * it is deleted, in its versions too. Reads of live tables no longer find it.
 */
export async function makeTombstone(tx: Tx, evidenceId: number, utc: string): Promise<void> {
  const mine = ofResources(evidenceId)
  await sql`UPDATE jobs SET state = 'cancelled', message = '', finished_utc = ${utc} WHERE state = 'waiting'
    AND subject IN (SELECT 'resource:' || resource_id FROM resources WHERE evidence_id = ${evidenceId})`.execute(tx)
  await sql`DELETE FROM resource_views WHERE resource_id IN ${mine}`.execute(tx)
  // If the same file is imported again, that is a new custody event.
  await sql`DELETE FROM ingested_files WHERE resource_id IN ${mine}`.execute(tx)
  await sql`DELETE FROM upload_blocks WHERE resource_id IN ${mine}`.execute(tx)
  await sql`DELETE FROM uploads WHERE resource_id IN ${mine}`.execute(tx)
  await sql`UPDATE versions SET state = '{}' WHERE entity = 'resource' AND entity_id IN ${mine}`.execute(tx)
  await sql`UPDATE versions SET state = '{}' WHERE entity = 'evidence' AND entity_id = ${evidenceId}`.execute(tx)
  for (const [entity, key] of [
    ['bookmark', 'bookmark_id'],
    ['note', 'note_id'],
  ] as const) {
    const table = sql.table(`${entity}s`)
    await sql`UPDATE versions SET state = '{}' WHERE entity = ${entity}
      AND entity_id IN (SELECT ${sql.ref(key)} FROM ${table} WHERE evidence_id = ${evidenceId})`.execute(tx)
    await sql`DELETE FROM ${table} WHERE evidence_id = ${evidenceId}`.execute(tx)
  }
  await sql`DELETE FROM search_exif WHERE evidence_id = ${evidenceId}`.execute(tx)
  await sql`DELETE FROM search_pending WHERE (what = 'evidence' AND object_id = ${evidenceId})
    OR (what = 'exif' AND object_id IN ${mine})`.execute(tx)
  await sql`DELETE FROM notices WHERE object_type = 'evidence' AND object_id = ${String(evidenceId)}`.execute(tx)
  await tx
    .updateTable('resources')
    .set({
      name: '',
      mime_type: '',
      sniffed_type: null,
      start_utc: null,
      start_ticks: null,
      end_utc: null,
      end_ticks: null,
      time_offset: null,
      // No derivation and no download is possible any more.
      state: 'Failed',
      expected_sha256: null,
      expected_length: null,
      sha256: null,
      length: null,
      derivation: null,
      media: null,
      thumbnail_sha256: null,
      thumbnail_derivation: null,
      certificate_thumbprint: null,
      camera_sha256: null,
    })
    .where('evidence_id', '=', evidenceId)
    .execute()
  await tx.deleteFrom('evidence_tags').where('evidence_id', '=', evidenceId).execute()
  await tx.deleteFrom('evidence_policies').where('evidence_id', '=', evidenceId).execute()
  await tx.deleteFrom('disposition_keeps').where('evidence_id', '=', evidenceId).execute()
  await tx
    .updateTable('evidence')
    .set({
      ...fieldColumns({ Name: '' }),
      start_source: null,
      container_start_utc: null,
      device: null,
      device_identity: null,
      custom_fields: '{}',
      thumbnail_resource_id: null,
      protected_until: null,
      protected_ticks: null,
      lifecycle_state: 'Destroyed',
    })
    .where('evidence_id', '=', evidenceId)
    .execute()
  // Last, because triggers of the deletions above write here. Its search data is deleted with the row.
  await tx.deleteFrom('evidence_list').where('evidence_id', '=', evidenceId).execute()
  await sql`DELETE FROM evidence_words WHERE ${wordsRow()} = ${evidenceId}`.execute(tx)
}

/** The blobs among these that no row names any more. */
export async function unnamedBlobs(from: Tx, hashes: readonly string[]): Promise<string[]> {
  if (hashes.length === 0) return []
  const { rows } = await sql<{ sha256: string }>`
    SELECT b.sha256 FROM blobs b WHERE b.sha256 IN (${sql.join(hashes)})
    AND NOT EXISTS (SELECT 1 FROM resources r WHERE r.sha256 = b.sha256)
    AND NOT EXISTS (SELECT 1 FROM resources r WHERE r.thumbnail_sha256 = b.sha256)
    AND NOT EXISTS (SELECT 1 FROM resource_views v WHERE v.sha256 = b.sha256)`.execute(from)
  return rows.map((row) => row.sha256)
}

/** Deletes the rows of blobs, and lists their files for removal in the same transaction. */
export async function forgetBlobs(tx: Tx, hashes: readonly string[], certificateId: number): Promise<void> {
  for (const sha256 of hashes) {
    await tx
      .insertInto('destroyed_blobs')
      .values({ sha256, certificate_id: certificateId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    // A remaining reference that was not checked above makes this fail, and with it the destruction.
    await tx.deleteFrom('blobs').where('sha256', '=', sha256).execute()
  }
}

export const blobsToRemove = (from: Tx, count: number): Promise<{ sha256: string }[]> =>
  from.selectFrom('destroyed_blobs').select('sha256').orderBy('sha256').limit(count).execute()

export async function blobIsRemoved(tx: Tx, sha256: string): Promise<void> {
  await tx.deleteFrom('destroyed_blobs').where('sha256', '=', sha256).execute()
}

export async function nextCertificateId(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('certificates')
    .select((e) => e.fn.max('certificate_id').as('last'))
    .executeTakeFirst()
  return Number(row?.last ?? 0) + 1
}

export async function insertCertificate(tx: Tx, row: CertificateRow): Promise<void> {
  await tx.insertInto('certificates').values(row).execute()
  await sql`SELECT ${counterAt('certificates', 'certificate_id', Number(row.certificate_id))}`.execute(tx)
}

/** The data of the evidence that the certificate names. */
export const destroyedHead = (
  from: Tx,
  evidenceId: number,
): Promise<{ created_utc: string; concurrency_id: string; created_by: string }> =>
  from
    .selectFrom('evidence')
    .select(['created_utc', 'concurrency_id', 'created_by'])
    .where('evidence_id', '=', evidenceId)
    .executeTakeFirstOrThrow()
