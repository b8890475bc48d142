import type { z } from 'zod'
import type { EvidenceRecord } from '../../../shared/evidence/contract.ts'
import { EVIDENCE_FIELD_NAMES, namesIn } from '../../../shared/evidence/fields.ts'
import { clockModel } from '../../../shared/evidence/recorded-clock.contract.ts'
import { type ClockFacts, recordedTime, type RecordedTime } from '../../../shared/evidence/recorded-time.ts'
import { type Level, levelsUpTo } from '../../../shared/kernel/permissions.ts'
import { evidencePath } from '../../kernel/evidence/resource-model.ts'
import { deviceRecordId } from '../../kernel/evidence/device.ts'
import type { Device, PrincipalThen } from '../../kernel/evidence/model.ts'
import { membersOf } from '../../kernel/evidence/rows.ts'
import type { InheritedPolicy } from '../../kernel/access/access.store.ts'
import type { EvidenceRow, PolicyRow } from '../../kernel/evidence/records.store.ts'

export type EvidenceOut = z.input<typeof EvidenceRecord>

/** The fields of the record, as they stand in it between its other members. */
const FIRST_FIELDS = namesIn('name', 'about')
const ORIGIN_FIELDS = namesIn('category', 'source')
const TIME_FIELDS = namesIn('times')
const PLACE_FIELDS = namesIn('place')

/** The record of 2.4 as `level` may see it. */
export function evidenceModel(
  row: EvidenceRow,
  tags: readonly string[],
  policies: readonly PolicyRow[],
  level: Level,
  inherited: readonly InheritedPolicy[],
  clock: RecordedTime,
  /** Under which it is shown; left out: its own. */
  shownAs: string = row.name,
): EvidenceOut {
  const device = row.device === null ? null : (JSON.parse(row.device) as Device)
  return {
    EvidenceId: String(row.evidence_id),
    ...membersOf(row, FIRST_FIELDS),
    DisplayName: shownAs,
    Tags: [...tags],
    ...membersOf(row, ORIGIN_FIELDS),
    // Of what is in the recycle bin no bytes are given out.
    Thumbnail:
      row.thumbnail_resource_id === null || row.lifecycle_state === 'Deleted'
        ? null
        : `${evidencePath(row.tenant_id, row.evidence_id)}/thumbnail`,
    ...membersOf(row, TIME_FIELDS),
    Clock: clockModel(clock),
    CreatedTimeUtc: row.created_utc,
    DeletedOnUtc: row.deleted_utc,
    ...membersOf(row, PLACE_FIELDS),
    EditingSessionId: null,
    ConcurrencyId: row.concurrency_id,
    State: row.state as EvidenceOut['State'],
    LifecycleState: row.lifecycle_state as EvidenceOut['LifecycleState'],
    ProtectedUntil: row.protected_until,
    Unfinished: row.unfinished === 1,
    AssociationState: row.association_state as EvidenceOut['AssociationState'],
    AccessPoliciesGrantType: policies.length > 0 ? 'Own' : inherited.length > 0 ? 'Case' : 'None',
    AccessorPermissions: levelsUpTo(level),
    CreatedBy: JSON.parse(row.created_by) as PrincipalThen,
    DeletedBy: row.deleted_by === null ? null : (JSON.parse(row.deleted_by) as PrincipalThen),
    Device: device === null ? null : { ...device, ExternalId: deviceRecordId(device) },
    DeviceIdentity: row.device_identity as EvidenceOut['DeviceIdentity'],
    AccessPolicies: [
      ...policies.map((policy) => policyModel(policy, 'Direct')),
      ...inherited.map((policy) => policyModel(policy, policy.department ? 'Department' : 'Case')),
    ],
    CustomFields: JSON.parse(row.custom_fields) as Record<string, string>,
  }
}

/** A policy as a version keeps it. */
interface PolicyThen {
  readonly PrincipalId: string
  readonly Level: string
  readonly ExpirationDateUtc: string | null
  readonly KId?: string
  readonly Username?: string
  readonly PrincipalType?: string
}

