/** Models of cases from rows, and the stored state of versions (decisions 4). */
import type { z } from 'zod'
import type { CaseModel } from '../../../shared/cases/contract.ts'
import { CASE_FIELD_NAMES } from '../../../shared/cases/fields.ts'
import { type Level, levelsUpTo } from '../../../shared/kernel/permissions.ts'
import type { Version } from '../../kernel/versions/versions.ts'
import { membersOf, storedLocation } from './cases.fields.ts'
import type { LinkRow } from '../../kernel/evidence/links.store.ts'
import type { CaseEvidenceRow, CasePolicyRow, CaseRow, PersonnelRow } from './cases.store.ts'
import { type Author, authorOf } from './history.ts'
import { clockModel } from '../../../shared/evidence/recorded-clock.contract.ts'
import type { RecordedTime } from '../../../shared/evidence/recorded-time.ts'

export { type Author, authorOf, type HistoryOut } from './history.ts'

/** `2026-000123` (decisions 4). */
export const ordinalOf = (row: Pick<CaseRow, 'ordinal_year' | 'ordinal_number'>): string =>
  `${row.ordinal_year}-${String(row.ordinal_number).padStart(6, '0')}`

export type CaseOut = z.input<typeof CaseModel>

export interface CaseStateParts {
  readonly row: CaseRow
  readonly policies: readonly CasePolicyRow[]
  readonly personnel: readonly PersonnelRow[]
}

export interface CaseParts extends CaseStateParts {
  readonly links: readonly LinkRow[]
}

/** Members that are the same for every caller, without the evidence, of which a version stores only the change (case-versions.ts). */
export function stateOf({ row, policies, personnel }: CaseStateParts) {
  return {
    CaseId: String(row.case_id),
    Ordinal: ordinalOf(row),
    ...membersOf(row, CASE_FIELD_NAMES),
    State: row.state,
    CreatedUtcTime: row.created_utc,
    LocationWKT: row.location_wkt,
    Location: storedLocation(row),
    Creator: JSON.parse(row.created_by) as Author,
    LifecycleState: row.lifecycle_state,
    CustomFields: JSON.parse(row.custom_fields) as Record<string, string>,
    ClosedOn: row.closed_on,
    ProtectedUntil: row.protected_until,
    ScheduledDeletionUtc: row.scheduled_deletion_utc,
    SourceType: row.source_type,
    AccessPolicies: policies.map((policy) => ({
      Permissions: policy.level as string,
      PrincipalId: String(policy.principal_id),
      KId: policy.k_id,
      PrincipalType: policy.kind,
      Username: policy.name,
      ExpirationDateUtc: policy.expires_utc,
    })),
    PersonnelRelations: personnel.map((person) => ({
      PrincipalId: String(person.principal_id),
      KId: person.k_id,
      Name: `${person.first_name} ${person.last_name}`.trim() || person.name,
      Username: person.name,
      Role: person.role,
    })),
  }
}

export type CaseState = ReturnType<typeof stateOf> & { readonly EvidenceIds: string[] }

/** A version of a case with its evidence. */
export interface CaseVersion extends Version {
  readonly state: CaseState
}

/** Evidence with its recording time, by the camera's and the station's clock. */
export type TimedEvidence = CaseEvidenceRow & { readonly clock: RecordedTime }

/** Of a manual and an automatic link to one evidence the manual one is shown. */
function evidenceModels(
  evidences: readonly TimedEvidence[],
  links: readonly LinkRow[],
  confirmable: ReadonlySet<number>,
): CaseOut['Evidences'] {
  const shownLinks = new Map<number, LinkRow>()
  for (const link of links)
    if (link.kind === 'Manual' || !shownLinks.has(link.evidence_id)) shownLinks.set(link.evidence_id, link)
  return evidences.map((row) => {
    const link = shownLinks.get(row.evidence_id)
    return {
      EvidenceId: String(row.evidence_id),
      Name: row.name,
      Thumbnail:
        row.thumbnail_resource_id === null || row.lifecycle_state === 'Deleted'
          ? null
          : `/documentstore/api/v1/tenant/${encodeURIComponent(row.tenant_id)}/evidence/${row.evidence_id}/thumbnail`,
      StartTimeUtc: row.start_utc,
      EndTimeUtc: row.end_utc,
      Clock: clockModel(row.clock),
      State: row.state,
      LifecycleState: row.lifecycle_state,
      Status: row.status,
      LinkKind: link?.kind ?? 'Manual',
      Confirmed: link === undefined || link.confirmed === 1,
      MayConfirm: link?.kind === 'Automatic' && confirmable.has(row.evidence_id),
    }
  })
}

/** Members that depend on the caller and the time. */
export interface CallerView {
  readonly level: Level
  readonly following: boolean
  /** Evidence whose automatic link the caller could confirm. */
  readonly confirmable: ReadonlySet<number>
  readonly names: { readonly category: string | null; readonly department: string | null }
}

export const caseModel = (
  parts: CaseParts,
  evidences: readonly TimedEvidence[],
  { level, following, confirmable, names }: CallerView,
): CaseOut => ({
  ...stateOf(parts),
  EvidenceIds: [...new Set(parts.links.map((link) => String(link.evidence_id)))],
  Evidences: evidenceModels(evidences, parts.links, confirmable),
  LastModifiedUtcTime: parts.row.modified_utc,
  LastModifiedBy: JSON.parse(parts.row.modified_by) as Author,
  ConcurrencyId: parts.row.concurrency_id,
  AccessorPermissions: levelsUpTo(level),
  CategoryName: names.category,
  DepartmentName: names.department,
  Following: following,
})

/**
 * A version of a case, with today's rights.
 * @param evidences the evidence of the version, in its state of today
 * @param links the links of today
 */
export const caseModelOf = (
  version: CaseVersion,
  evidences: readonly TimedEvidence[],
  links: readonly LinkRow[],
  { level, following, confirmable, names }: CallerView,
): CaseOut => ({
  ...version.state,
  Evidences: evidenceModels(evidences, links, confirmable),
  LastModifiedUtcTime: version.dateUtc,
  LastModifiedBy: authorOf(version.author),
  ConcurrencyId: version.concurrencyId,
  AccessorPermissions: levelsUpTo(level),
  CategoryName: names.category,
  DepartmentName: names.department,
  Following: following,
})
