import { z } from 'zod'
import { inputsOf, namesIn } from './fields.ts'
import {
  CustomFields,
  IdMember,
  IdParam,
  line,
  Sha256,
  tags,
  TenantNameParams as Tenant,
  UtcTime,
} from '../kernel/fields.ts'
import { EvidenceRecord, ResourceRecord } from './records.contract.ts'
import { parseDuration } from '../kernel/durations.ts'
import type { Action } from '../kernel/ledger-actions.ts'
import { route } from '../kernel/route.ts'

export * from './list.contract.ts'
export * from './records.contract.ts'

/** The document service: interfaces.md 2.4, 2.5, 4.3 and decisions 6. */

const BASE = '/documentstore/api/v1/tenant/:tenantName'
const ALIAS = '/api/v1/tenant/:tenantName'
const both = (path: string) => ({ path: `${BASE}${path}`, aliases: [`${ALIAS}${path}`] as const })

const EvidencePath = Tenant.extend({ evidenceId: IdParam })
const ResourcePath = EvidencePath.extend({ resourceId: IdParam })

const absent = <T extends z.ZodType>(schema: T) => schema.nullish()

export const OpenResourceRecord = ResourceRecord.extend({
  UploadUri: z
    .string()
    .meta({ description: 'Absolute and signed for 24 hours; speaks the Block Blob protocol (decisions 6).' }),
}).meta({ id: 'OpenEvidenceResourceRecord' })

/** What describes an evidence and may change. Its name too, with a rule of its own. */
export const changeable = {
  ...inputsOf(namesIn('about')),
  Tags: absent(tags(100)),
  ...inputsOf(namesIn('category', 'times', 'place')),
  CustomFields: absent(CustomFields),
}

export const CreateEvidenceModel = z
  .object({
    ...inputsOf(namesIn('name')),
    ...changeable,
    Device: absent(
      z.object({
        DeviceType: absent(line(256)),
        Manufacturer: absent(line(256)),
        SerialNumber: absent(line(256)),
        Model: absent(line(256)),
      }),
    ),
    CaseIds: absent(z.array(IdMember).max(50)),
    ...inputsOf(namesIn('source')),
    DeviceCredential: absent(z.string().max(4096)),
  })
  .meta({ id: 'CreateEvidenceModel' })

const MIME_TYPE =
  /^[a-zA-Z0-9][a-zA-Z0-9!#$&^_.+-]{0,126}\/[a-zA-Z0-9][a-zA-Z0-9!#$&^_.+-]{0,126}(?:\s*;\s*[a-zA-Z0-9-]+=(?:"[^"\\\r\n]*"|[a-zA-Z0-9!#$&^_.+-]+))*$/
const ISO_DURATION = /^[+-]?P(?=\d|T\d)(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d{1,7})?S)?)?$/

const MOST_TICKS = 9_999n * 366n * 86_400n * 10_000_000n
/** No time of the years 1 to 9999 is another one by that much, and no database could add it to one. */
function isBeyondTime(duration: string): boolean {
  const ticks = parseDuration(duration)?.ticks ?? 0n
  return ticks > MOST_TICKS || ticks < -MOST_TICKS
}

export const createResourceModel = (maxBytes: number) =>
  z
    .object({
      Name: line(1024, 1),
      MimeType: absent(z.string().max(256).regex(MIME_TYPE, 'must be a media type such as video/mp4')),
      StartTimeUtc: absent(UtcTime),
      EndTimeUtc: absent(UtcTime),
      TimeOffset: absent(
        z
          .string()
          .max(40)
          .regex(ISO_DURATION, 'must be an ISO 8601 duration such as PT1M12S')
          .refine((text) => !isBeyondTime(text), 'must be shorter than 9,999 years'),
      ),
      LengthInBytes: absent(z.int().min(0).max(maxBytes, 'must not be larger than 1 TiB')),
      Sha256: absent(Sha256),
    })
    .meta({ id: 'CreateResourceModel' })

