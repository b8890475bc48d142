import { z } from 'zod'
import { MOST_CAPTION_BYTES, MOST_CUES } from './captions.ts'
import { IdMember, IdParam, line, TenantNameParams as Tenant } from '../kernel/fields.ts'
import { ResourceRecord } from './records.contract.ts'
import { route } from '../kernel/route.ts'

/** Captions of recordings: extensions of the document service. */

const both = (path: string) => ({
  path: `/documentstore/api/v1/tenant/:tenantName/evidence/:evidenceId/resource/:resourceId${path}`,
  aliases: [`/api/v1/tenant/:tenantName/evidence/:evidenceId/resource/:resourceId${path}`] as const,
})
const ResourcePath = Tenant.extend({ evidenceId: IdParam, resourceId: IdParam })

export const LONGEST_LANGUAGE = 35
export const LONGEST_LABEL = 64

export const Language = z
  .string()
  .max(LONGEST_LANGUAGE)
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'must be a language such as en or fr-CA')

export const AttachCaptionsModel = z
  .object({
    FileResourceId: IdMember.meta({ description: 'A completed file of the same evidence: WebVTT or SubRip.' }),
    Language,
    Label: line(LONGEST_LABEL, 1)
      .nullish()
      .meta({ description: 'How the player calls it; the language where there is none.' }),
  })
  .meta({ id: 'AttachCaptionsModel' })

export const attachCaptions = route({
  id: 'attachCaptions',
  interface: 'document',
  method: 'POST',
  ...both('/captions'),
  origin: 'extension',
  summary: 'Attach captions to a recording',
  description: `The file is uploaded like any other and stays as it came. From it WebVTT of plain text is made, a resource with the recording as its parent: times and words, no markup, no positions. The file is read strictly: UTF-8, or UTF-16 with a byte order mark, at most ${MOST_CAPTION_BYTES} bytes and ${MOST_CUES} captions; where it cannot be understood every problem is named by its line.`,
  permission: { kind: 'level', level: 'Edit', on: 'evidence' },
  audit: { by: 'own', actions: ['captions.added'] },
  params: ResourcePath,
  body: AttachCaptionsModel,
  responses: { 201: ResourceRecord },
  errors: [
    'InvalidModel',
    'EvidenceNotFound',
    'ResourceNotFound',
    'ResourceNotCompleted',
    'NotARecording',
    'CaptionsNotReadable',
    'StorageFull',
    'TenantNotFound',
    'ReadOnly',
  ],
  idempotent: true,
})

export const detachCaptions = route({
  id: 'detachCaptions',
  interface: 'document',
  method: 'DELETE',
  ...both('/captions'),
  origin: 'extension',
  summary: 'Take captions away from their recording',
  description:
    'Of a resource that attachCaptions made. The player offers them no more; the resource, its bytes and the file that they were made from stay, and restoreCaptions gives them back.',
  permission: { kind: 'level', level: 'Edit', on: 'evidence' },
  audit: { by: 'own', actions: ['captions.removed'] },
  params: ResourcePath,
  responses: { 200: ResourceRecord },
  errors: [
    'EvidenceNotFound',
    'ResourceNotFound',
    'CaptionsNotFound',
    'CaptionsDetached',
    'TenantNotFound',
    'ReadOnly',
  ],
})

export const restoreCaptions = route({
  id: 'restoreCaptions',
  interface: 'document',
  method: 'POST',
  ...both('/captions/restore'),
  origin: 'extension',
  summary: 'Give captions back to their recording',
  description: 'Of those that detachCaptions took away: as they were.',
  permission: { kind: 'level', level: 'Edit', on: 'evidence' },
  audit: { by: 'own', actions: ['captions.restored'] },
  params: ResourcePath,
  responses: { 200: ResourceRecord },
  errors: [
    'EvidenceNotFound',
    'ResourceNotFound',
    'CaptionsNotFound',
    'CaptionsNotDetached',
    'TenantNotFound',
    'ReadOnly',
  ],
})

export const CaptionsModel = z
  .object({
    ResourceId: z.string(),
    Language: z.string(),
    Label: z.string(),
    Cues: z.array(
      z
        .object({ StartSeconds: z.number(), EndSeconds: z.number(), Text: z.string().meta({ description: 'Plain.' }) })
        .meta({ id: 'CaptionCue' }),
    ),
  })
  .meta({ id: 'Captions' })

export const getCaptions = route({
  id: 'getCaptions',
  interface: 'document',
  method: 'GET',
  ...both('/captions'),
  origin: 'extension',
  summary: 'What captions say, and when',
  description: 'Of a resource that attachCaptions made; its bytes are WebVTT and are downloaded like any other.',
  permission: { kind: 'level', level: 'View', on: 'evidence' },
  audit: { by: 'read', action: 'captions.read', objectType: 'resource', objectParam: 'resourceId' },
  params: ResourcePath,
  responses: { 200: CaptionsModel },
  errors: ['EvidenceNotFound', 'ResourceNotFound', 'CaptionsNotFound', 'TenantNotFound'],
})
