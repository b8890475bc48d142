/** The schema of PostgreSQL (docs/decisions/0022): one numbered list of steps with SQLite's, and a body of its own for each. */
import { coverageOf, type ColumnInfo } from '../../row-coverage.ts'
import { rowChangeTrigger } from '../row-changes.ts'
import { POSTGRES_COLUMNS_SQL, postgresRowText } from '../row-text.ts'
import { EVIDENCE_LIST } from './evidence-list.ts'
import { FUNCTIONS } from './functions.ts'
import { RECORDS } from './records.ts'
import { SEARCH, WORDS_OF_NOTES } from './search.ts'
import * as forwarding from '../../migrations/0012-forwarding.ts'
import * as nodes from '../../migrations/0013-nodes.ts'
import { CHANGES } from './changes.ts'
import { stepStatements, tableStatements } from './tables.ts'

/** Runs statements without parameters. */
export type Script = (text: string) => Promise<readonly unknown[]>

/** Step 11, the first release. Functions come first, since indexes use them; their bodies are read when they run. */
export async function createFirstRelease(script: Script): Promise<void> {
  await script('SET LOCAL check_function_bodies = off')
  await script(FUNCTIONS)
  for (const statement of tableStatements()) await script(statement)
  await script(EVIDENCE_LIST)
  await script(SEARCH)
  await script(RECORDS)
}

/** Kinds of alarms. SQLite makes `alarms` anew for its CHECK. */
async function allowAlarms(script: Script, kinds: readonly string[]): Promise<void> {
  await script('ALTER TABLE alarms DROP CONSTRAINT alarms_kind_check')
  await script(
    `ALTER TABLE alarms ADD CONSTRAINT alarms_kind_check CHECK (kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')}))`,
  )
}

const KINDS_OF_12 = ['changed', 'missing', 'untracked', 'ledger', 'checkpoint', 'backup', 'source', 'forwarding']

/** Step 21: a kind of alarm. */
export const createValidation = (script: Script): Promise<void> => allowAlarms(script, [...KINDS_OF_12, 'validation'])

/** Step 12: tables of forwarding, and a kind of alarm. */
export async function createForwarding(script: Script): Promise<void> {
  await allowAlarms(script, KINDS_OF_12)
  for (const statement of stepStatements(forwarding.sql, /\balarms(_new|_open|_of)?\b/)) await script(statement)
}

/** Step 13: the list of nodes, and what tells them of each other's changes. */
export async function createNodes(script: Script): Promise<void> {
  for (const statement of stepStatements(nodes.sql)) await script(statement)
  await script(CHANGES)
}

/** Step 20: the search finds the words of notes and marks. */
export async function findNotes(script: Script): Promise<void> {
  await script(WORDS_OF_NOTES)
}

/** The triggers that record changed rows, made anew where the covered columns changed: to make one takes its table away from readers. */
export async function watchRows(script: Script): Promise<void> {
  const columns = (await script(POSTGRES_COLUMNS_SQL)) as ColumnInfo[]
  const made = (await script(
    `SELECT f.proname AS name, f.prosrc AS source FROM pg_trigger t JOIN pg_proc f ON f.oid = t.tgfoid
     WHERE f.pronamespace = current_schema()::regnamespace AND t.tgname = '1_' || f.proname`,
  )) as { name: string; source: string }[]
  const sources = new Map(made.map(({ name, source }) => [name, source]))
  for (const { name, source, sql } of coverageOf(columns, postgresRowText).map(rowChangeTrigger))
    if (sources.get(name) !== source) await script(sql)
}
