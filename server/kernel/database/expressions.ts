/**
 * SQL that the two dialects write differently, as parts of the statements of stores. Names of tables and columns, paths and separators are the
 * program's own; values are parameters.
 */
import { type RawBuilder, sql } from 'kysely'
import { byDialect } from './kysely.ts'
import type { Expressions, Path } from './dialect-expressions.ts'
import { postgresExpressions } from './postgres/expressions.ts'
import { sqliteExpressions } from './sqlite/expressions.ts'

type Part = RawBuilder<unknown>

const both = <T>(write: (dialect: Expressions) => Part): RawBuilder<T> =>
  byDialect<T>((dialect) => write(dialect === 'sqlite' ? sqliteExpressions : postgresExpressions))

const part = (given: unknown): Part => sql`${given}`

/** A text in a column with JSON; null where it is not there. */
export const jsonMember = <T = string | null>(column: string, ...path: Path): RawBuilder<T> =>
  both((dialect) => dialect.jsonMember(column, path))

/** A number in a column with JSON; null where it is not there. */
export const jsonNumber = <T = number | null>(column: string, ...path: Path): RawBuilder<T> =>
  both((dialect) => dialect.jsonNumber(column, path))

/** A member of an entry of the ledger, whose body is JSON in bytes. Fails for a body that is no JSON any more. @param member such as `actor.id` */
export const entryMember = <T = string>(body: string, member: string): RawBuilder<T> =>
  both((dialect) => dialect.entryMember(body, member))

/** As `entryMember`; null for a body that is no JSON any more. */
export const entryMemberIfJson = (body: string, member: string): RawBuilder<string | null> =>
  both((dialect) => dialect.entryMemberIfJson(body, member))

/** Values as an array of JSON. */
export const jsonArray = (...values: readonly Part[]): RawBuilder<string> =>
  both((dialect) => dialect.jsonArray(values))

/** All texts of a group in one. */
export const joinedTexts = (text: Part, separator: string): Part =>
  both((dialect) => dialect.joinedTexts(text, separator))

/** The values of an array or object of JSON, in one text. */
export const joinedValues = (json: Part, separator: string): Part =>
  both((dialect) => dialect.joinedValues(json, separator))

/** The members of an object, or the values of an array, of JSON as rows of `key` and `value`, both texts. @param json as text, or an expression */
export const jsonPairs = (json: unknown): Part => both((dialect) => dialect.jsonPairs(part(json)))

/** Ids as the parameter of `membersOf`: one parameter for every length, so that the statement is compiled once. */
export const listOf = (ids: Iterable<number>): string => JSON.stringify([...ids])

/** For `where(column, 'in', membersOf(list))`, of ids. @param list what `listOf` made, or its placeholder */
export const membersOf = (list: string): RawBuilder<number> => both((dialect) => dialect.membersOf(part(list)))

const NOTHING = sql`SELECT CAST(NULL AS BIGINT) WHERE 1 = 0`
/** For `IN (${among(ids)})` of a statement as text: ids each as a parameter. */
export const among = (ids: readonly number[]) => (ids.length === 0 ? NOTHING : sql.join([...ids]))

/**
 * Condition: a text begins with these characters. `like` is not used in stores: on SQLite it ignores the case of ASCII letters.
 * @param start of the program's own, of one UTF-16 unit a character
 */
export const beginsWith = (column: string, start: string): RawBuilder<boolean> =>
  sql`substr(${sql.ref(column)}, 1, ${sql.lit(start.length)}) = ${start}`

/** Condition: a text ends with these characters; see `beginsWith`. */
export const endsWith = (column: string, end: string): RawBuilder<boolean> =>
  sql`substr(${sql.ref(column)}, length(${sql.ref(column)}) - ${sql.lit(end.length - 1)}) = ${end}`

/** A time in ISO 8601 as seconds since 1970, with their parts; null for a text that is no time. */
export const secondsOf = (time: string): RawBuilder<number | null> => both((dialect) => dialect.secondsOf(time))

/** A text, to be compared with numbers between two others; a text that is no number is never between. */
export const asNumber = (text: string): RawBuilder<number | null> => both((dialect) => dialect.asNumber(text))

/** The smaller of two values of a row; null where one is null. */
export const leastOf = (...values: readonly [unknown, unknown]): Part =>
  both((dialect) => dialect.leastOf(values.map(part)))

/** The larger of two values of a row; null where one is null. */
export const greatestOf = (...values: readonly [unknown, unknown]): Part =>
  both((dialect) => dialect.greatestOf(values.map(part)))

/** Where a text has a part, from 1; 0: nowhere. */
export const positionOf = (text: Part, wanted: unknown): RawBuilder<number> =>
  both((dialect) => dialect.positionOf(text, part(wanted)))

/** A number with at least six digits. */
export const sixDigits = (number: string): RawBuilder<string> => both((dialect) => dialect.sixDigits(number))

