/**
 * Models of cases from rows, and their versions (decisions 4 and 19). A version stores which evidence came and went since the version before
 * it, so that a link costs the same however many the case has. Outside, each version has the whole list.
 */
import type { z } from 'zod'
import type { CaseModel } from '../../../shared/cases/contract.ts'
import { CASE_FIELD_NAMES } from '../../../shared/cases/fields.ts'
import { clockModel } from '../../../shared/evidence/recorded-clock.contract.ts'
import type { RecordedTime } from '../../../shared/evidence/recorded-time.ts'
import { type Level, levelsUpTo } from '../../../shared/kernel/permissions.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { LinkRow } from '../../kernel/evidence/links.store.ts'
import { authorOf } from '../../kernel/evidence/objects.ts'
import type { Action } from '../../kernel/ledger/actions.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { findVersion, type Version, type Versions } from '../../kernel/versions/versions.ts'
import { membersOf, storedLocation } from './cases.fields.ts'
import {
  type BeforeNextVersion,
  beforeNextVersion,
  type CaseEvidenceRow,
  type CasePolicyRow,
  type CaseRow,
  evidenceIdsAt,
  type PersonnelRow,
} from './cases.store.ts'
import { LISTED_TYPES } from '../../kernel/evidence/list.store.ts'
import type { Author } from './history.ts'

/** `2026-000123` (decisions 4). */
export const ordinalOf = (row: Pick<CaseRow, 'ordinal_year' | 'ordinal_number'>): string =>
  `${row.ordinal_year}-${String(row.ordinal_number).padStart(6, '0')}`

export const thumbnailPlace = (tenant: string, evidenceId: number): string =>
  `/documentstore/api/v1/tenant/${encodeURIComponent(tenant)}/evidence/${evidenceId}/thumbnail`

export type CaseOut = z.input<typeof CaseModel>

export interface CaseStateParts {
  readonly row: CaseRow
  readonly policies: readonly CasePolicyRow[]
  readonly personnel: readonly PersonnelRow[]
}

export interface CaseParts extends CaseStateParts {
  readonly links: readonly LinkRow[]
}

/** Members that are the same for every caller, without the evidence, of which a version stores only the change. */
function stateOf({ row, policies, personnel }: CaseStateParts) {
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

type CaseState = ReturnType<typeof stateOf> & { readonly EvidenceIds: string[] }

/** A version of a case with its evidence. */
interface CaseVersion extends Version {
  readonly state: CaseState
}

/** Evidence with its recording time, by the camera's and the station's clock. */
export type TimedEvidence = CaseEvidenceRow & {
  readonly clock: RecordedTime
  /** Under which it is shown. */
  readonly shownAs: string
  /** What recorded it, as people call it; null where nothing is known. */
  readonly camera: string | null
}

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
      DisplayName: row.shownAs,
      Thumbnail:
        row.thumbnail_resource_id === null || row.lifecycle_state === 'Deleted'
          ? null
          : thumbnailPlace(row.tenant_id, row.evidence_id),
      StartTimeUtc: row.start_utc,
      EndTimeUtc: row.end_utc,
      Clock: clockModel(row.clock),
      State: row.state,
      LifecycleState: row.lifecycle_state,
      Status: row.status,
      Type: row.type === null ? null : (LISTED_TYPES[row.type] ?? null),
      LinkKind: link?.kind ?? 'Manual',
      Confirmed: link === undefined || link.confirmed === 1,
      Camera: row.camera,
      MayConfirm: link?.kind === 'Automatic' && confirmable.has(row.evidence_id),
    }
  })
}

/** Members that depend on the caller and the time. */
interface CallerView {
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

/** The member of a stored state that stands for the list; absent when no evidence came or went. */
interface EvidenceIdsChanged {
  readonly Added: readonly string[]
  readonly Removed: readonly string[]
}

/**
 * Adds a version of a case in its stored state. The hash covers the links, together with those of the versions before it.
 * @returns its concurrency id
 */
export async function addCaseVersion(
  versions: Pick<Versions, 'add'>,
  tx: Tx,
  call: Call,
  parts: CaseStateParts,
  action: Action,
): Promise<string> {
  const { parent, linkChanges } = await beforeNextVersion(tx, parts.row.case_id)
  return versions.add(tx, {
    entity: 'case',
    entityId: parts.row.case_id,
    state: { ...stateOf(parts), ...changedMember(linkChanges) },
    action,
    author: call.actor,
    dateUtc: parts.row.modified_utc,
    parent,
  })
}

function changedMember(changes: BeforeNextVersion['linkChanges']): { EvidenceIdsChanged?: EvidenceIdsChanged } {
  if (changes.length === 0) return {}
  const idsOf = (change: 1 | -1): string[] =>
    changes.filter((row) => row.change === change).map((row) => String(row.evidence_id))
  return { EvidenceIdsChanged: { Added: idsOf(1), Removed: idsOf(-1) } }
}

export async function findCaseVersion(from: Tx, caseId: number, concurrencyId: string): Promise<CaseVersion | null> {
  const version = await findVersion(from, 'case', caseId, concurrencyId)
  return version === null ? null : versionWith(await idsAt(from, caseId, version), version)
}

/** The history of cases with the evidence of each version. */
export const caseHistory = (from: Tx, versions: Pick<Versions, 'history'>): Pick<Versions, 'history'> => ({
  history: async (entity, caseId, page) => {
    const found = await versions.history(entity, caseId, page)
    const oldest = found?.at(-1)
    if (found === null || oldest === undefined) return found
    const whole: CaseVersion[] = []
    let ids: readonly string[] = await idsAt(from, caseId, oldest)
    for (const version of found.toReversed()) {
      if (version !== oldest) ids = idsAfter(ids, changedIn(version))
      whole.push(versionWith(ids, version))
    }
    return whole.reverse()
  },
})

const idsAt = async (from: Tx, caseId: number, { number }: Version): Promise<string[]> =>
  (await evidenceIdsAt(from, caseId, number)).map(String)

const changedIn = ({ state }: Version): EvidenceIdsChanged | undefined =>
  state['EvidenceIdsChanged'] as EvidenceIdsChanged | undefined

function idsAfter(ids: readonly string[], changed: EvidenceIdsChanged | undefined): readonly string[] {
  if (changed === undefined) return ids
  const removed = new Set(changed.Removed)
  return [...ids.filter((id) => !removed.has(id)), ...changed.Added].sort((a, b) => Number(a) - Number(b))
}

function versionWith(ids: readonly string[], version: Version): CaseVersion {
  const { EvidenceIdsChanged: _, ...state } = version.state
  return { ...version, state: { ...state, EvidenceIds: ids } as unknown as CaseState }
}
