import type { Generated } from 'kysely'
import type {
  AcknowledgedHow,
  DisclosureMedium,
  ProposalState,
  RecipientRole,
  RequestState,
  RestrictionKind,
  Series,
  WithheldBasis,
} from '../../../shared/disclosure/kinds.ts'
import type { ItemKind } from '../../../shared/packages/kinds.ts'

/** What was given to whom (migrations/0022-disclosure.ts). Rows are never changed: a later record supersedes one. */
export interface DisclosuresTable {
  disclosure_id: Generated<number>
  tenant_id: string
  case_id: number
  /** Of the case, from 1, without a gap. */
  no: number
  /** Number of the first disclosure of the case to this recipient. */
  chain: number
  /** The record that this one replaces. */
  supersedes: number | null
  /** Why it replaces that one; empty where it replaces none. */
  reason: string
  recipient_name: string
  recipient_role: RecipientRole
  recipient_organisation: string
  authority: string
  request_number: string
  request_date: string | null
  request_due: string | null
  /** Null: handed over without one. */
  package_id: number | null
  package_sha256: string | null
  package_bytes: number | null
  medium: DisclosureMedium
  medium_serial: string
  given_utc: string
  /** A principal as then. */
  given_by: string
}

export interface DisclosureItemsTable {
  disclosure_id: number
  resource_id: number
  evidence_id: number
  kind: ItemKind
  /** In the series `list` of the case; a copy to play has the number of its original. */
  number: number
  /** As the file came in. */
  name: string
  sha256: string
  length: number
  /** Concurrency id of the resource. */
  version: string
}

export interface DisclosureWithheldTable {
  disclosure_id: number
  /** `evidence:12`, or `resource:34` of one file. */
  subject: string
  evidence_id: number
  resource_id: number | null
  basis: WithheldBasis
  /** In the series of its basis. */
  number: number
  description: string
  ground: string
  /** Of sensitive material; else empty. */
  reasons: string
  /** The restriction that it rests on; null: a ground of its own. */
  restriction_id: number | null
  /** A principal as then. */
  decided_by: string
}

/** Evidence that the case had then, and that was neither given nor withheld. */
export interface DisclosureOthersTable {
  disclosure_id: number
  evidence_id: number
}

export interface DisclosureAcknowledgementsTable {
  disclosure_id: number
  acknowledged_utc: string
  /** When the recipient had it, as they say. */
  received_utc: string
  /** Who acknowledged it. */
  acknowledged_by: string
  how: AcknowledgedHow
  /** The scan or the signed file. */
  evidence_id: number | null
  /** JSON of the two names of one in person. */
  witnesses: string
  /** A principal as then. */
  recorded_by: string
}

/** Numbers that stand on a schedule, for ever. */
export interface ScheduleNumbersTable {
  case_id: number
  series: Series
  /** As in `disclosure_withheld`. */
  subject: string
  number: number
}

export interface EvidenceRestrictionsTable {
  restriction_id: Generated<number>
  evidence_id: number
  kind: RestrictionKind
  reason: string
  set_utc: string
  /** A principal as then. */
  set_by: string
  lifted_utc: string | null
  lifted_by: string | null
  lift_reason: string | null
}

/** What a second person approves before it is given (migrations/0025-disclosure-approval.ts). */
export interface DisclosureProposalsTable {
  proposal_id: Generated<number>
  tenant_id: string
  case_id: number
  /** Of the case, from 1, without a gap. */
  no: number
  recipient_name: string
  recipient_role: RecipientRole
  recipient_organisation: string
  /** Number of the disclosure that it is to replace. */
  supersedes: number | null
  /** JSON of what was asked for, as the contract has it. */
  body: string
  /** Of the files and of what is withheld, as it was approved. */
  content_sha256: string
  item_count: number
  withheld_count: number
  /** JSON list: evidence of the case that is neither given nor withheld. What comes later is new to the recipient. */
  others: string
  proposed_utc: string
  /** A principal as then. */
  proposed_by: string
  state: ProposalState
  decided_utc: string | null
  /** A principal as then. */
  decided_by: string | null
  decision_reason: string
  disclosure_id: number | null
}

/** What somebody asked to be given. */
export interface DisclosureRequestsTable {
  request_id: Generated<number>
  tenant_id: string
  case_id: number
  /** Of the case, from 1, without a gap. */
  no: number
  recipient_name: string
  recipient_role: RecipientRole
  recipient_organisation: string
  authority: string
  request_number: string
  request_date: string | null
  request_due: string | null
  what: string
  recorded_utc: string
  /** A principal as then. */
  recorded_by: string
  state: RequestState
  closed_utc: string | null
  /** A principal as then. */
  closed_by: string | null
  close_reason: string
  /** The disclosure that answered it. */
  disclosure_id: number | null
  /** The day of which people were reminded. */
  reminded_due: string | null
}

/** Grounds of withheld lines that fell away by somebody's act. Those that are restrictions are lifted instead. */
export interface DisclosureGroundsEndedTable {
  disclosure_id: number
  /** As in `disclosure_withheld`. */
  subject: string
  reason: string
  ended_utc: string
  /** A principal as then. */
  ended_by: string
}

export interface DisclosureTables {
  disclosures: DisclosuresTable
  disclosure_items: DisclosureItemsTable
  disclosure_withheld: DisclosureWithheldTable
  disclosure_others: DisclosureOthersTable
  disclosure_acknowledgements: DisclosureAcknowledgementsTable
  disclosure_proposals: DisclosureProposalsTable
  disclosure_grounds_ended: DisclosureGroundsEndedTable
  disclosure_requests: DisclosureRequestsTable
  schedule_numbers: ScheduleNumbersTable
  evidence_restrictions: EvidenceRestrictionsTable
}
