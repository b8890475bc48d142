import { z } from 'zod'
import { CadSender, managing } from './cad.contract.ts'
import { Count, Cursor, IdParam, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** What dispatch systems sent, and what became of it (decisions 8). */

const MESSAGES = '/cadservice/api/v1/messages/:tenantId'
const MESSAGE_STATES = ['applied', 'repeated', 'older', 'review', 'unreadable'] as const

const message = {
  messageId: z.string(),
  state: z.enum(MESSAGE_STATES),
  eventId: z.string().nullable(),
  transactionId: z.string().nullable(),
  caseId: z.string().nullable(),
  reason: z.string().nullable(),
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
  receivedUtc: z.string(),
  triedUtc: z.string(),
  attempts: z.int(),
  sentBy: CadSender,
  sha256: z.string().meta({ description: 'Of what came over the wire: of a batch the whole.' }),
}
export const CadMessage = z.object(message).meta({ id: 'CadMessage' })

export const listMessages = route({
  id: 'listCadMessages',
  interface: 'cad',
  method: 'GET',
  path: MESSAGES,
  origin: 'extension',
  summary: 'Messages of the dispatch system, newest first',
  permission: managing,
  audit: { by: 'read', action: 'list.read', objectType: 'cadMessage' },
  params: Tenant,
  query: z.object({ state: z.enum(MESSAGE_STATES).optional(), cursor: Cursor, count: Count(100) }),
  responses: {
    200: z.object({ items: z.array(CadMessage), cursor: z.string().nullable() }).meta({ id: 'CadMessagePage' }),
  },
  errors: ['InvalidModel', 'TenantNotFound'],
})

/** In a receipt: longer texts are cut there, the case has them whole. */
export const MOST_IN_RECEIPT = 1000
export const CadReceipt = z
  .object({
    changes: z.array(
      z.object({
        field: z.string().meta({ description: 'As CaseModel calls it; of custom fields with their name.' }),
        before: z.string().nullable(),
        after: z.string().nullable(),
      }),
    ),
    left: z.array(z.string()).meta({
      description: 'Fields that the message speaks of and that somebody changed by hand: they were left alone.',
    }),
  })
  .meta({ id: 'CadReceipt' })

/** Characters of a message that are answered at once. */
export const MOST_OF_A_MESSAGE = 65_536

const MessagePath = Tenant.extend({ messageId: IdParam })

export const getMessage = route({
  id: 'getCadMessage',
  interface: 'cad',
  method: 'GET',
  path: `${MESSAGES}/:messageId`,
  origin: 'extension',
  summary: 'A message as it came',
  permission: managing,
  audit: { by: 'read', action: 'cad.messageRead', objectType: 'cadMessage', objectParam: 'messageId' },
  params: MessagePath,
  query: z.object({
    offset: z
      .string()
      .regex(/^\d{1,9}$/, 'must be a number of characters')
      .default('0')
      .transform(Number)
      .meta({ override: { type: 'integer', minimum: 0, default: 0 } }),
  }),
  responses: {
    200: CadMessage.extend({
      body: z.string().meta({
        description: `Of a batch the one event; bytes that are no UTF-8 as U+FFFD. At most ${MOST_OF_A_MESSAGE} characters, from offset on.`,
      }),
      bodyCharacters: z.int().meta({ description: 'Of the whole of it.' }),
      receipt: CadReceipt.nullable().meta({ description: 'null: it changed nothing, or nobody wrote that down then.' }),
    }).meta({ id: 'CadMessageWithBody' }),
  },
  errors: ['InvalidModel', 'CadMessageNotFound', 'TenantNotFound'],
})

export const retryMessage = route({
  id: 'retryCadMessage',
  interface: 'cad',
  method: 'POST',
  path: `${MESSAGES}/:messageId/retry`,
  origin: 'extension',
  summary: 'Read a message once more',
  description: 'By the mapping of today. Only what could not be read, or waits for its case, is tried again.',
  permission: managing,
  audit: { by: 'own', actions: ['cad.retried', 'case.created', 'case.changed', 'cad.refused'] },
  params: MessagePath,
  responses: { 200: CadMessage },
  errors: ['InvalidModel', 'CadMessageNotFound', 'TenantNotFound', 'ReadOnly'],
})

const RETRIED = ['unreadable', 'review'] as const

export const retryMessages = route({
  id: 'retryCadMessages',
  interface: 'cad',
  method: 'POST',
  path: `${MESSAGES}/retry`,
  origin: 'extension',
  summary: 'Read all messages of a state once more',
  description:
    'The oldest first, as they came; at most 50 with each call: go on with the cursor of the answer until there is none. One that cannot be read stops no other.',
  permission: managing,
  audit: { by: 'own', actions: ['cad.retried', 'case.created', 'case.changed', 'cad.refused'] },
  params: Tenant,
  body: z.object({ state: z.enum(RETRIED), cursor: z.string().max(2048).nullish() }).meta({ id: 'RetryCadMessages' }),
  responses: {
    200: z
      .object({
        tried: z.int(),
        settled: z.int().meta({ description: 'Of these: are read now, and wait no more.' }),
        cursor: z.string().nullable(),
      })
      .meta({ id: 'RetriedCadMessages' }),
  },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
})

const Tally = z.object({
  applied: z.int(),
  repeated: z.int(),
  older: z.int(),
  review: z.int(),
  unreadable: z.int(),
})

export const CadOverview = z
  .object({
    lastReceivedUtc: z.string().nullable(),
    lastDay: Tally.meta({ description: 'What became of the messages of the last 24 hours.' }),
    waiting: z.object({ unreadable: z.int(), review: z.int() }).meta({ description: 'Of all times.' }),
    services: z.array(
      z.object({
        principalId: z.string(),
        name: z.string(),
        enabled: z.boolean(),
        mayPush: z.boolean().meta({ description: 'false: it sent something once, and is in PushCadEvents no more.' }),
        apiKeys: z.int().meta({ description: 'That count now.' }),
        origins: z.array(z.string()),
        lastReceivedUtc: z.string().nullable(),
        lastDay: z.int().meta({ description: 'Deliveries of the last 24 hours; a batch is one.' }),
      }),
    ),
    origins: z.array(z.string()).meta({ description: 'Where the station answers; paths go behind one of them.' }),
  })
  .meta({ id: 'CadOverview' })

export const getOverview = route({
  id: 'getCadOverview',
  interface: 'cad',
  method: 'GET',
  path: '/cadservice/api/v1/overview/:tenantId',
  origin: 'extension',
  summary: 'Which dispatch systems are connected, and how their messages fare',
  permission: managing,
  audit: { by: 'read', action: 'list.read', objectType: 'cadOverview' },
  params: Tenant,
  responses: { 200: CadOverview },
  errors: ['TenantNotFound'],
})