export const CompleteResourceModel = z
  .object({ Sha256: absent(Sha256), LengthInBytes: absent(z.int().min(0)) })
  .meta({ id: 'CompleteResourceModel' })

const VersionQuery = z.object({ concurrencyId: z.string().optional() })
const view = { kind: 'level', level: 'View', on: 'evidence' } as const
const edit = { kind: 'level', level: 'Edit', on: 'evidence' } as const
const read = (action: Action, objectType: 'evidence' | 'resource') =>
  ({ by: 'read', action, objectType, objectParam: objectType === 'evidence' ? 'evidenceId' : 'resourceId' }) as const
const ONE_TEBIBYTE = 2 ** 40

export const createEvidence = route({
  id: 'createEvidence',
  interface: 'document',
  method: 'POST',
  ...both('/evidence'),
  origin: 'decision',
  summary: 'Create an evidence',
  permission: { kind: 'member', guests: false },
  audit: { by: 'own', actions: ['evidence.created'] },
  params: Tenant,
  body: CreateEvidenceModel,
  responses: { 201: EvidenceRecord },
  errors: ['InvalidModel', 'InvalidDateTimeRange', 'TenantNotFound', 'ReadOnly'],
  idempotent: true,
  secrets: ['DeviceCredential'],
})

export const getEvidence = route({
  id: 'getEvidence',
  interface: 'document',
  method: 'GET',
  ...both('/evidence/:evidenceId'),
  origin: 'specification',
  summary: 'Read an evidence',
  permission: view,
  audit: read('evidence.read', 'evidence'),
  params: EvidencePath,
  query: VersionQuery,
  responses: { 200: EvidenceRecord },
  errors: ['EvidenceNotFound', 'InvalidConcurrencyId', 'TenantNotFound'],
})

export const completeEvidence = route({
  id: 'completeEvidence',
  interface: 'document',
  method: 'POST',
  ...both('/evidence/:evidenceId/complete'),
  origin: 'decision',
  summary: 'Complete an evidence',
  permission: edit,
  audit: { by: 'own', actions: ['evidence.completed', 'evidence.read'] },
  params: EvidencePath,
  responses: { 200: EvidenceRecord },
  errors: ['EvidenceNotFound', 'ResourceNotCompleted', 'TenantNotFound', 'ReadOnly'],
  whileLocked: true,
})

export const createResource = route({
  id: 'createResource',
  interface: 'document',
  method: 'POST',
  ...both('/evidence/:evidenceId/resource'),
  origin: 'decision',
  summary: 'Create a resource and get its upload address',
  permission: edit,
  audit: { by: 'own', actions: ['resource.created'] },
  params: EvidencePath,
  body: createResourceModel(ONE_TEBIBYTE),
  responses: { 201: OpenResourceRecord },
  errors: [
    'InvalidModel',
    'InvalidDateTimeRange',
    'EvidenceNotFound',
    'TooManyOpenResources',
    'StorageFull',
    'TenantNotFound',
    'ReadOnly',
  ],
  idempotent: true,
})

export const listResources = route({
  id: 'listResources',
  interface: 'document',
  method: 'GET',
  ...both('/evidence/:evidenceId/resource'),
  origin: 'specification',
  summary: 'List the resources of an evidence',
  permission: view,
  audit: read('resource.listed', 'evidence'),
  params: EvidencePath,
  responses: { 200: z.array(ResourceRecord) },
  errors: ['EvidenceNotFound', 'TenantNotFound'],
})

export const getResource = route({
  id: 'getResource',
  interface: 'document',
  method: 'GET',
  ...both('/evidence/:evidenceId/resource/:resourceId'),
  origin: 'extension',
  summary: 'Read one resource',
  permission: view,
  audit: read('resource.read', 'resource'),
  params: ResourcePath,
  responses: { 200: ResourceRecord },
  errors: ['EvidenceNotFound', 'ResourceNotFound', 'TenantNotFound'],
})

