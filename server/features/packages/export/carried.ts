/**
 * Which tables an export of a station carries, in the order in which an import writes them: a row comes behind the rows that it names. Every table of the
 * schema is in one of the two lists; a test checks this.
 */
import type { JsonRow } from './row-lines.ts'

/** What was read of earlier tables, for rows that depend on it. */
export interface Seen {
  /** Resources whose bytes never came: their uploads are not carried. */
  readonly openResources: ReadonlySet<string>
  /** By entity of the table `versions`: what is carried of it. */
  readonly entities: ReadonlyMap<string, ReadonlySet<string>>
  readonly madePackages: ReadonlySet<string>
  readonly endedSessions: ReadonlySet<string>
}

interface Carried {
  /** Columns that hold secrets, or what belongs to the old place: they are null in an export. */
  readonly without?: readonly string[]
  /** A column by which rows come behind those of the same table that they name. */
  readonly order?: string
  /** Rows that are carried; all where it is not given. */
  readonly only?: (row: JsonRow, seen: Seen) => boolean
}

const text = (value: JsonRow[string] | undefined): string => String(value)

export const CARRIED: Readonly<Record<string, Carried>> = {
  // People, groups, what they may do
  principals: { without: ['password_hash'] },
  memberships: {},
  policy_members: {},
  notice_choices: {},
  saved_searches: {},
  // What evidence and cases are sorted by
  categories: {},
  departments: {},
  department_policies: {},
  templates: {},
  prefilled_fields: {},
  source_policies: {},
  board_shifts: {},
  correlation_rules: {},
  // Devices
  devices: { without: ['desired', 'effective'] },
  device_activity: {},
  device_associations: {},
  device_accesses: {},
  dock_sessions: { only: ({ ended }) => Number(ended) === 1 },
  // Cases
  cases: {},
  case_followers: {},
  case_personnel: {},
  case_policies: {},
  case_tasks: {},
  access_requests: {},
  // Evidence. Rows of blobs are made by the import, which has read the bytes.
  evidence: {},
  evidence_policies: {},
  evidence_tags: {},
  evidence_recordings: {},
  dock_recordings: { only: ({ session_id }, { endedSessions }) => endedSessions.has(text(session_id)) },
  resources: {
    order: 'resource_id',
    only: ({ resource_id }, { openResources }) => !openResources.has(text(resource_id)),
  },
  resource_views: {},
  search_exif: { only: ({ resource_id }, { openResources }) => !openResources.has(text(resource_id)) },
  ingested_files: { only: ({ resource_id }, { openResources }) => !openResources.has(text(resource_id)) },
  fixity_checks: {},
  notes: {},
  bookmarks: {},
  case_links: {},
  case_link_changes: {},
  withdrawn_links: {},
  correlation_links: {},
  correlation_refusals: {},
  correlation_reviews: {},
  versions: {
    only: ({ entity, entity_id }, { entities }) => entities.get(text(entity))?.has(text(entity_id)) !== false,
  },
  // Calls
  cad_deliveries: {},
  cad_events: {},
  cad_mappings: {},
  cad_mapping_versions: {},
  cad_messages: {},
  // Retention, disposition, holds
  disposition_items: {},
  disposition_files: {},
  disposition_approvals: {},
  disposition_keeps: {},
  certificates: {},
  destroyed_blobs: {},
  // What left the station, and what may not
  packages: { order: 'package_id', only: ({ state }) => state === 'Made' },
  package_exports: { only: ({ package_id }, { madePackages }) => madePackages.has(text(package_id)) },
  package_witnesses: { only: ({ package_id }, { madePackages }) => madePackages.has(text(package_id)) },
  package_orders: { only: ({ package_id }, { madePackages }) => madePackages.has(text(package_id)) },
  package_items: { only: ({ package_id }, { madePackages }) => madePackages.has(text(package_id)) },
  disclosures: { order: 'disclosure_id' },
  disclosure_items: {},
  disclosure_withheld: {},
  disclosure_others: {},
  disclosure_acknowledgements: {},
  disclosure_proposals: {},
  disclosure_grounds_ended: {},
  disclosure_requests: {},
  schedule_numbers: {},
  evidence_restrictions: {},
  // Other stations
  forwarding_receipts: {},
  forwarded_blobs: {},
  forwarding_questions: {},
  received_checkpoints: {},
  refused_checkpoints: {},
  retired_station_keys: {},
  station_branches: {},
  imports: { only: ({ state }) => state === 'Made' },
  imported_entries: {},
  imported_evidence: {},
  imported_resources: {},
}

const SIGN_IN = 'what people and programs sign in with'
const KEYS = 'keys of the station, and secrets that only they open'
const PLACE = 'settings of the machine, its network and its other places'
const MADE_AGAIN = 'what is computed from the records, and is made again'
const UNDER_WAY = 'work that was under way'
const OF_GUESTS = 'links for guests open copies at the station that made them; its ledger says who opened them'

