import type { Tx } from '../../kernel/database/database.ts'

export interface NamedActor {
  readonly principal_id: number
  readonly first_name: string
  readonly last_name: string
}

/** What users are called today. */
export const namesOfActors = (db: Tx, ids: readonly number[]): Promise<NamedActor[]> =>
  db
    .selectFrom('principals')
    .select(['principal_id', 'first_name', 'last_name'])
    .where('kind', '=', 'user')
    .where('principal_id', 'in', [...ids])
    .execute()
