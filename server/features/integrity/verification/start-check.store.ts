import type { RawDatabase } from '../../../kernel/database/sqlite/raw.ts'
import { storedEntry } from '../../../kernel/ledger/format.ts'

/** Reads for the start check, on a separate connection, before anything in the database is trusted. */

/** A stored checkpoint, with the current hash of the ledger's entry at its size. */
export interface KeptCheckpoint {
  readonly size: number
  readonly root: Uint8Array
  readonly head: Uint8Array
  readonly frontier: Uint8Array
  readonly note: string
  /** Null: the ledger ends before it. */
  readonly entryHash: Uint8Array | null
}

export const lastEntry = (db: RawDatabase): number =>
  (db.prepare('SELECT max(seq) FROM ledger').pluck().get() as number | null) ?? 0

export const originOf = (db: RawDatabase): string | null =>
  (db.prepare("SELECT value FROM station WHERE name = 'origin'").pluck().get() as string | undefined) ?? null

/** After how many entries the station moved away from this database; later checkpoints are about entries at its new home. */
export function movedAt(db: RawDatabase): number | undefined {
  const known = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'station'").get() !== undefined
  const mark = known ? db.prepare("SELECT value FROM station WHERE name = 'moved'").pluck().get() : undefined
  // A mark that cannot be read explains nothing: then every checkpoint counts.
  const entries = Number(/^\{"entries":(\d+),/.exec(String(mark ?? ''))?.[1])
  return Number.isSafeInteger(entries) ? entries : undefined
}

const KEPT = `SELECT c.size, c.root, c.head, c.frontier, c.note, l.hash AS entryHash
  FROM checkpoints c LEFT JOIN ledger l ON l.seq = c.size`

export const keptCheckpoint = (db: RawDatabase, size: number): KeptCheckpoint | null =>
  (db.prepare(`${KEPT} WHERE c.size = ?`).get(size) as KeptCheckpoint | undefined) ?? null

/** Newest first. */
export const newestKept = (db: RawDatabase, count: number): KeptCheckpoint[] =>
  db.prepare(`${KEPT} ORDER BY c.size DESC LIMIT ?`).all(count) as KeptCheckpoint[]

/** The most entries about checkpoints that are searched for the newest `checkpoint.signed`; few others come between two. */
const MAX_SEARCHED = 200

/** Size of the newest checkpoint that an entry records as signed; null when none does. */
export function newestSigned(db: RawDatabase): number | null {
  const bodies = db
    .prepare("SELECT body FROM ledger WHERE object_type = 'checkpoint' ORDER BY seq DESC LIMIT ?")
    .pluck()
    .iterate(MAX_SEARCHED) as Iterable<Uint8Array>
  for (const body of bodies) {
    const { action, object } = storedEntry(body)
    if (action === 'checkpoint.signed') return Number(object.id)
  }
  return null
}

/** Folders to which checkpoints are copied. */
export const folderTargets = (db: RawDatabase): { readonly id: number; readonly folder: string }[] =>
  db
    .prepare(
      "SELECT target_id AS id, address AS folder FROM checkpoint_targets WHERE kind = 'folder' AND removed_utc IS NULL ORDER BY target_id",
    )
    .all() as { id: number; folder: string }[]

/** Entries that explain why checkpoints outside do not fit: the state was accepted, or a snapshot was restored. */
export interface Explanation {
  readonly seq: number
  readonly notes: readonly { readonly size: number; readonly root: string }[]
}

export function explanations(db: RawDatabase): Explanation[] {
  const rows = db
    .prepare(
      `SELECT seq, body FROM ledger WHERE object_type = 'ledger' AND object_id = '1'
       UNION ALL SELECT seq, body FROM ledger WHERE object_type = 'station' AND object_id = '1'
         AND instr(CAST(body AS TEXT), '{"action":"station.restored"') = 1
       ORDER BY seq`,
    )
    .all() as { seq: number; body: Uint8Array }[]
  return rows.flatMap(({ seq, body }) => {
    const { action, detail } = storedEntry(body)
    const notes = (detail as { outside?: unknown } | null)?.outside
    return (action === 'ledger.accepted' || action === 'station.restored') && Array.isArray(notes)
      ? [{ seq, notes: notes as Explanation['notes'] }]
      : []
  })
}
