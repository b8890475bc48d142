/** The tables of retention and disposition as Kysely sees them (migrations/first-release/retention.ts). `…_at` are milliseconds since 1970. */
import type { Generated } from 'kysely'

/** Conditions of a source policy; evidence must match every given member. */
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
  /** Time of the next check; null when it is checked only after a change. */
  look_at: number | null
}

/** An automatic link that the engine withdrew. It suspends disposition until a person has reviewed it. */
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
  /** A principal, as named at that time; the station itself for expired retention. */
  requested_by: string
  due_at: number
  /** End of cooling-off or of the recycle bin. */
  next_at: number | null
  created_utc: string
  ended_utc: string | null
}

export interface DispositionFilesTable {
  item_id: number
  evidence_id: number
  state: 'in' | 'out' | 'destroyed'
  /** The holds at the last check, for lists. Every step checks again. */
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

/** Blobs whose rows were deleted in a committed transaction and whose files are still to be removed. */
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
