/**
 * The triggers that keep sort keys folded each letter by one `replace` inside another, more than 200 deep. SQLite before 3.46 parses an
 * expression only to a depth of about 100 and then refuses the whole database: Debian's `sqlite3` 3.40 could not open a station. The
 * letters stand in a table now, and the triggers go through its rows. What the triggers write is unchanged.
 */
import { sql as ofLists } from '../0002-list.ts'
import { sql as ofSearch } from '../0006/search.ts'
import { sql as ofDevices } from '../0009/device-search.ts'

/** `replace(replace(lower(text),'À','a'),'Á','a')`, of any depth, as the earlier migrations wrote it. */
const NESTED = /(?:replace\()+lower\((.+?)\)((?:,'.+?','[a-z]*'\))+)/g
const PAIR = /,'(.+?)','([a-z]*)'\)/g
const pairsOf = (nested: string): string[] => [...nested.matchAll(PAIR)].map(([, from, to]) => `('${from}', '${to}')`)

const FIRST_OF = (sql: string): string => [...sql.matchAll(NESTED)][0]?.[2] ?? ''
/** The list of evidence folds these; search folds those before the combining marks, which come last. */
const LETTERS = pairsOf(FIRST_OF(ofLists))

/**
 * One row after the other, in their order. Most names are ASCII and need none of them.
 * The words of the inner query are its own: `text` of the outer one must not be taken for them.
 */
const folded = (text: string, letters: number): string =>
  `CASE WHEN ${text} NOT GLOB '*[^ -~]*' THEN lower(${text}) ELSE (SELECT so_far FROM (
    WITH RECURSIVE folding (step, so_far) AS (
      SELECT 0, lower(${text})
      UNION ALL SELECT l.step, replace(so_far, l.letter, l.base) FROM folding JOIN folded_letters l ON l.step = folding.step + 1 WHERE l.step <= ${letters}
    ) SELECT so_far FROM folding ORDER BY step DESC LIMIT 1)) END`

/** SQL with every nested folding taken out of it. */
export const unnested = (sql: string): string =>
  sql.replaceAll(NESTED, (_, text: string, pairs: string) =>
    folded(text, pairsOf(pairs).length).replaceAll(/\s+/g, ' '),
  )

/** The trigger as an earlier migration made it, with the folding replaced and nothing else. */
function again(name: string, migration: string): string {
  const made = migration.split('\n').find((line) => line.startsWith(`CREATE TRIGGER ${name} `)) ?? ''
  return `DROP TRIGGER ${name};\n${unnested(made).replaceAll(/\s+/g, ' ').trim()}\n`
}

export const sql = `
CREATE TABLE folded_letters (
  step INTEGER PRIMARY KEY,
  letter TEXT NOT NULL,
  base TEXT NOT NULL
) STRICT;
INSERT INTO folded_letters (letter, base) VALUES ${LETTERS.join(', ')};
${['list_evidence_added', 'list_evidence_changed'].map((name) => again(name, ofLists)).join('')}
${['search_case_added', 'search_case_changed', 'search_principal_added', 'search_principal_changed'].map((name) => again(name, ofSearch)).join('')}
${['search_device_added', 'search_device_changed'].map((name) => again(name, ofDevices)).join('')}`
