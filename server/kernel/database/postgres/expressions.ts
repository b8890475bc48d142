/** Expressions in PostgreSQL's SQL; see ../expressions.ts. */
import { sql } from 'kysely'
import type { Expressions } from '../dialect-expressions.ts'
import { hasWords } from './text-search.ts'

/** The largest bigint. A number of JavaScript beyond it is larger than every id, as on SQLite. */
export const LARGEST = 9_223_372_036_854_775_807n

/** What a double holds: the cast of any other number is an error. Numbers of JSON are written so by JavaScript. */
const DOUBLE =
  '^\\s*[-+]?((\\d{1,200}(\\.\\d{0,200})?|\\.\\d{1,200})([eE][-+]?\\d{1,2})?|\\d(\\.\\d{1,20})?[eE][-+]?([12]\\d\\d|30[0-7]))\\s*$'

const joinedTexts: Expressions['joinedTexts'] = (text, separator) => sql`string_agg(${text}, ${sql.lit(separator)})`
const pathOf = (path: readonly (string | number)[]): string => `'{${path.join(',')}}'`
const jsonMember: Expressions['jsonMember'] = (column, path) => sql.raw(`(${column})::json #>> ${pathOf(path)}`)

/** The channel on which transactions tell the nodes what `toldToNodes` gives them. */
export const TOLD_CHANNEL = 'sallyport_told'

export const postgresExpressions: Expressions = {
  jsonMember: (column, path) => sql`(${jsonMember(column, path)})`,
  jsonNumber: (column, path) => sql`(${jsonMember(column, path)})::float8`,
  entryMember: (body, member) =>
    sql.raw(`(convert_from(${body}, 'UTF8')::json #>> '{${member.replaceAll('.', ',')}}')`),
  entryMemberIfJson: (body, member) => sql.raw(`entry_member(${body}, '{${member.replaceAll('.', ',')}}')`),
  jsonArray: (values) => sql`json_build_array(${sql.join([...values])})::text`,
  joinedTexts,
  joinedValues: (json, separator) =>
    sql`(SELECT ${joinedTexts(sql.raw('value'), separator)} FROM json_pairs(${json}) WHERE value IS NOT NULL)`,
  jsonPairs: (json) => sql`json_pairs(${json})`,
  membersOf: (list) =>
    sql`(SELECT least(value::numeric, ${sql.raw(String(LARGEST))})::bigint FROM json_array_elements_text(${list}::json))`,
  // The server takes a 60th second, and offsets that no zone has.
  secondsOf: (time) => sql.raw(`CASE WHEN ${time} !~ ':60|[-+]1[5-9]:' THEN seconds_of(${time}) END`),
  asNumber: (text) => sql.raw(`CASE WHEN ${text} ~ '${DOUBLE}' THEN number_of(${text}) END`),
  leastOf: (values) => sql`least_of(${sql.join([...values])})`,
  greatestOf: (values) => sql`greatest_of(${sql.join([...values])})`,
  positionOf: (text, part) => sql`strpos(${text}, ${part})`,
  sixDigits: (number) => sql.raw(`six_digits(${number})`),
  withoutIndex: (expression) => expression,
  // The greatest of one value is that value, and no index is in its order.
  sortedAside: (expression) => sql`greatest(${expression})`,
  byIndex: () => sql``,
  eachTime: () => sql`OFFSET 0`,
  onceOr: () => sql``,
  notAmong: (id, key, from) => sql`NOT EXISTS (SELECT 1 FROM ${from} AND ${key} = ${id} OFFSET 0)`,
  joinInOrder: () => sql`JOIN`,
  jsonOfTexts: (text) => sql.raw(`coalesce(json_agg(${text})::text, '[]')`),
  notDistinct: (left, right) => sql`${left} IS NOT DISTINCT FROM ${right}`,
  hasWords,
  inSetOr: (set) => set,
  // No index answers this form of the condition; how many rows have the words is estimated as before.
  hasWordsByRow: (index, words) => sql`(${hasWords(index, words)}) IS TRUE`,
  rowHasWords: (id, words) =>
    sql`EXISTS (SELECT 1 FROM search_words has WHERE has.words_row = ${id} AND ${hasWords('has.search_words', words)} OFFSET 0)`,
  ledgerActor: () => sql.raw('ledger_actor(body)'),
  ledgerRefused: () => sql.raw('ledger_refused(body)'),
  ledgerAccountActs: () => sql.raw('ledger_account_act(body)'),
  rowNumber: (alias) => sql.raw(`${alias}.ctid`),
  // Not `now()`, which is when the transaction began: it may have waited for its turn.
  databaseNow: () => sql`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`,
  toldToNodes: (text) => sql`pg_notify(${TOLD_CHANNEL}, ${text})`,
  counterAt: (table, key, id) => sql`setval(pg_get_serial_sequence(${sql.lit(table)}, ${sql.lit(key)}), ${id})`,
  wordsRow: (alias) => sql.raw(alias === undefined ? 'words_row' : `${alias}.words_row`),
}
