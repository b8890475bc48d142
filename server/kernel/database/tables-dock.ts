/** Tables of migrations/first-release/docking.ts. Times named `…_at` are milliseconds since 1970; texts named by a plural or an object are JSON. */
import type { Generated } from 'kysely'
import type { DockState, FileOutcome } from '../../../shared/docking/docking.ts'

export interface DockSessionsTable {
  session_id: Generated<number>
  tenant_id: string
  /** Id of the volume while it is plugged in. */
  volume_id: string
  /** Key by which the camera is recognised again. */
  camera_key: string
  /** Its bay, for people. */
  bay: string
  label: string
  state: DockState
  /** The state in which it failed or was pulled. */
  before: DockState | null
  reason: string | null
  round: Generated<number>
  /** 1 for a finished session; the same camera begins a new one. */
  ended: Generated<number>
  device_id: string | null
  device: string | null
  profile: string | null
  /** Contradictions on the camera. */
  notes: string | null
  /** The clock statement. */
  clock: string | null
  /** Result of the negotiation. */
  configuration: string | null
  /** The setting at the time of docking. */
  clear_rule: string
  /** The folder of second copies at the time of the commit; null without second copies. */
  second_copy: string | null
  /** The node that has the camera's bay; null on a station. */
  node_id: string | null
  detected_at: number
  first_byte_at: number | null
  last_byte_at: number | null
  committed_at: number | null
  released_at: number | null
  /** Canonical JSON, as it was signed. */
  receipt: Uint8Array | null
  receipt_sha256: string | null
  receipt_signature: Uint8Array | null
  receipt_key: Uint8Array | null
}

export interface DockRecordingsTable {
  recording_id: Generated<number>
  session_id: number
  recording_key: string
  name: string
  /** By the camera's clock. */
  start_utc: string | null
  end_utc: string | null
  /** By the station's. */
  corrected_start_utc: string | null
  corrected_end_utc: string | null
  /** Correction of the camera's clock and its uncertainty; null when the camera's clock is unknown. */
  offset_ms: Generated<number | null>
  uncertainty_ms: Generated<number | null>
  /** A principal as then. */
  officer: string | null
  marks: string
  location_wkt: string | null
  evidence_id: number | null
  /** The rule that set category and access; JSON. */
  rule: string | null
  /** 1 when its marks became bookmarks and its parts have their times. */
  settled: Generated<number>
}

export interface DockFilesTable {
  file_id: Generated<number>
  session_id: number
  recording_id: number | null
  /** SHA-256 of the raw bytes of the path below the volume's root. */
  path_key: string
  path: string
  /** The path below the root as bytes. */
  location: Uint8Array
  length: number
  modified_ns: string
  may_be_cleared: number
  /** The round in which it was last read from the camera. */
  round: number
  outcome: FileOutcome
  reason: string | null
  attempts: Generated<number>
  resource_id: number | null
  sha256: string | null
  /** Hash stated by the camera. */
  claimed_sha256: string | null
  /** The hash in the camera's own list, of this or an earlier docking, if the bytes have another one. */
  differs_from: Generated<string | null>
  read_back: 'direct' | 'cache' | null
  /** Number of the entry that states that its bytes are complete. */
  ledger_seq: number | null
  verified_at: number | null
  /** `begun` is written before the removal, so that a file that is gone then was cleared by the station. */
  clearing: Generated<'no' | 'kept' | 'begun' | 'cleared'>
  clearing_reason: string | null
  /** Number of the part in its recording, from 0; null for accompanying files. */
  part: number | null
  /** Begin and end of this part by the camera's clock, if the camera states them. */
  start_utc: string | null
  end_utc: string | null
  /** For a file that is `here`: how it was recognised, by reading its bytes again or by name, size and time. */
  known_by: 'hash' | 'name' | null
  /** The byte at which its copy was resumed after a pull. */
  resumed_from: number | null
  /** Time when its second copy was read back. */
  second_at: number | null
  second_read_back: 'direct' | 'cache' | null
}

export interface DockBaysTable {
  tenant_id: string
  /** The bay, as named in sessions. */
  place: string
  number: number
  used_at: number
}

export interface DockTables {
  dock_bays: DockBaysTable
  dock_sessions: DockSessionsTable
  dock_recordings: DockRecordingsTable
  dock_files: DockFilesTable
}
