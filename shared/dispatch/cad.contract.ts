import { z } from 'zod'
import { EVENT_MEMBERS, FIELD_TARGETS } from './cad-mapping.ts'
import { NAME_LENGTH } from '../kernel/names.ts'
import { IdMember, line, TenantParams as Tenant, text, UtcTime } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** CAD push: interfaces.md 4.5, 5, 6 and decisions 8. Its members are camelCase, those of its errors too. */

const absent = <T extends z.ZodType>(schema: T) => schema.nullish()
/** Dispatch systems number what others name. */
const word = (max: number) => z.union([line(max), z.number().transform(String)])

const CadLocation = z
  .object({
    latitude: absent(z.number().min(-90).max(90)),
    longitude: absent(z.number().min(-180).max(180)),
    address: absent(text(4096)),
    notes: absent(text(4096)),
  })
  .refine(
    ({ latitude, longitude }) => ((latitude ?? null) === null) === ((longitude ?? null) === null),
    'must name both latitude and longitude, or neither',
  )
  .meta({ id: 'CadLocation' })

const CadResource = z
  .object({
    id: absent(word(256)),
    name: absent(word(256)),
    type: absent(word(256)),
    dispatchedUtc: absent(UtcTime),
    clearedUtc: absent(UtcTime),
  })
  .meta({ id: 'CadInvolvedResource' })

/** As it is read once the mapping has found its members. */
export const CadEvent = z
  .object({
    eventId: z
      .union([line(256, 1), z.number().transform(String)])
      .refine((id) => id.trim() === id, 'must not begin or end with a space'),
    eventStartTimeUtc: UtcTime,
    transactionId: absent(word(256)),
    transactionDateUtc: absent(UtcTime),
    type: absent(word(1024)),
    state: absent(word(1024)),
    name: absent(word(4096)),
    eventEndTimeUtc: absent(UtcTime),
    priority: absent(word(1024)),
    statusCode: absent(word(1024)),
    description: absent(text(65_536)),
    district: absent(word(1024)),
    beat: absent(word(1024)),
    category: absent(word(NAME_LENGTH)),
    location: absent(CadLocation),
    involvedResources: absent(z.array(CadResource).max(1000, 'must not hold more than 1000 resources')),
    extended: absent(
      z.union([
        z.record(z.string(), z.unknown()),
        z.array(z.object({ key: z.string(), value: z.unknown() })).max(1000, 'must not hold more than 1000 members'),
      ]),
    ).meta({ description: 'Free members, or a list of { key, value }.' }),
  })
  .superRefine(({ eventStartTimeUtc: from, eventEndTimeUtc: to }, context) => {
    if (to !== null && to !== undefined && to.ticks < from.ticks)
      context.addIssue({
        code: 'custom',
        path: ['eventEndTimeUtc'],
        message: 'must not be before eventStartTimeUtc',
      })
  })
  .meta({ id: 'CadEvent' })

/** Whatever the mapping can read as an event. */
const CadMessageBody = z
  .union([CadEvent, z.looseObject({})])
  .meta({ description: 'A CadEvent, or whatever the mapping of the station reads as one.' })

const applied = {
  eventId: z.string(),
  caseId: z.string(),
  uri: z.string().meta({ description: 'Of the case, for people.' }),
  applied: z.boolean().meta({
    description:
      'false: it was there already (transactionId), is older than what was applied, or its case is closed or deleted.',
  }),
}
export const CadResult = z.object(applied).meta({ id: 'CadResult' })
export const CadBatchResult = z
  .object({
    eventId: z.string().nullable(),
    status: z.int().meta({ description: 'As if it had come alone.' }),
    caseId: z.string().nullable(),
    uri: z.string().nullable(),
    applied: z.boolean(),
    errorCode: z.string().nullable(),
    message: z.string().nullable(),
    details: z.array(z.object({ path: z.string(), message: z.string() })),
  })
  .meta({ id: 'CadBatchResult' })

const EVENTS = '/cadservice/api/v1/events/:tenantId'
const pushing = { kind: 'policy', policy: 'PushCadEvents' } as const
export const managing = { kind: 'policy', policy: 'ManageConfiguration' } as const
const member = { kind: 'member', guests: true } as const

export const pushEvent = route({
  id: 'pushCadEvent',
  interface: 'cad',
  method: 'POST',
  path: EVENTS,
  origin: 'decision',
  summary: 'Make or change the case of an event',
  description:
    'By token or API key. The message is kept as it came before it is read. What it does not say, or says as null, stays as an earlier message said it; what an officer changed by hand is left alone. A transactionId that was applied already, or a transactionDateUtc older than the one applied, changes nothing.',
  permission: pushing,
  audit: { by: 'own', actions: ['cad.received', 'case.created', 'case.changed', 'cad.refused'] },
  params: Tenant,
  body: CadMessageBody,
  responses: { 200: CadResult, 201: CadResult },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
  idempotent: true,
})

