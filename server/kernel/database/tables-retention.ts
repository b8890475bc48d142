/** The tables of retention and disposition as Kysely sees them (migrations/first-release/retention.ts). `…_at` are milliseconds since 1970. */
import type { Generated } from 'kysely'

/** For which evidence a retention is; each member that is given has to fit. */
export interface SourcePoliciesTable {
  source_policy_id: Generated<number>
  tenant_id: string
  name: string
  name_key: string
  device_type: string | null
  source_id: string | null
  uploader: 'user' | 'service' | 'cli' | 'internal' | null
  /** Null: kept. */
  retention_days: number | null
  concurrency_id: string
  created_utc: string
  modified_utc: string
  /** A principal as then. */
  modified_by: string
}

export interface RetentionWatchTable {
  evidence_id: number
  /** When to judge it next; null: not before something changes. */
  look_at: number | null
}

/** An automatic link that the engine took back. It suspends disposition until somebody has looked at it. */
export interface WithdrawnLinksTable {
  withdrawn_link_id: Generated<number>
  case_id: number
  evidence_id: number
  rule: string | null
  reason: string
  withdrawn_utc: string
  withdrawn_by: string
  settled_utc: string | null
  settled_by: string | null
  settled_reason: string | null
}

export interface DispositionItemsTable {
  item_id: Generated<number>
  tenant_id: string
  case_id: number | null
  rule_key: string
  /** A Rule of shared/retention/retention.ts. */
  rule: string
  stage: 'waiting' | 'cooling' | 'bin' | 'ended'
  outcome: 'destroyed' | 'kept' | 'returned' | null
  /** A principal as then; the station itself where a retention ran out. */
  requested_by: string
  due_at: number
  /** When cooling-off or the recycle bin is over. */
  next_at: number | null
  created_utc: string
  ended_utc: string | null
}

export interface DispositionFilesTable {
  item_id: number
  evidence_id: number
  state: 'in' | 'out' | 'destroyed'
  /** What keeps it, as it was last judged: for lists. Every step judges anew. */
  held: string | null
}

export interface DispositionApprovalsTable {
  item_id: number
  number: number
  principal_id: number
  approved_by: string
  reason: string
  approved_utc: string
}

export interface DispositionKeepsTable {
  evidence_id: number
  until_at: number
  reason: string
  kept_utc: string
  kept_by: string
}

export interface CertificatesTable {
  certificate_id: Generated<number>
  tenant_id: string
  evidence_id: number
  /** Canonical JSON (RFC 8785), never serialised a second time. */
  body: Uint8Array
  sha256: string
  /** Ed25519 over `body`. */
  signature: Uint8Array
  /** Raw, 32 bytes. */
  public_key: Uint8Array
  files: number
  bytes: number
  created_utc: string
}

/** Blobs whose rows went in a transaction that was committed and whose files are still to go. */
export interface DestroyedBlobsTable {
  sha256: string
  certificate_id: number
}

export interface DispositionTables {
  source_policies: SourcePoliciesTable
  retention_watch: RetentionWatchTable
  withdrawn_links: WithdrawnLinksTable
  disposition_items: DispositionItemsTable
  disposition_files: DispositionFilesTable
  disposition_approvals: DispositionApprovalsTable
  disposition_keeps: DispositionKeepsTable
  certificates: CertificatesTable
  destroyed_blobs: DestroyedBlobsTable
}
