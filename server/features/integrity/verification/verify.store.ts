import type { Tx } from '../../../kernel/database/database.ts'
import type { RawDatabase } from '../../../kernel/database/sqlite/raw.ts'

/**
 * Reads of the verifier. They read the whole ledger, on separate threads, so they are plain statements: bytes as text and hashes as
 * hexadecimal, because a string costs a third of a buffer.
 */
export type RawEntry = [seq: number, body: string, hash: string, leaf: string, objectType: string, objectId: string]

/** In order. `from` null: also rows before the first entry. */
export function rawEntries(db: RawDatabase, from: number | null, to: number): IterableIterator<RawEntry> {
  const statement = db.prepare(
    `SELECT seq, CAST(body AS TEXT), lower(hex(hash)), lower(hex(leaf)), object_type, object_id
     FROM ledger WHERE seq >= ? AND seq <= ? ORDER BY seq`,
  )
  return statement.raw().iterate(from ?? Number.MIN_SAFE_INTEGER, to) as IterableIterator<RawEntry>
}

/** The exact bytes, for entries that the fast way cannot decide. */
export function rawBodies(db: RawDatabase): (seq: number) => Buffer {
  const statement = db.prepare('SELECT body FROM ledger WHERE seq = ?').pluck()
  return (seq) => statement.get(seq) as Buffer
}

export function rawEntry(db: RawDatabase, seq: number): RawEntry | undefined {
  for (const entry of rawEntries(db, seq, seq)) return entry
  return undefined
}

export interface RawCheckpoint {
  size: number
  root: Uint8Array
  head: Uint8Array
  frontier: Uint8Array
  note: string
}

export interface LedgerExtent {
  /** Number of rows, and the last seq; 0 when empty. */
  readonly count: number
  readonly last: number
  readonly checkpoints: RawCheckpoint[]
}

/** In one read transaction, so that concurrent writes of the station cannot make its parts disagree. */
export function extentOf(db: RawDatabase): LedgerExtent {
  return db.transaction(() => {
    const row = db.prepare('SELECT count(*) AS count, max(seq) AS last FROM ledger').get() as {
      count: number
      last: number | null
    }
    const checkpoints = db.prepare('SELECT size, root, head, frontier, note FROM checkpoints ORDER BY size').all()
    return { count: row.count, last: row.last ?? 0, checkpoints: checkpoints as RawCheckpoint[] }
  })()
}

export interface UnexplainedBytes {
  resource_id: number
  name: string
  sha256: string
}

/** Resources whose bytes differ from those that the ledger records as completed or derived. */
export const unexplainedBytes = (db: RawDatabase): UnexplainedBytes[] =>
  db
    .prepare(
      `WITH named (resource_id, name, sha256, original) AS (
         SELECT resource_id, name, sha256, role = 'original' FROM main.resources WHERE sha256 IS NOT NULL
         UNION ALL
         SELECT resource_id, name, thumbnail_sha256, 0 FROM main.resources WHERE thumbnail_sha256 IS NOT NULL
         UNION ALL
         SELECT r.resource_id, r.name, v.sha256, 0 FROM main.resource_views v JOIN main.resources r USING (resource_id)
       )
       SELECT resource_id, name, sha256 FROM named WHERE NOT EXISTS (
         SELECT 1 FROM main.ledger
         WHERE object_type = 'resource' AND object_id = CAST(named.resource_id AS TEXT)
           AND CASE WHEN original THEN instr(CAST(body AS TEXT), '{"action":"resource.completed"') = 1
             OR instr(CAST(body AS TEXT), '{"action":"resource.imported"') = 1
             ELSE instr(CAST(body AS TEXT), '{"action":"derivation.added"') = 1
             OR instr(CAST(body AS TEXT), '{"action":"resource.imported"') = 1
             OR instr(CAST(body AS TEXT), '{"action":"still.taken"') = 1
             OR instr(CAST(body AS TEXT), '{"action":"clip.created"') = 1
             OR instr(CAST(body AS TEXT), '{"action":"picture.cropped"') = 1
             OR instr(CAST(body AS TEXT), '{"action":"captions.added"') = 1 END
           AND instr(CAST(body AS TEXT), '"sha256":"' || named.sha256 || '"') > 0
       ) ORDER BY resource_id LIMIT 1000`,
    )
    .all() as UnexplainedBytes[]

/** In order of hash, after `after`. What is at headquarters only is left out. */
export const blobRowsAfter = (from: Tx, after: string, count: number): Promise<{ sha256: string; length: number }[]> =>
  from
    .selectFrom('blobs')
    .select(['sha256', 'length'])
    .where('sha256', '>', after)
    .where('sha256', 'not in', (e) => e.selectFrom('forwarded_blobs').select('sha256'))
    .orderBy('sha256')
    .limit(count)
    .execute()

export async function knownBlobs(from: Tx, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await from.selectFrom('blobs').select('sha256').where('sha256', 'in', hashes).execute()
  return new Set(rows.map(({ sha256 }) => sha256))
}