const policyModel = (
  policy: Omit<PolicyRow, 'evidence_id'>,
  reason: 'Direct' | 'Case' | 'Department',
): EvidenceOut['AccessPolicies'][number] => ({
  ExpirationDateUtc: policy.expires_utc,
  Permissions: policy.level,
  PermissionSource: { Reason: reason, MergeStrategy: 'Highest', Permissions: policy.level },
  KId: policy.k_id,
  Username: policy.name,
  PrincipalId: String(policy.principal_id),
  PrincipalType: policy.kind,
})

/** A version as it was (decisions 4): stored state, dressed with what depends on who asks today. */
export function evidenceModelOfVersion(
  state: Record<string, unknown>,
  concurrencyId: string,
  tenant: string,
  today: EvidenceOut,
  clock: ClockFacts,
): EvidenceOut {
  const {
    ThumbnailResourceId: thumbnail,
    Policies: policies,
    Device: device,
    // Not everybody who reads the evidence may know of its cases.
    Relations: _relations,
    Files: _files,
    StartTimeSource: source = null,
    ContainerStartTimeUtc: container = null,
    LocalStartTime: local = null,
    LocalStartTakenAsUtc: taken = null,
    GpsStartTimeUtc: gps = null,
    GivenStartTimeUtc: given = null,
    ...stored
  } = state as Record<string, unknown> & {
    Policies: PolicyThen[]
    Device: Device | null
    Relations?: unknown
    Files?: unknown
    StartTimeSource?: ClockFacts['startSource']
    ContainerStartTimeUtc?: string | null
    LocalStartTime?: string | null
    LocalStartTakenAsUtc?: string | null
    GpsStartTimeUtc?: string | null
    GivenStartTimeUtc?: string | null
  }
  // The first versions did not say who it was but by id.
  const known = new Map(today.AccessPolicies.map((policy) => [policy.PrincipalId, policy]))
  return {
    // A version from before a field is without it.
    ...Object.fromEntries(EVIDENCE_FIELD_NAMES.map((name) => [name, null])),
    ProtectedUntil: null,
    Unfinished: false,
    ...(stored as unknown as Omit<EvidenceOut, 'ProtectedUntil' | 'Unfinished'>),
    // The evidence's time as it was then, with what its files say.
    Clock: clockModel(
      recordedTime({
        ...clock,
        start: (stored['StartTimeUtc'] as string | null | undefined) ?? taken,
        startSource: source,
        containerStart: container,
        givenStart: given,
        localTime: local,
        zoneUnknown: taken !== null,
        fromGps: gps !== null,
      }),
    ),
    // What it is called today says nothing of the times when it had another name.
    DisplayName: stored['Name'] === today.Name ? today.DisplayName : String(stored['Name']),
    ConcurrencyId: concurrencyId,
    EditingSessionId: null,
    Thumbnail: thumbnail === null ? null : `${evidencePath(tenant, Number(today.EvidenceId))}/thumbnail`,
    Device: device === null ? null : { ...device, ExternalId: deviceRecordId(device) },
    AccessPoliciesGrantType: policies.length === 0 ? 'None' : 'Own',
    AccessorPermissions: today.AccessorPermissions,
    AccessPolicies: policies.map((policy) => ({
      ExpirationDateUtc: policy.ExpirationDateUtc,
      Permissions: policy.Level,
      PermissionSource: { Reason: 'Direct', MergeStrategy: 'Highest', Permissions: policy.Level },
      KId: policy.KId ?? known.get(policy.PrincipalId)?.KId ?? '',
      Username: policy.Username ?? known.get(policy.PrincipalId)?.Username ?? '',
      PrincipalId: policy.PrincipalId,
      PrincipalType: policy.PrincipalType ?? known.get(policy.PrincipalId)?.PrincipalType ?? '',
    })),
  }
}
