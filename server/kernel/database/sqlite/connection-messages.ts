/** What a thread with a connection (connection.worker.ts) and its owner (connections.ts) say to each other. */
import type { GroupAnswer, UnitGroup } from '../units.ts'

export interface WorkerRequest {
  id: number
  sql: string
  /** Null: `sql` is several statements, which give no rows. */
  parameters: readonly unknown[] | null
}

export interface WorkerFailure {
  message: string
  code: string
}

export type WorkerAnswer =
  | { id: number; rows: unknown[]; changes: number; lastInsertRowid: number | bigint }
  | { id: number; failure: WorkerFailure }

/** Runs a group of units of work, which nobody overlaps with statements. */
export interface GroupRequest {
  id: number
  group: UnitGroup
}

export type GroupReply = { id: number; group: GroupAnswer } | { id: number; lost: string }

export interface ConnectionSettings {
  file: string
  readOnly: boolean
  /** URL of the module with the units of work; loaded with the first group. */
  units: string | null
  /** Of the version of all rights (rights-version.ts). */
  rights: SharedArrayBuffer
}
