import type { Tx } from '../../kernel/database/database.ts'

/** The newest signed checkpoint; null before the first one. */
export const newestCheckpoint = async (from: Tx): Promise<string | null> =>
  (await from.selectFrom('checkpoints').select('note').orderBy('size', 'desc').limit(1).executeTakeFirst())?.note ??
  null
