import type { z } from 'zod'
import {
  EVIDENCE_FIELD_NAMES,
  type EvidenceFieldColumns,
  type EvidenceFieldName,
  fieldOf,
  type outputsOf,
  valueColumnOf,
} from '../../../shared/evidence/fields.ts'
import type { Time } from '../../../shared/kernel/time.ts'
import { containerState } from './local-start.ts'
import type { LinkRow } from './links.store.ts'
import type { NewEvidence, PrincipalThen } from './model.ts'
import type { EvidenceRow, PolicyRow, ResourceRow } from './records.store.ts'

/** Between what is given, what the tables hold, and the stored state of which versions are made. */

type Columns = Readonly<Partial<EvidenceFieldColumns>>

/** A field as stored in its columns; what is absent is none. */
export function storedColumns(name: EvidenceFieldName, value: unknown): Columns {
  const { kind, column } = fieldOf(name)
  if (kind !== 'time') return { [column]: value ?? null }
  const { text = null, ticks = null } = (value ?? {}) as Partial<Time>
  return { [`${column}_utc`]: text, [`${column}_ticks`]: ticks }
}

/** What its columns hold; of a time the text. */
export const storedValue = (columns: Columns, name: EvidenceFieldName): unknown =>
  columns[valueColumnOf(name) as keyof Columns]

/** Members of an answer, from the columns of an evidence. */
export const membersOf = <N extends EvidenceFieldName>(row: EvidenceFieldColumns, names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, storedValue(row, name)])) as z.output<
    z.ZodObject<ReturnType<typeof outputsOf<N>>>
  >

/** The columns of all fields; what is absent is none. */
export const fieldColumns = (
  members: Readonly<Partial<Record<EvidenceFieldName, unknown>>> & { readonly Name: string },
): EvidenceFieldColumns =>
  Object.assign({}, ...EVIDENCE_FIELD_NAMES.map((name) => storedColumns(name, members[name]))) as EvidenceFieldColumns

export function newEvidenceRow(tenant: string, given: NewEvidence, now: Time, createdBy: PrincipalThen) {
  return {
    tenant_id: tenant,
    ...fieldColumns(given),
    start_source: given.startSource ?? null,
    device: given.device === null ? null : JSON.stringify(given.device),
    device_identity: given.deviceIdentity,
    custom_fields: JSON.stringify(given.CustomFields ?? {}),
    thumbnail_resource_id: null,
    created_utc: now.text,
    created_ticks: now.ticks,
    created_by: JSON.stringify(createdBy),
    deleted_utc: null,
    deleted_by: null,
    // The real one follows in the same transaction: it is a hash over the row with its id.
    concurrency_id: '',
  }
}

export function emptyResource(
  evidenceId: number,
  name: string,
  mimeType: string,
  uploadedBy: PrincipalThen,
  createdUtc: string,
) {
  return {
    evidence_id: evidenceId,
    name,
    mime_type: mimeType,
    sniffed_type: null,
    start_utc: null,
    start_ticks: null,
    end_utc: null,
    end_ticks: null,
    time_offset: null,
    parent_id: null,
    expected_sha256: null,
    expected_length: null,
    sha256: null,
    length: null,
    derivation: null,
    media: null,
    thumbnail_sha256: null,
    thumbnail_derivation: null,
    uploaded_utc: null,
    uploaded_by: JSON.stringify(uploadedBy),
    certificate_thumbprint: null,
    created_utc: createdUtc,
    concurrency_id: '',
  }
}

/**
 * Stored state as a version keeps it; the names are those of 2.4 where 2.4 has one. Members that came later stand there only where they say
 * something: a version of before must not look as if they had been taken away.
 * @param files ids of the files of evidence that is complete; null before
 */
export function evidenceState(
  row: EvidenceRow,
  tags: readonly string[],
  policies: readonly PolicyRow[],
  links: readonly LinkRow[],
  files: readonly number[] | null,
) {
  return {
    EvidenceId: String(row.evidence_id),
    ...membersOf(row, EVIDENCE_FIELD_NAMES),
    Tags: [...tags],
    CreatedTimeUtc: row.created_utc,
    DeletedOnUtc: row.deleted_utc,
    Device: row.device === null ? null : (JSON.parse(row.device) as unknown),
    DeviceIdentity: row.device_identity,
    CustomFields: JSON.parse(row.custom_fields) as unknown,
    State: row.state,
    LifecycleState: row.lifecycle_state,
    ...(row.start_source === null ? {} : { StartTimeSource: row.start_source }),
    ...containerState(row),
    ...(row.protected_until === null ? {} : { ProtectedUntil: row.protected_until }),
    ...(row.unfinished === 0 ? {} : { Unfinished: true }),
    ...(files === null ? {} : { Files: files.map(String) }),
    AssociationState: row.association_state,
    ThumbnailResourceId: row.thumbnail_resource_id === null ? null : String(row.thumbnail_resource_id),
    CreatedBy: JSON.parse(row.created_by) as unknown,
    DeletedBy: row.deleted_by === null ? null : (JSON.parse(row.deleted_by) as unknown),
    Policies: policies.map((policy) => ({
      PrincipalId: String(policy.principal_id),
      Level: policy.level,
      ExpirationDateUtc: policy.expires_utc,
      // As then: who is named may have no policy here later on.
      KId: policy.k_id,
      Username: policy.name,
      PrincipalType: policy.kind,
    })),
    Relations: links.map((link) => ({
      CaseId: String(link.case_id),
      Kind: link.kind,
      Confirmed: link.confirmed === 1,
      Rule: link.rule,
      LinkedOn: link.linked_on,
      LinkedBy: JSON.parse(link.linked_by) as unknown,
    })),
  }
}

export function resourceState(row: ResourceRow) {
  return {
    ResourceId: String(row.resource_id),
    EvidenceId: String(row.evidence_id),
    Name: row.name,
    MimeType: row.mime_type,
    SniffedType: row.sniffed_type,
    Role: row.role,
    StartTimeUtc: row.start_utc,
    EndTimeUtc: row.end_utc,
    TimeOffset: row.time_offset,
    State: row.state,
    Parent: row.parent_id === null ? null : String(row.parent_id),
    Sha256: row.sha256,
    LengthInBytes: row.length,
    ...(row.camera_sha256 === null ? {} : { CameraSha256: row.camera_sha256 }),
    Derivation: row.derivation === null ? null : (JSON.parse(row.derivation) as unknown),
    Media: row.media === null ? null : (JSON.parse(row.media) as unknown),
    ThumbnailSha256: row.thumbnail_sha256,
    UploadedTimeUtc: row.uploaded_utc,
    UploadedBy: JSON.parse(row.uploaded_by) as unknown,
    ...(row.certificate_thumbprint === null ? {} : { UploadCertificateThumbprint: row.certificate_thumbprint }),
    CreatedTimeUtc: row.created_utc,
  }
}

/** Tags are found without regard to case and composition. */
export const tagKey = (tag: string): string => tag.normalize('NFC').toLowerCase()
