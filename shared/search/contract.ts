import { z } from 'zod'
import {
  LEAST_RADIUS,
  MOST_RADIUS,
  SEARCH_SORTS,
  SEARCH_STATES,
  SEARCH_TYPES,
  SEARCHED_MEDIA,
} from './search-values.ts'
import { FINEST_CELLS, mayBeCounted, MOST_CELLS } from './cells.ts'
import type { Time } from '../kernel/time.ts'
import { Cursor, IdMember, TenantParams as Tenant, text, UtcTime } from '../kernel/fields.ts'
import { EVIDENCE_STATUSES } from '../evidence/list.contract.ts'
import { route } from '../kernel/route.ts'
import { RecordedClock } from '../evidence/recorded-clock.contract.ts'

/** The search over everything (decisions 7). */

/** Totals and counts are exact up to this many. */
export const COUNTED = 10_000

const some = <T extends z.ZodType>(one: T, most: number) =>
  z.array(one).max(most, `must not hold more than ${most}`).nullish()

const CustomFieldFilter = z
  .object({
    Name: z.string().min(1).max(256),
    Value: z.string().max(1_000).nullish(),
    From: z.string().max(64).nullish(),
    To: z.string().max(64).nullish(),
  })
  .refine(({ Value, From, To }) => [Value, From, To].some((one) => typeof one === 'string' && one !== ''), {
    message: 'must give a Value, a From or a To',
  })
  .meta({ id: 'SearchCustomField' })

const Degrees = (most: number) => z.number().min(-most).max(most)
const BoundingBox = z
  .tuple([Degrees(180), Degrees(90), Degrees(180), Degrees(90)])
  .refine(([, south, , north]) => south <= north, 'must not have its south above its north')
  .meta({
    override: {
      type: 'array',
      items: { type: 'number' },
      minItems: 4,
      maxItems: 4,
      description:
        '[west, south, east, north] in degrees; one whose west is greater than its east crosses the antimeridian.',
    },
  })

const Near = z
  .object({
    Latitude: Degrees(90),
    Longitude: Degrees(180),
    RadiusMeters: z.number().min(LEAST_RADIUS).max(MOST_RADIUS),
    Name: text(200).nullish().meta({ description: 'What people call the place; nothing is searched for by it.' }),
  })
  .meta({
    id: 'SearchNear',
    description:
      'What was within so many metres of a place: a position itself, some part of a track or of an area. Tracks and areas are measured up to a number of them, the newest first; of older ones the box around them counts, and the answer says so (PlaceIsRough).',
  })

const asked = {
  Query: text(1_000).nullish().meta({
    description:
      'Words, all of which must be found; the last one may be a beginning, others with `*`. `"A phrase"`, `-without`. `tag:` `device:` `officer:` `name:` look in one place, `category:` and `case:` (ordinal, number or id) for what belongs there. Any text is a search.',
  }),
  Types: some(z.enum(SEARCH_TYPES), SEARCH_TYPES.length),
  FromUtc: UtcTime.nullish(),
  ToUtc: UtcTime.nullish().meta({
    description:
      'What overlaps the time from FromUtc to ToUtc by at least a minute, or by all of itself or of the time asked for where one of them is shorter. People and groups have no time.',
  }),
  CategoryIds: some(IdMember, 100),
  States: some(z.enum(SEARCH_STATES), SEARCH_STATES.length).meta({
    description:
      'Any of them. Without `Deleted` nothing deleted is found, and with it only by members of RestoreFromRecycleBin.',
  }),
  MediaTypes: some(z.enum(SEARCHED_MEDIA), SEARCHED_MEDIA.length).meta({ description: 'Of evidence, by content.' }),
  DeviceId: z
    .string()
    .regex(/^[0-9A-Fa-f]{32}$/, 'must be 32 hexadecimal digits')
    .transform((id) => id.toLowerCase())
    .nullish()
    .meta({ override: { type: ['string', 'null'], pattern: '^[0-9A-Fa-f]{32}$' } }),
  CaseId: IdMember.nullish().meta({ description: 'Evidence of this case; nothing where the caller cannot view it.' }),
  Unassociated: z.boolean().nullish().meta({ description: 'True: evidence in no case alone.' }),
  CustomFields: some(CustomFieldFilter, 20).meta({
    description:
      'Of cases and evidence, all of them. By the type that the template gives the field: From and To of numbers and dates, both inclusive; Value as it is of choices, numbers, dates and booleans, of text anywhere in it, without regard to case.',
  }),
  BoundingBox: BoundingBox.nullish(),
  Near: Near.nullish(),
  Sort: z.enum(SEARCH_SORTS).nullish().meta({
    description:
      'relevance (default): exact numbers and ids first, then what has the words in its name or numbers, each newest first. newest, oldest: as they came to the station.',
  }),
}

