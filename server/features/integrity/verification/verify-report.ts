import type { NotCovered } from './verify-rows.ts'
import type { Problem } from './verify.types.ts'

/** What `sallyport verify` prints (decisions 11); it exits 0 only when `problems` is empty. */
export interface VerifyReport {
  readonly problems: readonly Problem[]
  /** For people: what was found, what was looked at, and what was not. */
  readonly summary: string
  readonly entries: number
  readonly checkpoints: number
  readonly blobs: number
  /** Rows of the database that were compared with what the newest entry says of them. */
  readonly rows: number
  /** Tables and rows that no entry vouches for, and why. */
  readonly notCovered: readonly NotCovered[]
  /** When the rows that were there already were taken into the ledger: before that nothing vouches for them. */
  readonly rowsCoveredSince: string | null
  /** The newest signed checkpoint that was given from outside the station; null: none was. */
  readonly newestOutside: { readonly size: number; readonly timeUtc: string | null } | null
  /** Entries under the newest signed checkpoint. Whoever can write the database can make the later ones anew. */
  readonly signedEntries: number
  /** Bytes that were read again; 0 with `fast`. */
  readonly bytes: number
  readonly fast: boolean
  readonly firstBad: { readonly from: number; readonly to: number } | null
  readonly seconds: number
}
