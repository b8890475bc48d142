import { type Kysely, sql } from 'kysely'
import { jsonMember, jsonPairs, positionOf, rowNumber } from '../../../kernel/database/expressions.ts'
import type { Tables } from '../../../kernel/database/tables.ts'

type Db = Kysely<Tables>

/** A block whose bytes are durable, for its row. */
export interface DurableBlock {
  readonly resourceId: number
  readonly blockId: string
  /** Length of the decoded id in bytes; equal for all blocks of a blob. */
  readonly idBytes: number
  readonly file: string
  readonly offset: number
  readonly stride: number | null
  readonly length: number
  readonly sha256: string
  readonly crc32: number
}

export interface Piece {
  file: string
  offset: number
  length: number
  sha256: string
  crc32: number
}

export interface ListedBlock {
  id: string
  length: number
}

export interface UploadRow {
  tenant_id: string
  resource_id: number
  state: string
  /** Of the evidence that it belongs to. */
  lifecycle_state: string
  length: number | null
  sha256: string | null
  uploaded_utc: string | null
  created_utc: string
  mime_type: string
  committed_length: number | null
  committed_md5: string | null
  committed_etag: string | null
  committed_at: number | null
  properties: string | null
  metadata: string | null
  uncommitted: number | null
  block_id_bytes: number | null
}

/** The resource and its upload so far; undefined when this container has no such original. */
export function uploadOf(db: Db, container: string, resourceId: number): Promise<UploadRow | undefined> {
  return db
    .selectFrom('resources as r')
    .innerJoin('evidence as e', 'e.evidence_id', 'r.evidence_id')
    .leftJoin('uploads as u', 'u.resource_id', 'r.resource_id')
    .select([
      'e.tenant_id',
      'r.resource_id',
      'r.state',
      'r.length',
      'r.sha256',
      'r.uploaded_utc',
      'r.created_utc',
      'r.mime_type',
      'e.lifecycle_state',
    ])
    .select([
      'u.committed_length',
      'u.committed_md5',
      'u.committed_etag',
      'u.committed_at',
      'u.properties',
      'u.metadata',
      'u.uncommitted',
      'u.block_id_bytes',
    ])
    .where('r.resource_id', '=', resourceId)
    .where('r.role', '=', 'original')
    .where('e.tenant_id', '=', container)
    .executeTakeFirst()
}

export type Standing = Pick<UploadRow, 'state' | 'lifecycle_state'>

export const standingOf = (db: Db, resourceId: number): Promise<Standing | undefined> =>
  db
    .selectFrom('resources as r')
    .innerJoin('evidence as e', 'e.evidence_id', 'r.evidence_id')
    .select(['r.state', 'e.lifecycle_state'])
    .where('r.resource_id', '=', resourceId)
    .executeTakeFirst()

export async function strideOf(db: Db, resourceId: number, file: string): Promise<number | null> {
  const row = await db
    .selectFrom('upload_blocks')
    .select('stride')
    .where('resource_id', '=', resourceId)
    .where('file', '=', file)
    .executeTakeFirst()
  return row?.stride ?? null
}

/** Whether a row owns the place at `offset` of the file. Places are whole strides, so they overlap only at equal offsets. */
export async function isTaken(db: Db, resourceId: number, file: string, offset: number): Promise<boolean> {
  const row = await db
    .selectFrom('upload_blocks')
    .select('length')
    .where('resource_id', '=', resourceId)
    .where('file', '=', file)
    .where('file_offset', '=', offset)
    .executeTakeFirst()
  return row !== undefined
}

export function uncommittedBlock(
  db: Db,
  resourceId: number,
  blockId: string,
): Promise<{ length: number; sha256: string; file: string } | undefined> {
  return db
    .selectFrom('upload_blocks')
    .select(['length', 'sha256', 'file'])
    .where('resource_id', '=', resourceId)
    .where('block_id', '=', blockId)
    .where('committed', '=', 0)
    .executeTakeFirst()
}

