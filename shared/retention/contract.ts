import { z } from 'zod'
import { MOST_RETENTION_DAYS, UPLOADER_KINDS } from './retention.ts'
import { PrincipalOutputModel } from '../cases/categories.contract.ts'
import { IdMember, IdParam, line, Name, TenantNameParams as Tenant } from '../kernel/fields.ts'
import { DEVICE_FIELDS } from '../devices/fields.ts'
import { route } from '../kernel/route.ts'

/** Retention by source, and what a change of a retention would do (decisions 4), an extension. Categories carry their own days. */

const BASE = '/api/v1/tenant/:tenantName/retention'
const SourcePath = Tenant.extend({ sourcePolicyId: IdParam })
const configuration = { kind: 'policy', policy: 'ManageConfiguration' } as const

export const LONGEST_SOURCE_ID = 1024

const match = {
  DeviceType: line(DEVICE_FIELDS.DeviceType.most, 1).nullish(),
  SourceId: line(LONGEST_SOURCE_ID, 1).nullish(),
  Uploader: z.enum(UPLOADER_KINDS).nullish(),
}
const days = { RetentionDays: z.int().min(1).max(MOST_RETENTION_DAYS).nullish() }
/** The members that say for which evidence. */
type Match = { DeviceType?: unknown; SourceId?: unknown; Uploader?: unknown }
export const fitsSomething = (one: Match): boolean =>
  [one.DeviceType, one.SourceId, one.Uploader].some((part) => part != null)
const NOTHING = 'must say for which evidence: a device type, a source or who brings it in'

export const SourcePolicyModel = z
  .object({
    SourcePolicyId: z.string(),
    Name: z.string(),
    DeviceType: z.string().nullable(),
    SourceId: z.string().nullable(),
    Uploader: z.enum(UPLOADER_KINDS).nullable(),
    RetentionDays: z.int().nullable().meta({ description: 'null: kept' }),
    ConcurrencyId: z.string(),
    CreatedUtcTime: z.string(),
    LastModifiedUtcTime: z.string(),
    LastModifiedBy: PrincipalOutputModel,
  })
  .meta({ id: 'SourcePolicyModel' })

export const CreateSourcePolicyModel = z
  .object({ Name, ...match, ...days })
  .refine(fitsSomething, NOTHING)
  .meta({ id: 'CreateSourcePolicyModel' })
export const UpdateSourcePolicyModel = z
  .object({ Name, ...match, ...days, ConcurrencyId: z.string().min(1).max(256) })
  .refine(fitsSomething, NOTHING)
  .meta({ id: 'UpdateSourcePolicyModel' })

export const listSourcePolicies = route({
  id: 'listSourcePolicies',
  interface: 'document',
  method: 'GET',
  path: `${BASE}/source`,
  origin: 'extension',
  summary: 'List the retentions of sources by name',
  permission: configuration,
  audit: { by: 'read', action: 'list.read', objectType: 'sourcePolicy' },
  params: Tenant,
  responses: { 200: z.array(SourcePolicyModel) },
  errors: ['TenantNotFound'],
})

export const createSourcePolicy = route({
  id: 'createSourcePolicy',
  interface: 'document',
  method: 'POST',
  path: `${BASE}/source`,
  origin: 'extension',
  summary: 'Create a retention for a source',
  description: 'Each member that is given has to fit, without regard to case. Without RetentionDays what fits is kept.',
  permission: configuration,
  audit: { by: 'own', actions: ['sourcePolicy.created'] },
  params: Tenant,
  body: CreateSourcePolicyModel,
  responses: { 201: SourcePolicyModel },
  errors: ['InvalidModel', 'NameTaken', 'TenantNotFound', 'ReadOnly'],
  idempotent: true,
})

export const updateSourcePolicy = route({
  id: 'updateSourcePolicy',
  interface: 'document',
  method: 'PUT',
  path: `${BASE}/source/:sourcePolicyId`,
  origin: 'extension',
  summary: 'Replace the retention of a source',
  permission: configuration,
  audit: { by: 'own', actions: ['sourcePolicy.changed'] },
  params: SourcePath,
  body: UpdateSourcePolicyModel,
  responses: { 200: SourcePolicyModel },
  errors: ['InvalidModel', 'NameTaken', 'SourcePolicyNotFound', 'ConcurrentWritingError', 'TenantNotFound', 'ReadOnly'],
})

export const deleteSourcePolicy = route({
  id: 'deleteSourcePolicy',
  interface: 'document',
  method: 'DELETE',
  path: `${BASE}/source/:sourcePolicyId`,
  origin: 'extension',
  summary: 'Delete the retention of a source',
  permission: configuration,
  audit: { by: 'own', actions: ['sourcePolicy.deleted'] },
  params: SourcePath,
  responses: { 200: SourcePolicyModel },
  errors: ['InvalidModel', 'SourcePolicyNotFound', 'TenantNotFound', 'ReadOnly'],
})

const Amount = z.object({ Files: z.int(), Bytes: z.int() }).meta({ id: 'RetentionAmount' })

export const RetentionPreview = z
  .object({
    TimeUtc: z.string(),
    Complete: z
      .boolean()
      .meta({ description: 'False where more is concerned than was looked at; the amounts are then least ones.' }),
    Concerned: Amount.meta({ description: 'What the retention is for.' }),
    BecomeDue: Amount.meta({ description: 'Would come into the queue at once.' }),
    Sooner: Amount.meta({ description: 'Would be due sooner than now, though not at once.' }),
    Later: Amount.meta({ description: 'Would be due later than now, or never.' }),
    OpenCases: Amount.meta({ description: 'Is in an open case: nothing happens to it before that is closed.' }),
    Protected: Amount.meta({ description: 'Is protected, or in a protected case.' }),
  })
  .meta({ id: 'RetentionPreview' })

export const previewRetention = route({
  id: 'previewRetention',
  interface: 'document',
  method: 'POST',
  path: `${BASE}/preview`,
  origin: 'extension',
  summary: 'Show what a change of a retention would do',
  description:
    'Either of a category or of a source. Of a source that is there, SourcePolicyId names it; Remove: as if it were deleted. Nothing is changed.',
  permission: configuration,
  audit: { by: 'read', action: 'retention.previewed', objectType: 'retention' },
  params: Tenant,
  body: z
    .object({
      Category: z.object({ CategoryId: IdMember, ...days }).nullish(),
      Source: z
        .object({ SourcePolicyId: IdMember.nullish(), Remove: z.boolean().default(false), ...match, ...days })
        .nullish(),
    })
    .refine((body) => (body.Category == null) !== (body.Source == null), 'must hold either Category or Source')
    .refine(
      ({ Source }) => Source == null || (Source.Remove ? Source.SourcePolicyId != null : fitsSomething(Source)),
      NOTHING,
    )
    .meta({ id: 'PreviewRetentionModel' }),
  responses: { 200: RetentionPreview },
  errors: ['InvalidModel', 'CategoryNotFound', 'SourcePolicyNotFound', 'TenantNotFound'],
})
