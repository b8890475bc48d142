/** The types of all tables for Kysely. The schema is in migrations/; a test compares the two. */
import type { Generated } from 'kysely'
import type { EvidenceFieldColumns } from '../../../shared/evidence/fields.ts'
import type { ViewKind } from '../../../shared/media/derivations.ts'
import type { BoardTables } from './tables-board.ts'
import type { CadTables } from './tables-cad.ts'
import type { DeviceTables } from './tables-devices.ts'
import type { DispositionTables } from './tables-retention.ts'
import type { ForwardingTables } from './tables-forwarding.ts'
import type { DockTables } from './tables-dock.ts'
import type { LanTable } from './tables-lan.ts'
import type { DisclosureTables } from './tables-disclosure.ts'
import type { PackageTables } from './tables-packages.ts'
import type { ImportTables } from './tables-imports.ts'
import type { ShareLinkTables } from './tables-share-links.ts'
import type { KeyTables } from './tables-keys.ts'
import type { IntegrityTables } from './tables-integrity.ts'
import type { NodeTables } from './tables-nodes.ts'
import type { NoticeTables } from './tables-notices.ts'
import type { PasskeysTable } from './tables-passkeys.ts'
import type { AnnotationTables } from './tables-annotations.ts'
import type { PeopleTables } from './tables-people.ts'
import type { CaseTables } from './tables-cases.ts'
import type { SearchTables } from './tables-search.ts'

export interface LedgerTable {
  seq: number
  body: Uint8Array
  hash: Uint8Array
  leaf: Uint8Array
  object_type: string
  object_id: string
}

export interface CheckpointsTable {
  size: number
  root: Uint8Array
  head: Uint8Array
  frontier: Uint8Array
  note: string
  reason: string
  created_utc: string
}

export interface VersionsTable {
  entity: string
  entity_id: number
  number: number
  concurrency_id: string
  parent_id: string
  state: string
  action: string
  author: string
  date_utc: string
}

export interface BlobsTable {
  sha256: string
  length: number
  read_back: string
  created_utc: string
}

export interface EvidenceTable extends EvidenceFieldColumns {
  evidence_id: Generated<number>
  tenant_id: string
  /**
   * Source of the start: the dock, or a person who entered it; null when it came with the evidence. `start_ticks` also holds a local time
   * whose zone is not known, taken as if in the station's zone (evidence/records/local-start.ts); `start_utc` is null then.
   */
  start_source: Generated<'dock' | 'person' | null>
  /** The start from the file itself, at the time when it was filled in; without `Z` when the file has no time zone. */
  container_start_utc: Generated<string | null>
  device: string | null
  device_identity: string | null
  custom_fields: Generated<string>
  state: Generated<string>
  lifecycle_state: Generated<string>
  association_state: Generated<string>
  thumbnail_resource_id: number | null
  created_utc: string
  created_ticks: bigint
  created_by: string
  deleted_utc: string | null
  deleted_by: string | null
  concurrency_id: string
  /** End of a protection, as received; null without a protection or without an end. */
  protected_until: string | null
  protected_ticks: bigint | null
  /** The case with which the evidence was deleted, and is restored. */
  deleted_with_case: number | null
  /** 1 when the station completed it because its uploader did not; until a client completes it. */
  unfinished: Generated<number>
}

export interface EvidenceTagsTable {
  evidence_id: number
  position: number
  tag: string
  tag_key: string
}

export interface EvidencePoliciesTable {
  evidence_id: number
  principal_id: number
  level: string
  expires_utc: string | null
  expires_ticks: bigint | null
}

export interface ResourcesTable {
  resource_id: Generated<number>
  evidence_id: number
  name: string
  mime_type: string
  sniffed_type: string | null
  role: string
  start_utc: string | null
  start_ticks: bigint | null
  end_utc: string | null
  end_ticks: bigint | null
  time_offset: string | null
  state: Generated<string>
  parent_id: number | null
  expected_sha256: string | null
  expected_length: number | null
  sha256: string | null
  /** The hash in the camera's own list, if it differs. */
  camera_sha256: Generated<string | null>
  length: number | null
  derivation: string | null
  media: string | null
  thumbnail_sha256: string | null
  thumbnail_derivation: string | null
  uploaded_utc: string | null
  uploaded_by: string
  certificate_thumbprint: string | null
  created_utc: string
  concurrency_id: string
}

export interface IngestedFilesTable {
  source_key: string
  resource_id: number
  path: string
  length: number
  modified_ns: string
  sha256: string
  ingested_utc: string
}

/** Interfaces/blobs. `metadata` is JSON [[name, value]…], `properties` JSON of the content headers; `…_at` are milliseconds since 1970. */
export interface UploadsTable {
  resource_id: number
  committed_length: number | null
  committed_md5: string | null
  committed_etag: string | null
  committed_at: number | null
  properties: Generated<string>
  metadata: Generated<string>
  uncommitted: Generated<number>
  block_id_bytes: number | null
  last_block_utc: string | null
  last_block_at: number | null
  created_at: number
}