export const pushBatch = route({
  id: 'pushCadBatch',
  interface: 'cad',
  method: 'POST',
  path: `${EVENTS}/batch`,
  origin: 'decision',
  summary: 'Make or change the cases of up to 1000 events',
  description: 'A result for each, in their order. One that cannot be read does not stop the others.',
  permission: pushing,
  audit: { by: 'own', actions: ['cad.received', 'case.created', 'case.changed', 'cad.refused'] },
  params: Tenant,
  body: z.array(z.unknown()).min(1, 'must hold an event').max(1000, 'must not hold more than 1000 events'),
  responses: { 200: z.array(CadBatchResult) },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
})

const EventPath = Tenant.extend({ eventId: z.string().min(1).max(256) })
export const CadEventOut = z
  .object({
    eventId: z.string(),
    caseId: z.string(),
    uri: z.string(),
    event: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What its messages said last, by the names of CadEvent.' }),
  })
  .meta({ id: 'CadEventRecord' })

export const getEvent = route({
  id: 'getCadEvent',
  interface: 'cad',
  method: 'GET',
  path: `${EVENTS}/:eventId`,
  origin: 'decision',
  summary: 'Read an event',
  description: 'With PushCadEvents, or View on its case.',
  permission: member,
  audit: { by: 'read', action: 'cad.read', objectType: 'cadEvent', objectParam: 'eventId' },
  params: EventPath,
  responses: { 200: CadEventOut },
  errors: ['InvalidModel', 'CadEventNotFound', 'TenantNotFound'],
})

const degrees = (most: number) =>
  z
    .string()
    .regex(/^-?\d{1,3}(\.\d{1,20})?$/, 'must be a number of degrees')
    .transform(Number)
    .pipe(z.number().min(-most).max(most))
    .optional()
    .meta({ override: { type: 'number', minimum: -most, maximum: most } })

export const searchEvents = route({
  id: 'searchCadEvents',
  interface: 'cad',
  method: 'GET',
  path: `${EVENTS}/search`,
  origin: 'decision',
  summary: 'Events of a time, or around a place, the latest first',
  description: 'At most 1000. With PushCadEvents all of them, else those whose case the caller can view.',
  permission: member,
  audit: { by: 'read', action: 'cad.searched', objectType: 'cadEvent' },
  params: Tenant,
  query: z.object({
    startTimeUtc: UtcTime.optional(),
    endTimeUtc: UtcTime.optional(),
    latitude: degrees(90),
    longitude: degrees(180),
    radiusMeters: z
      .string()
      .regex(/^\d{1,8}(\.\d{1,6})?$/, 'must be a number of metres')
      .transform(Number)
      .optional()
      .meta({ override: { type: 'number', minimum: 0 } }),
  }),
  responses: { 200: z.array(CadEventOut) },
  errors: ['InvalidModel', 'TenantNotFound'],
})

const OneEvent = z.object({ eventId: z.string().min(1).max(256) })

export const singleUri = route({
  id: 'getCadEventUri',
  interface: 'cad',
  method: 'GET',
  path: `${EVENTS}/singleuri`,
  origin: 'decision',
  summary: 'Where people find the case of an event',
  permission: member,
  audit: { by: 'read', action: 'cad.read', objectType: 'cadEvent' },
  params: Tenant,
  query: OneEvent,
  responses: { 200: z.string() },
  errors: ['InvalidModel', 'CadEventNotFound', 'TenantNotFound'],
})

export const singleRedirect = route({
  id: 'redirectToCadEvent',
  interface: 'cad',
  method: 'GET',
  path: `${EVENTS}/singleredirect`,
  origin: 'specification',
  summary: 'Lead to the case of an event',
  permission: member,
  audit: { by: 'read', action: 'cad.read', objectType: 'cadEvent' },
  params: Tenant,
  query: OneEvent,
  responses: { 302: z.object({ uri: z.string() }).meta({ id: 'CadRedirect' }) },
  errors: ['InvalidModel', 'CadEventNotFound', 'TenantNotFound'],
})

/** Of a place in a message. */
export const MappingPath = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[^.]{1,64}(\.[^.]{1,64}){0,7}$/, 'must be up to eight names with dots between them')

/** Of one member of an event. */
export const MOST_PATHS = 10
export const LONGEST_MAPPED_NAME = 256
/** Of the custom field that a place fills. */
export const MappedName = line(LONGEST_MAPPED_NAME, 1)

