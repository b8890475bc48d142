/**
 * Compares rows of the database with the ledger (promise I3+): each row must be as its newest entry states. In one read transaction, so that
 * concurrent writes of the station cannot make the two disagree.
 */
import { TABLES_NOT_COVERED, type TableCoverage } from '../../../kernel/database/row-coverage.ts'
import type { RawDatabase } from '../../../kernel/database/sqlite/raw.ts'
import { ROWS_STATED, type StatedRow, type StoredEntry } from '../../../kernel/ledger/format.ts'
import { kindOf } from '../../../kernel/ledger/actions.ts'
import { coverageHash, type Recording } from './row-baseline.ts'
import { unexplainedBytes } from './verify.store.ts'
import * as rows from './verify-rows.store.ts'
import { collectByRecord, type Problem, type Problems } from './verify.types.ts'
import { concurrencyIdOf, GENESIS } from '../../../kernel/versions/versions.ts'

/** Something that verification did not check, and why. */
export interface NotCovered {
  readonly what: string
  readonly why: string
}

export interface RowReport {
  readonly problems: readonly Problem[]
  readonly leftOut: number
  /** Rows that were compared with an entry. */
  readonly rows: number
  readonly notCovered: readonly NotCovered[]
  /** When existing rows were first recorded in the ledger; null when they were not. */
  readonly coveredSince: string | null
}

export function verifyRows(
  db: RawDatabase,
  onProgress: (rows: number) => void = () => {},
  mostProblems = 1000,
): RowReport {
  rows.createStatedTables(db)
  return db.transaction(() => {
    const problems = collectByRecord(mostProblems)
    readStatedRows(db, 0)
    const recorded = newestRecording(db)
    const coverage = rows.coverageIn(db)
    const covered = coverage.filter((table) => recorded?.tables[table.table] === coverageHash(table))
    let count = 0
    for (const table of covered) {
      compareTable(db, table, problems)
      count += rows.countRows(db, table)
      onProgress(count)
    }
    compareRecords(db, problems)
    compareVersions(db, problems)
    for (const { table, seq } of rows.countersSetBack(db, coverage))
      problems.add({
        kind: 'record',
        what: `counter of ${table}`,
        message: `It stands at ${seq}, and higher numbers were given out: they would be given out again.`,
      })
    const notYet = coverage.filter((table) => !covered.includes(table))
    return {
      problems: problems.list,
      leftOut: problems.leftOut,
      rows: count,
      notCovered: notCoveredOf(notYet),
      coveredSince: firstRecordedUtc(db),
    }
  })()
}

export interface EvidenceRows {
  readonly evidenceId: number
  /** Entries before this one are not read, so rows that only they state are unknown. */
  readonly from: number
}

/** The first difference between the rows of one evidence and the ledger, with its entry. */
export function verifyEvidenceRows(
  db: RawDatabase,
  { evidenceId, from }: EvidenceRows,
): { readonly seq: number; readonly problem: string } | null {
  rows.createStatedTables(db)
  return db.transaction(() => {
    readStatedRows(db, from)
    for (const { seq, resource_id, wrong } of rows.wrongOriginals(db, evidenceId))
      return { seq, problem: `It says that resource ${resource_id} was completed, and ${wrong}.` }
    const recorded = newestRecording(db)
    for (const covered of rows.coverageIn(db)) {
      const where = rows.ofEvidence(covered, evidenceId)
      if (where === null || recorded?.tables[covered.table] !== coverageHash(covered)) continue
      for (const { key, seq } of rows.differentRows(db, covered, where))
        if (seq !== null)
          return {
            seq,
            problem: `It says what ${nameOf(covered.table, key)} is, and the database holds something else.`,
          }
    }
    const gone = rows.missingRecords(db).find(({ what, id }) => what === 'evidence' && id === String(evidenceId))
    return gone === undefined ? null : { seq: gone.seq, problem: 'It says that the evidence was made, and it is gone.' }
  })()
}

/**
 * Rows that differ from their newest entry or have no entry: table and key. Empty when the newest recording has another schema than the
 * database, because a migration may have changed the rows.
 */
