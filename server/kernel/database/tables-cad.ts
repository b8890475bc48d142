/** Tables of migrations/first-release/cad.ts and correlation.ts: CAD push and the correlation engine. Texts named by a plural or an object are JSON. */
import type { Generated } from 'kysely'

export interface CadDeliveriesTable {
  delivery_id: Generated<number>
  tenant_id: string
  principal_id: number
  /** A principal as then. */
  sent_by: string
  source: string
  correlation_id: string
  batch: number
  /** The unchanged body. */
  body: Uint8Array
  sha256: string
  received_utc: string
  taken: Generated<number>
}

export interface CadEventsTable {
  tenant_id: string
  event_id: string
  case_id: number
  /** Ticks of the last applied message. */
  transaction_ticks: bigint | null
  stated: string
  written: string
  by_hand: string
}

export interface CadMessagesTable {
  message_id: Generated<number>
  tenant_id: string
  delivery_id: number
  /** Position in a batch; null for a single event. */
  position: number | null
  event_id: string | null
  transaction_id: string | null
  state: 'applied' | 'repeated' | 'older' | 'review' | 'unreadable'
  reason: string | null
  problems: string
  case_id: number | null
  attempts: number
  tried_utc: string
  /** Its changes of the case; null when there are none or they are unknown. */
  receipt: string | null
}

export interface CadMappingsTable {
  tenant_id: string
  mapping: string
  concurrency_id: string
  modified_utc: string
  /** A principal as then. */
  modified_by: string
}

/** All states of a mapping, including the current one. */
export interface CadMappingVersionsTable {
  version_id: Generated<number>
  tenant_id: string
  mapping: string
  concurrency_id: string
  modified_utc: string
  modified_by: string
}

export interface ServiceOriginsTable {
  principal_id: number
  origin: string
}

export interface CorrelationPendingTable {
  what: 'case' | 'evidence' | 'device'
  object_id: string
}

/** Milliseconds since 1970; corrected = camera + offset. */
export interface CorrelationRecordingsTable {
  evidence_id: number
  device_id: string
  /** The time that decides whose recording it is. */
  recorded_ms: number
  from_ms: number
  to_ms: number
  offset_ms: number | null
  uncertainty_ms: number | null
  latitude: number | null
  longitude: number | null
  /** File names and marks. */
  names: string
}

export interface CorrelationLinksTable {
  case_id: number
  evidence_id: number
  rule: string
  overlap_ms: number
  /** Corrected = camera + offset; null when the camera's clock is unknown. */
  offset_ms: number | null
  uncertainty_ms: number | null
  confidence: 'High' | 'Medium' | 'Low'
  facts: string
  judged_utc: string
}

export interface CorrelationRefusalsTable {
  case_id: number
  evidence_id: number
  reason: string
  refused_utc: string
  refused_by: string
}

export interface CorrelationReviewsTable {
  review_id: Generated<number>
  tenant_id: string
  case_id: number
  evidence_id: number
  act: 'Link' | 'Withdraw'
  because: string
  facts: string
  created_utc: string
  ended_utc: string | null
  ended_by: string | null
  ended_reason: string | null
}

export interface CorrelationRulesTable {
  tenant_id: string
  rule: 'place' | 'number'
  enabled: number
  radius_metres: number | null
  modified_utc: string
  modified_by: string
}

export interface CadTables {
  cad_deliveries: CadDeliveriesTable
  cad_events: CadEventsTable
  cad_messages: CadMessagesTable
  cad_mappings: CadMappingsTable
  cad_mapping_versions: CadMappingVersionsTable
  service_origins: ServiceOriginsTable
  correlation_pending: CorrelationPendingTable
  correlation_recordings: CorrelationRecordingsTable
  correlation_links: CorrelationLinksTable
  correlation_refusals: CorrelationRefusalsTable
  correlation_reviews: CorrelationReviewsTable
  correlation_rules: CorrelationRulesTable
}
