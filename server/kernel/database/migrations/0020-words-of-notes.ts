/**
 * The words of notes, and of marks in recordings, are found by the search (docs/decisions/0007). Every trigger that writes the words of a case
 * or of an evidence is made anew with them, and what has notes is indexed again.
 */
import { CASE_WORDS, EVIDENCE_WORDS, INTO_WORDS, triggers } from './first-release/search.ts'

export const version = 20
export const name = 'words of notes'
/** Programs before it let these triggers work, too. */
export const oldestProgram = 16

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')
/** The last part of the texts of each; notes come behind it, so that a long description is cut no earlier than before. */
const LAST_OF_CASE =
  "coalesce((SELECT group_concat(value, ' ') FROM json_each(c.custom_fields) WHERE value IS NOT NULL), '')"
const LAST_OF_EVIDENCE =
  "coalesce((SELECT group_concat(x.words, ' ') FROM search_exif x WHERE x.evidence_id = e.evidence_id), '')"
const notesOf = (id: string): string =>
  `coalesce((SELECT group_concat(n.text, ' ') FROM notes n WHERE n.${id} AND n.deleted_utc IS NULL), '')`
const MARKS =
  "coalesce((SELECT group_concat(m.title || ' ' || coalesce(m.text, ''), ' ') FROM bookmarks m WHERE m.evidence_id = e.evidence_id AND m.deleted_utc IS NULL), '')"

/** @throws where the text is not there: the words would be those of before */
function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`There is no ${from}`)
  return text.replaceAll(from, to)
}
const withNotes = {
  case: (text: string) => replaced(text, LAST_OF_CASE, `${LAST_OF_CASE} || ' ' || ${notesOf('case_id = c.case_id')}`),
  evidence: (text: string) =>
    replaced(
      text,
      LAST_OF_EVIDENCE,
      `${LAST_OF_EVIDENCE} || ' ' || ${MARKS} || ' ' || ${notesOf('evidence_id = e.evidence_id')}`,
    ),
}
const caseWords = withNotes.case(oneLine(`${INTO_WORDS} ${CASE_WORDS}`))
const evidenceWords = withNotes.evidence(oneLine(`${INTO_WORDS} ${EVIDENCE_WORDS}`))

const anew = (statement: string): string => {
  const [, trigger = ''] = /^CREATE TRIGGER (\w+) /.exec(statement) ?? []
  const into = statement.includes(LAST_OF_CASE) ? withNotes.case(statement) : statement
  return `DROP TRIGGER ${trigger};\n${into.includes(LAST_OF_EVIDENCE) ? withNotes.evidence(into) : into}`
}
const changed = triggers
  .split('\n')
  .filter((statement) => statement.includes(LAST_OF_CASE) || statement.includes(LAST_OF_EVIDENCE))
  .map(anew)

const onNotes = (row: 'new' | 'old'): string => `
  ${caseWords} WHERE c.case_id = ${row}.case_id;
  ${evidenceWords} WHERE e.evidence_id = ${row}.evidence_id;`
const trigger = (called: string, event: string, statements: string): string =>
  `CREATE TRIGGER search_${called} AFTER ${event} BEGIN ${oneLine(statements)} END;`

export const sql = [
  ...changed,
  ...(['INSERT', 'UPDATE OF text, deleted_utc', 'DELETE'] as const).flatMap((event, at) => {
    const row = event === 'DELETE' ? 'old' : 'new'
    const ofMarks = event.replace('text,', 'title, text,')
    return [
      trigger(`note_${at + 1}`, `${event} ON notes`, onNotes(row)),
      trigger(
        `mark_${at + 1}`,
        `${ofMarks} ON bookmarks`,
        `${evidenceWords} WHERE e.evidence_id = ${row}.evidence_id;`,
      ),
    ]
  }),
  `${caseWords} WHERE c.case_id IN (SELECT case_id FROM notes WHERE deleted_utc IS NULL);`,
  `${evidenceWords} WHERE e.evidence_id IN (SELECT evidence_id FROM notes WHERE deleted_utc IS NULL
    UNION SELECT evidence_id FROM bookmarks WHERE deleted_utc IS NULL);`,
].join('\n')