type Span = { readonly FromUtc?: Time | null | undefined; readonly ToUtc?: Time | null | undefined }
const inOrder = ({ FromUtc, ToUtc }: Span): boolean => !FromUtc || !ToUtc || FromUtc.ticks <= ToUtc.ticks
const REVERSED = { path: ['ToUtc'], message: 'must not lie before FromUtc' }

/** What is searched for: all but which page of it. */
export const SearchQuestion = z.object(asked).refine(inOrder, REVERSED)

export const SearchBody = z
  .object({
    ...asked,
    Cursor: Cursor.nullable(),
    Count: z.int().min(1).max(1000).nullish().meta({ description: '50 when not given.' }),
    Facets: z.boolean().nullish().meta({ description: 'False: no facets, which is quicker.' }),
  })
  .refine(inOrder, REVERSED)
  .meta({ id: 'SearchRequest' })

export const SearchHit = z
  .object({
    Type: z.enum(SEARCH_TYPES),
    Id: z.string(),
    Title: z.string(),
    DisplayName: z
      .string()
      .meta({ description: 'Under which it is shown: of evidence as in its record, else `Title`.' }),
    Number: z.string().nullable().meta({ description: 'Ordinal of a case, badge of a user.' }),
    Snippet: z.string().nullable().meta({ description: 'Where a word was found elsewhere than in the title.' }),
    FoundIn: z
      .object({
        Kind: z.enum(['Bookmark', 'Note']),
        ResourceId: z
          .string()
          .nullable()
          .meta({ description: 'Of a bookmark: the original on whose time line it stands.' }),
        StartSeconds: z.number().nullable().meta({ description: 'Of a bookmark: where it begins.' }),
      })
      .meta({ id: 'SearchFoundIn' })
      .nullable()
      .meta({
        description:
          'The bookmark or note that holds a word, where the title holds none: of evidence the first bookmark, else a note.',
      }),
    Exact: z.boolean().meta({ description: 'What was typed is its very id or number.' }),
    State: z.enum(SEARCH_STATES),
    Protected: z.boolean(),
    Status: z.enum(EVIDENCE_STATUSES).nullable().meta({ description: 'Of evidence, as its list has it.' }),
    CategoryId: z.string().nullable(),
    StartTimeUtc: z.string().nullable(),
    EndTimeUtc: z.string().nullable(),
    Clock: RecordedClock.nullable().meta({ description: 'Of evidence.' }),
    CreatedUtcTime: z.string(),
    LocationText: z.string().nullable(),
    LocationWKT: z.string().nullable(),
    MediaType: z.enum(SEARCHED_MEDIA).nullable(),
    Thumbnail: z.string().nullable(),
  })
  .meta({ id: 'SearchHit' })

const Facet = z.array(z.object({ Value: z.string(), Count: z.int() }).meta({ id: 'SearchFacetValue' }))

export const SearchFacets = z
  .object({
    Types: Facet,
    Categories: Facet.meta({ description: 'By CategoryId.' }),
    States: Facet,
    MediaTypes: Facet,
    AreAtLeast: z.boolean(),
  })
  .meta({
    id: 'SearchFacets',
    description: 'How many there would be of each value if its own member of the question were not given; most first.',
  })

export const SearchAnswer = z
  .object({
    Total: z.int(),
    TotalIsAtLeast: z.boolean(),
    PlaceIsRough: z.boolean().meta({
      description:
        'There were more tracks and areas about Near, or at the edge of BoundingBox, than are measured: of the oldest only the box around them is there.',
    }),
    Hits: z.array(SearchHit),
    Facets: SearchFacets.nullable(),
    Cursor: z.string().nullable(),
  })
  .meta({ id: 'SearchAnswer' })

const member = { kind: 'member', guests: true } as const

