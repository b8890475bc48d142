import { type RawBuilder, sql } from 'kysely'
import { byIndex } from './expressions.ts'

/** Must have the same text as in the conditions of the indexes (migrations/first-release/search.ts and evidence-list.ts); SQLite matches them by text. */
const DAY = sql.raw('864000000000')
const DAY_TICKS = 864_000_000_000n
/** Limits within 64-bit integers, with a day of distance to their ends. */
const [FIRST, LAST] = [-9_000_000_000_000_000_000n, 9_000_000_000_000_000_000n]

/** A table of time spans with two indexes: one that includes all short spans, and `<table>_long` for the long ones. */
export interface Spans {
  readonly table: 'evidence_list' | 'search_list'
  readonly short: 'evidence_list_by_recording' | 'search_list_short'
  readonly id: 'evidence_id' | 'search_id'
  readonly from: 'recorded_ticks' | 'from_ticks'
  readonly to: 'ended_ticks' | 'to_ticks'
}

/** Ids of all spans that touch a time in ticks, both ends included, in no order. Null for an open end. */
export function idsTouching(
  { table, short, id, from, to }: Spans,
  tenant: string,
  time: { readonly from: bigint | null; readonly to: bigint | null },
): RawBuilder<unknown> {
  const [first, last] = [time.from ?? FIRST, time.to ?? LAST]
  const [low, high] = [sql.ref(from), sql.ref(to)]
  const rows = (index: string, more: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`SELECT ${sql.ref(id)} FROM ${sql.raw(table)} ${byIndex(index)}
      WHERE tenant_id = ${tenant} AND ${more} AND ${low} <= ${last} AND ${high} >= ${first}`
  const begins = first > FIRST ? first - DAY_TICKS : first
  return sql`${rows(short, sql`${high} - ${low} <= ${DAY} AND ${low} >= ${begins}`)}
    UNION ALL ${rows(`${table}_long`, sql`${high} - ${low} > ${DAY}`)}`
}
