/** The record of a resource, as several features answer it. */
import type { z } from 'zod'
import type { ResourceRecord } from '../../../shared/evidence/contract.ts'
import type { JobView } from '../jobs/types.ts'
import { ingested, type LastCheck } from './last-check.ts'
import type { MediaFacts, PrincipalThen } from './model.ts'
import { factsOf } from './played.ts'
import type { ResourceRow } from './records.store.ts'

export type ResourceOut = z.input<typeof ResourceRecord>

export const evidencePath = (tenant: string, id: number) =>
  `/documentstore/api/v1/tenant/${encodeURIComponent(tenant)}/evidence/${id}`

/** The record of 2.5. `jobs` are those whose subject is this resource; one that was only just made was read back and no more. */
export function resourceModel(
  tenant: string,
  row: ResourceRow,
  jobs: readonly JobView[],
  check: LastCheck | null = row.sha256 === null ? null : ingested(row, null),
): ResourceOut {
  const generatedMetadata = row.role === 'metadata'
  return {
    ResourceId: String(row.resource_id),
    EvidenceId: String(row.evidence_id),
    Name: row.name,
    MimeType: row.mime_type,
    StartTimeUtc: row.start_utc,
    EndTimeUtc: row.end_utc,
    TimeOffset: row.time_offset,
    UploadedTimeUtc: row.uploaded_utc,
    UploadedBy: uploadedBy(row),
    Parent: row.parent_id === null ? null : String(row.parent_id),
    Thumbnail:
      row.thumbnail_sha256 === null
        ? null
        : `${evidencePath(tenant, row.evidence_id)}/resource/${row.resource_id}/thumbnail`,
    UploadCertificateThumbprint: row.certificate_thumbprint,
    State: row.state as ResourceOut['State'],
    DecryptedLengthInBytes: generatedMetadata ? null : row.length,
    ConcurrencyId: row.concurrency_id,
    Sha256: row.sha256,
    CameraSha256: row.camera_sha256 === row.sha256 ? null : row.camera_sha256,
    LengthInBytes: row.length,
    Derivation: row.derivation === null ? null : (JSON.parse(row.derivation) as NonNullable<ResourceOut['Derivation']>),
    Taken: takenOf(factsOf(row)),
    Processing: latestOfEachKind(jobs).map((job) => ({
      Kind: job.kind,
      State: job.state,
      Message: job.message,
      Attempts: job.attempts,
      Progress: job.progress,
    })),
    LastCheck:
      check === null
        ? null
        : { TimeUtc: check.timeUtc, Result: check.result, ReadBack: check.readBack, Kind: check.kind },
  }
}

function takenOf({ Still, Clip, Crop, FrameCount }: MediaFacts): ResourceOut['Taken'] {
  const none = { FromSeconds: null, ToSeconds: null, FrameCount: null, Area: null }
  if (Still !== undefined) return { ...none, Kind: 'still', FromSeconds: Still }
  if (Crop !== undefined) return { ...none, Kind: 'crop', Area: Crop }
  if (Clip === undefined) return null
  return { ...none, Kind: Clip.Kind, FromSeconds: Clip.From, ToSeconds: Clip.To, FrameCount: FrameCount ?? null }
}

/** 2.5: a resource made by the platform has Username `internal`, PrincipalId `0`, and no KId. */
function uploadedBy(row: ResourceRow): ResourceOut['UploadedBy'] {
  const who = JSON.parse(row.uploaded_by) as PrincipalThen
  return who.PrincipalType === 'internal'
    ? { KId: null, Username: 'internal', PrincipalId: '0', PrincipalType: null }
    : who
}

function latestOfEachKind(jobs: readonly JobView[]): JobView[] {
  return [...new Map(jobs.map((job) => [job.kind, job])).values()]
}
