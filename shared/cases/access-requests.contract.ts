import { z } from 'zod'
import { IdMember, IdParam, TenantParams as Tenant, text } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { TaskPerson } from './case-tasks.contract.ts'

/** Requests for access to a case, and what those who manage it decide: extensions of the case service (decisions 32). */

export const LONGEST_REQUEST = 4096
/** Open requests of one person. */
export const MOST_OPEN_REQUESTS = 20
export const REQUESTED_LEVELS = ['View', 'Download', 'Edit'] as const
export const REQUEST_STATES = ['Open', 'Granted', 'Declined', 'Withdrawn'] as const

const RequestPath = Tenant.extend({ requestId: IdParam })

export const AccessRequestModel = z
  .object({
    RequestId: z.string(),
    CaseId: z.string(),
    Case: z
      .object({ Ordinal: z.string(), Title: z.string() })
      .nullable()
      .meta({ description: 'null to who cannot view the case.' }),
    By: TaskPerson,
    Level: z.enum(REQUESTED_LEVELS),
    Reason: z.string(),
    AtUtc: z.string(),
    State: z.enum(REQUEST_STATES),
    Decision: z
      .object({ By: z.string(), AtUtc: z.string(), Message: z.string() })
      .nullable()
      .meta({ description: 'null: nobody decided.' }),
  })
  .meta({ id: 'AccessRequest' })

const Requests = z.object({ Items: z.array(AccessRequestModel) }).meta({ id: 'AccessRequests' })
const common = { interface: 'case', origin: 'extension' } as const

export const createAccessRequest = route({
  ...common,
  id: 'createAccessRequest',
  method: 'POST',
  path: '/api/v1/tenant/:tenantId/access-request',
  summary: 'Ask for access to a case; those who manage it get a notice',
  description: `One open request for a case and person, and at most ${MOST_OPEN_REQUESTS} for a person. Guests cannot ask.`,
  permission: { kind: 'member', guests: false },
  audit: { by: 'own', actions: ['access.requested'] },
  params: Tenant,
  body: z
    .object({
      CaseId: IdMember,
      Level: z.enum(REQUESTED_LEVELS),
      Reason: text(LONGEST_REQUEST).refine((reason) => reason.trim() !== '', 'must say why'),
    })
    .meta({ id: 'CreateAccessRequestModel' }),
  responses: { 201: AccessRequestModel },
  idempotent: true,
  errors: [
    'InvalidModel',
    'CaseNotFound',
    'CaseDeleted',
    'AccessHeldAlready',
    'AccessRequestedAlready',
    'TooManyAccessRequests',
    'TenantNotFound',
    'ReadOnly',
  ],
})

export const listAccessRequests = route({
  ...common,
  id: 'listAccessRequests',
  method: 'GET',
  path: '/api/v1/tenant/:tenantId/access-request',
  summary: 'List requests for access: those of the caller, or the open ones that the caller may decide',
  permission: { kind: 'member', guests: true },
  audit: { by: 'read', action: 'list.read', objectType: 'accessRequest' },
  params: Tenant,
  query: z.object({
    of: z.enum(['own', 'toDecide']),
    caseId: IdParam.optional().meta({ description: 'Only those for this case.' }),
  }),
  responses: { 200: Requests },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const decideAccessRequest = route({
  ...common,
  id: 'decideAccessRequest',
  method: 'POST',
  path: '/api/v1/tenant/:tenantId/access-request/:requestId/decision',
  summary: 'Grant or decline a request for access; who asked gets a notice',
  description: 'Needs Manage on the case. Granting shares the case as the operation shareCase does.',
  permission: { kind: 'member', guests: false },
  audit: { by: 'own', actions: ['access.granted', 'access.declined', 'case.shared'] },
  params: RequestPath,
  body: z
    .object({
      Decision: z.enum(['Grant', 'Decline']),
      Level: z
        .enum(REQUESTED_LEVELS)
        .nullish()
        .meta({ description: 'Where another level is granted than was asked for.' }),
      Message: text(LONGEST_REQUEST).nullish(),
    })
    .meta({ id: 'AccessDecisionModel' }),
  responses: { 200: AccessRequestModel },
  errors: [
    'InvalidModel',
    'AccessRequestNotFound',
    'AccessRequestClosed',
    'CaseNotFound',
    'CaseDeleted',
    'UnableToLoadUser',
    'TenantNotFound',
    'ReadOnly',
  ],
})

export const withdrawAccessRequest = route({
  ...common,
  id: 'withdrawAccessRequest',
  method: 'DELETE',
  path: '/api/v1/tenant/:tenantId/access-request/:requestId',
  summary: 'Withdraw a request of one’s own',
  permission: { kind: 'member', guests: true },
  audit: { by: 'own', actions: ['access.withdrawn'] },
  params: RequestPath,
  responses: { 200: AccessRequestModel },
  errors: ['AccessRequestNotFound', 'AccessRequestClosed', 'TenantNotFound', 'ReadOnly'],
})
