import { z } from 'zod'
import { Count, Cursor, IdMember, page, TenantNameParams as Tenant, UtcTime } from '../kernel/fields.ts'
import { EvidenceRecord } from './records.contract.ts'
import { CLOCK_SOURCES } from './recorded-time.ts'
import { route } from '../kernel/route.ts'
import { StripModel } from '../media/strip.contract.ts'

/** The list of evidence and of its tags, an extension: what the window shows, filters, sorts and jumps about in. */

const both = (path: string) => ({
  path: `/documentstore/api/v1/tenant/:tenantName${path}`,
  aliases: [`/api/v1/tenant/:tenantName${path}`] as const,
})

export const EVIDENCE_TYPES = ['video', 'audio', 'image', 'document', 'text', 'other'] as const
/** The first that holds, in this order: danger, open, differs, working, attention, waiting, sealed, verified. */
export const EVIDENCE_STATUSES = [
  'open',
  'working',
  'waiting',
  'verified',
  'attention',
  'danger',
  'sealed',
  'differs',
] as const
/** Times that move with the clock of the station. */
export const PERIODS = ['today', 'shift', 'lastShift', 'week', 'month'] as const
export const LIST_SORTS = ['recorded', 'created', 'name', 'length', 'type', 'deleted'] as const

export const EvidenceSummary = z
  .object({
    Type: z.enum([...EVIDENCE_TYPES, 'none']).meta({
      description: 'By content; of several originals the most telling one. `none`: nothing was looked at yet.',
    }),
    DurationSeconds: z.number().nullable(),
    LengthInBytes: z.int().meta({ description: 'Of all originals together.' }),
    Width: z.int().nullable(),
    Height: z.int().nullable(),
    ResourceCount: z.int().meta({ description: 'Originals.' }),
    FileName: z.string().nullable().meta({ description: 'Of the first original.' }),
    Status: z.enum(EVIDENCE_STATUSES).meta({
      description:
        '`danger`: what was last read of it from the disk is changed or missing. `open`: an upload is not finished. `differs`: a file is kept whose bytes differ from the hash in the camera’s own list. `working`: something is being made of it. `attention`: something could not be made, or a file was refused. `waiting`: that work waits for a tool or for another attempt. `sealed`: protected. `verified`: every original was read back and nothing is at work.',
    }),
    Progress: z.number().nullable().meta({ description: '0 to 1 while `working`, null when unknown.' }),
    Message: z.string(),
    RecordedTimeUtc: z.string().nullable().meta({
      description: "Corrected: the camera's time plus its offset. What the camera recorded stands in `Clock`.",
    }),
    ClockOffset: z
      .string()
      .nullable()
      .meta({ description: 'ISO 8601 duration that was added; null when none is known.' }),
    ClockSource: z.enum(CLOCK_SOURCES).meta({ description: 'Where the offset comes from: as `Source` of `Clock`.' }),
    ClockUncertaintySeconds: z
      .number()
      .nullable()
      .meta({ description: 'The corrected time is right to this much either way.' }),
    Strip: StripModel.nullable().meta({
      description:
        'Of the most telling original, where it is a video whose strip is made: small pictures of it, evenly spaced in time.',
    }),
    Camera: z
      .object({
        DeviceId: z.string().nullable().meta({ description: 'null: the camera has no record of its own.' }),
        Name: z.string(),
      })
      .nullable()
      .meta({ description: 'What recorded it, as it is called here.' }),
    Officers: z
      .array(z.object({ PrincipalId: z.string(), Username: z.string(), FirstName: z.string(), LastName: z.string() }))
      .meta({ description: 'Who had the camera when it recorded.' }),
    Cases: z
      .array(z.object({ CaseId: z.string(), Ordinal: z.string(), Title: z.string() }))
      .meta({ description: 'It is in these, as far as the caller can view them.' }),
    CategoryName: z.string().nullable(),
  })
  .meta({ id: 'EvidenceSummary' })

export const EvidenceListItem = EvidenceRecord.extend({ Summary: EvidenceSummary }).meta({ id: 'EvidenceListItem' })

