import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { storedEntry, type StoredEntry } from '../../../kernel/ledger/format.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import type { DockFilesTable, DockRecordingsTable, DockSessionsTable } from '../../../kernel/database/tables-dock.ts'
import { beginsWith, entryMember } from '../../../kernel/database/expressions.ts'

export type SessionRow = Selectable<DockSessionsTable>
export type RecordingRow = Selectable<DockRecordingsTable>
export type FileRow = Selectable<DockFilesTable>
/** With the folder of second copies of its session. */
export type KnownFile = FileRow & { readonly second_copy: string | null }
export type NewFile = Insertable<DockFilesTable>

export async function insertSession(tx: Tx, row: Insertable<DockSessionsTable>): Promise<number> {
  const { session_id: id } = await tx
    .insertInto('dock_sessions')
    .values(row)
    .returning('session_id')
    .executeTakeFirstOrThrow()
  return id
}

/** A bay that is used for the first time gets the next number. */
export async function useBay(tx: Tx, tenant: string, place: string, now: number): Promise<void> {
  await sql`
    INSERT INTO dock_bays (tenant_id, place, number, used_at)
    SELECT ${tenant}, ${place}, coalesce(max(number), 0) + 1, ${now} FROM dock_bays WHERE tenant_id = ${tenant}
    ON CONFLICT (tenant_id, place) DO UPDATE SET used_at = excluded.used_at`.execute(tx)
}

export const sessionById = (from: Tx, id: number): Promise<SessionRow | undefined> =>
  from.selectFrom('dock_sessions').selectAll().where('session_id', '=', id).executeTakeFirst()

export async function updateSession(tx: Tx, id: number, set: Updateable<DockSessionsTable>): Promise<void> {
  await tx.updateTable('dock_sessions').set(set).where('session_id', '=', id).execute()
}

/** Of one that never came to know a file. */
export async function removeSession(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('dock_sessions').where('session_id', '=', id).execute()
}

/**
 * Sessions of a node. A session belongs to the node with the bay: only there is the camera, and what was copied of it in part. No other node
 * ever takes it over. @param node null on a station, which has all of them
 */
const sessionsOf = (from: Tx, node: string | null) =>
  from
    .selectFrom('dock_sessions')
    .selectAll()
    .$if(node !== null, (query) => query.where((e) => e.or([e('node_id', '=', node), e('node_id', 'is', null)])))

/** Oldest first. */
export const openSessions = (from: Tx, node: string | null): Promise<SessionRow[]> =>
  sessionsOf(from, node).where('ended', '=', 0).orderBy('session_id').execute()

/** The one that waits for this camera. */
export const waitingSession = (
  from: Tx,
  node: string | null,
  tenant: string,
  cameraKey: string,
): Promise<SessionRow | undefined> =>
  sessionsOf(from, node)
    .where('tenant_id', '=', tenant)
    .where('camera_key', '=', cameraKey)
    .where('state', '=', 'pulled')
    .orderBy('session_id')
    .limit(1)
    .executeTakeFirst()

export const recordingsOf = (from: Tx, sessionId: number): Promise<RecordingRow[]> =>
  from.selectFrom('dock_recordings').selectAll().where('session_id', '=', sessionId).orderBy('recording_id').execute()

export const recordingById = (from: Tx, id: number): Promise<RecordingRow> =>
  from.selectFrom('dock_recordings').selectAll().where('recording_id', '=', id).executeTakeFirstOrThrow()

/** A recording that has a row already keeps it unchanged. */
export async function insertRecordings(tx: Tx, rows: readonly Insertable<DockRecordingsTable>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += AT_ONCE)
    await tx
      .insertInto('dock_recordings')
      .values(rows.slice(at, at + AT_ONCE))
      .onConflict((on) => on.columns(['session_id', 'recording_key']).doNothing())
      .execute()
}

/** By the keys of the recordings. */
export async function recordingIds(from: Tx, sessionId: number): Promise<Map<string, number>> {
  const rows = await paged((after) =>
    from
      .selectFrom('dock_recordings')
      .select(['recording_id', 'recording_key'])
      .where('session_id', '=', sessionId)
      .where('recording_id', '>', after)
      .orderBy('recording_id')
      .limit(PAGE)
      .execute()
      .then((page) => page.map((row) => ({ ...row, id: row.recording_id }))),
  )
  return new Map(rows.map((row) => [row.recording_key, row.recording_id]))
}

/** Rows that come in one answer: a card of 100,000 files must not hold up everybody else while its rows are unpacked. */
const PAGE = 1_000

async function paged<T extends { readonly id: number }>(page: (after: number) => Promise<T[]>): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const rows = await page(all.at(-1)?.id ?? 0)
    for (const row of rows) all.push(row)
    if (rows.length < PAGE) return all
  }
}