export const search = route({
  id: 'search',
  interface: 'search',
  method: 'POST',
  path: '/searchservice/api/v1/search/:tenantId',
  origin: 'decision',
  summary: 'Search everything that the caller can view',
  description: `Counted and faceted over what the caller can view and nothing else, exactly up to ${COUNTED}. Titles, names, descriptions, tags, custom fields, Exif, file names, locations, notes, marks in recordings, numbers and ids, without regard to case and accents; the plate of a vehicle also without regard to its spaces and hyphens. Guests find no people and groups.`,
  permission: member,
  audit: { by: 'read', action: 'search.made', objectType: 'search' },
  params: Tenant,
  body: SearchBody,
  responses: { 200: SearchAnswer },
  errors: ['InvalidModel', 'TenantNotFound'],
})

const DensityCell = z.object({ X: z.int(), Y: z.int(), Count: z.int() }).meta({ id: 'DensityCell' })

export const DensityAnswer = z
  .object({
    Level: z.int().meta({ description: 'Cells are the tiles that web maps have at this zoom.' }),
    Cells: z.array(DensityCell).meta({
      description: 'Where there is something. X goes east and Y goes south; an evidence counts once in a cell.',
    }),
    Bounds: BoundingBox.nullable().meta({
      override: {
        type: ['array', 'null'],
        items: { type: 'number' },
        description: 'Around all that was counted; null where that is nothing.',
      },
    }),
    Positions: z.int().meta({ description: 'Evidences with a position in the area that were counted.' }),
    Tracks: z.int().meta({ description: 'Evidences with a track in the area that were counted.' }),
    IsPartial: z.boolean().meta({ description: 'There are more: the newest were counted.' }),
    PlaceIsRough: z.boolean().meta({ description: 'As of the search.' }),
  })
  .meta({ id: 'DensityAnswer' })

export const density = route({
  id: 'searchDensity',
  interface: 'search',
  method: 'POST',
  path: '/searchservice/api/v1/density/:tenantId',
  origin: 'extension',
  summary: 'Where on the map the evidence that a search finds was, in cells',
  description: `Counts positions and tracks of what the caller can view and nothing else. An area that is drawn on the map is no place where somebody was, and is left out. Without Area all of the map is counted, and the level is chosen to fit what is there. An area may hold ${MOST_CELLS} cells.`,
  permission: member,
  audit: { by: 'read', action: 'search.made', objectType: 'search' },
  params: Tenant,
  body: z
    .object({
      ...asked,
      Area: BoundingBox.nullish(),
      Level: z.int().min(0).max(FINEST_CELLS).nullish(),
    })
    .refine(inOrder, REVERSED)
    .refine(({ Area, Level }) => (Area == null) === (Level == null), {
      path: ['Level'],
      message: 'must be given with an Area, and only with one',
    })
    .refine(({ Area, Level }) => Area == null || Level == null || mayBeCounted(Area, Level), {
      path: ['Level'],
      message: `must not be finer than ${MOST_CELLS} cells in the area`,
    })
    .meta({ id: 'DensityRequest' }),
  responses: { 200: DensityAnswer },
  errors: ['InvalidModel', 'TenantNotFound'],
})

const SAVED = '/searchservice/api/v1/saved/:tenantId'
export const LONGEST_SAVED_NAME = 128
const isOneLine = (name: string): boolean => name.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)
/** Outer spaces do not count. */
export const isSavedName = (name: string): boolean =>
  name.trim() !== '' && name.trim().length <= LONGEST_SAVED_NAME && isOneLine(name.trim())
export const SavedName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(LONGEST_SAVED_NAME, `must not be longer than ${LONGEST_SAVED_NAME} characters`)
  .refine(isOneLine, 'must be one line of text')

const Said = z.union([z.string().max(2_048), z.number(), z.boolean(), z.array(z.string().max(64)).max(50)])

/** The list of evidence as the window shows it under a name. */
export const EvidenceView = z
  .strictObject({
    List: z.literal('evidence'),
    Search: z.record(z.string().max(16), Said).meta({ description: 'What stands in the address of the list.' }),
    Position: z.int().min(0).max(10_000).meta({ description: 'Its place among the views.' }),
  })
  .meta({ id: 'EvidenceView' })

