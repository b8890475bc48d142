import { lazyOpened } from '../../client/lazy-opened.tsx'
import type { ConflictDialogProps } from './conflict-props.ts'
export type { Differing, ConflictDialogProps } from './conflict-props.ts'

/** Somebody saved first: only what differs, member by member, and one save (guide, Conflict). Fetched when that happens. */
export const ConflictDialog = lazyOpened<ConflictDialogProps>(
  async () => (await import('./conflict-table.tsx')).ConflictTable,
)