export const CadMappingModel = z
  .object({
    members: z.partialRecord(z.enum(EVENT_MEMBERS), z.array(MappingPath).min(1).max(MOST_PATHS)).meta({
      description: 'From where a member is read, the first that holds something; else from the member of its own name.',
    }),
    fields: z
      .array(
        z
          .object({ from: MappingPath, to: z.enum(FIELD_TARGETS), name: MappedName.optional() })
          .refine(({ to, name }) => to === 'CustomField' || name === undefined, 'only a custom field has a name'),
      )
      .max(200, 'must not hold more than 200 fields'),
    keepExtended: z.boolean(),
    assignedMayView: z.boolean().optional().meta({
      description:
        'Whether officers whom an event assigns get View on its case, so that they can open it. Where it is not sent it stays as it is; until somebody turns it off they do.',
    }),
  })
  .meta({ id: 'CadMapping' })

type Fields = z.output<typeof CadMappingModel>['fields']
/** Of what is sent; what is stored may be older than this rule. */
function eachOnce({ fields }: { readonly fields: Fields }, context: z.RefinementCtx): void {
  const seen = new Set<string>()
  for (const [at, { from, to, name = from }] of fields.entries()) {
    if (to !== 'CustomField') continue
    if (seen.has(name))
      context.addIssue({
        code: 'custom',
        path: ['fields', at, 'name'],
        message: 'is filled from another place already',
      })
    seen.add(name)
  }
}

export const CadSender = z.object({ principalId: z.string(), name: z.string() }).meta({ id: 'CadSender' })

const StoredMapping = CadMappingModel.extend({
  usual: z.boolean().meta({ description: 'Nobody changed it yet.' }),
  concurrencyId: z.string(),
  modifiedUtc: z.string().nullable(),
  modifiedBy: CadSender.nullable(),
}).meta({ id: 'StoredCadMapping' })

const MAPPING = '/cadservice/api/v1/mapping/:tenantId'

export const getMapping = route({
  id: 'getCadMapping',
  interface: 'cad',
  method: 'GET',
  path: MAPPING,
  origin: 'extension',
  summary: 'How messages of the dispatch system are read',
  permission: managing,
  audit: { by: 'read', action: 'list.read', objectType: 'cadMapping' },
  params: Tenant,
  responses: { 200: StoredMapping },
  errors: ['TenantNotFound'],
})

export const putMapping = route({
  id: 'putCadMapping',
  interface: 'cad',
  method: 'PUT',
  path: MAPPING,
  origin: 'extension',
  summary: 'Change how messages of the dispatch system are read',
  description: 'Whole. Counts from the next message on; what could not be read is tried again by hand.',
  permission: managing,
  audit: { by: 'own', actions: ['cad.mappingChanged'] },
  params: Tenant,
  body: CadMappingModel.extend({ concurrencyId: z.string().max(256).nullish() })
    .superRefine(eachOnce)
    .meta({ id: 'PutCadMapping' }),
  responses: { 200: StoredMapping },
  errors: ['InvalidModel', 'ConcurrentWritingError', 'TenantNotFound', 'ReadOnly'],
})

const Seen = z
  .object({
    readable: z.boolean(),
    problems: z.array(z.object({ path: z.string(), message: z.string() })),
    fields: z
      .record(z.string(), z.string())
      .meta({ description: 'What it would be in the case, by the names of CaseModel.' }),
  })
  .meta({ id: 'CadMessageRead' })

export const previewMapping = route({
  id: 'previewCadMapping',
  interface: 'cad',
  method: 'POST',
  path: `${MAPPING}/preview`,
  origin: 'extension',
  summary: 'What another mapping would make of real messages',
  description: 'Of the messages that are named, else of the newest. Nothing is changed.',
  permission: managing,
  audit: { by: 'read', action: 'cad.previewed', objectType: 'cadMapping' },
  params: Tenant,
  body: z
    .object({ mapping: CadMappingModel.superRefine(eachOnce), messageIds: z.array(IdMember).min(1).max(50).nullish() })
    .meta({ id: 'PreviewCadMapping' }),
  responses: {
    200: z.array(z.object({ messageId: z.string(), now: Seen, proposed: Seen }).meta({ id: 'CadMappingPreview' })),
  },
  errors: ['InvalidModel', 'TenantNotFound'],
})

const MappingVersion = z
  .object({
    concurrencyId: z.string(),
    mapping: CadMappingModel,
    modifiedUtc: z.string(),
    modifiedBy: CadSender,
  })
  .meta({ id: 'CadMappingVersion' })

export const getMappingHistory = route({
  id: 'getCadMappingHistory',
  interface: 'cad',
  method: 'GET',
  path: `${MAPPING}/history`,
  origin: 'extension',
  summary: 'How messages of the dispatch system were read before',
  description: 'Newest first, the one of now too; at most 100. To go back to one, put it again.',
  permission: managing,
  audit: { by: 'read', action: 'list.read', objectType: 'cadMapping' },
  params: Tenant,
  responses: { 200: z.array(MappingVersion) },
  errors: ['TenantNotFound'],
})
