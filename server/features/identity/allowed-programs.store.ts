import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/database/tables.ts'

/** Ends the active token families of a person. @returns the ended ones */
export const endFamiliesOf = (
  db: Kysely<Tables>,
  principalId: number,
  now: number,
): Promise<{ family_id: number; client_id: string }[]> =>
  db
    .updateTable('token_families')
    .set({ ended_at: now })
    .where('principal_id', '=', principalId)
    .where('ended_at', 'is', null)
    .returning(['family_id', 'client_id'])
    .execute()
