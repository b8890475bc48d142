import { z } from 'zod'
import { IdParam, line, TenantNameParams as Tenant } from '../kernel/fields.ts'
import { ResourceRecord } from '../evidence/contract.ts'
import { RecordedClock } from '../evidence/recorded-clock.contract.ts'
import { route, type RouteDefinition } from '../kernel/route.ts'
import { VIEW_KINDS, type ViewKind } from './derivations.ts'
import { StripModel } from './strip.contract.ts'

/** What the player and the picture viewer ask of the document service: decisions 6, "Derivation", and the window's evidence page. */

const both = (path: string) => ({
  path: `/documentstore/api/v1/tenant/:tenantName${path}`,
  aliases: [`/api/v1/tenant/:tenantName${path}`] as const,
})
const ResourcePath = Tenant.extend({ evidenceId: IdParam, resourceId: IdParam })
const view = { kind: 'level', level: 'View', on: 'evidence' } as const

export const MediaModel = z
  .object({
    Kind: z.enum(['video', 'audio', 'image', 'document', 'text', 'none']),
    MimeType: z.string().meta({ description: 'By content.' }),
    DurationSeconds: z.number().nullable(),
    Width: z.int().nullable().meta({ description: 'As shown: upright, in square pixels.' }),
    Height: z.int().nullable(),
    Rotation: z
      .int()
      .meta({ description: 'Degrees clockwise from the stored picture to the one shown: 0, 90, 180, 270.' }),
    FrameRate: z.object({ Numerator: z.int(), Denominator: z.int() }).nullable(),
    VariableFrameRate: z.boolean(),
    FrameCount: z.int().nullable(),
    VideoCodec: z.string().nullable(),
    AudioCodec: z.string().nullable(),
    PlayableResourceId: z.string().nullable(),
    PreviewResourceId: z.string().nullable(),
    ExifResourceId: z.string().nullable(),
    Clock: RecordedClock.nullable().meta({
      description:
        'When this picture was taken, by its own metadata: of several pictures in an evidence each has its own time. Null where the metadata names none, and for everything that is no picture.',
    }),
    Strip: StripModel.nullable(),
    Waveform: z
      .object({ Address: z.string(), PeaksPerSecond: z.number(), Count: z.int() })
      .nullable()
      .meta({ id: 'MediaWaveform' }),
    Captions: z
      .array(z.object({ ResourceId: z.string(), Language: z.string(), Label: z.string() }))
      .meta({ description: 'Oldest first; what they say is asked for by getCaptions.' }),
    Views: z.array(
      z.object({
        Kind: z.enum(VIEW_KINDS),
        State: z.enum(['done', 'working', 'failed', 'none']),
        Message: z.string(),
      }),
    ),
  })
  .meta({ id: 'ResourceMedia' })

/** At most so many peaks, whatever the length of a recording. */
export const MOST_PEAKS = 20_000

export const WaveformModel = z
  .object({ PeaksPerSecond: z.number(), Peaks: z.array(z.int().min(0).max(255)).max(MOST_PEAKS) })
  .meta({ id: 'Waveform' })

export const TakeStillModel = z
  .object({
    Seconds: z
      .number()
      .min(0)
      .max(10_000_000)
      .meta({ description: 'Position on the time line of the resource that is played.' }),
    Name: line(1024, 1).nullish(),
  })
  .meta({ id: 'TakeStillModel' })

export const getMedia = route({
  id: 'getMedia',
  interface: 'document',
  method: 'GET',
  ...both('/evidence/:evidenceId/resource/:resourceId/media'),
  origin: 'extension',
  summary: 'What a player or viewer needs to know of a resource',
  description:
    'Measured when the resource was looked at, never within the call. Of what was made from an original, its own figures are given.',
  permission: view,
  audit: { by: 'read', action: 'resource.read', objectType: 'resource', objectParam: 'resourceId' },
  params: ResourcePath,
  responses: { 200: MediaModel },
  errors: ['EvidenceNotFound', 'ResourceNotFound', 'TenantNotFound'],
})

const viewRoute = {
  interface: 'document',
  origin: 'extension',
  permission: view,
  audit: { by: 'own', actions: ['resource.previewed'] },
  params: ResourcePath,
  errors: ['EvidenceNotFound', 'ResourceNotFound', 'TenantNotFound'],
  uncounted: true,
} as const

export const getStrip = route({
  ...viewRoute,
  id: 'getStrip',
  method: 'GET',
  ...both('/evidence/:evidenceId/resource/:resourceId/strip'),
  summary: 'Small pictures of a video, evenly spaced in time, as one JPEG',
  responses: { 200: 'bytes', 206: 'bytes', 304: null },
})

export const getWaveform = route({
  ...viewRoute,
  id: 'getWaveform',
  method: 'GET',
  ...both('/evidence/:evidenceId/resource/:resourceId/waveform'),
  summary: 'The peaks of a recording’s sound, evenly spaced in time',
  responses: { 200: WaveformModel },
})

/** Where each view is fetched. The member of `MediaModel` that gives its address has its name. */
export const VIEW_ROUTES = { strip: getStrip, waveform: getWaveform } as const satisfies Readonly<
  Record<ViewKind, RouteDefinition>
>

export const takeStill = route({
  id: 'takeStill',
  interface: 'document',
  method: 'POST',
  ...both('/evidence/:evidenceId/resource/:resourceId/still'),
  origin: 'extension',
  summary: 'Take one frame of the original as a new resource',
  description:
    'The frame shown at that position, read from the original: upright, whole resolution, PNG. The new resource has the original as its parent.',
  permission: { kind: 'level', level: 'Edit', on: 'evidence' },
  audit: { by: 'own', actions: ['still.taken'] },
  params: ResourcePath,
  body: TakeStillModel,
  responses: { 201: ResourceRecord },
  errors: [
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
  ],
  idempotent: true,
})