/** Why a table is not carried: shown to people. */
export const NOT_CARRIED: Readonly<Record<string, string>> = {
  api_keys: SIGN_IN,
  passkeys: SIGN_IN,
  second_steps: SIGN_IN,
  recovery_codes: SIGN_IN,
  service_keys: SIGN_IN,
  service_origins: SIGN_IN,
  sessions: SIGN_IN,
  token_families: SIGN_IN,
  refresh_tokens: SIGN_IN,
  authorization_codes: SIGN_IN,
  used_assertions: SIGN_IN,
  used_challenges: SIGN_IN,
  sign_in_failures: SIGN_IN,
  unfamiliar_failures: SIGN_IN,
  account_locks: SIGN_IN,
  familiar_sources: SIGN_IN,
  wrapped_keys: KEYS,
  device_credentials: KEYS,
  device_type_configurations: KEYS,
  headquarters: KEYS,
  tenants: PLACE,
  station: PLACE,
  lan: PLACE,
  alarms: PLACE,
  backup_targets: PLACE,
  backups: PLACE,
  backup_drills: PLACE,
  checkpoint_targets: PLACE,
  checkpoint_cosigners: PLACE,
  checkpoints: PLACE,
  quarantine: 'files in quarantine',
  dock_bays: PLACE,
  dock_files: 'working lists of the dock: files that a camera still holds are compared by their hash',
  nodes: PLACE,
  task_lease: PLACE,
  task_runs: PLACE,
  padding: PLACE,
  fixity_runs: UNDER_WAY,
  jobs: UNDER_WAY,
  idempotency: UNDER_WAY,
  uploads: UNDER_WAY,
  upload_blocks: UNDER_WAY,
  upload_completions: UNDER_WAY,
  device_transactions: UNDER_WAY,
  forwarding_cases: UNDER_WAY,
  forwarding_files: UNDER_WAY,
  forwarding_items: UNDER_WAY,
  forwarding_links: UNDER_WAY,
  blob_removals: UNDER_WAY,
  correlation_pending: UNDER_WAY,
  notices: UNDER_WAY,
  share_links: OF_GUESTS,
  share_link_items: OF_GUESTS,
  share_link_sessions: OF_GUESTS,
  share_link_views: OF_GUESTS,
  blobs: 'it stands in the list of blobs, and is made by the import, which has read the bytes',
  blob_checks: MADE_AGAIN,
  folded_letters: MADE_AGAIN,
  retention_watch: MADE_AGAIN,
  correlation_recordings: MADE_AGAIN,
  evidence_list: MADE_AGAIN,
  evidence_words: MADE_AGAIN,
  search_devices: MADE_AGAIN,
  search_list: MADE_AGAIN,
  search_numbers: MADE_AGAIN,
  search_pending: MADE_AGAIN,
  search_subscriptions: MADE_AGAIN,
  search_words: MADE_AGAIN,
  ledger: 'it is in files of its own, and is kept beside the ledger of whoever takes it in',
}

/** In plain words, for whoever exports or imports. */
export const LEFT_BEHIND = [
  'passwords, second steps, passkeys, sessions, tokens and keys of integrations: give everybody a new password (user reset), and integrations a new connection',
  'keys of the station, credentials and configurations of cameras, the connection to headquarters',
  'settings of the machine and its network, places of backups and of checkpoints, alarms',
  'uploads and jobs that were under way, messages to people, links for guests, files of packages that lie in the data folder, files in quarantine',
] as const

/** Carried tables that an entity of the table `versions` stands for, with the column of its number. */
const ENTITIES: Readonly<Record<string, readonly [entity: string, key: string]>> = {
  evidence: ['evidence', 'evidence_id'],
  resources: ['resource', 'resource_id'],
  cases: ['case', 'case_id'],
  case_tasks: ['task', 'task_id'],
  notes: ['note', 'note_id'],
  bookmarks: ['bookmark', 'bookmark_id'],
}

/** Remembers what later rows depend on. */
export function seeRows() {
  const openResources = new Set<string>()
  const madePackages = new Set<string>()
  const endedSessions = new Set<string>()
  const entities = new Map<string, Set<string>>(Object.values(ENTITIES).map(([entity]) => [entity, new Set()]))
  const seen: Seen = { openResources, entities, madePackages, endedSessions }
  return {
    /** To be called with each row in the order of `CARRIED`. @returns whether it is carried */
    isCarried: (table: string, row: JsonRow): boolean => {
      if (table === 'resources' && row['sha256'] === null && row['state'] === 'None')
        openResources.add(text(row['resource_id']))
      const { only } = CARRIED[table] ?? {}
      if (only !== undefined && !only(row, seen)) return false
      if (table === 'packages') madePackages.add(text(row['package_id']))
      if (table === 'dock_sessions') endedSessions.add(text(row['session_id']))
      const [entity, key] = ENTITIES[table] ?? []
      if (entity !== undefined && key !== undefined) entities.get(entity)?.add(text(row[key]))
      return true
    },
  }
}