export const EvidenceSums = z
  .object({
    Count: z.int(),
    LengthInBytes: z.int().meta({ description: 'Of all originals together.' }),
    DurationSeconds: z.number().meta({ description: 'Of what has a known duration.' }),
  })
  .meta({ id: 'EvidenceSums', description: 'Of all that match and that the caller can view, whatever page is given.' })

/** A member that may be repeated. */
const many = <T extends z.ZodType<string>>(one: T, most: number, values?: readonly string[]) =>
  z
    .union([z.array(one).max(most, `must not be given more than ${most} times`), one.transform((value) => [value])])
    .optional()
    .meta({
      override: { type: 'array', items: { type: 'string', ...(values === undefined ? {} : { enum: [...values] }) } },
    })

const Offset = z
  .string()
  .regex(/^\d{1,10}$/, 'must be an integer from 0')
  .transform(Number)
  .optional()
  .meta({ override: { type: 'integer', minimum: 0 } })

const Bytes = z
  .string()
  .regex(/^\d{1,15}$/, 'must be an integer from 0')
  .transform(Number)
  .optional()

const flag = z.enum(['true', 'false']).optional()

/** What the list is filtered and sorted by, a page of it and the whole alike. */
export const listFilter = {
  text: z.string().max(256).optional(),
  tag: many(z.string().max(64), 20),
  state: z.enum(['None', 'UserCompleted']).optional(),
  type: many(z.enum(EVIDENCE_TYPES), EVIDENCE_TYPES.length, EVIDENCE_TYPES),
  status: many(z.enum(EVIDENCE_STATUSES), EVIDENCE_STATUSES.length, EVIDENCE_STATUSES),
  case: IdMember.optional().meta({ description: 'What is in this case; nothing where the caller cannot view it.' }),
  unfinished: flag.meta({
    description:
      'What has a file that is not complete, or was completed by the platform since whoever uploaded went away.',
  }),
  deleted: flag.meta({
    description:
      'The recycle bin instead: for members of RestoreFromRecycleBin all of it, for others what they could view.',
  }),
  officer: many(IdMember, 20).meta({ description: 'Who had the camera when it recorded.' }),
  device: many(
    z
      .string()
      .regex(/^[0-9A-Fa-f]{32}$/, 'must be 32 hexadecimal digits')
      .transform((id) => id.toLowerCase()),
    20,
  ),
  category: many(IdMember, 50),
  protected: flag.meta({ description: '`true`: what is protected alone.' }),
  notes: flag.meta({ description: '`true`: what has notes alone.' }),
  marks: flag.meta({ description: '`true`: what has marks alone.' }),
  noCase: flag.meta({ description: '`true`: what is in no case alone.' }),
  minLength: Bytes.meta({ description: 'Bytes of all originals together, from this on.' }),
  maxLength: Bytes.meta({ description: 'Up to this.' }),
  period: z.enum(PERIODS).optional().meta({
    description:
      'Instead of `from` and `to`, in the station’s zone: today, the shift that is on, the one before, the last 7 or 30 days.',
  }),
  from: UtcTime.optional(),
  to: UtcTime.optional(),
  sort: z.enum(LIST_SORTS).default('created').meta({ description: '`deleted` of the recycle bin alone.' }),
  direction: z.enum(['asc', 'desc']).default('desc'),
}

type Sorted = { readonly sort: (typeof LIST_SORTS)[number]; readonly deleted?: 'true' | 'false' | undefined }
/** Only what was deleted has a time at which it was. */
export const canBeSorted = ({ sort, deleted }: Sorted): boolean => sort !== 'deleted' || deleted === 'true'
export const NOT_DELETED = { path: ['sort'], message: 'must not be deleted without deleted=true' }

/** As search has it (decisions 7). */
export const EXACT_TO = 10_000

export const ListQuery = z
  .object({
    ...listFilter,
    cursor: Cursor,
    offset: Offset,
    count: Count(100),
    total: z.enum(['exact', 'atLeast']).default('exact').meta({
      description: '`atLeast`: exact to 10,000 and to the end of the page; beyond it TotalIsAtLeast says so.',
    }),
    sums: flag.meta({ description: 'Also adds up all that match, as `Sums`.' }),
    shifts: flag.meta({
      description:
        'Also tells the shifts in which the items of the page began, as `Shifts`; only sorted by `recorded`.',
    }),
  })
  .refine(({ cursor, offset }) => cursor === undefined || offset === undefined, {
    path: ['offset'],
    message: 'must not be given together with cursor',
  })
  .refine(canBeSorted, NOT_DELETED)

