import type { Selectable } from 'kysely'
import type { Tx } from '../database/database.ts'
import type { NodesTable } from '../database/tables-nodes.ts'

/** Nodes seen since a time, by name. */
export const nodeRows = (from: Tx, since: number): Promise<Selectable<NodesTable>[]> =>
  from.selectFrom('nodes').selectAll().where('seen_at', '>=', since).orderBy('name').orderBy('node_id').execute()
