import type { Database } from '../../../kernel/database/database.ts'
import type { SchemaDifference } from '../../../kernel/database/schema-difference.ts'
import { type ForwardedTotals, forwardedTotals } from '../../../kernel/evidence/forwarded.store.ts'
import { counted } from './counted.ts'
import { type BlobReport, type BlobsToVerify, verifyBlobs } from './verify-blobs.ts'
import { askThread, type LedgerReport, type VerifyLedgerOptions, verifyLedger } from './verify-ledger.ts'
import { checkpointsBesideRows, newestOutside, newestSigned } from './verify-notes.ts'
import type { RowReport } from './verify-rows.ts'
import { summaryOf } from './verify-summary.ts'
import { isDamage, type Problem, schemaProblem, unreadable } from './verify.types.ts'
import type { VerifyReport } from './verify-report.ts'
export type { VerifyReport } from './verify-report.ts'

export { type BlobsToVerify, verifyBlobs } from './verify-blobs.ts'
export { type LedgerReport, type VerifyLedgerOptions, verifyLedger } from './verify-ledger.ts'
export type { NotCovered, RowReport } from './verify-rows.ts'
export type { Problem, ProblemKind } from './verify.types.ts'

export interface VerifyOptions extends Omit<VerifyLedgerOptions, 'onProgress' | 'outside'> {
  readonly db: Database
  readonly blobs: BlobsToVerify
  /** Compares lengths of blobs instead of reading them; ledger and rows are compared whole either way. */
  readonly fast: boolean
  /** Signed checkpoints beside the database, all of which must exist; absent: not checked. */
  readonly beside?: readonly string[]
  /** Whether another node signed the checkpoint of this size: its copy lies beside that one. */
  readonly liesElsewhere?: (size: number) => Promise<boolean>
  /** Signed checkpoints from outside the station. */
  readonly outside?: readonly string[]
  /** Differences of a schema on PostgreSQL, of which `file` is a copy that has the schema of SQLite. */
  readonly schema?: readonly SchemaDifference[]
  /** A line for people. */
  readonly onProgress?: (text: string) => void
}

/** Verifies the ledger, then compares rows and blobs with it. @throws the signal's reason; Error when something cannot be read at all. */
export async function verifyStation(options: VerifyOptions): Promise<VerifyReport> {
  const { db, blobs, fast, beside, liesElsewhere, outside = [], schema = [], onProgress, ...ledgerOptions } = options
  const { file, signal } = options
  const started = performance.now()
  const ledger = await orFinding(
    verifyLedger({
      ...ledgerOptions,
      outside: [...(beside ?? []), ...outside],
      onProgress: (done, all) => onProgress?.(`ledger: ${done} of ${counted(all, 'entry', 'entries')}`),
    }),
    'the ledger',
    NO_LEDGER,
  )
  const rows = await verifyDatabase(file, fast, signal, (done) => onProgress?.(`rows: ${done}`))
  const stored = await orFinding(
    verifyBlobs({
      db,
      blobs,
      fast,
      ...(signal && { signal }),
      onProgress: (done, bytes) => onProgress?.(`blobs: ${done}, ${Math.round(bytes / 1e6)} MB read`),
    }),
    'the list of blobs',
    NO_BLOBS,
  )
  const notes = beside === undefined ? [] : await checkpointsBesideRows(db, beside, liesElsewhere)
  const problems = [...ledger.problems, ...notes, ...schema.map(schemaProblem), ...rows.problems, ...stored.problems]
  const found = {
    problems,
    entries: ledger.entries,
    checkpoints: ledger.checkpoints,
    blobs: stored.blobs,
    forwarded: await orNothing(forwardedTotals(db.read)),
    rows: rows.rows,
    notCovered: rows.notCovered,
    rowsCoveredSince: rows.coveredSince,
    newestOutside: await newestOutside(db, outside),
    signedEntries: await newestSigned(db),
    bytes: stored.bytes,
    fast,
    firstBad: ledger.firstBad,
    seconds: (performance.now() - started) / 1000,
  }
  return { ...found, summary: summaryOf(found, ledger.leftOut + rows.leftOut + stored.leftOut) }
}

/** A damaged table is reported with the rows. */
const orNothing = (totals: Promise<ForwardedTotals>): Promise<ForwardedTotals> =>
  totals.catch((error: unknown) => {
    if (!isDamage(error)) throw error
    return { blobs: 0, bytes: 0, addresses: [] }
  })

const NO_LEDGER: LedgerReport = { entries: 0, checkpoints: 0, problems: [], leftOut: 0, firstBad: null, seconds: 0 }
const NO_ROWS: RowReport = { problems: [], leftOut: 0, rows: 0, notCovered: [], coveredSince: null }
const NO_BLOBS: BlobReport = { problems: [], leftOut: 0, blobs: 0, bytes: 0 }

/** @returns the report of a part, or an empty report with the damaged page that ended it. @throws other errors */
const orFinding = <T extends { readonly problems: readonly Problem[] }>(
  part: Promise<T>,
  what: string,
  nothing: T,
): Promise<T> =>
  part.catch((error: unknown) => {
    if (!isDamage(error)) throw error
    return { ...nothing, problems: [unreadable(what, error)] }
  })

/** Compares rows with the ledger and checks the database file; also for a database that no station uses. @throws as verifyStation */
export async function verifyDatabase(
  file: string,
  fast: boolean,
  signal?: AbortSignal,
  onProgress?: (rows: number) => void,
): Promise<RowReport> {
  const [report, structure] = await Promise.all([
    orFinding(
      askThread(file, 'rows', signal, onProgress).then((answer) => (answer as { rows: RowReport }).rows),
      'the rows of the database',
      NO_ROWS,
    ),
    askThread(file, { structure: { fast } }, signal),
  ])
  const { structure: more } = structure as { structure: readonly Problem[] }
  return { ...report, problems: [...more, ...report.problems] }
}
