/** Passes lists of ids as one parameter, so that the statement is the same for every length and is compiled once. */
import { type RawBuilder, sql } from 'kysely'

/** Ids as the parameter of `membersOf`. */
export const listOf = (ids: Iterable<number>): string => JSON.stringify([...ids])

/** For `where(column, 'in', membersOf(list))`. @param list what `listOf` made, or its placeholder */
export const membersOf = (list: string): RawBuilder<number> => sql<number>`(SELECT value FROM json_each(${list}))`

const NOTHING = sql`SELECT NULL WHERE 0`
/** For `IN (${among(ids)})` of a statement as text: ids each as a parameter. */
export const among = (ids: readonly number[]) => (ids.length === 0 ? NOTHING : sql.join([...ids]))
