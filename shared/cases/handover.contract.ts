import { z } from 'zod'
import { PrincipalIdMember, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** Handing the cases of one person over to another: extensions of the case service (decisions 32). */

/** Cases in one request, which is one transaction. */
export const HANDED_OVER_AT_ONCE = 50

const common = {
  interface: 'case',
  origin: 'extension',
  path: '/api/v1/tenant/:tenantId/case-handover',
  permission: { kind: 'member', guests: false },
  params: Tenant,
} as const
const OWN = 'A person hands over their own cases; an administrator those of anybody.'

export const countHandover = route({
  ...common,
  id: 'countHandover',
  method: 'GET',
  summary: 'How many cases and open tasks of a person would be handed over',
  description: OWN,
  audit: { by: 'read', action: 'list.read', objectType: 'caseHandover' },
  query: z.object({ from: z.string().regex(/^\d{1,15}$/, 'must be the id of a user') }),
  responses: { 200: z.object({ Cases: z.int(), Tasks: z.int() }).meta({ id: 'HandoverCounts' }) },
  errors: ['InvalidModel', 'UserNotFound', 'TenantNotFound'],
})

export const handOverCases = route({
  ...common,
  id: 'handOverCases',
  method: 'POST',
  summary: `Hand over up to ${HANDED_OVER_AT_ONCE} cases of a person, and their open tasks, to another`,
  description: `${OWN} The cases on which the person holds Manage in their own name: the other one gets Manage on them, and the person View or nothing. Repeat it until no case is left; each time at least one is handed over.`,
  audit: { by: 'own', actions: ['case.handedOver', 'task.changed'] },
  body: z
    .object({
      FromId: PrincipalIdMember,
      ToId: PrincipalIdMember,
      Keep: z.enum(['View', 'None']).meta({ description: 'What the person keeps on the cases.' }),
    })
    .meta({ id: 'HandOverCasesModel' }),
  responses: {
    200: z
      .object({
        Cases: z.int(),
        Tasks: z.int(),
        Left: z.int().meta({ description: 'Cases that are still to be handed over.' }),
      })
      .meta({ id: 'HandedOver' }),
  },
  errors: ['InvalidModel', 'UserNotFound', 'TenantNotFound', 'ReadOnly'],
})
