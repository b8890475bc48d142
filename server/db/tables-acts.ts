/** Columns of the acts on whole evidence (migrations/0006/acts.ts). */
import type { Generated } from 'kysely'

export interface EvidenceActsColumns {
  /** When a protection ends by itself, as received; null while there is none, or it has no end. */
  protected_until: string | null
  protected_ticks: bigint | null
  /** The case that it went into the recycle bin with, and comes back with. */
  deleted_with_case: number | null
  /** 1: the platform completed it, since whoever uploaded went away; until somebody completes it. */
  unfinished: Generated<number>
}