/** SQLite without statistics would take the index of this column. */
export const withoutIndex = (expression: Part | string): Part =>
  both((dialect) => dialect.withoutIndex(typeof expression === 'string' ? sql.raw(expression) : expression))

/** Behind the name of a table: SQLite without statistics would choose another index, or sort. */
export const byIndex = (index: string): Part => both((dialect) => dialect.byIndex(index))

/**
 * At the end of a query inside EXISTS: it is asked of each row. PostgreSQL could otherwise read all that it finds for any row into a set first,
 * such as every link there is.
 */
export const eachTime = (): Part => both((dialect) => dialect.eachTime())

/** `condition OR`, for a condition that is computed once and not for each row. PostgreSQL leaves it out: for a page of rows it would cost more than the rows. */
export const onceOr = (condition: Part): Part => both((dialect) => dialect.onceOr(condition))

/** `JOIN` of two tables, of which the first is read first. SQLite without statistics may do it the other way round. */
export const joinInOrder = (): Part => both((dialect) => dialect.joinInOrder())

/** Texts as an array of JSON, of all rows of a group. */
export const jsonOfTexts = (text: string): RawBuilder<string> => both((dialect) => dialect.jsonOfTexts(text))

/** Equal, or both null. */
export const notDistinct = (left: Part, right: unknown): RawBuilder<boolean> =>
  both((dialect) => dialect.notDistinct(left, part(right)))

/** Condition: a row of an index of words has these. @param words in the language of shared/search/search-query.ts */
export const hasWords = (index: string, words: string): RawBuilder<boolean> =>
  both((dialect) => dialect.hasWords(index, words))

/** The actor of an entry of the ledger as a number, exactly as the index has it. */
export const ledgerActor = (): RawBuilder<number> => both((dialect) => dialect.ledgerActor())

/** Condition: an entry of the ledger is a refusal or a lock of an account, exactly as the index has it. */
export const ledgerRefused = (): RawBuilder<boolean> => both((dialect) => dialect.ledgerRefused())

/** Condition: an entry of the ledger affects the control of an account, exactly as the index has it. */
export const ledgerAccountActs = (): RawBuilder<boolean> => both((dialect) => dialect.ledgerAccountActs())

/** Milliseconds since 1970 by the clock of the database, when the statement runs. */
export const databaseNow = (): RawBuilder<number> => both((dialect) => dialect.databaseNow())

/** For `SELECT`, in a transaction: with its commit all nodes hear the text (`onTold` of the database), this one too. Nothing on SQLite. */
export const toldToNodes = (text: string): RawBuilder<null> => both((dialect) => dialect.toldToNodes(text))

/**
 * Behind SELECT, after a row was inserted with an id that the program chose, higher than all before: no id is given twice, and `verify` finds
 * the counter where it has to stand.
 */
export const counterAt = (table: string, key: string, id: number): Part =>
  both((dialect) => dialect.counterAt(table, key, part(id)))

/** The place of a row of a table within one statement: names one row where the key has several columns. */
export const rowNumber = (alias: string): Part => both((dialect) => dialect.rowNumber(alias))

/**
 * Condition: the row of `search_words` with this number has the words. PostgreSQL asks this row; SQLite has a set of all that have them, whose
 * rows need not be read.
 * @param id a column
 */
export const rowHasWords = (id: Part, words: string): Part => both((dialect) => dialect.rowHasWords(id, words))

/**
 * Condition: as `hasWords`, and PostgreSQL asks each row that it reads anyway instead of collecting all rows that have the words. SQLite always
 * reads its index.
 */
export const hasWordsByRow = (index: string, words: string): Part =>
  both((dialect) => dialect.hasWordsByRow(index, words))

/**
 * Two forms of one condition about few rows: that a row is in their set, and what is asked of each row. PostgreSQL begins with the set; it would
 * ask each row of the table. SQLite begins with the order of rows.
 */
export const inSetOr = (set: Part, each: Part): Part => both((dialect) => dialect.inSetOr(set, each))

/**
 * Condition: no row of a small set has the id. PostgreSQL asks each time, as its planner counts the making of a set for every row that is looked up.
 * @param from a table with an alias and its conditions @param key the column of that table
 */
export const notAmong = (id: Part, key: Part, from: Part): Part => both((dialect) => dialect.notAmong(id, key, from))

/** For ORDER BY: what is found is sorted, instead of rows being read in the order of an index until enough of them match. */
export const sortedAside = (expression: Part): Part => both((dialect) => dialect.sortedAside(expression))

/** The number of a row of an index of words. @param alias of the index */
export const wordsRow = (alias?: string): RawBuilder<number> => both((dialect) => dialect.wordsRow(alias))

/**
 * An id as a whole number of SQLite. A JavaScript number is bound as REAL; compared with a REAL, an index of words is scanned from end to end.
 * Indexes of ordinary tables are not affected.
 */
export const asInteger = (id: number): bigint => BigInt(id)