export function rowsInDoubt(db: RawDatabase): [table: string, key: string][] {
  const recorded = newestRecording(db)
  if (recorded === null || recorded.schema !== db.pragma('user_version', { simple: true })) return []
  rows.createStatedTables(db)
  return db.transaction(() => {
    readStatedRows(db, 0)
    return rows
      .coverageIn(db)
      .filter((table) => recorded.tables[table.table] === coverageHash(table))
      .flatMap((covered) =>
        Array.from(rows.differentRows(db, covered), ({ key }): [string, string] => [covered.table, key]),
      )
  })()
}

/** Stores what the ledger states about rows in temporary tables. */
function readStatedRows(db: RawDatabase, from: number): void {
  const remember = rows.statedWriter(db)
  for (const [seq, body] of rows.entriesAboutRows(db, from)) {
    // Entries of reads name versions too, and are the most frequent.
    if (!body.includes(`"${ROWS_STATED}":`) && kindOf(ACTION.exec(body)?.[1] ?? '') === 'view') continue
    const entry = readable(body)
    if (entry === null) continue
    const { action, object, detail, sha256, bytes, outcome } = entry
    const stated = detail?.[ROWS_STATED]
    if (Array.isArray(stated))
      for (const [table, key, hash] of stated as StatedRow[]) remember.row(table, key, seq, hash)
    if (outcome !== 'ok') continue
    const evidenceId = detail?.['evidenceId']
    if (isOriginalIn(action, detail) && sha256 !== null && bytes !== null)
      remember.completed(object.id, typeof evidenceId === 'string' ? evidenceId : null, seq, sha256, bytes)
    else if (action === 'evidence.created' || action === 'evidence.imported') {
      remember.made('evidence', object.id, seq)
      if (detail?.['destroyed'] === true) remember.destroyed(object.id, seq)
    } else if (action === 'case.created' || action === 'case.imported') remember.made('case', object.id, seq)
    else if (action === 'evidence.destroyed') remember.destroyed(object.id, seq)
    else if (action === 'sample.added' && object.type === 'case') remember.sampleCase(object.id)
    else if (action === 'case.destroyed') remember.destroyedCase(object.id, seq)
    const version = detail?.['concurrencyId']
    if (typeof version === 'string' && kindOf(action) === 'change')
      remember.version(version, seq, `${object.type} ${object.id}`)
  }
}

/** An entry about the bytes of an original: they came in here, or from another station. */
const isOriginalIn = (action: string, detail: StoredEntry['detail']): boolean =>
  action === 'resource.completed' || (action === 'resource.imported' && detail?.['role'] === 'original')

