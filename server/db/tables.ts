/** The tables as Kysely sees them. The schema itself is in migrations/; test/api/schema.test.ts holds the two against each other. */
import type { Generated } from 'kysely'
import type { Level } from '../../shared/domain/permissions.ts'
import type { DeviceTables } from './tables-devices.ts'
import type { DispositionTables } from './tables-disposition.ts'
import type { DockTables } from './tables-dock.ts'
import type { KeepingTables } from './tables-keeping.ts'
import type { PasskeysTable } from './tables-passkeys.ts'
import type { ReadingTables } from './tables-reading.ts'
import type { SearchTables } from './tables-search.ts'

export interface TenantsTable {
  tenant_id: string
  name_key: string
  created_utc: string
}

export interface PrincipalsTable {
  principal_id: Generated<number>
  tenant_id: string
  kind: string
  name: string
  name_key: string
  k_id: string
  first_name: Generated<string>
  last_name: Generated<string>
  badge: Generated<string>
  email: Generated<string>
  guest: Generated<number>
  built_in: Generated<number>
  enabled: Generated<number>
  password_hash: string | null
  /** 1: somebody else chose the password, and another one comes before anything else. */
  password_due: Generated<number>
  base_url: string | null
  created_utc: string
  created_by: string
  /** What people are found by: names and badge, folded (interfaces/users/search-key.ts). */
  search_key: Generated<string>
  /** Of the last sign-in, milliseconds since 1970; kept by a trigger. */
  last_sign_in_at: number | null
  /** Of a group that was deleted: its row stays for what names it, under a name key that frees the name. */
  deleted_utc: string | null
}

export interface MembershipsTable {
  group_id: number
  member_id: number
}

export interface PolicyMembersTable {
  policy: string
  principal_id: number
  level: string | null
}

export interface ServiceKeysTable {
  service_key_id: Generated<number>
  principal_id: number
  thumbprint: string
  jwk: string
  not_before_utc: string | null
  expires_utc: string | null
  created_utc: string
  revoked_utc: string | null
}

export interface ApiKeysTable {
  api_key_id: Generated<number>
  principal_id: number
  key_hash: string
  created_utc: string
  revoked_utc: string | null
  /** Of one that was replaced: until when it is still taken. */
  expires_utc: string | null
}

export interface UsedAssertionsTable {
  client_id: string
  assertion_id: string
  expires_at: number
}

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