/** The row of `uploads`, created if missing. */
export async function uploadForWriting(
  tx: Db,
  resourceId: number,
  now: number,
): Promise<{ uncommitted: number; block_id_bytes: number | null }> {
  await tx
    .insertInto('uploads')
    .values({
      resource_id: resourceId,
      block_id_bytes: null,
      committed_length: null,
      committed_md5: null,
      committed_etag: null,
      committed_at: null,
      last_block_utc: null,
      last_block_at: null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return tx
    .selectFrom('uploads')
    .select(['uncommitted', 'block_id_bytes'])
    .where('resource_id', '=', resourceId)
    .executeTakeFirstOrThrow()
}

/** Replaces an uncommitted block of the same id, as the protocol requires. */
export async function putBlock(tx: Db, block: DurableBlock, uncommitted: number): Promise<void> {
  await tx
    .insertInto('upload_blocks')
    .values({
      resource_id: block.resourceId,
      committed: 0,
      position: 0,
      block_id: block.blockId,
      file: block.file,
      file_offset: block.offset,
      stride: block.stride,
      length: block.length,
      sha256: block.sha256,
      crc32: block.crc32,
    })
    .onConflict((conflict) =>
      conflict.columns(['resource_id', 'committed', 'position', 'block_id']).doUpdateSet((e) => ({
        file: e.ref('excluded.file'),
        file_offset: e.ref('excluded.file_offset'),
        stride: e.ref('excluded.stride'),
        length: e.ref('excluded.length'),
        sha256: e.ref('excluded.sha256'),
        crc32: e.ref('excluded.crc32'),
      })),
    )
    .execute()
  await tx
    .updateTable('uploads')
    .set({ uncommitted, block_id_bytes: block.idBytes })
    .where('resource_id', '=', block.resourceId)
    .execute()
}

export async function touch(tx: Db, resourceId: number, now: number, nowUtc: string): Promise<void> {
  await tx
    .updateTable('uploads')
    .set({ last_block_at: now, last_block_utc: nowUtc })
    .where('resource_id', '=', resourceId)
    .execute()
}

export interface CommittedBlob {
  etag: string
  at: number
  md5: string | null
  /** JSON, see tables.ts. */
  properties: string
  metadata: string
}

const PENDING = 2
/** The id of a block in an entry of a list. */
const NAMED = jsonMember('l.value', 1)

/**
 * Makes the list the content. One statement resolves all entries: fifty thousand statements would occupy the write transaction for seconds.
 * @param list JSON [[kind, id]…], kind `Latest`, `Committed` or `Uncommitted`
 * @returns the length of the blob, or null when an entry names no block (the caller then rolls back)
 */
export async function commitList(
  tx: Db,
  resourceId: number,
  list: string,
  count: number,
  blob: CommittedBlob,
): Promise<number | null> {
  // The same id can stand in the committed list several times.
  const committed = sql`(select min(${rowNumber('c')}) from upload_blocks c where c.resource_id = ${resourceId} and c.block_id = ${NAMED} and c.committed = 1)`
  const uncommitted = sql`(select ${rowNumber('u')} from upload_blocks u where u.resource_id = ${resourceId} and u.block_id = ${NAMED} and u.committed = 0)`
  const found = await sql`
    insert into upload_blocks (resource_id, committed, position, block_id, file, file_offset, stride, length, sha256, crc32)
    select ${resourceId}, ${PENDING}, CAST(l.key AS BIGINT), ${NAMED}, b.file, b.file_offset, b.stride, b.length, b.sha256, b.crc32
    from ${jsonPairs(list)} as l
    join upload_blocks as b on ${rowNumber('b')} = case ${jsonMember('l.value', 0)}
      when 'Committed' then ${committed}
      when 'Uncommitted' then ${uncommitted}
      else coalesce(${uncommitted}, ${committed})
      end`.execute(tx)
  if (Number(found.numAffectedRows) !== count) return null
  await tx.deleteFrom('upload_blocks').where('resource_id', '=', resourceId).where('committed', '!=', PENDING).execute()
  await tx.updateTable('upload_blocks').set({ committed: 1 }).where('resource_id', '=', resourceId).execute()
  return commitBlob(tx, resourceId, blob)
}

/** Put Blob: replaces all pieces by one without an id, or by none for an empty blob. */
export async function commitWhole(
  tx: Db,
  resourceId: number,
  piece: Piece | null,
  blob: CommittedBlob,
): Promise<number> {
  await tx.deleteFrom('upload_blocks').where('resource_id', '=', resourceId).execute()
  if (piece !== null) {
    await tx
      .insertInto('upload_blocks')
      .values({
        resource_id: resourceId,
        committed: 1,
        position: 0,
        block_id: '',
        file: piece.file,
        file_offset: piece.offset,
        stride: null,
        length: piece.length,
        sha256: piece.sha256,
        crc32: piece.crc32,
      })
      .execute()
  }
  return commitBlob(tx, resourceId, blob)
}

async function commitBlob(
  tx: Db,
  resourceId: number,
  { etag, at, md5, properties, metadata }: CommittedBlob,
): Promise<number> {
  const { total } = await tx
    .selectFrom('upload_blocks')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('length'), e.lit(0)).as('total'))
    .where('resource_id', '=', resourceId)
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('uploads')
    .set({
      committed_length: total,
      committed_etag: etag,
      committed_at: at,
      committed_md5: md5,
      properties,
      metadata,
      uncommitted: 0,
      block_id_bytes: null,
    })
    .where('resource_id', '=', resourceId)
    .execute()
  return total
}

export async function blocksOf(db: Db, resourceId: number, committed: boolean): Promise<ListedBlock[]> {
  return db
    .selectFrom('upload_blocks')
    .select(['block_id as id', 'length'])
    .where('resource_id', '=', resourceId)
    .where('committed', '=', committed ? 1 : 0)
    .where('block_id', '!=', '')
    .orderBy('position')
    .orderBy('block_id')
    .execute()
}

/** The pieces of the committed blob, in order. */
export function piecesOf(db: Db, resourceId: number): Promise<Piece[]> {
  return db
    .selectFrom('upload_blocks')
    .select(['file', 'file_offset as offset', 'length', 'sha256', 'crc32'])
    .where('resource_id', '=', resourceId)
    .where('committed', '=', 1)
    .orderBy('position')
    .execute()
}

