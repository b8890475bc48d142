import type { Tx } from '../../kernel/database/database.ts'

/** What the ledger said last of a map; null for one that it does not know. */
export async function lastActOn(from: Tx, mapId: string): Promise<string | null> {
  const rows = await from
    .selectFrom('ledger')
    .select('body')
    .where('object_type', '=', 'map')
    .where('object_id', '=', mapId)
    .orderBy('seq', 'desc')
    .execute()
  const acts = rows.map(({ body }) => (JSON.parse(Buffer.from(body).toString('utf8')) as { action: string }).action)
  return acts.find((act) => act === 'map.imported' || act === 'map.removed') ?? null
}
