import type { Tx } from '../database/database.ts'

/** Names of categories by the id that evidence holds. An id that is no number names none. */
export async function categoryNames(from: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const known = [...new Set(ids)].filter((id) => /^\d{1,15}$/.test(id)).map(Number)
  if (known.length === 0) return new Map()
  const rows = await from
    .selectFrom('categories')
    .select(['category_id', 'name'])
    .where('category_id', 'in', known)
    .execute()
  return new Map(rows.map((row) => [String(row.category_id), row.name]))
}