export function committedUpload(
  db: Db,
  resourceId: number,
): Promise<{ committed_length: number | null; metadata: string } | undefined> {
  return db
    .selectFrom('uploads')
    .select(['committed_length', 'metadata'])
    .where('resource_id', '=', resourceId)
    .executeTakeFirst()
}

/** Files that rows refer to. */
export async function filesOf(db: Db, resourceId: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('upload_blocks')
    .select('file')
    .distinct()
    .where('resource_id', '=', resourceId)
    .execute()
  return new Set(rows.map((row) => row.file))
}

/** Whether this file contains blocks that are not in the committed list. */
export async function holdsUncommitted(db: Db, resourceId: number, file: string): Promise<boolean> {
  const row = await db
    .selectFrom('upload_blocks')
    .select('length')
    .where('resource_id', '=', resourceId)
    .where('file', '=', file)
    .where('committed', '=', 0)
    .executeTakeFirst()
  return row !== undefined
}

export async function allUploads(db: Db): Promise<number[]> {
  return (await db.selectFrom('uploads').select('resource_id').execute()).map((row) => row.resource_id)
}

/** The encryption headers of open encrypted uploads, unparsed. */
export async function encryptionHeaders(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('metadata')
    .where(sql<boolean>`${positionOf(sql.ref('metadata'), '"encryptiondata"')} > 0`)
    .execute()
  return rows.flatMap(({ metadata }) => encryptionOf(JSON.parse(metadata) as [string, string][]) ?? [])
}

/** The encryption header in the metadata of a commit, whose names are in lower case. */
export const encryptionOf = (metadata: readonly (readonly [string, string])[]): string | null =>
  metadata.find(([name]) => name === 'encryptiondata')?.[1] ?? null

/** The completion that holds an upload; undefined when none does, or its node died. @param deadBefore when a living node has held it since */
export function completionOf(db: Db, resourceId: number, deadBefore: number): Promise<{ token: string } | undefined> {
  return db
    .selectFrom('upload_completions')
    .select('token')
    .where('resource_id', '=', resourceId)
    .where('held_at', '>=', deadBefore)
    .executeTakeFirst()
}

export interface Hold {
  readonly nodeId: string
  readonly token: string
}

/** Holds an upload for a completion, or goes on holding it. */
export async function holdUpload(tx: Db, resourceId: number, { nodeId, token }: Hold, now: number): Promise<void> {
  await tx
    .insertInto('upload_completions')
    .values({ resource_id: resourceId, node_id: nodeId, token, held_at: now })
    .onConflict((conflict) =>
      conflict.column('resource_id').doUpdateSet((e) => ({
        node_id: e.ref('excluded.node_id'),
        token: e.ref('excluded.token'),
        held_at: e.ref('excluded.held_at'),
      })),
    )
    .execute()
}

export async function endHold(tx: Db, resourceId: number, token: string): Promise<void> {
  await tx.deleteFrom('upload_completions').where('resource_id', '=', resourceId).where('token', '=', token).execute()
}

/** At the start of a node: its completions are over. */
export async function endHoldsOf(tx: Db, nodeId: string): Promise<void> {
  await tx.deleteFrom('upload_completions').where('node_id', '=', nodeId).execute()
}

export async function holdsUploads(db: Db, nodeId: string): Promise<boolean> {
  const row = await db.selectFrom('upload_completions').select('token').where('node_id', '=', nodeId).executeTakeFirst()
  return row !== undefined
}

export async function hasUpload(db: Db, resourceId: number): Promise<boolean> {
  const row = await db
    .selectFrom('uploads')
    .select('resource_id')
    .where('resource_id', '=', resourceId)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a row names a file of an upload. */
export async function isNeeded(db: Db, resourceId: number, file: string): Promise<boolean> {
  const row = await db
    .selectFrom('upload_blocks')
    .select('length')
    .where('resource_id', '=', resourceId)
    .where('file', '=', file)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteUpload(tx: Db, resourceId: number): Promise<void> {
  await tx.deleteFrom('upload_completions').where('resource_id', '=', resourceId).execute()
  await tx.deleteFrom('upload_blocks').where('resource_id', '=', resourceId).execute()
  await tx.deleteFrom('uploads').where('resource_id', '=', resourceId).execute()
}

/** Open originals whose last acknowledged block, or creation if there is none, is not later than the limit. */
export async function staleResources(db: Db, limit: number, limitUtc: string, only?: number): Promise<number[]> {
  let query = db
    .selectFrom('resources as r')
    .leftJoin('uploads as u', 'u.resource_id', 'r.resource_id')
    .select('r.resource_id')
    .where('r.state', '=', 'None')
    .where('r.role', '=', 'original')
    .where((e) =>
      e.or([
        e('u.last_block_at', '<=', limit),
        e.and([e('u.last_block_at', 'is', null), e('r.created_utc', '<=', limitUtc)]),
      ]),
    )
  if (only !== undefined) query = query.where('r.resource_id', '=', only)
  return (await query.orderBy('r.resource_id').execute()).map((row) => row.resource_id)
}
