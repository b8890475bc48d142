/** Writes the records of an export into an empty station, in one transaction: all of them are there, or none. */
import type { Tx } from '../../../kernel/database/database.ts'
import { continueNumbers } from '../../../kernel/database/continue-numbers.ts'
import { inspectJob } from '../../../kernel/evidence/derivation-jobs.ts'
import type { JobQueue } from '../../../kernel/jobs/queue.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger, LedgerEntry } from '../../../kernel/ledger/ledger.ts'
import { CARRIED } from './carried.ts'
import * as rows from './imports.store.ts'
import { type OpenedExport, rowsOf } from './read-export.ts'
import type { JsonRow } from './row-lines.ts'

interface Deps {
  readonly ledger: Pick<Ledger, 'append'>
  readonly jobs: Pick<JobQueue, 'enqueue'>
}

interface Given {
  readonly opened: OpenedExport
  readonly importId: number
  /** Columns of a table here. */
  readonly columnsOf: (table: string) => Promise<readonly string[]>
  readonly nowUtc: string
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

export interface WrittenRecords {
  readonly rows: number
  readonly evidence: number
  readonly cases: number
  readonly people: number
}

/** Each entry states the rows that were changed before it. They are written in groups, so that no entry about an evidence states rows of others. */
const ROWS_AN_ENTRY = 500
const ENTRIES_AT_ONCE = 200

/** Tables of imports that the other station made: they are numbered behind this one. */
const OF_IMPORTS: ReadonlySet<string> = new Set([
  'imports',
  'imported_entries',
  'imported_evidence',
  'imported_resources',
])

/** @returns the row under the number that it has here */
export const numberedHere = (table: string, row: JsonRow, importId: number): JsonRow =>
  OF_IMPORTS.has(table) ? { ...row, import_id: Number(row['import_id']) + importId } : row

export async function writeRecords(deps: Deps, tx: Tx, call: Call, given: Given): Promise<WrittenRecords> {
  const { opened, importId, signal } = given
  const object = { type: 'import', id: String(importId), name: opened.about.origin }
  const state = (table: string, count: number) =>
    deps.ledger.append(tx, call, { action: 'import.received', object, detail: { table, rows: count } })
  const tables = Object.keys(CARRIED)
  // What a new station begins with goes: the other one has its own.
  for (const table of tables.toReversed()) if (!OF_IMPORTS.has(table)) await rows.emptyTable(tx, table)
  await nameAbsentBlobs(tx, given)
  await state('', 0)
  const about = recordsSeen()
  let written = 0
  for (const table of tables) {
    signal.throwIfAborted()
    given.onProgress(`records: ${table}`)
    const columns = await given.columnsOf(table)
    // The rows of links made some by themselves.
    if (table === 'case_link_changes') await rows.emptyTable(tx, table)
    const flush = async (some: JsonRow[]): Promise<void> => {
      await rows.insertRows(tx, table, columns, some)
      await state(table, some.length)
      written += some.length
    }
    let some: JsonRow[] = []
    for await (const row of rowsOf(opened, table)) {
      requireColumns(table, columns, row)
      some.push(numberedHere(table, about.see(table, row), importId))
      if (some.length === ROWS_AN_ENTRY) await flush(some.splice(0))
    }
    if (some.length > 0) await flush(some)
    some = []
  }
  await rows.markDestroyed(tx, about.destroyed)
  await rows.insertImportedEvidence(
    tx,
    importId,
    about.evidence.map(({ id }) => id),
  )
  await rows.insertImportedResources(tx, importId, about.files)
  for (let stated = 0; stated <= about.evidence.length + about.files.length; stated += ROWS_AN_ENTRY)
    await state('imported_evidence', 0)
  await continueNumbers(tx, new Set(tables))
  await recordRecords(deps, tx, call, given, about)
  for (const id of about.uninspected) await deps.jobs.enqueue(tx, inspectJob(id))
  return { rows: written, evidence: about.evidence.length, cases: about.cases.length, people: about.people() }
}

/** Records name blobs whose bytes the other station does not have, or that are at its headquarters only. */
async function nameAbsentBlobs(tx: Tx, { opened, nowUtc }: Given): Promise<void> {
  for (const { sha256, bytes } of opened.about.broken) await rows.insertBlobRow(tx, sha256, bytes, nowUtc)
  for await (const row of rowsOf(opened, 'forwarded_blobs'))
    await rows.insertBlobRow(tx, String(row['sha256']), Number(row['length']), nowUtc)
}

function requireColumns(table: string, columns: readonly string[], row: JsonRow): void {
  const given = Object.keys(row)
  if (given.length !== columns.length || !columns.every((name) => Object.hasOwn(row, name)))
    throw new Error(`A row of ${table} has other columns than the table here. Nothing was taken in.`)
}

interface ImportedFile {
  readonly id: number
  readonly evidenceId: number
  readonly name: string
  readonly role: string
  readonly sha256: string
  readonly bytes: number
  readonly derivation: Readonly<Record<string, unknown>>
  /** Hashes of its thumbnail and its views. */
  readonly views: string[]
}

/** What entries are written about, as the rows go by. */
function recordsSeen() {
  const evidence: { id: number; name: string; destroyed: boolean }[] = []
  const cases: { id: string; name: string }[] = []
  const files: ImportedFile[] = []
  const byId = new Map<number, ImportedFile>()
  const destroyed: number[] = []
  const uninspected: number[] = []
  let people = 0
  return {
    evidence,
    cases,
    files,
    destroyed,
    uninspected,
    people: () => people,
    /** @returns the row as it is written first */
    see: (table: string, row: JsonRow): JsonRow => {
      if (table === 'principals' && row['kind'] === 'user') people++
      if (table === 'cases') cases.push({ id: String(row['case_id']), name: String(row['title']) })
      if (table === 'resource_views') byId.get(Number(row['resource_id']))?.views.push(String(row['sha256']))
      if (table === 'resources') {
        const file = fileIn(row)
        if (file === null) return row
        files.push(file)
        byId.set(file.id, file)
        if (file.role === 'original' && row['sniffed_type'] === null) uninspected.push(file.id)
      }
      if (table !== 'evidence') return row
      const id = Number(row['evidence_id'])
      const isDestroyed = row['lifecycle_state'] === 'Destroyed'
      evidence.push({ id, name: String(row['name']), destroyed: isDestroyed })
      if (!isDestroyed) return row
      // Nothing can be added to evidence that is destroyed, so it becomes that when all of it is there.
      destroyed.push(id)
      return { ...row, lifecycle_state: 'Deleted' }
    },
  }
}

function fileIn(row: JsonRow): ImportedFile | null {
  if (typeof row['sha256'] !== 'string') return null
  const thumbnail = row['thumbnail_sha256']
  return {
    id: Number(row['resource_id']),
    evidenceId: Number(row['evidence_id']),
    name: String(row['name']),
    role: String(row['role']),
    sha256: row['sha256'],
    bytes: Number(row['length'] ?? 0),
    derivation: typeof row['derivation'] === 'string' ? (JSON.parse(row['derivation']) as Record<string, unknown>) : {},
    views: typeof thumbnail === 'string' ? [thumbnail] : [],
  }
}

/** In the custody of each: that it came, from where, and with which hash. */
async function recordRecords(
  { ledger }: Deps,
  tx: Tx,
  call: Call,
  { opened, importId, signal }: Given,
  about: ReturnType<typeof recordsSeen>,
): Promise<void> {
  const from = { origin: opened.about.origin, importId: String(importId) }
  const entries = function* (): Generator<LedgerEntry> {
    for (const { id, name } of about.cases)
      yield { action: 'case.imported', object: { type: 'case', id, name }, detail: { ...from, sourceId: id } }
    for (const { id, name, destroyed } of about.evidence)
      yield {
        action: 'evidence.imported',
        object: { type: 'evidence', id: String(id), name },
        detail: { ...from, sourceId: String(id), ...(destroyed && { destroyed }) },
      }
    for (const { id, evidenceId, name, role, sha256, bytes, derivation, views } of about.files) {
      const { tool, version, arguments: given, inputSha256 } = derivation
      yield {
        action: 'resource.imported',
        object: { type: 'resource', id: String(id), name },
        sha256,
        bytes,
        detail: {
          ...from,
          sourceId: String(id),
          evidenceId: String(evidenceId),
          role,
          ...(tool === undefined ? {} : { tool, version, arguments: given, inputSha256 }),
          ...(views.length > 0 && { views: views.map((one) => ({ sha256: one })) }),
        },
      }
    }
  }
  let waiting: LedgerEntry[] = []
  const flush = async (): Promise<void> => {
    signal.throwIfAborted()
    await Promise.all(waiting.map((entry) => ledger.append(tx, call, entry)))
    waiting = []
  }
  for (const entry of entries()) {
    waiting.push(entry)
    if (waiting.length === ENTRIES_AT_ONCE) await flush()
  }
  await flush()
}