export interface EvidenceTable {
  evidence_id: Generated<number>
  tenant_id: string
  name: string
  description: string | null
  category_id: string | null
  source_id: string | null
  start_utc: string | null
  start_ticks: bigint | null
  end_utc: string | null
  end_ticks: bigint | null
  location_text: string | null
  location_wkt: string | null
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
  /** When a protection ends by itself, as received; null while there is none, or it has no end. */
  protected_until: string | null
  protected_ticks: bigint | null
  /** The case that it went into the recycle bin with, and comes back with. */
  deleted_with_case: number | null
  /** 1: the platform completed it, since whoever uploaded went away; until somebody completes it. */
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
  created_utc: string
  started_utc: string | null
  finished_utc: string | null
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

export interface SessionsTable {
  session_id: Generated<number>
  token_hash: string
  principal_id: number
  source: string
  notice: string
  /** Milliseconds since 1970, as all of these. */
  created_at: number
  active_at: number
  locked_at: number | null
  ended_at: number | null
}

export interface SignInFailuresTable {
  subject: string
  failures: number
  first_at: number
  last_at: number
  locked_until: number | null
}

/** What one person let one program do, from the code it got until it signs out, is idle too long, or is found out. */
export interface TokenFamiliesTable {
  family_id: Generated<number>
  principal_id: number
  client_id: string
  scope: string
  /** Milliseconds since 1970, as all of these. */
  created_at: number
  used_at: number
  ended_at: number | null
}

/** A row with `used_at` was exchanged for the next one: whoever brings it again is not the only one who has it. */
export interface RefreshTokensTable {
  token_hash: string
  family_id: number
  used_at: number | null
}

export interface AuthorizationCodesTable {
  code_hash: string
  principal_id: number
  client_id: string
  redirect_uri: string
  /** BASE64URL(SHA-256(verifier)), RFC 7636 4.2. */
  challenge: string
  scope: string
  nonce: string | null
  signed_in_at: number
  created_at: number
  used_at: number | null
  family_id: number | null
}

export interface SecondStepsTable {
  principal_id: number
  /** The seed of RFC 6238, sealed by the station's secrets key. */
  sealed: string
  created_at: number
  confirmed_at: number | null
  /** The time step of the last code that was taken: none of it or before counts again. */
  last_step: number
}

export interface RecoveryCodesTable {
  principal_id: number
  code_hash: string
  used_at: number | null
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

/** What is made of a resource for looking only: the strip under the pointer, the waveform. */
export interface ResourceViewsTable {
  resource_id: number
  kind: 'strip' | 'waveform'
  sha256: string
  mime_type: string
  layout: string
  derivation: string
  created_utc: string
}

/** An index across tables, kept by triggers (migrations/0002-list.ts). `type` counts from 0 in the order video … other, none. */
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
  status: 'open' | 'working' | 'waiting' | 'verified' | 'attention' | 'danger' | 'sealed'
}

export interface CategoriesTable {
  category_id: Generated<number>
  tenant_id: string
  name: string
  name_key: string
  description: string | null
  color: string | null
  /** Null: kept. */
  retention_days: number | null
  enabled: number
  concurrency_id: string
  created_utc: string
  modified_utc: string
  /** A PrincipalOutputModel as then. */
  modified_by: string
}

export interface CasesTable {
  case_id: Generated<number>
  tenant_id: string
  ordinal_year: number
  ordinal_number: number
  title: string
  description: string | null
  category_id: number | null
  department_id: number | null
  state: 'Open' | 'Closed'
  lifecycle_state: 'Normal' | 'Protected' | 'Deleted'
  occurred_on: string | null
  occurred_ticks: bigint | null
  ended_on: string | null
  ended_ticks: bigint | null
  /** The record number. */
  external_reference_1: string | null
  /** The incident number. */
  external_reference_2: string | null
  location_wkt: string | null
  location_text: string | null
  /** A LocationOutputModel. */
  location: string | null
  /** An array of texts, in the order given. */
  tags: string
  custom_fields: string
  source_type: 'Manual' | 'Cad'
  closed_on: string | null
  scheduled_deletion_utc: string | null
  /** Without it a protected case stays so until somebody takes the protection away. */
  protected_until: string | null
  protected_ticks: bigint | null
  deleted_utc: string | null
  concurrency_id: string
  created_utc: string
  created_ticks: bigint
  /** Principals as then. */
  created_by: string
  modified_utc: string
  modified_by: string
}

export interface CasePoliciesTable {
  case_id: number
  principal_id: number
  level: Exclude<Level, 'None'>
  expires_utc: string | null
  expires_ticks: bigint | null
  /** 1 while it is as it was copied from the case's department. */
  from_department: Generated<number>
}

export interface DepartmentsTable {
  department_id: Generated<number>
  tenant_id: string
  name: string
  name_key: string
  description: string | null
  enabled: number
  is_default: number
  concurrency_id: string
  created_utc: string
  modified_utc: string
  /** A PrincipalOutputModel as then. */
  modified_by: string
}

export interface DepartmentPoliciesTable {
  department_id: number
  principal_id: number
  level: Exclude<Level, 'None'>
}

export interface PrefilledFieldsTable {
  tenant_id: string
  prefilled_field_id: string
  target: string
  label: string | null
  /** An array of texts, in the order given. */
  choices: string
  etag: string
  modified_utc: string
}

export interface TemplatesTable {
  tenant_id: string
  type: 'Case' | 'Evidence'
  renamed_fields: string
  custom_fields: string
  modified_utc: string
  modified_by: string
}

export interface CaseLinksTable {
  case_id: number
  evidence_id: number
  kind: 'Manual' | 'Automatic'
  confirmed: number
  /** Of an automatic one: what made it. */
  rule: string | null
  linked_on: string
  /** A PrincipalOutputModel as then. */
  linked_by: string
}

export interface NoticesTable {
  notice_id: Generated<number>
  tenant_id: string
  /** Whom it is for. */
  principal_id: number
  kind: string
  message: string
  object_type: string
  object_id: string
  created_utc: string
  created_by: string
  seen_utc: string | null
}

export interface CasePersonnelTable {
  case_id: number
  position: number
  principal_id: number
  role: string
}

export interface CaseFollowersTable {
  case_id: number
  principal_id: number
}

export interface Tables
  extends DeviceTables,
    DispositionTables,
    DockTables,
    KeepingTables,
    ReadingTables,
    SearchTables {
  tenants: TenantsTable
  principals: PrincipalsTable
  memberships: MembershipsTable
  policy_members: PolicyMembersTable
  service_keys: ServiceKeysTable
  api_keys: ApiKeysTable
  used_assertions: UsedAssertionsTable
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
  quarantine: QuarantineTable
  jobs: JobsTable
  idempotency: IdempotencyTable
  padding: PaddingTable
  station: StationTable
  sessions: SessionsTable
  sign_in_failures: SignInFailuresTable
  token_families: TokenFamiliesTable
  refresh_tokens: RefreshTokensTable
  authorization_codes: AuthorizationCodesTable
  second_steps: SecondStepsTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
  fixity_checks: FixityChecksTable
  resource_views: ResourceViewsTable
  evidence_list: EvidenceListTable
  categories: CategoriesTable
  cases: CasesTable
  case_policies: CasePoliciesTable
  case_personnel: CasePersonnelTable
  case_followers: CaseFollowersTable
  departments: DepartmentsTable
  department_policies: DepartmentPoliciesTable
  prefilled_fields: PrefilledFieldsTable
  templates: TemplatesTable
  case_links: CaseLinksTable
  notices: NoticesTable
}
