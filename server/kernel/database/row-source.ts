import { openPostgresSource } from './postgres/copy-source.ts'
import type { DatabasePlace, RowSource } from './row-copy.ts'
import { openSqliteSource } from './sqlite/copy-source.ts'

/** The rows of a database in one consistent state, while it may be in use. To be closed. */
export const openRowSource = async (place: DatabasePlace): Promise<RowSource> =>
  place.kind === 'sqlite' ? openSqliteSource(place) : openPostgresSource(place)