export const renewUploadUri = route({
  id: 'renewUploadUri',
  interface: 'document',
  method: 'POST',
  ...both('/evidence/:evidenceId/resource/:resourceId/upload-uri'),
  origin: 'decision',
  summary: 'Renew the upload address of an open resource',
  permission: edit,
  audit: { by: 'own', actions: ['upload.renewed'] },
  params: ResourcePath,
  responses: { 200: OpenResourceRecord },
  errors: ['EvidenceNotFound', 'ResourceNotFound', 'ResourceNotOpen', 'TenantNotFound'],
  whileLocked: true,
})

export const completeResource = route({
  id: 'completeResource',
  interface: 'document',
  method: 'POST',
  ...both('/evidence/:evidenceId/resource/:resourceId/complete'),
  origin: 'decision',
  summary: 'Complete a resource: its bytes are read back, hashed and never change again',
  description:
    'Of an encrypted upload Sha256 and LengthInBytes are those of the file that it holds. Evidence that is complete takes further files: each makes one more version of it.',
  permission: edit,
  audit: { by: 'own', actions: ['resource.completed', 'resource.refused', 'resource.read'] },
  params: ResourcePath,
  body: CompleteResourceModel.optional(),
  responses: { 200: ResourceRecord },
  errors: [
    'InvalidModel',
    'EvidenceNotFound',
    'ResourceNotFound',
    'ResourceNotOpen',
    'NothingUploaded',
    'HashMismatch',
    'DecryptionFailed',
    'UploadDamaged',
    'Forbidden',
    'StorageFull',
    'TenantNotFound',
    'ReadOnly',
  ],
  whileLocked: true,
})

const ContentQuery = z.object({ purpose: z.enum(['play', 'download']).optional() })

export const getContent = route({
  id: 'getContent',
  interface: 'document',
  method: 'GET',
  ...both('/evidence/:evidenceId/resource/:resourceId/content'),
  origin: 'decision',
  summary: 'The bytes of a resource, whole or one range',
  permission: { kind: 'level', level: 'Download', on: 'evidence', playing: 'View' },
  audit: {
    by: 'own',
    actions: ['resource.downloaded', 'resource.read', 'resource.played.started', 'resource.played.ended'],
  },
  params: ResourcePath,
  query: ContentQuery,
  responses: { 200: 'bytes', 206: 'bytes', 304: null },
  errors: [
    'EvidenceNotFound',
    'ResourceNotFound',
    'ResourceNotCompleted',
    'OriginalForwarded',
    'RangeNotSatisfiable',
    'TenantNotFound',
  ],
  uncounted: true,
})

export const getResourceThumbnail = route({
  id: 'getResourceThumbnail',
  interface: 'document',
  method: 'GET',
  ...both('/evidence/:evidenceId/resource/:resourceId/thumbnail'),
  origin: 'decision',
  summary: 'A small picture of a resource',
  permission: view,
  audit: { by: 'own', actions: ['resource.thumbnail'] },
  params: ResourcePath,
  responses: { 200: 'bytes', 206: 'bytes', 304: null },
  errors: ['EvidenceNotFound', 'ResourceNotFound', 'TenantNotFound'],
  uncounted: true,
})

export const getEvidenceThumbnail = route({
  id: 'getEvidenceThumbnail',
  interface: 'document',
  method: 'GET',
  ...both('/evidence/:evidenceId/thumbnail'),
  origin: 'extension',
  summary: 'A small picture of an evidence',
  permission: view,
  audit: { by: 'own', actions: ['resource.thumbnail'] },
  params: EvidencePath,
  responses: { 200: 'bytes', 206: 'bytes', 304: null },
  errors: ['EvidenceNotFound', 'ResourceNotFound', 'TenantNotFound'],
  uncounted: true,
})
