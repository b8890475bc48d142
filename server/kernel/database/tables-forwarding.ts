/** The tables of forwarding (migrations/0012-forwarding.ts). `…_at` are milliseconds since 1970. */
import type { Generated } from 'kysely'

/** The server to which evidence is forwarded; one for each tenant. */
export interface HeadquartersTable {
  tenant_id: string
  /** Scheme, host and port. */
  address: string
  /** The service principal by which this station signs in there. */
  client_id: string
  /** The connection file, sealed by the secrets key. */
  sealed: string
  /** `ForwardingRules` of shared/forwarding/contract.ts, as JSON. */
  rules: string
  imported_utc: string
  imported_by: string
  contact_at: number | null
  problem: string | null
  /** 1 while headquarters refuses the identity of this station. Nothing is forwarded then. */
  refused: Generated<number>
  failures: Generated<number>
  next_at: Generated<number>
  /** As measured over the last files. */
  bytes_per_second: number | null
}

/** What is forwarded, and how far it has come. A row is a job: every step may run twice. */
export interface ForwardingItemsTable {
  evidence_id: number
  tenant_id: string
  state: 'waiting' | 'done' | 'failed'
  ground: 'requested' | 'everything' | 'category' | 'case' | 'age' | 'changed'
  requested: Generated<number>
  /** When the evidence was made, for the order. */
  created_at: number
  /** Of the originals that are to be sent. */
  bytes: number
  queued_at: number
  remote_evidence_id: string | null
  /** Idempotency key of the creation, when it was first used, and the body that goes with it. */
  create_key: string | null
  create_at: number | null
  create_body: string | null
  /** The fields as headquarters last got them from here: the base of later comparisons. JSON. */
  sent: string | null
  sent_concurrency_id: string | null
  /** 1 when the evidence was completed at headquarters. */
  completed: Generated<number>
  /** 1 while headquarters lacks a custody record over what it got last. */
  custody_due: Generated<number>
  /** The last ledger entry in the custody record that headquarters has. */
  custody_seq: Generated<number>
  custody_resource_id: string | null
  custody_key: string | null
  custody_at: number | null
  custody_sha256: string | null
  attempts: Generated<number>
  next_at: Generated<number>
  problem: string | null
  done_at: number | null
}

/** An upload to headquarters that is not confirmed yet. */
export interface ForwardingFilesTable {
  resource_id: number
  evidence_id: number
  remote_resource_id: string | null
  create_key: string
  create_at: number
  sent_bytes: Generated<number>
}

/** Headquarters confirmed the hash of this original. */
export interface ForwardingReceiptsTable {
  resource_id: number
  evidence_id: number
  sha256: string
  length: number
  address: string
  remote_tenant: string
  remote_evidence_id: string
  remote_resource_id: string
  confirmed_utc: string
  /** Somebody fetched the bytes back: the clear rule leaves them until then. */
  kept_until_at: Generated<number>
}

/** Blobs that have a row and a receipt, and whose bytes are at headquarters only. */
export interface ForwardedBlobsTable {
  sha256: string
  length: number
  resource_id: number
  cleared_utc: string
  /** 1 when the file was removed after the commit. */
  removed: Generated<number>
}

export interface ForwardingCasesTable {
  case_id: number
  remote_case_id: string | null
  create_key: string
  create_at: number
  create_body: string
}

/** Links that headquarters has. */
export interface ForwardingLinksTable {
  evidence_id: number
  case_id: number
}

/** A field that was changed here and at headquarters. */
export interface ForwardingQuestionsTable {
  question_id: Generated<number>
  tenant_id: string
  evidence_id: number
  /** JSON: a list of Field, Ours, Theirs. */
  fields: string
  asked_utc: string
  decision: 'ours' | 'theirs' | 'outdated' | null
  settled_utc: string | null
  settled_by: string | null
}

export interface ForwardingTables {
  headquarters: HeadquartersTable
  forwarding_items: ForwardingItemsTable
  forwarding_files: ForwardingFilesTable
  forwarding_receipts: ForwardingReceiptsTable
  forwarded_blobs: ForwardedBlobsTable
  forwarding_cases: ForwardingCasesTable
  forwarding_links: ForwardingLinksTable
  forwarding_questions: ForwardingQuestionsTable
}
