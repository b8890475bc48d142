import type { Tx } from '../../../kernel/database/database.ts'
import { entryAt, type FileRow, keptFor } from './sessions.store.ts'

/**
 * Whether the station has what was taken: a complete resource, its blob, and the entry of the ledger that says so. The store read the blob
 * back from the disk before its row was written; what was taken earlier is read again in its turn (promise I5), and was well then.
 */
export async function isDurable(from: Tx, file: FileRow): Promise<boolean> {
  if (file.resource_id === null || file.ledger_seq === null) return false
  const kept = await keptFor(from, file.resource_id)
  if (kept === undefined || kept.state !== 'UserCompleted' || kept.sha256 !== file.sha256) return false
  if (kept.lastCheck !== null && kept.lastCheck !== 'matches') return false
  const entry = await entryAt(from, file.ledger_seq)
  return entry?.action === 'resource.completed' && entry.sha256 === file.sha256
}
