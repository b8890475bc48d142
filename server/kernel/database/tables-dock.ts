/** Tables of migrations/first-release/docking.ts. Times named `…_at` are milliseconds since 1970; texts named by a plural or an object are JSON. */
import type { Generated } from 'kysely'
import type { DockState, FileOutcome } from '../../../shared/docking/docking.ts'

export interface DockSessionsTable {
  session_id: Generated<number>
  tenant_id: string
  /** As discovery names it while it is there. */
  volume_id: string
  /** What the camera is known again by. */
  camera_key: string
  /** Where it stands, for people. */
  bay: string
  label: string
  state: DockState
  /** The state that it failed or was pulled out of. */
  before: DockState | null
  reason: string | null
  round: Generated<number>
  /** 1: nothing more happens to it; the same camera begins another one. */
  ended: Generated<number>
  device_id: string | null
  device: string | null
  profile: string | null
  /** What on the camera does not fit together. */
  notes: string | null
  /** The clock statement. */
  clock: string | null
  /** What came of the negotiation. */
  configuration: string | null
  /** The setting as it was when the camera came. */
  clear_rule: string
  /** The folder of second copies, when it was committed; null where none is made. */
  second_copy: string | null
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
  /** By what it was put right, and how exactly that is known; null where nothing tells what the camera's clock showed. */
  offset_ms: Generated<number | null>
  uncertainty_ms: Generated<number | null>
  /** A principal as then. */
  officer: string | null
  marks: string
  location_wkt: string | null
  evidence_id: number | null
  /** By which rule it got its category and who may see it; JSON. */
  rule: string | null
  /** 1: its marks are bookmarks, and its parts have their times. */
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
  /** In which it was last read from the camera. */
  round: number
  outcome: FileOutcome
  reason: string | null
  attempts: Generated<number>
  resource_id: number | null
  sha256: string | null
  /** What the camera says that it hashes to. */
  claimed_sha256: string | null
  /** The hash in the camera's own list, of this docking or an earlier one, where the bytes have another. */
  differs_from: Generated<string | null>
  read_back: 'direct' | 'cache' | null
  /** Of the entry that says that its bytes are whole. */
  ledger_seq: number | null
  verified_at: number | null
  /** `begun` is written before the camera is touched: a file that is gone then was cleared by the station. */
  clearing: Generated<'no' | 'kept' | 'begun' | 'cleared'>
  clearing_reason: string | null
  /** Which part of its recording it is, from 0; null for what lies beside. */
  part: number | null
  /** When this part began and ended by the camera's clock, where the camera says so. */
  start_utc: string | null
  end_utc: string | null
  /** Of a file that is `here`: its bytes were read again, or its name, size and time are those of one that was taken. */
  known_by: 'hash' | 'name' | null
  /** The byte at which its copy went on after a pull. */
  resumed_from: number | null
  /** When its second copy was read back. */
  second_at: number | null
  second_read_back: 'direct' | 'cache' | null
}

export interface DockBaysTable {
  tenant_id: string
  /** Where cameras stand, as sessions call it. */
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
