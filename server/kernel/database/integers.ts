/**
 * An id as SQLite's integer. A JavaScript number reaches it as a real one: compared with that an index of words (FTS5) finds no place to
 * begin at or to end, and passes all that it holds. An index of a table minds no such thing.
 */
export const asInteger = (id: number): bigint => BigInt(id)
