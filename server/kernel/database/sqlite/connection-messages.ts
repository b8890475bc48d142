/** Messages between a thread with a connection (connection.worker.ts) and its owner (connections.ts). */
import type { GroupAnswer, UnitGroup } from '../units.ts'

export interface WorkerRequest {
  id: number
  sql: string
  /** Null when `sql` has several statements, which return no rows. */
  parameters: readonly unknown[] | null
}

export interface WorkerFailure {
  message: string
  code: string
}

export type WorkerAnswer =
  | { id: number; rows: unknown[]; changes: number; lastInsertRowid: number | bigint }
  | { id: number; failure: WorkerFailure }

/** Runs a group of units of work. No other statement may run meanwhile. */
export interface GroupRequest {
  id: number
  group: UnitGroup
}

export type GroupReply = { id: number; group: GroupAnswer } | { id: number; lost: string }

export interface ConnectionSettings {
  file: string
  readOnly: boolean
  /** URL of the module with the units of work, loaded with the first group. */
  units: string | null
  /** Memory of the version of all rights (rights-version.ts). */
  rights: SharedArrayBuffer
}
