import { RecordedClock } from './recorded-clock.contract.ts'
import { z } from 'zod'
import { namesIn, outputsOf } from './fields.ts'
import { Texts } from '../kernel/fields.ts'

/** The records of evidence and resources (interfaces.md 2.4, 2.5 and decisions 6), as every answer of the document service gives them. */

const nullable = <T extends z.ZodType>(schema: T) => schema.nullable()

export const PrincipalModel = z
  .object({
    KId: z.string().nullable(),
    Username: z.string(),
    PrincipalId: z.string(),
    PrincipalType: z.string().nullable(),
  })
  .meta({ id: 'DocumentPrincipal' })

export const DeviceModel = z
  .object({
    DeviceType: z.string().nullable(),
    ExternalId: z.string().nullable(),
    Manufacturer: z.string().nullable(),
    SerialNumber: z.string().nullable(),
    Model: z.string().nullable(),
  })
  .meta({ id: 'EvidenceDevice' })

export const EvidencePolicyModel = z
  .object({
    ExpirationDateUtc: z.string().nullable(),
    Permissions: z.string(),
    PermissionSource: z.object({ Reason: z.string(), MergeStrategy: z.string(), Permissions: z.string() }),
    KId: z.string(),
    Username: z.string(),
    PrincipalId: z.string(),
    PrincipalType: z.string(),
  })
  .meta({ id: 'EvidenceAccessPolicy' })

const times = outputsOf(namesIn('times'))

export const EvidenceRecord = z
  .object({
    EvidenceId: z.string(),
    ...outputsOf(namesIn('name', 'about')),
    DisplayName: z.string().meta({
      description:
        'Under which it is shown. Of docked footage that still has the title of its file: camera, time and place, or the call where the caller can view its case. Else `Name`.',
    }),
    Tags: z.array(z.string()),
    ...outputsOf(namesIn('category', 'source')),
    Thumbnail: nullable(z.string()).meta({ description: 'A relative address.' }),
    ...times,
    StartTimeUtc: times.StartTimeUtc.meta({ description: 'The corrected time.' }),
    Clock: RecordedClock,
    CreatedTimeUtc: z.string(),
    DeletedOnUtc: nullable(z.string()),
    ...outputsOf(namesIn('place')),
    EditingSessionId: z.null(),
    ConcurrencyId: z.string(),
    State: z.enum(['None', 'UserCompleted']),
    LifecycleState: z.enum(['None', 'Protected', 'Deleted']),
    ProtectedUntil: nullable(z.string()).meta({ description: 'When a protection ends by itself.' }),
    Unfinished: z.boolean().meta({
      description:
        'The platform completed it, since whoever uploaded went away; completing it once more says that it is whole.',
    }),
    AssociationState: z.enum(['None', 'Manual', 'Automatic']),
    AccessPoliciesGrantType: z.enum(['None', 'Own', 'Case']),
    AccessorPermissions: z.array(z.string()),
    CreatedBy: PrincipalModel,
    DeletedBy: nullable(PrincipalModel),
    Device: nullable(DeviceModel),
    DeviceIdentity: nullable(z.enum(['Claimed', 'Credential', 'Docked'])),
    AccessPolicies: z.array(EvidencePolicyModel),
    CustomFields: Texts,
  })
  .meta({ id: 'EvidenceRecord' })

export const ProcessingModel = z
  .object({
    Kind: z.string(),
    State: z.string(),
    Message: z.string(),
    Attempts: z.int(),
    Progress: z.number().nullable(),
  })
  .meta({ id: 'Processing' })

export const LastCheckModel = z
  .object({
    TimeUtc: z.string(),
    Result: z.enum(['matches', 'changed', 'missing']),
    ReadBack: z
      .enum(['direct', 'cache'])
      .nullable()
      .meta({ description: '`cache`: this volume cannot be read past the memory of the machine.' }),
    Kind: z.enum(['ingest', 'requested', 'scheduled']),
  })
  .meta({
    id: 'LastCheck',
    description:
      'What was last found when the bytes of a resource were read from the disk; reading back while it was taken in counts as the first time.',
  })

export const TakenModel = z
  .object({
    Kind: z.enum(['still', 'exact', 'stream', 'crop']).meta({
      description: 'A still; a clip coded anew or of the untouched stream; a part of a picture.',
    }),
    FromSeconds: nullable(z.number()).meta({ description: 'Of a still and a clip, on the time line that is played.' }),
    ToSeconds: nullable(z.number()).meta({ description: 'Of a clip: when its last frame ends.' }),
    FrameCount: nullable(z.int()),
    Area: nullable(z.object({ Left: z.int(), Top: z.int(), Width: z.int(), Height: z.int() })).meta({
      description: 'Of a crop: the rectangle of the picture, upright, in its own pixels.',
    }),
  })
  .meta({ id: 'TakenFrom', description: 'What somebody took from its parent; null for everything else.' })

export const ResourceRecord = z
  .object({
    ResourceId: z.string(),
    EvidenceId: z.string(),
    Name: z.string(),
    MimeType: z.string(),
    StartTimeUtc: nullable(z.string()),
    EndTimeUtc: nullable(z.string()),
    TimeOffset: nullable(z.string()).meta({ description: 'ISO 8601 duration; corrected = camera + offset.' }),
    UploadedTimeUtc: nullable(z.string()),
    UploadedBy: PrincipalModel,
    Parent: nullable(z.string()),
    Thumbnail: nullable(z.string()),
    UploadCertificateThumbprint: nullable(z.string()),
    State: z.enum(['None', 'UserCompleted', 'Failed']),
    DecryptedLengthInBytes: nullable(z.int()),
    ConcurrencyId: z.string(),
    Sha256: nullable(z.string()),
    CameraSha256: nullable(z.string()).meta({
      description: 'The hash in the camera’s own list, where the bytes have another.',
    }),
    LengthInBytes: nullable(z.int()),
    Derivation: nullable(
      z.object({ Tool: z.string(), Version: z.string(), Arguments: z.array(z.string()), InputSha256: z.string() }),
    ),
    Taken: nullable(TakenModel),
    Processing: z.array(ProcessingModel),
    LastCheck: nullable(LastCheckModel),
  })
  .meta({ id: 'EvidenceResourceRecord' })
