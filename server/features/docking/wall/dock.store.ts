import { type RawBuilder, type Selectable, sql } from 'kysely'
import { OF_THE_CAMERA } from '../ports.ts'
import type { DockState } from '../../../../shared/docking/docking.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import type { DockFilesTable, DockRecordingsTable, DockSessionsTable } from '../../../kernel/database/tables-dock.ts'
import { entryMember, jsonMember, notDistinct, positionOf } from '../../../kernel/database/expressions.ts'

export type SessionRow = Omit<
  Selectable<DockSessionsTable>,
  'receipt' | 'receipt_signature' | 'receipt_key' | 'second_copy' | 'node_id'
>
export type RecordingRow = Selectable<DockRecordingsTable>
export type FileRow = Selectable<DockFilesTable> & { evidence_id: number | null }

export interface Counts {
  readonly session_id: number
  readonly files: number
  readonly files_done: number
  readonly bytes: number
  readonly bytes_done: number
  readonly problems: number
  /** Of these, kept files whose bytes differ from the camera's own list. */
  readonly differs: number
  /** Of these, folders and files that were not looked at. */
  readonly not_looked_at: number
  /** Bytes of which no second copy is there, whether one is made or not. */
  readonly second_left: number
  readonly foreign_files: number
  /** Of these, such as no camera wrote. */
  readonly foreign: number
  readonly cleared: number
}

/** All but the receipt, which may be long. */
export const COLUMNS = [
  'session_id',
  'tenant_id',
  'volume_id',
  'camera_key',
  'bay',
  'label',
  'state',
  'before',
  'reason',
  'round',
  'ended',
  'device_id',
  'device',
  'profile',
  'notes',
  'clock',
  'configuration',
  'clear_rule',
  'detected_at',
  'first_byte_at',
  'last_byte_at',
  'committed_at',
  'released_at',
  'receipt_sha256',
] as const

export const sessionRow = (from: Tx, tenant: string, id: number): Promise<SessionRow | undefined> =>
  from
    .selectFrom('dock_sessions')
    .select(COLUMNS)
    .where('tenant_id', '=', tenant)
    .where('session_id', '=', id)
    .executeTakeFirst()

export interface SessionsAsked {
  readonly before: number
  readonly count: number
  readonly deviceId: string | undefined
  readonly serial: string | undefined
  readonly state: DockState | undefined
  readonly officer: string | undefined
  /** Milliseconds since 1970, the second one outside. */
  readonly from: number | undefined
  readonly to: number | undefined
}

/** Newest first. */
export async function sessionsPage(from: Tx, tenant: string, asked: SessionsAsked): Promise<SessionRow[]> {
  const { deviceId, serial, state, officer } = asked
  return from
    .selectFrom('dock_sessions')
    .select(COLUMNS)
    .where('tenant_id', '=', tenant)
    .where('session_id', '<', asked.before)
    .$if(deviceId !== undefined, (query) => query.where('device_id', '=', deviceId as string))
    .$if(state !== undefined, (query) => query.where('state', '=', state as DockState))
    .$if(asked.from !== undefined, (query) => query.where('detected_at', '>=', asked.from as number))
    .$if(asked.to !== undefined, (query) => query.where('detected_at', '<', asked.to as number))
    .$if(serial !== undefined, (query) =>
      query.where(
        sql<boolean>`${positionOf(sql`lower(${jsonMember('device', 'SerialNumber')})`, (serial as string).toLowerCase())} > 0`,
      ),
    )
    .$if(officer !== undefined, (query) =>
      query.where((e) =>
        e.exists(
          e
            .selectFrom('dock_recordings as r')
            .select('r.recording_id')
            .whereRef('r.session_id', '=', 'dock_sessions.session_id')
            .where(sql<boolean>`${jsonMember('r.officer', 'PrincipalId')} = ${officer as string}`),
        ),
      ),
    )
    .orderBy('session_id', 'desc')
    .limit(asked.count)
    .execute()
}