const ACTION = /^\{"action":"([a-zA-Z.]+)"/

/** Null for bytes that are no entry; the verification of the ledger reports them. */
function readable(body: string): StoredEntry | null {
  try {
    const entry = JSON.parse(body) as StoredEntry
    return typeof entry.object?.id === 'string' ? entry : null
  } catch {
    return null
  }
}

function newestRecording(db: RawDatabase): Recording | null {
  const entry = readable(rows.recordings(db).at(-1)?.body ?? '')
  return (entry?.detail as unknown as Recording | null) ?? null
}

const firstRecordedUtc = (db: RawDatabase): string | null =>
  readable(rows.recordings(db)[0]?.body ?? '')?.timeUtc ?? null

function compareTable(db: RawDatabase, covered: TableCoverage, problems: Problems): void {
  const { table } = covered
  let unsaid = 0
  let different = 0
  for (const { key, seq, gone } of rows.differentRows(db, covered)) {
    if (seq === null || gone === 1) unsaid += 1
    else different += 1
    problems.add({
      kind: 'record',
      what: nameOf(table, key),
      message:
        seq === null
          ? 'No entry says that it was made: it was put into the database.'
          : gone === 1
            ? `Entry ${seq} says that it was removed, and it is there.`
            : `It is not what entry ${seq} says: it was changed in the database.`,
    })
  }
  if (rows.countRows(db, covered) - unsaid === rows.countStated(db, table)) return
  for (const { key, seq } of rows.missingRows(db, covered))
    problems.add({
      kind: 'record',
      what: nameOf(table, key),
      message: `Entry ${seq} says that it is there, and it is gone.`,
    })
}

/** Compares records with the entries of their acts, which also covers entries from before rows were stated. */
function compareRecords(db: RawDatabase, problems: Problems): void {
  for (const { resource_id, evidence_id, seq, wrong } of rows.wrongOriginals(db))
    problems.add({
      kind: 'record',
      what: `resource ${resource_id}`,
      message: `Entry ${seq} says that it was completed as a file of evidence ${evidence_id}, and ${wrong}.`,
    })
  for (const { resource_id, name, sha256 } of unexplainedBytes(db))
    problems.add({
      kind: 'record',
      what: `resource ${resource_id}`,
      message: `"${name}" points to ${sha256}, and the ledger does not say that these are its bytes.`,
    })
  for (const { what, id, seq } of rows.missingRecords(db))
    problems.add({
      kind: 'record',
      what: `${what} ${id}`,
      message: `Entry ${seq} says that it was made, and it is gone.`,
    })
  for (const { what, id } of rows.unexplainedRecords(db))
    problems.add({ kind: 'record', what: `${what} ${id}`, message: 'No entry says that it was made.' })
}

function compareVersions(db: RawDatabase, problems: Problems): void {
  const emptied = rows.emptiedByDestruction(db)
  let before: rows.VersionRow | null = null
  for (const version of rows.versionsInOrder(db)) {
    const { entity, entity_id, number, concurrency_id, parent_id, state } = version
    const first = before === null || before.entity !== entity || before.entity_id !== entity_id
    const [nextNumber, parent] = first ? [1, GENESIS] : [(before as rows.VersionRow).number + 1, before?.concurrency_id]
    const wrong =
      number !== nextNumber
        ? `Version ${nextNumber} is missing.`
        : parent_id !== parent
          ? `Version ${number} does not continue the one before it.`
          : concurrencyIdOf(parent_id, state) !== concurrency_id &&
              !(state === '{}' && emptied(entity, entity_id, number))
            ? `What version ${number} holds is not what its id was made from.`
            : null
    if (wrong !== null) problems.add({ kind: 'record', what: `${entity} ${entity_id}`, message: wrong })
    before = version
  }
  for (const { id, seq, what } of rows.versionsNotFound(db))
    problems.add({ kind: 'record', what, message: `Entry ${seq} names version ${id}, and it is not there.` })
  for (const { case_id, number } of rows.linkChangesBesideVersions(db))
    problems.add({
      kind: 'record',
      what: `case ${case_id}`,
      message: `The evidence listed for version ${number} is not what the version says.`,
    })
  for (const { what, id, version } of rows.rowsBesideVersions(db))
    problems.add({
      kind: 'record',
      what: `${what} ${id}`,
      message:
        version === null ? 'It has no versions.' : `It is said to be at another version than ${version}, its newest.`,
    })
}

/** Names for people. Other rows are named by their table. */
const NAMES: Readonly<Record<string, string>> = {
  evidence: 'evidence',
  resources: 'resource',
  cases: 'case',
  notes: 'note',
  bookmarks: 'bookmark',
  principals: 'principal',
  categories: 'category',
  departments: 'department',
  devices: 'device',
  blobs: 'blob',
}

const nameOf = (table: string, key: string): string =>
  NAMES[table] === undefined ? `row ${key} of ${table}` : `${NAMES[table]} ${key}`

function notCoveredOf(notYet: readonly TableCoverage[]): NotCovered[] {
  const byReason = Map.groupBy(Object.entries(TABLES_NOT_COVERED), ([, why]) => why)
  const never = [...byReason].map(([why, tables]) => ({ what: tables.map(([table]) => table).join(', '), why }))
  return [
    ...notYet.map(({ table }) => ({
      what: table,
      why: 'its rows are not in the ledger yet; they are taken into it when the station starts',
    })),
    ...never,
  ]
}
