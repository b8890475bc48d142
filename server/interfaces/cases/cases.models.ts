/** From rows to what goes out, and to the stored state of which versions are made (decisions 4). */
import type { z } from 'zod'
import type { CaseModel, HistoryModel } from '../../../shared/contract/cases.ts'
import { patchBetween } from '../../../shared/domain/json-patch.ts'
import { type Level, levelsUpTo } from '../../../shared/domain/permissions.ts'
import type { Principal } from '../../../shared/domain/principal.ts'
import type { Version } from '../../custody/versions.ts'
import { storedLocation } from './cases.fields.ts'
import type { CasePolicyRow, CaseRow, PersonnelRow } from './cases.repository.ts'

export type CaseOut = z.input<typeof CaseModel>
export type HistoryOut = z.input<typeof HistoryModel>
type Author = CaseOut['Creator']

export const authorOf = (who: Principal): Author => ({
  PrincipalId: who.id,
  KId: who.kId,
  Name: who.name,
  Username: who.name,
  PrincipalType: who.kind,
})

export interface CaseParts {
  readonly row: CaseRow
  readonly policies: readonly CasePolicyRow[]
  readonly personnel: readonly PersonnelRow[]
}

/** Members that hold whoever asks, as versions keep them. */
export function stateOf({ row, policies, personnel }: CaseParts) {
  return {
    CaseId: String(row.case_id),
    Ordinal: `${row.ordinal_year}-${String(row.ordinal_number).padStart(6, '0')}`,
    DepartmentId: null,
    Description: row.description,
    ExternalReferenceId1: row.external_reference_1,
    ExternalReferenceId2: row.external_reference_2,
    Title: row.title,
    State: row.state,
    CategoryId: row.category_id === null ? null : String(row.category_id),
    OccurredOn: row.occurred_on,
    EndedOn: row.ended_on,
    CreatedUtcTime: row.created_utc,
    LocationWKT: row.location_wkt,
    LocationText: row.location_text,
    Location: storedLocation(row),
    Creator: JSON.parse(row.created_by) as Author,
    EvidenceIds: [] as string[],
    Tags: JSON.parse(row.tags) as string[],
    LifecycleState: row.lifecycle_state,
    CustomFields: JSON.parse(row.custom_fields) as Record<string, string>,
    ClosedOn: row.closed_on,
    ProtectedUntil: null,
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
    PersonnelRelations: personnel.map((one) => ({
      PrincipalId: String(one.principal_id),
      KId: one.k_id,
      Name: `${one.first_name} ${one.last_name}`.trim() || one.name,
      Username: one.name,
      Role: one.role,
    })),
  }
}

export type CaseState = ReturnType<typeof stateOf>

/** What depends on who asks, and when. */
export interface Asking {
  readonly level: Level
  readonly following: boolean
}

export const caseModel = (parts: CaseParts, { level, following }: Asking): CaseOut => ({
  ...stateOf(parts),
  Evidences: [],
  LastModifiedUtcTime: parts.row.modified_utc,
  LastModifiedBy: JSON.parse(parts.row.modified_by) as Author,
  ConcurrencyId: parts.row.concurrency_id,
  AccessorPermissions: levelsUpTo(level),
  Following: following,
})

/** A version as it was; rights are those of today. */
export const caseModelOf = (version: Version, { level, following }: Asking): CaseOut => ({
  ...(version.state as unknown as CaseState),
  Evidences: [],
  LastModifiedUtcTime: version.dateUtc,
  LastModifiedBy: authorOf(version.author),
  ConcurrencyId: version.concurrencyId,
  AccessorPermissions: levelsUpTo(level),
  Following: following,
})

/** @param versions newest first, and one more than is shown where there is one: every change is told against its parent */
export function historyModel(name: string, versions: readonly Version[], count: number, changes: boolean): HistoryOut {
  return {
    Name: name,
    Entries: versions.slice(0, count).map((version, at) => {
      const { PrincipalId, KId, Name, Username } = authorOf(version.author)
      return {
        Author: { PrincipalId, KId, Name, Username },
        ConcurrencyId: version.concurrencyId,
        ParentReferenceId: version.parentId,
        DateUtc: version.dateUtc,
        Action: version.action,
        Changes: changes ? patchBetween(versions[at + 1]?.state ?? {}, version.state) : null,
      }
    }),
  }
}
