import type { Database } from '../db/database.ts'
import { type BlobsToVerify, verifyBlobs } from './verify-blobs.ts'
import { type VerifyLedgerOptions, verifyLedger } from './verify-ledger.ts'
import type { Problem } from './verify.types.ts'

export { type BlobsToVerify, verifyBlobs } from './verify-blobs.ts'
export { type LedgerReport, type VerifyLedgerOptions, verifyLedger } from './verify-ledger.ts'
export type { Problem, ProblemKind } from './verify.types.ts'

/** What `sallyport verify` prints (decisions 11); it exits 0 only when `problems` is empty. */
export interface VerifyReport {
  readonly problems: readonly Problem[]
  /** One sentence for people. */
  readonly summary: string
  readonly entries: number
  readonly checkpoints: number
  readonly blobs: number
  /** Bytes that were read again; 0 with `fast`. */
  readonly bytes: number
  readonly fast: boolean
  readonly firstBad: { readonly from: number; readonly to: number } | null
  readonly seconds: number
}

export interface VerifyOptions extends Omit<VerifyLedgerOptions, 'onProgress'> {
  readonly db: Database
  readonly blobs: BlobsToVerify
  /** Compares lengths of blobs instead of reading them; the ledger is read whole either way. */
  readonly fast: boolean
  /** A line for people. */
  readonly onProgress?: (text: string) => void
}

/** The ledger, then rows and blobs against each other. @throws the signal's reason; Error when something cannot be read at all. */
export async function verifyStation(options: VerifyOptions): Promise<VerifyReport> {
  const { db, blobs, fast, onProgress, ...ledgerOptions } = options
  const started = performance.now()
  const ledger = await verifyLedger({
    ...ledgerOptions,
    onProgress: (done, all) => onProgress?.(`ledger: ${done} of ${all} entries`),
  })
  const stored = await verifyBlobs({
    db,
    blobs,
    fast,
    ...(options.signal && { signal: options.signal }),
    onProgress: (done, bytes) => onProgress?.(`blobs: ${done}, ${Math.round(bytes / 1e6)} MB read`),
  })
  const problems = [...ledger.problems, ...stored.problems]
  const count = problems.length + ledger.leftOut + stored.leftOut
  const looked = `${ledger.entries} entries, ${ledger.checkpoints} checkpoints, ${stored.blobs} blobs${fast ? ' by length' : ''}`
  return {
    problems,
    summary:
      count === 0
        ? `All as it was written: ${looked}.`
        : `${count} ${count === 1 ? 'problem' : 'problems'} in ${looked}.`,
    entries: ledger.entries,
    checkpoints: ledger.checkpoints,
    blobs: stored.blobs,
    bytes: stored.bytes,
    fast,
    firstBad: ledger.firstBad,
    seconds: (performance.now() - started) / 1000,
  }
}
