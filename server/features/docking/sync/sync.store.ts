import type { Tx } from '../../../kernel/database/database.ts'
import type { DockState, FileOutcome } from '../../../../shared/docking/docking.ts'

export interface RunRow {
  readonly session_id: number
  readonly volume_id: string
  readonly state: DockState
  readonly ended: number
}

/** The last session of a folder. */
export const lastRun = (from: Tx, tenant: string, cameraKey: string): Promise<RunRow | undefined> =>
  from
    .selectFrom('dock_sessions')
    .select(['session_id', 'volume_id', 'state', 'ended'])
    .where('tenant_id', '=', tenant)
    .where('camera_key', '=', cameraKey)
    .orderBy('session_id', 'desc')
    .limit(1)
    .executeTakeFirst()

export interface SettledRow {
  readonly file_id: number
  readonly path_key: string
  readonly length: number
  readonly modified_ns: string
  readonly outcome: FileOutcome
}

const PAGE = 1_000

/** What became of the files of a folder in sessions that are over, oldest first, so many at a time. */
export const outcomesAfter = (
  from: Tx,
  of: { readonly tenant: string; readonly cameraKey: string; readonly fileId: number; readonly before: number },
): Promise<SettledRow[]> =>
  from
    .selectFrom('dock_files as f')
    .innerJoin('dock_sessions as s', 's.session_id', 'f.session_id')
    .select(['f.file_id', 'f.path_key', 'f.length', 'f.modified_ns', 'f.outcome'])
    .where('s.tenant_id', '=', of.tenant)
    .where('s.camera_key', '=', of.cameraKey)
    .where('s.ended', '=', 1)
    .where('f.file_id', '>', of.fileId)
    .where('f.session_id', '<=', of.before)
    .where('f.outcome', 'in', ['taken', 'here', 'foreign', 'failed'])
    .orderBy('f.file_id')
    .limit(PAGE)
    .execute()

/** Keys of everything that a session came to know. */
export async function keysOf(from: Tx, sessionId: number): Promise<Set<string>> {
  const rows = await from.selectFrom('dock_files').select('path_key').where('session_id', '=', sessionId).execute()
  return new Set(rows.map((row) => row.path_key))
}

export const userNamed = (
  from: Tx,
  tenant: string,
  key: string,
): Promise<{ principal_id: number; name: string; k_id: string } | undefined> =>
  from
    .selectFrom('principals')
    .select(['principal_id', 'name', 'k_id'])
    .where('tenant_id', '=', tenant)
    .where('kind', '=', 'user')
    .where('name_key', '=', key)
    .where('deleted_utc', 'is', null)
    .executeTakeFirst()
