import { z } from 'zod'
import { Count, Cursor, IdParam, page, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** What dispatch said of a case, for whoever may view it (decisions 8). Messages as they came are for administrators. */

export const DispatchMessageModel = z
  .object({
    MessageId: z.string(),
    State: z.enum(['Applied', 'Repeated', 'Older', 'Review', 'Unreadable']),
    EventId: z.string().nullable(),
    TransactionId: z.string().nullable(),
    ReceivedUtc: z.string(),
    SentBy: z.string(),
    Reason: z.string().nullable(),
    Notes: z.array(z.string()).meta({ description: 'What of it did not fit, in words.' }),
    Changes: z
      .array(z.object({ Field: z.string(), Before: z.string().nullable(), After: z.string().nullable() }))
      .nullable()
      .meta({ description: 'Longer texts are cut. null: it changed nothing, or nobody wrote that down then.' }),
    Left: z.array(z.string()).meta({ description: 'Fields that somebody changed by hand and that were left alone.' }),
  })
  .meta({ id: 'DispatchMessageModel' })

export const getCaseDispatch = route({
  id: 'getCaseDispatch',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/case/:tenantId/:caseId/dispatch',
  origin: 'extension',
  summary: 'The messages of dispatch that made a case, and what each of them changed',
  description: 'Newest first.',
  permission: { kind: 'level', level: 'View', on: 'case' },
  audit: { by: 'read', action: 'cad.read', objectType: 'case', objectParam: 'caseId' },
  params: Tenant.extend({ caseId: IdParam }),
  query: z.object({ cursor: Cursor, count: Count(50) }),
  responses: { 200: page(DispatchMessageModel).meta({ id: 'DispatchMessagePage' }) },
  errors: ['InvalidModel', 'CaseNotFound', 'CaseDeleted', 'TenantNotFound'],
})
