/** Expressions in SQLite's SQL; see ../expressions.ts. Indexes on expressions are used for exactly these texts. */
import { sql } from 'kysely'
import type { Expressions } from '../dialect-expressions.ts'
import { LEDGER_ACCOUNT_ACTS, LEDGER_ACTOR, LEDGER_REFUSED } from '../migrations/first-release/ledger.ts'

const joinedTexts: Expressions['joinedTexts'] = (text, separator) => sql`group_concat(${text}, ${sql.lit(separator)})`

export const sqliteExpressions: Expressions = {
  jsonMember: (column, path) => sql.raw(`json_extract(${column}, '$${pathOf(path)}')`),
  jsonNumber: (column, path) => sql.raw(`json_extract(${column}, '$${pathOf(path)}')`),
  entryMember: (body, member) => sql.raw(`json_extract(CAST(${body} AS TEXT), '$.${member}')`),
  entryMemberIfJson: (body, member) =>
    sql.raw(`CASE WHEN json_valid(CAST(${body} AS TEXT)) THEN json_extract(CAST(${body} AS TEXT), '$.${member}') END`),
  jsonArray: (values) => sql`json_array(${sql.join([...values])})`,
  joinedTexts,
  joinedValues: (json, separator) =>
    sql`(SELECT ${joinedTexts(sql.raw('value'), separator)} FROM json_each(${json}) WHERE value IS NOT NULL)`,
  jsonPairs: (json) => sql`json_each(${json})`,
  membersOf: (list) => sql`(SELECT value FROM json_each(${list}))`,
  // Without the comparison `now`, a time of day, a number of days and the 30th of February would be times too.
  secondsOf: (time) =>
    sql.raw(
      `CASE WHEN date(substr(${time}, 1, 10)) = substr(${time}, 1, 10) AND ${time} >= '0001' THEN unixepoch(${time}, 'subsec') END`,
    ),
  // In a comparison with a number SQLite converts numeric text, and treats any other text as greater than all numbers.
  asNumber: (text) => sql.raw(text),
  leastOf: (values) => sql`min(${sql.join([...values])})`,
  greatestOf: (values) => sql`max(${sql.join([...values])})`,
  positionOf: (text, part) => sql`instr(${text}, ${part})`,
  sixDigits: (number) => sql.raw(`printf('%06d', ${number})`),
  withoutIndex: (expression) => sql`+${expression}`,
  sortedAside: (expression) => sql`+${expression}`,
  byIndex: (index) => sql.raw(`INDEXED BY ${index}`),
  eachTime: () => sql``,
  onceOr: (condition) => sql`${condition} OR `,
  notAmong: (id, key, from) => sql`${id} NOT IN (SELECT ${key} FROM ${from})`,
  joinInOrder: () => sql`CROSS JOIN`,
  jsonOfTexts: (text) => sql.raw(`json_group_array(${text})`),
  notDistinct: (left, right) => sql`${left} IS ${right}`,
  hasWords: (index, words) => sql`${sql.raw(index)} MATCH ${words}`,
  inSetOr: (_set, each) => each,
  hasWordsByRow: (index, words) => sql`${sql.raw(index)} MATCH ${words}`,
  rowHasWords: (id, words) => sql`${id} IN (SELECT rowid FROM search_words WHERE search_words MATCH ${words})`,
  ledgerActor: () => sql.raw(LEDGER_ACTOR),
  ledgerRefused: () => sql.raw(LEDGER_REFUSED),
  ledgerAccountActs: () => sql.raw(LEDGER_ACCOUNT_ACTS),
  rowNumber: (alias) => sql.raw(`${alias}.rowid`),
  databaseNow: () => sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
  // It has one node.
  toldToNodes: () => sql`NULL`,
  // An id beyond the counter moves it.
  counterAt: () => sql`1`,
  wordsRow: (alias) => sql.raw(alias === undefined ? 'rowid' : `${alias}.rowid`),
}

const pathOf = (path: readonly (string | number)[]): string =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
