/**
 * Which rows of the database are covered by the ledger. A change of a covered row is stated in an entry of the same transaction, as the
 * SHA-256 of its covered columns; `verify` compares every row with its newest statement. Every table must be in one of the two lists; a
 * house test checks this.
 */

import type { RowText } from './row-text.ts'
import { sqliteRowText } from './sqlite/row-text.ts'

interface Covered {
  /** Columns whose change is not an act, such as a time last seen or a progress. */
  readonly except?: readonly string[]
  /** SQL condition over the columns of a row; other rows are not covered. */
  readonly only?: string
}

export const COVERED_TABLES: Readonly<Record<string, Covered>> = {
  // The record
  evidence: {},
  evidence_policies: {},
  evidence_tags: {},
  resources: {},
  resource_views: {},
  blobs: {},
  bookmarks: {},
  notes: {},
  versions: {},
  quarantine: {},
  ingested_files: {},
  fixity_checks: {},
  fixity_runs: { except: ['total_blobs', 'total_bytes', 'blobs', 'bytes', 'problems'] },
  // Cases, and what they are sorted by
  cases: {},
  case_followers: {},
  case_tasks: { except: ['reminded_date'] },
  access_requests: {},
  // Packages that left the station
  packages: {},
  package_items: {},
  package_exports: {},
  package_witnesses: {},
  package_orders: {},
  // What came from other stations
  imports: {},
  imported_evidence: {},
  imported_resources: {},
  // What was disclosed, and what may not be
  disclosures: {},
  disclosure_items: {},
  disclosure_withheld: {},
  disclosure_others: {},
  disclosure_acknowledgements: {},
  disclosure_proposals: {},
  disclosure_grounds_ended: {},
  disclosure_requests: { except: ['reminded_due'] },
  schedule_numbers: {},
  evidence_restrictions: {},
  // Links for somebody without an account
  share_links: {},
  share_link_items: {},
  case_links: {},
  case_link_changes: {},
  case_personnel: {},
  case_policies: {},
  categories: {},
  departments: {},
  department_policies: {},
  prefilled_fields: {},
  templates: {},
  withdrawn_links: {},
  correlation_links: {},
  correlation_refusals: {},
  correlation_reviews: {},
  correlation_rules: {},
  board_shifts: {},
  // Retention and disposition
  source_policies: {},
  disposition_items: {},
  disposition_files: {},
  disposition_approvals: {},
  disposition_keeps: {},
  certificates: {},
  destroyed_blobs: {},
  // Forwarding to headquarters
  headquarters: { except: ['contact_at', 'problem', 'refused', 'failures', 'next_at', 'bytes_per_second'] },
  forwarding_receipts: { except: ['kept_until_at'] },
  forwarded_blobs: { except: ['removed'] },
  forwarding_questions: {},
  // Calls of the dispatch system
  cad_deliveries: { except: ['taken'] },
  cad_events: {},
  cad_mappings: {},
  cad_mapping_versions: {},
  cad_messages: {},
  // People and programs
  tenants: {},
  principals: { except: ['last_sign_in_at'] },
  memberships: {},
  policy_members: {},
  passkeys: { except: ['counter', 'used_at'] },
  second_steps: { except: ['last_step'] },
  recovery_codes: {},
  service_keys: {},
  service_origins: {},
  api_keys: { except: ['last_used_utc'] },
  sessions: { except: ['active_at'] },
  token_families: { except: ['used_at'] },
  saved_searches: {},
  notice_choices: {},
  // Devices and the dock
  devices: { except: ['last_seen_utc'] },
  device_accesses: {},
  device_activity: {},
  device_associations: {},
  device_credentials: {},
  device_type_configurations: {},
  dock_sessions: { except: ['first_byte_at', 'last_byte_at', 'node_id'] },
  // The station
  station: { only: "name IN ('origin', 'tenant-key', 'waiver-backup', 'waiver-checkpoints', 'waiver-clock')" },
  lan: {},
  alarms: {},
  backup_targets: { except: ['next_at', 'failures'] },
  backups: {},
  backup_drills: {},
  checkpoint_cosigners: {},
  checkpoint_targets: { except: ['size', 'copied_at', 'next_at', 'failures', 'problem', 'refused', 'node_id'] },
  received_checkpoints: {},
  refused_checkpoints: {},
  retired_station_keys: {},
  station_branches: {},
}

const SEARCH = 'the search index; it is made from the records, and can be made again'
const TOKENS = 'short-lived proofs of programs; each sign-in and token is an entry'
const SCHEDULE = 'a schedule of the station’s own work'
const FAILURES = 'counts of wrong passwords, and locks that end by themselves; each refusal is an entry'
const UPLOAD = 'uploads under way; the whole file is hashed when it is complete'
const FORWARDING =
  'working lists of forwarding; the receipt of each original, which is covered, says what headquarters has'
