/** How a schema differs from the one that the migrations make, on either database. */

/** What a schema has. SQLite has the first four; a column of SQLite is part of its table. */
export type SchemaObject =
  | 'table'
  | 'index'
  | 'trigger'
  | 'view'
  | 'column'
  | 'constraint'
  | 'function'
  | 'rule'
  | 'policy'
  | 'sequence'
  | 'type'
  | 'operator'
  | 'cast'
  | 'event trigger'

export interface SchemaDifference {
  readonly what: 'missing' | 'foreign' | 'changed'
  readonly type: SchemaObject
  readonly name: string
  /** A sentence for people. */
  readonly message: string
}

const SAYS = {
  missing: 'is missing',
  foreign: 'is not the station’s',
  changed: 'is not as the station made it',
} as const

/** Names come from an untrusted catalogue and are shortened to this length. */
const MOST_NAME = 100

interface NamedObject {
  readonly type: SchemaObject
  readonly name: string
  /** To which it belongs; null for what belongs to none. */
  readonly table: string | null
}

/** @param says the end of the sentence, where more is known */
export function differenceOf(
  what: SchemaDifference['what'],
  { type, name, table }: NamedObject,
  says: string = SAYS[what],
): SchemaDifference {
  const shown = `${name}`.slice(0, MOST_NAME)
  const of = table === null ? '' : ` of the table ${`${table}`.slice(0, MOST_NAME)}`
  return { what, type, name, message: `The ${type} ${shown}${of} ${says}.` }
}