/** `committed` 0: position 0, one row for each block id. 1: the list, in order. `stride` is null where the file holds this block alone. */
export interface UploadBlocksTable {
  resource_id: number
  committed: number
  position: number
  block_id: string
  file: string
  file_offset: number
  stride: number | null
  length: number
  sha256: string
  crc32: number
}

/** Uploads that a node is completing. A row that is not renewed is that of a node that died. */
export interface UploadCompletionsTable {
  resource_id: number
  node_id: string
  token: string
  held_at: number
}

/** Blobs whose bytes were removed from an object store, or are being removed. The rows stay: a node may be about to name the blob again. */
export interface BlobRemovalsTable {
  sha256: string
  times: number
  pending: number
  begun_at: number
}

export interface QuarantineTable {
  quarantine_id: Generated<number>
  path: string
  reason: string
  sha256: string | null
  length: number | null
  resource_id: number | null
  created_utc: string
}

export interface JobsTable {
  job_id: Generated<number>
  kind: string
  payload: string
  subject: Generated<string>
  dedup_key: string | null
  state: string
  attempts: Generated<number>
  progress: number | null
  message: Generated<string>
  cancel_requested: Generated<number>
  run_after: Generated<number>
  run_order: Generated<number>
  created_utc: string
  started_utc: string | null
  finished_utc: string | null
  /** The node that runs it, or ran it last; of a bound job the only node that may run it. Null on a station. */
  node_id: string | null
  /** 1: no other node takes it over. */
  bound: Generated<number>
  /** While it runs: until then no other node takes it over. */
  lease_until: Generated<number>
  /** Grows with each run and never decreases: only the newest run may end the job. */
  run_number: Generated<number>
}

/** Which node runs the tasks that one node runs. */
export interface TaskLeaseTable {
  lease: string
  node_id: string
  lease_until: number
}

/** When a task ran last on any node. */
export interface TaskRunsTable {
  task: string
  node_id: string
  ran_at: number
}

export interface IdempotencyTable {
  principal: string
  operation: string
  idempotency_key: string
  body_hash: string
  status: number
  answer: string
  created_at: number
}

export interface PaddingTable {
  bytes: Uint8Array
}

export interface StationTable {
  name: string
  value: string
}

export interface FixityChecksTable {
  check_id: Generated<number>
  resource_id: number
  expected_sha256: string
  found_sha256: string | null
  result: 'matches' | 'changed' | 'missing'
  read_back: 'direct' | 'cache' | null
  checked_utc: string
  checked_by: string
}

/** Views that are derived from a resource, for display only. */
export interface ResourceViewsTable {
  resource_id: number
  kind: ViewKind
  sha256: string
  mime_type: string
  layout: string
  derivation: string
  created_utc: string
}

/** An index across tables, kept by triggers (migrations/first-release/evidence-list.ts). `type` counts from 0 in the order video … other, none. */
export interface EvidenceListTable {
  evidence_id: number
  tenant_id: string
  created_ticks: bigint
  recorded_ticks: bigint
  ended_ticks: bigint
  name_key: string
  state: string
  type: number
  length: number
  originals: number
  first_id: number | null
  lead_id: number | null
  status: 'open' | 'working' | 'waiting' | 'verified' | 'attention' | 'danger' | 'sealed' | 'differs'
}

export interface Tables
  extends BoardTables,
    CadTables,
    CaseTables,
    DeviceTables,
    DockTables,
    PeopleTables,
    DispositionTables,
    ForwardingTables,
    IntegrityTables,
    NodeTables,
    PackageTables,
    ImportTables,
    DisclosureTables,
    ShareLinkTables,
    NoticeTables,
    KeyTables,
    AnnotationTables,
    SearchTables {
  ledger: LedgerTable
  checkpoints: CheckpointsTable
  versions: VersionsTable
  blobs: BlobsTable
  evidence: EvidenceTable
  evidence_tags: EvidenceTagsTable
  evidence_policies: EvidencePoliciesTable
  resources: ResourcesTable
  ingested_files: IngestedFilesTable
  uploads: UploadsTable
  upload_blocks: UploadBlocksTable
  upload_completions: UploadCompletionsTable
  blob_removals: BlobRemovalsTable
  quarantine: QuarantineTable
  jobs: JobsTable
  task_lease: TaskLeaseTable
  task_runs: TaskRunsTable
  idempotency: IdempotencyTable
  padding: PaddingTable
  station: StationTable
  passkeys: PasskeysTable
  lan: LanTable
  fixity_checks: FixityChecksTable
  resource_views: ResourceViewsTable
  evidence_list: EvidenceListTable
}
