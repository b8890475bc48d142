/**
 * Most searches find few rows. Then one read of all of them gives page, total and facets, instead of one read for each.
 */
import { passesAll } from './search.facets.ts'
import type { LookedRow } from './search.store.ts'
import type { Question } from './search.question.ts'

/** The most rows for which this is done. */
export const MOST_LOOKED = 400

export type Placed = LookedRow & { readonly tier: number }

/** Rows for which it is still unknown whether the words occur in their names, if the order needs it. */
export const unsureOf = (rows: readonly LookedRow[], { sort }: Pick<Question, 'sort'>): number[] =>
  sort === 'relevance' ? rows.filter(({ sure }) => sure === 0).map((row) => row.search_id) : []

/**
 * The page, with one more row if there is one.
 * @param rows all rows that are found, before the filters of facets
 */
export function pageFrom(rows: readonly LookedRow[], question: Question): Placed[] {
  const { count, facets, sort } = question
  return rows
    .filter((row) => passesAll(facets, row))
    .map((row) => ({ ...row, tier: tierOf(row, question) }))
    .filter((row) => comesAfter(row, question))
    .sort(ORDERS[sort])
    .slice(0, count + 1)
}

function tierOf({ search_id: id, named }: LookedRow, { sort, exact }: Question): number {
  if (sort !== 'relevance' || exact.includes(id)) return 0
  return named === 1 ? 1 : 2
}

/** Compares bytes, as the index does. */
const byKey = (one: string, other: string): number =>
  one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other))

const newestFirst = (one: Placed, other: Placed): number => one.tier - other.tier || other.search_id - one.search_id
const ORDERS: Readonly<Record<Question['sort'], (one: Placed, other: Placed) => number>> = {
  relevance: newestFirst,
  newest: newestFirst,
  oldest: (one, other) => one.search_id - other.search_id,
  name: (one, other) => byKey(one.name_key, other.name_key) || one.search_id - other.search_id,
}

function comesAfter(row: Placed, { sort, after }: Question): boolean {
  if (after === null) return true
  const { search_id: id, tier } = row
  if (sort === 'name') return byKey(row.name_key, after.key) > 0 || (row.name_key === after.key && id > after.id)
  if (sort === 'relevance' && tier !== after.tier) return tier > after.tier
  if (tier !== after.tier) return true
  return sort === 'oldest' ? id > after.id : id < after.id
}
