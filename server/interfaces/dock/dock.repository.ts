import { type RawBuilder, type Selectable, sql } from 'kysely'
import { OF_THE_CAMERA } from '../../../shared/domain/dock.ts'
import type { Tx } from '../../db/database.ts'
import type { DockFilesTable, DockRecordingsTable, DockSessionsTable } from '../../db/tables-dock.ts'

export type SessionRow = Omit<
  Selectable<DockSessionsTable>,
  'receipt' | 'receipt_signature' | 'receipt_key' | 'second_copy'
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
  readonly foreign_files: number
  /** Of these, such as no camera wrote. */
  readonly strangers: number
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

/** Newest first. */
export async function sessionsPage(
  from: Tx,
  tenant: string,
  { before, count, deviceId }: { before: number; count: number; deviceId: string | undefined },
): Promise<SessionRow[]> {
  const all = from
    .selectFrom('dock_sessions')
    .select(COLUMNS)
    .where('tenant_id', '=', tenant)
    .where('session_id', '<', before)
    .orderBy('session_id', 'desc')
    .limit(count)
  return (deviceId === undefined ? all : all.where('device_id', '=', deviceId)).execute()
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
      counted(sql`outcome IN ('failed', 'gone')`).as('problems'),
      counted(sql`outcome = 'foreign'`).as('foreign_files'),
      counted(sql`outcome = 'foreign' AND reason IS NOT ${OF_THE_CAMERA}`).as('strangers'),
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
