import { lazyOpened } from '../../client/lazy-opened.tsx'
import type { ConflictDialogProps, Differing } from './conflict-table.tsx'

/** Somebody saved first: only what differs, member by member, and one save (guide, Conflict). Fetched when that happens. */
export const ConflictDialog = lazyOpened<ConflictDialogProps>(
  async () => (await import('./conflict-table.tsx')).ConflictTable,
)

export type { ConflictDialogProps, Differing }
