/** What becomes of a file whose bytes differ from the hash in the camera's own list: it is kept, and no rule clears it (decisions 13). */
import { dockReason } from '../../../../shared/messages/dock-reasons.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { dockCall, type DockParts } from './context.ts'
import type { FileRow, SessionRow } from './sessions.store.ts'

/** @returns the hash in the camera's list where the bytes have another; null where the list agrees or says nothing */
export const contradicting = (listed: string | null | undefined, sha256: string | null): string | null =>
  listed === undefined || listed === sha256 ? null : listed

/** For the row of such a file. */
export const differing = (listed: string) => ({
  reason: dockReason('differs', { sha256: listed }),
  differs_from: listed,
  may_be_cleared: 0,
})

/** The camera's list of today contradicts a file that the station has already: its resource and its custody say so from now on. */
export const noteDifference = (
  { records }: Pick<DockParts, 'records'>,
  tx: Tx,
  row: SessionRow,
  file: Pick<FileRow, 'resource_id' | 'path'>,
  listed: string,
): Promise<void> =>
  records.noteCameraSha256(tx, dockCall(row.session_id), file.resource_id as number, listed, {
    dockSessionId: String(row.session_id),
    path: file.path,
  })
