/**
 * Converts an id to an SQLite integer. A JavaScript number is bound as REAL; compared with a REAL, an FTS5 index is scanned from end to end.
 * Indexes of ordinary tables are not affected.
 */
export const asInteger = (id: number): bigint => BigInt(id)