export const listEvidence = route({
  id: 'listEvidence',
  interface: 'document',
  method: 'GET',
  ...both('/evidence'),
  origin: 'extension',
  summary: 'List evidence, newest first unless told otherwise',
  description:
    '`text` finds the beginnings of words in names, descriptions, tags and file names, without regard to case and accents, all of them; and an id. Of several `type` or `status` any one, of several `tag` all must hold. `from` and `to` are compared with the recorded time, or where there is none with that of creation. `cursor` is the one of the page before and keeps its place while evidence is added; `offset` jumps.',
  permission: { kind: 'member', guests: true },
  audit: { by: 'read', action: 'list.read', objectType: 'evidence' },
  params: Tenant,
  query: ListQuery,
  responses: {
    200: page(EvidenceListItem)
      .extend({
        Total: z.int().meta({ description: 'All that match.' }),
        TotalIsAtLeast: z
          .boolean()
          .meta({ description: 'More match than were counted; only where `total` asked for that.' }),
        Shifts: z
          .array(
            z
              .object({
                Name: z.string().meta({ description: 'Empty where nobody named it.' }),
                FromUtc: z.string(),
                ToUtc: z.string(),
                First: z.int().meta({ description: 'Index of its first item on this page.' }),
                Count: z.int().meta({ description: 'Of all that match and began in it.' }),
                DurationSeconds: z.number().meta({ description: 'Of those of them with a known duration.' }),
              })
              .meta({ id: 'EvidenceShift' }),
          )
          .optional()
          .meta({ description: 'Only where `shifts` asked for it, in the order of the items; at most 12.' }),
        Sums: EvidenceSums.optional().meta({ description: 'Only where `sums` asked for it.' }),
      })
      .meta({ id: 'EvidencePage' }),
  },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const FACETS = ['type', 'status', 'category', 'device', 'officer', 'tag', 'has'] as const
/** So many of what matches are counted; of more the newest. */
export const MOST_COUNTED = 10_000

const { sort: _sort, direction: _direction, ...narrowing } = listFilter

export const listEvidenceFacet = route({
  id: 'listEvidenceFacet',
  interface: 'document',
  method: 'GET',
  ...both('/facet/:facet'),
  origin: 'extension',
  summary: 'Count what the list would show, by value',
  description:
    'Of what the caller can view and the filter takes. Of `type`, `status`, `category`, `device` and `officer` the filter of the same name is left out: several of its values may be chosen. `has` counts `protected`, `notes`, `marks` and `noCase`.',
  permission: { kind: 'member', guests: true },
  audit: { by: 'read', action: 'list.read', objectType: 'evidence' },
  params: Tenant.extend({ facet: z.enum(FACETS) }),
  query: z.object(narrowing),
  responses: {
    200: z
      .object({
        Values: z.array(
          z.object({
            Value: z.string(),
            Name: z.string().nullable().meta({ description: 'What people call it; null: the value says it.' }),
            Count: z.int(),
          }),
        ),
        AreAtLeast: z.boolean().meta({ description: `More match; the newest ${MOST_COUNTED} were counted.` }),
      })
      .meta({ id: 'EvidenceFacet' }),
  },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const TagsQuery = z.object({ text: z.string().max(64).optional(), count: Count(100) })

export const listTags = route({
  id: 'listTags',
  interface: 'document',
  method: 'GET',
  ...both('/tag'),
  origin: 'extension',
  summary: 'List the tags in use, most used first',
  description: '`text` is how a tag begins, without regard to case.',
  permission: { kind: 'member', guests: true },
  audit: { by: 'read', action: 'list.read', objectType: 'tag' },
  params: Tenant,
  query: TagsQuery,
  responses: { 200: z.array(z.object({ Tag: z.string(), Count: z.int() }).meta({ id: 'TagCount' })) },
  errors: ['InvalidModel', 'TenantNotFound'],
})
