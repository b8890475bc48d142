/** Tables of migrations/first-release/integrity.ts. Times named `…_at` are milliseconds since 1970. */
import type { Generated } from 'kysely'

/** One row for each blob, which a trigger adds. Reading back at the intake is the first check. */
export interface BlobChecksTable {
  sha256: string
  length: number
  checked_at: number
  due_at: number
  /** Number of checks since the intake. */
  times: Generated<number>
  result: Generated<'matches' | 'changed' | 'missing'>
  read_back: 'direct' | 'cache' | null
}

/** A requested check of the whole store; one runs at a time. */
export interface FixityRunsTable {
  run_id: Generated<number>
  state: 'running' | 'done' | 'cancelled'
  started_at: number
  /** A principal as then. */
  started_by: string
  ended_at: number | null
  total_blobs: number
  total_bytes: number
  blobs: Generated<number>
  bytes: Generated<number>
  problems: Generated<number>
}

export type AlarmKind =
  | 'changed'
  | 'missing'
  | 'untracked'
  | 'ledger'
  | 'checkpoint'
  | 'backup'
  | 'source'
  | 'forwarding'
  | 'validation'

/** An alarm stays open until a person acknowledges it. */
export interface AlarmsTable {
  alarm_id: Generated<number>
  kind: AlarmKind
  subject: string
  message: string
  detail: string
  raised_at: number
  acknowledged_at: number | null
  acknowledged_by: string | null
  reason: string | null
}

export interface CheckpointTargetsTable {
  target_id: Generated<number>
  kind: 'folder' | 'station'
  /** A folder, or the origin of a station. */
  address: string
  /** The connection file of a station, sealed by the secrets key. */
  sealed: string | null
  created_utc: string
  created_by: string
  removed_utc: string | null
  /** Size of the last checkpoint in this place. */
  size: Generated<number>
  copied_at: number | null
  next_at: Generated<number>
  failures: Generated<number>
  problem: string | null
  /** 1 when the checkpoint in this place is not the beginning of this ledger. */
  refused: Generated<number>
  /** The node that has the folder; null on a station, and for a station. */
  node_id: string | null
}

/** The key by which a station co-signed first; another one is not believed. */
export interface CheckpointCosignersTable {
  target_id: number
  origin: string
  /** SHA-256 of the DER of the key. */
  key_fingerprint: string
  since_utc: string
}

/** The last checkpoint of another station. */
export interface ReceivedCheckpointsTable {
  origin: string
  principal_id: number
  /** Raw Ed25519 key in base64. */
  public_key: string
  size: number
  root: Uint8Array
  note: string
  first_utc: string
  received_utc: string
  refused_utc: string | null
}

/** The last checkpoint of a known station that was refused; none when a later one was received. */
export interface RefusedCheckpointsTable {
  origin: string
  principal_id: number
  /** The address from which it came. */
  source: string
  /** Raw Ed25519 key in base64. */
  public_key: string
  /** 1 when the known key signed it, or rotations lead from that one to the key that did. */
  same_key: number
  size: number
  root: Uint8Array
  note: string
  /** The head that was known then. */
  known_size: number
  known_root: Uint8Array
  reason: string
  refused_utc: string
}

/** A key of another station from which a rotation led to another one. Its signatures under custody records still hold. */
export interface RetiredStationKeysTable {
  origin: string
  /** Raw Ed25519 key in base64. */
  public_key: string
  retired_utc: string
}

/** A branch of the ledger of another station that ended: an administrator accepted that the station goes on from another head. */
export interface StationBranchesTable {
  origin: string
  /** From 1. The next branch has the next number. */
  branch: number
  /** The last head of this branch. */
  size: number
  root: Uint8Array
  note: string
  received_utc: string
  /** The head from which the next branch goes on. */
  next_size: number
  next_root: Uint8Array
  next_note: string
  presented_utc: string
  accepted_utc: string
  accepted_by: string
  reason: string
}

export interface BackupTargetsTable {
  target_id: Generated<number>
  folder: string
  every_hours: number
  created_utc: string
  created_by: string
  removed_utc: string | null
  next_at: number
  failures: Generated<number>
}

export interface BackupsTable {
  backup_id: Generated<number>
  folder: string
  snapshot: string | null
  state: 'made' | 'failed'
  started_at: number
  ended_at: number
  made_by: string
  entries: number
  blobs: number
  bytes: number
  new_blobs: number
  new_bytes: number
  problem: string | null
}

export interface BackupDrillsTable {
  drill_id: Generated<number>
  folder: string
  snapshot: string
  result: 'restored' | 'broken'
  started_at: number
  ended_at: number
  made_by: string
  entries: number
  blobs: number
  bytes: number
  /** An array of texts. */
  problems: string
}

export interface IntegrityTables {
  blob_checks: BlobChecksTable
  fixity_runs: FixityRunsTable
  alarms: AlarmsTable
  checkpoint_targets: CheckpointTargetsTable
  checkpoint_cosigners: CheckpointCosignersTable
  received_checkpoints: ReceivedCheckpointsTable
  refused_checkpoints: RefusedCheckpointsTable
  retired_station_keys: RetiredStationKeysTable
  station_branches: StationBranchesTable
  backup_targets: BackupTargetsTable
  backups: BackupsTable
  backup_drills: BackupDrillsTable
}
