import { z } from 'zod'
import { Count, Cursor, IdMember, IdParam, page, TenantNameParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** Forwarding evidence to headquarters: the connection, its rules, what waits, receipts, and questions. Extensions. */

const BASE = '/api/v1/tenant/:tenantName/headquarters'
const QuestionPath = Tenant.extend({ questionId: IdParam })
const EvidencePath = Tenant.extend({ evidenceId: IdParam })
const ResourcePath = EvidencePath.extend({ resourceId: IdParam })
const administrator = { kind: 'administrator' } as const

export const ORDERS = ['oldest', 'newest', 'smallest'] as const
const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00')

export const ForwardingWindow = z
  .object({
    Days: z
      .array(z.int().min(0).max(6))
      .min(1, 'must name a day')
      .max(7)
      .meta({ description: '0 is Sunday; the day on which the window begins.' }),
    From: Clock,
    To: Clock.meta({ description: 'Not after From: it ends on the next day.' }),
  })
  .meta({ id: 'ForwardingWindow' })

export const ForwardingRules = z
  .object({
    Paused: z.boolean().default(false),
    Everything: z.boolean().default(false),
    CategoryIds: z.array(IdMember).max(1000).default([]),
    InCase: z
      .boolean()
      .default(false)
      .meta({ description: 'What is in a case, by a link that somebody made or confirmed.' }),
    AfterDays: z.int().min(0).max(36_525).nullable().default(null).meta({ description: 'What is older than this.' }),
    Windows: z
      .array(ForwardingWindow)
      .max(50)
      .default([])
      .meta({ description: 'In the time zone of the station; none: at any time.' }),
    MegabitsPerSecond: z.number().min(0.1).max(100_000).nullable().default(null),
    Order: z.enum(ORDERS).default('oldest'),
    WithCases: z
      .boolean()
      .default(true)
      .meta({ description: 'The cases of what is forwarded are found or created there.' }),
    ClearAfterDays: z
      .int()
      .min(0)
      .max(36_525)
      .nullable()
      .default(null)
      .meta({ description: 'Days after the receipt when the local copy of an original is removed; null: never.' }),
  })
  .meta({
    id: 'ForwardingRules',
    description:
      'Whatever one of Everything, CategoryIds, InCase and AfterDays names is forwarded; what is requested always is.',
  })

/** As they are answered: every member stands there. */
const RulesModel = z
  .object({
    Paused: z.boolean(),
    Everything: z.boolean(),
    CategoryIds: z.array(z.string()),
    InCase: z.boolean(),
    AfterDays: z.int().nullable(),
    Windows: z.array(z.object({ Days: z.array(z.int()), From: z.string(), To: z.string() })),
    MegabitsPerSecond: z.number().nullable(),
    Order: z.enum(ORDERS),
    WithCases: z.boolean(),
    ClearAfterDays: z.int().nullable(),
  })
  .meta({ id: 'ForwardingRulesModel' })

export const HEADQUARTERS_STATES = ['none', 'paused', 'refused', 'away', 'window', 'ready'] as const

const Backlog = z
  .object({
    Waiting: z.int(),
    WaitingBytes: z.int(),
    Failed: z.int(),
    Done: z.int(),
    Questions: z.int(),
    BytesPerSecond: z
      .number()
      .nullable()
      .meta({ description: 'As measured, or the pace that is set where it is lower.' }),
    DoneTimeUtc: z.string().nullable().meta({ description: 'An estimate; null while there is none.' }),
    NextWindowUtc: z.string().nullable().meta({ description: 'When the next window opens; null while one is open.' }),
    Current: z.object({ EvidenceId: z.string(), Name: z.string(), Bytes: z.int(), SentBytes: z.int() }).nullable(),
  })
  .meta({ id: 'ForwardingBacklog' })

export const HeadquartersModel = z
  .object({
    State: z.enum(HEADQUARTERS_STATES),
    Address: z.string().nullable(),
    ClientId: z.string().nullable(),
    ImportedTimeUtc: z.string().nullable(),
    Rules: RulesModel,
    LastContactUtc: z.string().nullable(),
    Problem: z.string().nullable(),
    NextTryUtc: z.string().nullable(),
    Station: z.object({
      Origin: z.string().meta({ description: 'The identity of this station.' }),
      Fingerprint: z.string().meta({ description: 'SHA-256 of its public signing key.' }),
      TimeZone: z.string(),
    }),
    Backlog,
    Cleared: z
      .object({ Blobs: z.int(), Bytes: z.int() })
      .meta({ description: 'Originals whose bytes are at headquarters only.' }),
  })
  .meta({ id: 'Headquarters' })

export const getHeadquarters = route({
  id: 'getHeadquarters',
  interface: 'operations',
  method: 'GET',
  path: BASE,
  origin: 'extension',
  summary: 'Where evidence is forwarded, by which rules, and how much waits',
  permission: administrator,
  audit: { by: 'read', action: 'headquarters.read', objectType: 'headquarters' },
  params: Tenant,
  responses: { 200: HeadquartersModel },
  errors: ['TenantNotFound'],
})

export const importHeadquarters = route({
  id: 'importHeadquarters',
  interface: 'operations',
  method: 'PUT',
  path: `${BASE}/connection`,
  origin: 'extension',
  summary: 'Import the connection file of headquarters',
  description:
    'The connection is tried first. The file of the same server and client replaces the one before; another server is refused while evidence is on its way.',
  permission: administrator,
  audit: { by: 'own', actions: ['headquarters.imported'] },
  params: Tenant,
  body: z.object({ Connection: z.record(z.string().max(256), z.unknown()) }),
  // A connection file has a few thousand. To read a megabyte of anything else held the loop for longer than promise S17 allows.
  bodyBytes: 64 * 1024,
  responses: { 200: HeadquartersModel },
  errors: ['InvalidModel', 'HeadquartersUnusable', 'HeadquartersRefused', 'TenantNotFound', 'ReadOnly'],
})

export const removeHeadquarters = route({
  id: 'removeHeadquarters',
  interface: 'operations',
  method: 'DELETE',
  path: `${BASE}/connection`,
  origin: 'extension',
  summary: 'Forward nothing more; receipts stay',
  description: 'Refused while the bytes of originals are at headquarters only.',
  permission: administrator,
  audit: { by: 'own', actions: ['headquarters.removed'] },
  params: Tenant,
  responses: { 204: null },
  errors: ['HeadquartersNotSet', 'HeadquartersNeeded', 'TenantNotFound', 'ReadOnly'],
})

export const putForwardingRules = route({
  id: 'putForwardingRules',
  interface: 'operations',
  method: 'PUT',
  path: `${BASE}/rules`,
  origin: 'extension',
  summary: 'Say what is forwarded, when, how fast, and what is cleared here afterwards',
  permission: administrator,
  audit: { by: 'own', actions: ['headquarters.rulesChanged'] },
  params: Tenant,
  body: ForwardingRules,
  responses: { 200: HeadquartersModel },
  errors: ['InvalidModel', 'HeadquartersNotSet', 'TenantNotFound', 'ReadOnly'],
})

export const testHeadquarters = route({
  id: 'testHeadquarters',
  interface: 'operations',
  method: 'POST',
  path: `${BASE}/test`,
  origin: 'extension',
  summary: 'Sign in at headquarters now and present this station',
  description:
    'What came of it stands in the answer. Where headquarters accepts a station that it refused before, forwarding goes on.',
  permission: administrator,
  audit: { by: 'own', actions: ['headquarters.tested'] },
  params: Tenant,
  responses: { 200: HeadquartersModel },
  errors: ['HeadquartersNotSet', 'TenantNotFound', 'ReadOnly'],
})

export const ITEM_STATES = ['waiting', 'failed', 'done'] as const

export const ForwardingItemModel = z
  .object({
    EvidenceId: z.string(),
    Name: z.string(),
    State: z.enum(ITEM_STATES),
    Ground: z.enum(['requested', 'everything', 'category', 'case', 'age', 'changed']),
    Bytes: z.int(),
    QueuedTimeUtc: z.string(),
    DoneTimeUtc: z.string().nullable(),
    Attempts: z.int(),
    NextTryUtc: z.string().nullable(),
    Problem: z.string().nullable(),
    RemoteEvidenceId: z.string().nullable(),
  })
  .meta({ id: 'ForwardingItem' })

export const listForwarding = route({
  id: 'listForwarding',
  interface: 'operations',
  method: 'GET',
  path: `${BASE}/item`,
  origin: 'extension',
  summary: 'What waits to be forwarded, what failed, and what is done',
  permission: administrator,
  audit: { by: 'read', action: 'list.read', objectType: 'forwarding' },
  params: Tenant,
  query: z.object({ state: z.enum(ITEM_STATES).default('waiting'), cursor: Cursor, count: Count(100) }),
  responses: { 200: page(ForwardingItemModel) },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const retryForwarding = route({
  id: 'retryForwarding',
  interface: 'operations',
  method: 'POST',
  path: `${BASE}/item/:evidenceId/retry`,
  origin: 'extension',
  summary: 'Try a failed item again',
  permission: administrator,
  audit: { by: 'own', actions: ['forwarding.retried'] },
  params: EvidencePath,
  responses: { 204: null },
  errors: ['ForwardingNotFailed', 'TenantNotFound', 'ReadOnly'],
})

export const ForwardingQuestionModel = z
  .object({
    QuestionId: z.string(),
    EvidenceId: z.string(),
    Name: z.string(),
    AskedTimeUtc: z.string(),
    Fields: z.array(
      z.object({
        Field: z.string(),
        Ours: z.string().nullable().meta({ description: 'The value here, as text.' }),
        Theirs: z.string().nullable().meta({ description: 'The value at headquarters, as text.' }),
      }),
    ),
  })
  .meta({ id: 'ForwardingQuestion' })

export const listForwardingQuestions = route({
  id: 'listForwardingQuestions',
  interface: 'operations',
  method: 'GET',
  path: `${BASE}/question`,
  origin: 'extension',
  summary: 'Fields that were changed here and at headquarters',
  permission: administrator,
  audit: { by: 'read', action: 'list.read', objectType: 'forwardingQuestion' },
  params: Tenant,
  responses: { 200: z.array(ForwardingQuestionModel) },
  errors: ['TenantNotFound'],
})

export const settleForwardingQuestion = route({
  id: 'settleForwardingQuestion',
  interface: 'operations',
  method: 'POST',
  path: `${BASE}/question/:questionId/settle`,
  origin: 'extension',
  summary: 'Keep the values of this station, or those of headquarters',
  description: '`ours` is sent to headquarters; with `theirs` the record here takes the values of headquarters.',
  permission: administrator,
  audit: { by: 'own', actions: ['forwarding.questionSettled'] },
  params: QuestionPath,
  body: z.object({ Keep: z.enum(['ours', 'theirs']) }),
  responses: { 204: null },
  errors: ['InvalidModel', 'ForwardingQuestionNotFound', 'TenantNotFound', 'ReadOnly'],
})

const both = (path: string) => ({
  path: `/documentstore/api/v1/tenant/:tenantName${path}`,
  aliases: [`/api/v1/tenant/:tenantName${path}`] as const,
})

export const EvidenceForwardingModel = z
  .object({
    State: z.enum(['none', 'waiting', 'failed', 'done']),
    Address: z.string().nullable().meta({ description: 'Of headquarters; null where none is set.' }),
    RemoteEvidenceId: z.string().nullable(),
    Resources: z.array(
      z.object({
        ResourceId: z.string(),
        Sha256: z.string(),
        LengthInBytes: z.int(),
        Address: z.string(),
        RemoteEvidenceId: z.string(),
        RemoteResourceId: z.string(),
        ConfirmedTimeUtc: z.string(),
        ClearedTimeUtc: z.string().nullable().meta({ description: 'Since when the bytes are at headquarters only.' }),
        Fetching: z.boolean(),
        Problem: z.string().nullable().meta({ description: 'Why the last attempt to fetch the bytes failed.' }),
      }),
    ),
  })
  .meta({ id: 'EvidenceForwarding' })

export const getEvidenceForwarding = route({
  id: 'getEvidenceForwarding',
  interface: 'document',
  method: 'GET',
  ...both('/evidence/:evidenceId/forwarding'),
  origin: 'extension',
  summary: 'Whether an evidence was forwarded, with the receipt of each original, and where its bytes are',
  permission: { kind: 'level', level: 'View', on: 'evidence' },
  audit: { by: 'read', action: 'evidence.forwardingRead', objectType: 'evidence', objectParam: 'evidenceId' },
  params: EvidencePath,
  responses: { 200: EvidenceForwardingModel },
  errors: ['EvidenceNotFound', 'TenantNotFound'],
})

export const forwardEvidence = route({
  id: 'forwardEvidence',
  interface: 'document',
  method: 'POST',
  ...both('/evidence/:evidenceId/forward'),
  origin: 'extension',
  summary: 'Forward an evidence to headquarters before all others',
  permission: { kind: 'level', level: 'Edit', on: 'evidence' },
  audit: { by: 'own', actions: ['forwarding.requested'] },
  params: EvidencePath,
  responses: { 202: EvidenceForwardingModel },
  errors: ['EvidenceNotFound', 'HeadquartersNotSet', 'EvidenceNotCompleted', 'TenantNotFound', 'ReadOnly'],
})

export const fetchOriginal = route({
  id: 'fetchOriginal',
  interface: 'document',
  method: 'POST',
  ...both('/evidence/:evidenceId/resource/:resourceId/fetch'),
  origin: 'extension',
  summary: 'Fetch the bytes of an original back from headquarters',
  description: 'Where the bytes are here, nothing more happens.',
  permission: { kind: 'level', level: 'View', on: 'evidence' },
  audit: { by: 'own', actions: ['resource.fetchRequested'] },
  params: ResourcePath,
  responses: { 202: EvidenceForwardingModel },
  errors: ['EvidenceNotFound', 'ResourceNotFound', 'HeadquartersNotSet', 'TenantNotFound', 'ReadOnly'],
})
