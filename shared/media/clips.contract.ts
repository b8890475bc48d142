import { z } from 'zod'
import { ResourceRecord } from '../evidence/contract.ts'
import { IdParam, line, TenantNameParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** Clips of a recording and crops of a picture: files of their own, made from an original (decisions 31). */

const both = (path: string) => ({
  path: `/documentstore/api/v1/tenant/:tenantName${path}`,
  aliases: [`/api/v1/tenant/:tenantName${path}`] as const,
})
const ResourcePath = Tenant.extend({ evidenceId: IdParam, resourceId: IdParam })
const edit = { kind: 'level', level: 'Edit', on: 'evidence' } as const

/** `exact`: coded anew, from the chosen frame to the chosen frame. `stream`: the recording's own data, from a key frame to a key frame. */
export const CLIP_KINDS = ['exact', 'stream'] as const
export type ClipKind = (typeof CLIP_KINDS)[number]

/** Clips that one call may ask for. */
export const MOST_CLIPS = 50
/** Of one exact clip, seconds: what is longer is the recording itself, or several clips. */
export const LONGEST_CLIP = 6 * 3600
const Seconds = z.number().min(0).max(10_000_000)

const ClipRange = z
  .object({
    FromSeconds: Seconds.meta({ description: 'Position on the time line that is played; its frame is the first one.' }),
    ToSeconds: Seconds.meta({ description: 'The frame at this position is the last one.' }),
  })
  .refine(({ FromSeconds, ToSeconds }) => ToSeconds >= FromSeconds, {
    path: ['ToSeconds'],
    message: 'must not be before FromSeconds',
  })
  .refine(({ FromSeconds, ToSeconds }) => ToSeconds - FromSeconds <= LONGEST_CLIP, {
    path: ['ToSeconds'],
    message: `must be at most ${LONGEST_CLIP} seconds after FromSeconds`,
  })

export const MakeClipsModel = z
  .object({
    Kind: z.enum(CLIP_KINDS),
    Ranges: z
      .array(ClipRange.safeExtend({ Name: line(1024, 1).nullish() }))
      .min(1)
      .max(MOST_CLIPS),
  })
  .meta({ id: 'MakeClipsModel' })

export const ClipBoundsModel = z
  .object({ Ranges: z.array(ClipRange).min(1).max(MOST_CLIPS) })
  .meta({ id: 'ClipBoundsModel' })

export const ClipBounds = z
  .array(
    z.object({
      FromSeconds: z.number(),
      ToSeconds: z.number().meta({ description: 'The end of the last frame.' }),
      FrameCount: z.int(),
    }),
  )
  .meta({ id: 'ClipBounds' })

const clipErrors = [
  'InvalidModel',
  'EvidenceNotFound',
  'ResourceNotFound',
  'ResourceNotCompleted',
  'NotAVideo',
  'FrameNotReadable',
  'StorageFull',
  'TenantNotFound',
  'ReadOnly',
  'NotReady',
] as const

export const makeClips = route({
  id: 'makeClips',
  interface: 'document',
  method: 'POST',
  ...both('/evidence/:evidenceId/resource/:resourceId/clips'),
  origin: 'extension',
  summary: 'Make clips of a recording, each as a new resource',
  description:
    'A job for each range. `exact` codes the pictures anew, from the frame at the first position to the frame at the last one, both included, and removes metadata. `stream` copies the recording’s own data from the key frame at or before the first position to the next key frame after the last one. A clip stores exactly the frames that it shows; one for which that cannot be shown is not kept. The original is the parent of each clip.',
  permission: edit,
  audit: { by: 'own', actions: ['clip.requested'] },
  params: ResourcePath,
  body: MakeClipsModel,
  responses: { 202: z.object({ JobIds: z.array(z.string()) }).meta({ id: 'ClipJobs' }) },
  errors: clipErrors,
  idempotent: true,
})

export const getClipBounds = route({
  id: 'getClipBounds',
  interface: 'document',
  method: 'POST',
  ...both('/evidence/:evidenceId/resource/:resourceId/clip-bounds'),
  origin: 'extension',
  summary: 'Where clips of the untouched stream would begin and end',
  description: 'In the order of the ranges asked about. Nothing is made.',
  permission: edit,
  audit: { by: 'read', action: 'resource.read', objectType: 'resource', objectParam: 'resourceId' },
  params: ResourcePath,
  body: ClipBoundsModel,
  responses: { 200: ClipBounds },
  errors: clipErrors,
})

export const cropPicture = route({
  id: 'cropPicture',
  interface: 'document',
  method: 'POST',
  ...both('/evidence/:evidenceId/resource/:resourceId/crop'),
  origin: 'extension',
  summary: 'Keep a part of a picture as a new resource',
  description:
    'A rectangle of the picture as it is shown: upright, in its own pixels. The result is a PNG without the metadata of the picture, whose parent the picture is.',
  permission: edit,
  audit: { by: 'own', actions: ['picture.cropped'] },
  params: ResourcePath,
  body: z
    .object({
      Left: z.int().min(0).max(100_000),
      Top: z.int().min(0).max(100_000),
      Width: z.int().min(1).max(100_000),
      Height: z.int().min(1).max(100_000),
      Name: line(1024, 1).nullish(),
    })
    .meta({ id: 'CropPictureModel' }),
  responses: { 201: ResourceRecord },
  errors: [
    'InvalidModel',
    'EvidenceNotFound',
    'ResourceNotFound',
    'ResourceNotCompleted',
    'NotAPicture',
    'StorageFull',
    'TenantNotFound',
    'ReadOnly',
    'NotReady',
  ],
  idempotent: true,
})