/** Whether a saved question is a view of a list, and no search. */
export const isOfList = (given: unknown): boolean => typeof given === 'object' && given !== null && 'List' in given

/** As it was sent: times and ids are kept as texts. */
const GivenQuestion = z
  .unknown()
  .superRefine((given, context) => {
    const read = isOfList(given) ? EvidenceView.safeParse(given) : SearchQuestion.safeParse(given)
    if (!read.success)
      for (const issue of read.error.issues)
        context.addIssue({ code: 'custom', path: issue.path, message: issue.message })
    else if (JSON.stringify(given).length > 16_384)
      context.addIssue({ code: 'custom', message: 'is too large to keep' })
  })
  .meta({
    override: {
      type: 'object',
      description:
        'The members of SearchRequest but Cursor, Count and Facets; or with `List` a view of that list, as EvidenceView.',
    },
  }) as z.ZodType<Record<string, unknown>, Record<string, unknown>>

export const SavedSearch = z
  .object({
    SavedSearchId: z.string(),
    Name: z.string(),
    Question: z.unknown().meta({ override: { type: 'object' }, description: 'As it was saved.' }),
    Subscribed: z
      .literal(true)
      .optional()
      .meta({ description: 'The owner gets a notice of what is new in it; left out where they do not.' }),
    CreatedUtcTime: z.string(),
    LastModifiedUtcTime: z.string(),
  })
  .meta({ id: 'SavedSearch' })

export const listSavedSearches = route({
  id: 'listSavedSearches',
  interface: 'search',
  method: 'GET',
  path: SAVED,
  origin: 'extension',
  summary: "The caller's own saved searches, by name",
  permission: member,
  audit: { by: 'read', action: 'list.read', objectType: 'savedSearch' },
  params: Tenant,
  responses: { 200: z.array(SavedSearch) },
  errors: ['TenantNotFound'],
})

export const MOST_SAVED = 200

export const saveSearch = route({
  id: 'saveSearch',
  interface: 'search',
  method: 'POST',
  path: SAVED,
  origin: 'extension',
  summary: 'Save a search under a name',
  description: `For the caller alone. A name of one's own that is taken is NameTaken; at most ${MOST_SAVED}.`,
  permission: member,
  audit: { by: 'own', actions: ['savedSearch.created'] },
  params: Tenant,
  body: z.object({ Name: SavedName, Question: GivenQuestion }).meta({ id: 'SaveSearchModel' }),
  responses: { 201: SavedSearch },
  errors: ['InvalidModel', 'NameTaken', 'TenantNotFound', 'ReadOnly'],
  idempotent: true,
})

const SavedPath = Tenant.extend({
  savedSearchId: z
    .string()
    .regex(/^\d{1,15}$/, 'must be an id')
    .transform(Number)
    .meta({ override: { type: 'string', pattern: '^[0-9]{1,15}$' } }),
})

export const changeSavedSearch = route({
  id: 'changeSavedSearch',
  interface: 'search',
  method: 'PATCH',
  path: `${SAVED}/:savedSearchId`,
  origin: 'extension',
  summary: 'Rename a saved search, save another one in its place, or be told of what is new in it',
  permission: member,
  audit: { by: 'own', actions: ['savedSearch.changed'] },
  params: SavedPath,
  body: z
    .object({
      Name: SavedName.nullish(),
      Question: GivenQuestion.nullish(),
      Subscribed: z.boolean().nullish().meta({
        description: 'Whether to tell the owner of what is new in it. A view of a list cannot be subscribed to.',
      }),
    })
    .meta({ id: 'ChangeSavedSearchModel' }),
  responses: { 200: SavedSearch },
  errors: ['InvalidModel', 'SavedSearchNotFound', 'NameTaken', 'TenantNotFound', 'ReadOnly'],
})

export const deleteSavedSearch = route({
  id: 'deleteSavedSearch',
  interface: 'search',
  method: 'DELETE',
  path: `${SAVED}/:savedSearchId`,
  origin: 'extension',
  summary: 'Delete a saved search',
  permission: member,
  audit: { by: 'own', actions: ['savedSearch.deleted'] },
  params: SavedPath,
  responses: { 200: SavedSearch },
  errors: ['InvalidModel', 'SavedSearchNotFound', 'TenantNotFound', 'ReadOnly'],
})