/** Whom recordings of these sessions were attributed to, each once, as JSON. */
export async function officersOf(from: Tx, sessions: readonly number[]): Promise<Map<number, string[]>> {
  if (sessions.length === 0) return new Map()
  const rows = await from
    .selectFrom('dock_recordings')
    .select(['session_id', 'officer'])
    .distinct()
    .where('session_id', 'in', [...sessions])
    .where('officer', 'is not', null)
    .execute()
  const found = new Map<number, string[]>()
  for (const { session_id: id, officer } of rows)
    if (officer !== null) found.set(id, [...(found.get(id) ?? []), officer])
  return found
}

/** The number of the entry that says that a camera was released, which holds the hash of its receipt. */
export async function receiptEntry(from: Tx, sessionId: number): Promise<number | null> {
  const row = await from
    .selectFrom('ledger')
    .select('seq')
    .where('object_type', '=', 'dockSession')
    .where('object_id', '=', String(sessionId))
    .where(sql<boolean>`${entryMember('body', 'action')} = 'dock.released'`)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? null
}

const counted = (what: RawBuilder<unknown>): RawBuilder<number> => sql<number>`count(*) FILTER (WHERE ${what})`
const summed = (what: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`coalesce(sum(length) FILTER (WHERE ${what}), 0)`
const RECORDED = sql`recording_id IS NOT NULL`
const DONE = sql`recording_id IS NOT NULL AND outcome <> 'listed'`

export async function countsOf(from: Tx, sessions: readonly number[]): Promise<Map<number, Counts>> {
  if (sessions.length === 0) return new Map()
  const rows = await from
    .selectFrom('dock_files')
    .select([
      'session_id',
      counted(RECORDED).as('files'),
      counted(DONE).as('files_done'),
      summed(RECORDED).as('bytes'),
      summed(DONE).as('bytes_done'),
      counted(sql`outcome IN ('failed', 'gone') OR differs_from IS NOT NULL`).as('problems'),
      counted(sql`differs_from IS NOT NULL`).as('differs'),
      // What the walk passed over has no time (hasPassedOver in server/features/docking/session/sessions.store.ts).
      counted(sql`outcome = 'failed' AND modified_ns = ''`).as('not_looked_at'),
      summed(sql`recording_id IS NOT NULL AND outcome IN ('listed', 'taken', 'here') AND second_at IS NULL`).as(
        'second_left',
      ),
      counted(sql`outcome = 'foreign'`).as('foreign_files'),
      counted(sql`outcome = 'foreign' AND NOT (${notDistinct(sql.ref('reason'), OF_THE_CAMERA)})`).as('foreign'),
      counted(sql`clearing = 'cleared'`).as('cleared'),
    ])
    .where('session_id', 'in', [...sessions])
    .groupBy('session_id')
    .execute()
  return new Map(rows.map((row) => [row.session_id, row]))
}

export const recordingRows = (from: Tx, sessionId: number): Promise<RecordingRow[]> =>
  from.selectFrom('dock_recordings').selectAll().where('session_id', '=', sessionId).orderBy('recording_id').execute()

export const filesPage = (
  from: Tx,
  sessionId: number,
  { after, count }: { after: number; count: number },
): Promise<FileRow[]> =>
  from
    .selectFrom('dock_files as f')
    .leftJoin('resources as r', 'r.resource_id', 'f.resource_id')
    .selectAll('f')
    .select('r.evidence_id')
    .where('f.session_id', '=', sessionId)
    .where('f.file_id', '>', after)
    .orderBy('f.file_id')
    .limit(count)
    .execute()

export interface ReceiptRow {
  readonly body: Uint8Array
  readonly sha256: string
  readonly signature: Uint8Array
  readonly publicKey: Uint8Array
}

/** Null while there is none; undefined where there is no such session. */
export async function receiptRow(from: Tx, tenant: string, id: number): Promise<ReceiptRow | null | undefined> {
  const row = await from
    .selectFrom('dock_sessions')
    .select(['receipt', 'receipt_sha256', 'receipt_signature', 'receipt_key'])
    .where('tenant_id', '=', tenant)
    .where('session_id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { receipt: body, receipt_sha256: sha256, receipt_signature: signature, receipt_key: publicKey } = row
  if (body === null || sha256 === null || signature === null || publicKey === null) return null
  return { body, sha256, signature, publicKey }
}