async function filesPaged(
  from: Tx,
  sessionId: number,
  outcomes: readonly FileRow['outcome'][] | null,
): Promise<FileRow[]> {
  return paged(async (after) => {
    const all = from
      .selectFrom('dock_files')
      .selectAll()
      .where('session_id', '=', sessionId)
      .where('file_id', '>', after)
      .orderBy('file_id')
      .limit(PAGE)
    const rows = await (outcomes === null ? all : all.where('outcome', 'in', outcomes)).execute()
    return rows.map((row) => Object.assign(row, { id: row.file_id }))
  })
}

export async function updateRecording(tx: Tx, id: number, set: Updateable<DockRecordingsTable>): Promise<void> {
  await tx.updateTable('dock_recordings').set(set).where('recording_id', '=', id).execute()
}

/** Those without a file left to copy whose evidence still waits for more. */
export const recordingsToComplete = (from: Tx, sessionId: number): Promise<RecordingRow[]> =>
  from
    .selectFrom('dock_recordings as r')
    .innerJoin('evidence as e', 'e.evidence_id', 'r.evidence_id')
    .selectAll('r')
    .where('r.session_id', '=', sessionId)
    .where('e.state', '=', 'None')
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('dock_files as f')
            .select('f.file_id')
            .whereRef('f.recording_id', '=', 'r.recording_id')
            .where('f.outcome', '=', 'listed'),
        ),
      ),
    )
    .execute()

/** Recordings in the store whose marks or parts wait for the inspection of their files. */
export const recordingsToAnnotate = (from: Tx, sessionId: number): Promise<RecordingRow[]> =>
  from
    .selectFrom('dock_recordings as r')
    .selectAll('r')
    .where('r.session_id', '=', sessionId)
    .where('r.evidence_id', 'is not', null)
    .where('r.settled', '=', 0)
    .where((e) =>
      e.or([
        e('r.marks', '<>', '[]'),
        e.exists(
          e
            .selectFrom('dock_files as f')
            .select('f.file_id')
            .whereRef('f.recording_id', '=', 'r.recording_id')
            .where('f.part', 'is not', null)
            .where('f.start_utc', 'is', null),
        ),
      ]),
    )
    .execute()

/** Of a recording, those that the station has, in order. */
export const partsOf = (from: Tx, recordingId: number): Promise<FileRow[]> =>
  from
    .selectFrom('dock_files')
    .selectAll()
    .where('recording_id', '=', recordingId)
    .where('part', 'is not', null)
    .where('outcome', '=', 'taken')
    .orderBy('part')
    .execute()

/** SQLite takes so many values in one statement. */
const AT_ONCE = 200

/** Files that are known already are left as they are. */
export async function insertFiles(tx: Tx, rows: readonly Insertable<DockFilesTable>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += AT_ONCE)
    await tx
      .insertInto('dock_files')
      .values(rows.slice(at, at + AT_ONCE))
      .onConflict((on) => on.columns(['session_id', 'path_key']).doNothing())
      .execute()
}

export async function updateFile(tx: Tx, id: number, set: Updateable<DockFilesTable>): Promise<void> {
  await tx.updateTable('dock_files').set(set).where('file_id', '=', id).execute()
}

/** For files that were never taken: every round lists them anew. */
export async function removeFile(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('dock_files').where('file_id', '=', id).execute()
}

export const filesOf = (from: Tx, sessionId: number): Promise<FileRow[]> => filesPaged(from, sessionId, null)

export const filesLeft = (from: Tx, sessionId: number): Promise<FileRow[]> => filesPaged(from, sessionId, ['listed'])

const HAD = ['taken', 'here'] as const

export const filesTaken = (from: Tx, sessionId: number): Promise<FileRow[]> => filesPaged(from, sessionId, HAD)

/** All that the station has, at once. */
export async function verifiedAll(tx: Tx, sessionId: number, at: number): Promise<void> {
  await tx
    .updateTable('dock_files')
    .set({ verified_at: at })
    .where('session_id', '=', sessionId)
    .where('outcome', 'in', HAD)
    .execute()
}

/** All files whose clearing has not begun, in one statement. */
export async function keptAll(tx: Tx, sessionId: number, why: string): Promise<void> {
  await tx
    .updateTable('dock_files')
    .set({ clearing: 'kept', clearing_reason: why })
    .where('session_id', '=', sessionId)
    .where('outcome', 'in', HAD)
    .where('clearing', '=', 'no')
    .execute()
}

export interface Totals {
  readonly files: number
  readonly bytes: number
  readonly left: number
  readonly bytesLeft: number
  readonly failed: number
}

