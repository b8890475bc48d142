import type { NotCovered } from './verify-rows.ts'
import type { Problem } from './verify.types.ts'

/** The output of `sallyport verify` (decisions 11), which exits 0 only when `problems` is empty. */
export interface VerifyReport {
  readonly problems: readonly Problem[]
  /** For people: findings, what was checked, and what was not. */
  readonly summary: string
  readonly entries: number
  readonly checkpoints: number
  readonly blobs: number
  /** Originals whose bytes are at headquarters only, each with a receipt. They are not missing. */
  readonly forwarded: { readonly blobs: number; readonly bytes: number; readonly addresses: readonly string[] }
  /** Rows of the database that were compared with their newest entry. */
  readonly rows: number
  /** Tables and rows whose content no entry proves, and why. */
  readonly notCovered: readonly NotCovered[]
  /** When existing rows were first recorded in the ledger. Before that nothing proves their content. */
  readonly rowsCoveredSince: string | null
  /** The newest signed checkpoint from outside the station; null when none was given. */
  readonly newestOutside: { readonly size: number; readonly timeUtc: string | null } | null
  /** Entries under the newest signed checkpoint. Later entries can be forged by anyone who can write the database. */
  readonly signedEntries: number
  /** Bytes that were read again; 0 with `fast`. */
  readonly bytes: number
  readonly fast: boolean
  readonly firstBad: { readonly from: number; readonly to: number } | null
  readonly seconds: number
}