const DOCK =
  'working lists of the dock; the signed receipt of a session, which is covered, says what became of each file'

/** Tables without coverage, with the reason, which is shown to people. */
export const TABLES_NOT_COVERED: Readonly<Record<string, string>> = {
  ledger: 'it is verified by its own chain',
  checkpoints: 'they are verified by their signatures',
  imported_entries:
    'entries of other stations; they are verified under the signed tree heads of those stations, which are covered',
  sqlite_sequence: 'SQLite’s own counters; they are compared with the rows',
  authorization_codes: TOKENS,
  refresh_tokens: TOKENS,
  used_assertions: TOKENS,
  used_challenges: 'challenges of passkeys that were used; each sign-in is an entry',
  wrapped_keys: 'keys of the station, which only the wrapping key opens',
  sign_in_failures: FAILURES,
  unfamiliar_failures: FAILURES,
  account_locks: FAILURES,
  familiar_sources: 'addresses from which people signed in; each sign-in is an entry',
  share_link_sessions: 'of guests who opened a link, for two hours; each opening is an entry',
  share_link_views: 'which copies such a session looked at, so that each is one entry',
  idempotency: 'answers that are kept for repeated calls, for seven days',
  jobs: 'the queue of the station’s own work',
  task_lease: SCHEDULE,
  task_runs: SCHEDULE,
  notices: 'messages to people; the acts that they tell of are entries',
  nodes: 'the processes that use the database now, each of which writes its own row every few seconds',
  padding: 'free room inside the file',
  folded_letters: 'how letters are sorted, which the migrations fill',
  blob_checks: SCHEDULE,
  retention_watch: SCHEDULE,
  search_subscriptions:
    'what saved searches found last, to tell of what is new; that somebody wants to be told is an entry',
  correlation_pending: SCHEDULE,
  correlation_recordings: 'facts that are computed from the evidence for correlation',
  device_transactions: 'negotiations with cameras, which end within minutes; each is an entry',
  dock_bays: 'the numbers of bays on the wall',
  dock_files: DOCK,
  dock_recordings: DOCK,
  uploads: UPLOAD,
  upload_blocks: UPLOAD,
  upload_completions: UPLOAD,
  blob_removals: 'how nodes keep out of each other’s way at a blob; its destruction and its row are covered',
  forwarding_cases: FORWARDING,
  forwarding_files: FORWARDING,
  forwarding_items: FORWARDING,
  forwarding_links: FORWARDING,
  evidence_list: 'the columns of the list of evidence, which are computed from the records',
  evidence_recordings: 'the times by which recordings are found, which are computed from the evidence',
  evidence_words: SEARCH,
  search_devices: SEARCH,
  search_exif: SEARCH,
  search_list: SEARCH,
  search_numbers: SEARCH,
  search_pending: SEARCH,
  search_words: SEARCH,
}

/** A covered table with SQL expressions over a row named `alias`. */
export interface TableCoverage {
  readonly table: string
  readonly columns: readonly string[]
  readonly keyColumns: readonly string[]
  /** SQL for the text that names a row within its table. */
  key(alias: string): string
  /** SQL for the JSON object that is hashed. */
  state(alias: string): string
  /** SQL condition for covered rows; null when all rows are covered. */
  only(alias: string): string | null
  /** Changes whenever the hashed columns change. */
  readonly definition: string
}

export interface ColumnInfo {
  readonly table: string
  readonly name: string
  readonly type: string
  /** Position in the primary key, from 1; 0 when not in it. */
  readonly pk: number
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Coverage of a database with these columns; databases of other schema versions are covered by the columns they have. */
export function coverageOf(columns: readonly ColumnInfo[], text: RowText = sqliteRowText): TableCoverage[] {
  const byTable = Map.groupBy(columns, ({ table }) => table)
  return Object.entries(COVERED_TABLES).flatMap(([table, declared]) => {
    const all = byTable.get(table)
    return all === undefined ? [] : [tableCoverage(table, all, declared, text)]
  })
}

function tableCoverage(
  table: string,
  all: readonly ColumnInfo[],
  { except = [], only }: Covered,
  text: RowText,
): TableCoverage {
  const keyColumns = all
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ name }) => name)
  const columns = all.filter(({ name }) => !except.includes(name))
  const of = (alias: string, name: string): string => `${alias}.${quoted(name)}`
  return {
    table,
    columns: columns.map(({ name }) => name),
    keyColumns,
    key: (alias) => text.key(keyColumns.map((name) => of(alias, name))),
    state: (alias) => text.state(columns.map(({ name, type }) => ({ name, type, column: of(alias, name) }))),
    only: (alias) => (only === undefined ? null : only.replace(/^(\w+)/, (name) => of(alias, name))),
    definition: JSON.stringify([table, columns.map(({ name }) => name), only ?? null]),
  }
}
