/**
 * SQL that only SQLite understands, as parts of the statements of stores. Names of tables and columns, paths and separators are the program's
 * own; values are parameters. Indexes on expressions are used for exactly these texts.
 */
import { type RawBuilder, sql } from 'kysely'

/** A member of a column with JSON. @param path such as `$.Version` or `$[0]` */
export const jsonMember = <T = unknown>(column: string, path: string): RawBuilder<T> =>
  sql.raw(`json_extract(${column}, '${path}')`)

/** A member of an entry of the ledger, whose body is JSON in bytes. Fails for a body that is no JSON any more. */
export const entryMember = <T = string>(body: string, member: string): RawBuilder<T> =>
  sql.raw(`json_extract(CAST(${body} AS TEXT), '$.${member}')`)

/** As `entryMember`; null for a body that is no JSON any more. */
export const entryMemberIfJson = (body: string, member: string): RawBuilder<string | null> =>
  sql.raw(`CASE WHEN json_valid(CAST(${body} AS TEXT)) THEN json_extract(CAST(${body} AS TEXT), '$.${member}') END`)

/** Values as an array of JSON. @param values expressions */
export const jsonArray = (...values: readonly string[]): string => `json_array(${values.join(', ')})`

/** All texts of a group in one. @param text an expression */
export const joinedTexts = (text: string, separator: string): string => `group_concat(${text}, '${separator}')`

/** The values of an array or object of JSON, in one text. */
export const joinedValues = (json: string, separator: string): string =>
  `(SELECT ${joinedTexts('value', separator)} FROM json_each(${json}) WHERE value IS NOT NULL)`

/** The members of an object, or the values of an array, of JSON as rows of `key` and `value`. @param json as text, or an expression */
export const jsonPairs = (json: string | RawBuilder<unknown>): RawBuilder<unknown> => sql`json_each(${json})`

/** A time in ISO 8601 as seconds since 1970, with their parts; null for a text that is no time. */
export const secondsOf = (time: string): RawBuilder<number | null> => sql.raw(`unixepoch(${time}, 'subsec')`)

/** Behind the name of a table: SQLite without statistics would choose another index, or sort. */
export const byIndex = (index: string): RawBuilder<unknown> => sql.raw(`INDEXED BY ${index}`)

/** Condition: a row of an index of words has these. @param words in the language of the index */
export const hasWords = (index: string, words: string): RawBuilder<boolean> => sql`${sql.raw(index)} MATCH ${words}`

/** The number of a row of an index of words. @param alias of the index */
export const wordsRow = (alias?: string): RawBuilder<number> =>
  sql.raw(alias === undefined ? 'rowid' : `${alias}.rowid`)

/** The number of a row of a table: names one row where the key has several columns. */
export const rowNumber = (alias: string): RawBuilder<number> => sql.raw(`${alias}.rowid`)
