/** Fills the indexes of the list and of the search for all rows at once, by the expressions of the triggers that keep them row by row. */
import * as list from '../../server/kernel/database/migrations/first-release/evidence-list.ts'
import * as search from '../../server/kernel/database/migrations/first-release/search.ts'
import type { RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'

const EACH = 'evidence_list.evidence_id'

/** When a row came to the station, ticks: the newest get the highest ids. */
const SOURCES = [
  { row: search.CASE_ROW, at: 'c.created_ticks' },
  { row: search.EVIDENCE_ROW, at: 'e.created_ticks' },
  { row: search.PRINCIPAL_ROW, at: "CAST(round(unixepoch(p.created_utc, 'subsec') * 1000) AS INTEGER) * 10000" },
]
const ALL_ROWS = SOURCES.map(
  ({ row, at }) =>
    `SELECT ${row.values.map((value, index) => `${value} AS v${index}`).join(', ')}, ${at} AS at FROM ${row.from}`,
).join(' UNION ALL ')
const VALUES = search.COLUMNS.split(', ')
  .map((_, index) => `v${index}`)
  .join(', ')

const STATEMENTS = [
  list.newRow(''),
  list.refreshTimes(EACH),
  list.refreshOriginals(EACH),
  list.refreshStatus(EACH),
  `INSERT INTO evidence_words (rowid, words) ${list.WORDS}`,
  `INSERT INTO search_list (${search.COLUMNS}) SELECT ${VALUES} FROM (${ALL_ROWS}) ORDER BY at, v1, v2`,
  `${search.INTO_WORDS} ${search.CASE_WORDS}`,
  `${search.INTO_WORDS} ${search.EVIDENCE_WORDS}`,
  `${search.INTO_WORDS} ${search.PRINCIPAL_WORDS} WHERE p.kind IN ('user', 'group')`,
  `INSERT OR IGNORE INTO search_numbers (number_key, search_id)
    SELECT lower(trim(n.value)), s.search_id FROM cases c JOIN search_list s ON s.kind = ${search.CASE} AND s.object_id = c.case_id,
      json_each(json_array(${search.ORDINAL}, c.external_reference_1, c.external_reference_2)) n WHERE trim(n.value) <> ''`,
  `INSERT OR IGNORE INTO search_numbers (number_key, search_id)
    SELECT lower(trim(e.source_id)), s.search_id FROM evidence e JOIN search_list s ON s.kind = ${search.EVIDENCE} AND s.object_id = e.evidence_id
    WHERE trim(e.source_id) <> ''`,
]

export function fillIndexes(db: RawDatabase): void {
  for (const table of ['evidence_list', 'search_list', 'search_numbers', 'evidence_words', 'search_words'])
    db.exec(`DELETE FROM ${table}`)
  db.exec('BEGIN')
  for (const statement of STATEMENTS) db.exec(statement)
  db.exec('COMMIT')
}
