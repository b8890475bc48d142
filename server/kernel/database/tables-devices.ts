import type { Generated } from 'kysely'
import type { DeviceFieldColumns } from '../../../shared/devices/fields.ts'

/** Devices (decisions 5). Sealed columns are marked; ticks are 100 ns since 1970. */

export interface DevicesTable extends DeviceFieldColumns {
  /** First 32 hexadecimal digits of SHA-256(serial number + U+001F + manufacturer). */
  device_id: string
  tenant_id: string
  active: number
  /** JSON, as the device reported them. */
  capabilities: string | null
  /** The configuration for this device, sealed; null for that of its type. */
  desired: string | null
  /** The configuration that it last committed, sealed. */
  effective: string | null
  effective_utc: string | null
  last_seen_utc: string | null
  /** Search text, folded. */
  search_key: string
  created_utc: string
}

/** Half-open periods in which a device was active; an open end means that it is active now. */
export interface DeviceActivityTable {
  device_id: string
  from_ticks: bigint
  to_ticks: bigint | null
}

export interface DeviceCredentialsTable {
  credential_id: Generated<number>
  device_id: string
  /** Fingerprint with the station's secrets key, by which a sent credential is found. It does not reveal the credential. */
  fingerprint: string
  /** Null once it failed. */
  sealed: string | null
  state: 'Pending' | 'Current' | 'Failed'
  added_utc: string
}

export interface DeviceTransactionsTable {
  transaction_id: string
  device_id: string
  /** From 1, for each device. */
  number: number
  /** An open transaction whose time is over counts as expired, even before its state says so. */
  state: 'Open' | 'Committed' | 'Rejected' | 'Superseded' | 'Expired'
  /** The expected configuration as it was given out, sealed; kept while it is open. */
  offered: string | null
  created_utc: string
  /** Milliseconds since 1970. */
  expires_at: number
  ended_utc: string | null
  reason_code: string | null
  reason_message: string | null
}

export interface DeviceTypeConfigurationsTable {
  tenant_id: string
  device_type: string
  sealed: string
  modified_utc: string
  /** A PrincipalOutputModel as then. */
  modified_by: string
}

export interface DeviceAssociationsTable {
  association_id: Generated<number>
  device_id: string
  principal_id: number
  /** As received, as the next. */
  from_utc: string
  from_ticks: bigint
  to_utc: string | null
  to_ticks: bigint | null
  /** A JSON array of the principals whose changes of its past are not confirmed yet. */
  makers: string
  created_utc: string
  /** A PrincipalOutputModel as then, as the last one. */
  created_by: string
  confirmed_utc: string | null
  confirmed_by: string | null
}

/** Half-open periods of recordings to which an association gives access. */
export interface DeviceAccessesTable {
  association_id: number
  from_ticks: bigint
  to_ticks: bigint | null
  /** As the association has them. */
  device_id: string
  principal_id: number
}

/** Evidence with a proved device, and its recording time. Edits of the record do not change it. */
export interface EvidenceRecordingsTable {
  evidence_id: number
  device_id: string
  recorded_ticks: bigint
}

export interface DeviceTables {
  devices: DevicesTable
  device_activity: DeviceActivityTable
  device_credentials: DeviceCredentialsTable
  device_transactions: DeviceTransactionsTable
  device_type_configurations: DeviceTypeConfigurationsTable
  device_associations: DeviceAssociationsTable
  device_accesses: DeviceAccessesTable
  evidence_recordings: EvidenceRecordingsTable
}