/** Of what belongs to recordings; foreign files are none of it. */
export async function totalsOf(from: Tx, sessionId: number): Promise<Totals> {
  const row = await from
    .selectFrom('dock_files')
    .select((e) => [
      e.fn.countAll<number>().as('files'),
      e.fn.coalesce(e.fn.sum<number>('length'), e.lit(0)).as('bytes'),
      sql<number>`count(*) FILTER (WHERE outcome = 'listed')`.as('left'),
      sql<number>`coalesce(sum(length) FILTER (WHERE outcome = 'listed'), 0)`.as('bytesLeft'),
      sql<number>`count(*) FILTER (WHERE outcome IN ('failed', 'gone'))`.as('failed'),
    ])
    .where('session_id', '=', sessionId)
    .where('recording_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return row
}

/** The last time that this file of this camera was taken in, where the station still has it. */
export const knownFile = (
  from: Tx,
  at: { tenant: string; cameraKey: string; pathKey: string; length: number; before: number },
): Promise<KnownFile | undefined> =>
  from
    .selectFrom('dock_files as f')
    .innerJoin('dock_sessions as s', 's.session_id', 'f.session_id')
    .innerJoin('resources as r', 'r.resource_id', 'f.resource_id')
    .innerJoin('evidence as e', 'e.evidence_id', 'r.evidence_id')
    .selectAll('f')
    .select('s.second_copy')
    .where('f.path_key', '=', at.pathKey)
    .where('f.length', '=', at.length)
    .where('f.outcome', 'in', ['taken', 'here'])
    .where('s.tenant_id', '=', at.tenant)
    .where('s.camera_key', '=', at.cameraKey)
    .where('f.session_id', '<', at.before)
    .where('r.state', '=', 'UserCompleted')
    .whereRef('r.sha256', '=', 'f.sha256')
    .where('e.lifecycle_state', 'in', ['None', 'Protected'])
    .orderBy('f.file_id', 'desc')
    .limit(1)
    .executeTakeFirst()

export interface Kept {
  readonly sha256: string | null
  readonly state: string
  readonly readBack: string
  /** Where the camera's own list has another hash for it: that hash. */
  readonly cameraSha256: string | null
  /** Of the last reading of its blob; null where none was made yet. */
  readonly lastCheck: 'matches' | 'changed' | 'missing' | null
}

/** The resource as the station has it now; undefined where it has no blob. */
export const keptFor = (from: Tx, resourceId: number): Promise<Kept | undefined> =>
  from
    .selectFrom('resources as r')
    .innerJoin('blobs as b', 'b.sha256', 'r.sha256')
    .leftJoin('blob_checks as c', 'c.sha256', 'b.sha256')
    .select([
      'r.sha256',
      'r.state',
      'r.camera_sha256 as cameraSha256',
      'b.read_back as readBack',
      'c.result as lastCheck',
    ])
    .where('r.resource_id', '=', resourceId)
    .executeTakeFirst()

/** The number of the last entry about a resource. */
export async function lastEntryAbout(from: Tx, resourceId: number, action: string): Promise<number | null> {
  const row = await from
    .selectFrom('ledger')
    .select('seq')
    .where('object_type', '=', 'resource')
    .where('object_id', '=', String(resourceId))
    .where(sql<boolean>`${entryMember('body', 'action')} = ${action}`)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? null
}

/** Whether something was kept in this folder of second copies. */
export const usedSecondCopy = async (from: Tx, folder: string): Promise<boolean> =>
  (await from
    .selectFrom('dock_sessions')
    .select('session_id')
    .where('second_copy', '=', folder)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Whether a file that was kept for this reason was taken in before then. */
export async function hasKeptBefore(
  from: Tx,
  sessionId: number,
  { why, takenUtc }: { readonly why: string; readonly takenUtc: string },
): Promise<boolean> {
  const row = await from
    .selectFrom('dock_files as f')
    .innerJoin('ledger as l', 'l.seq', 'f.ledger_seq')
    .select('f.file_id')
    .where('f.session_id', '=', sessionId)
    .where('f.clearing', '=', 'kept')
    .where(beginsWith('f.clearing_reason', why))
    .where(sql<boolean>`${entryMember('l.body', 'timeUtc')} <= ${takenUtc}`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether something on the camera was not looked at: a folder or a file that the walk passed over has no time (`foundRows`). */
export async function hasPassedOver(from: Tx, sessionId: number): Promise<boolean> {
  const row = await from
    .selectFrom('dock_files')
    .select('file_id')
    .where('session_id', '=', sessionId)
    .where('outcome', '=', 'failed')
    .where('modified_ns', '=', '')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** One entry of the ledger as it is stored. */
export async function entryAt(from: Tx, seq: number): Promise<StoredEntry | null> {
  const row = await from.selectFrom('ledger').select('body').where('seq', '=', seq).executeTakeFirst()
  return row === undefined ? null : storedEntry(row.body)
}
