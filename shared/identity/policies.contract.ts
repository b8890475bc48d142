import { z } from 'zod'
import { PrincipalOutputModel } from '../cases/categories.contract.ts'
import { IdMember, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { administrator, PolicyLevel, PolicyName, USER_SERVICE } from './users.contract.ts'

/** Who is in which security policy (decisions 3), and whom one can share with. */

export const PolicyModel = z
  .object({
    Policy: PolicyName,
    WithLevel: z.boolean().meta({ description: 'Whether its members hold it at a level.' }),
    Members: z.array(
      PrincipalOutputModel.extend({ Level: PolicyLevel.nullable(), Enabled: z.boolean(), Guest: z.boolean() }).meta({
        id: 'PolicyMember',
      }),
    ),
    ConcurrencyId: z.string().meta({ description: 'Of its members.' }),
  })
  .meta({ id: 'PolicyModel' })

export const ReplacePolicyModel = z
  .object({
    Members: z
      .array(
        z.object({
          PrincipalId: IdMember,
          Level: PolicyLevel.nullish().meta({
            description: '`View` where the policy carries one and none is sent.',
          }),
        }),
      )
      .max(5_000, 'must not hold more than 5000 members'),
    ConcurrencyId: z.string().max(256).nullish().meta({ description: 'Where it is sent it must be the current one.' }),
  })
  .meta({ id: 'ReplacePolicyModel' })

export const listPolicies = route({
  id: 'listPolicies',
  interface: 'user',
  method: 'GET',
  path: `${USER_SERVICE}/policies`,
  origin: 'decision',
  summary: 'Every security policy with the users, groups and services in it',
  permission: administrator,
  audit: { by: 'read', action: 'list.read', objectType: 'policy' },
  params: Tenant,
  responses: { 200: z.array(PolicyModel) },
  errors: ['TenantNotFound'],
})

export const replacePolicy = route({
  id: 'replacePolicy',
  interface: 'user',
  method: 'PUT',
  path: `${USER_SERVICE}/policies/:policy`,
  origin: 'decision',
  summary: 'Replace the members of a security policy',
  description:
    'Account Administrators are in every policy and stay there, sent or not. Guests can be in CreateCases only; what a group is in does not count for the guests in it.',
  permission: administrator,
  audit: { by: 'own', actions: ['policy.changed', 'user.read'] },
  params: Tenant.extend({ policy: PolicyName }),
  body: ReplacePolicyModel,
  responses: { 200: PolicyModel },
  errors: ['InvalidModel', 'ConcurrentWritingError', 'TenantNotFound', 'ReadOnly'],
})

/** Whoever looks for somebody types on; who looks for everybody is an administrator. */
export const MOST_PRINCIPALS = 50

export const PrincipalMatch = PrincipalOutputModel.extend({
  FirstName: z.string(),
  LastName: z.string(),
  Badge: z.string(),
  Guest: z.boolean(),
}).meta({
  id: 'PrincipalMatch',
})

export const findPrincipals = route({
  id: 'findPrincipals',
  interface: 'user',
  method: 'GET',
  path: `${USER_SERVICE}/principals`,
  origin: 'decision',
  summary: 'Find people, groups and integrations to share with',
  description: `The first ${MOST_PRINCIPALS} by name, without disabled ones. Each word of \`text\` is found in user names, first and last names and badges.`,
  permission: { kind: 'member', guests: false },
  audit: { by: 'read', action: 'list.read', objectType: 'principal' },
  params: Tenant,
  query: z.object({
    text: z.string().max(256).default(''),
    type: z.enum(['user', 'group', 'service']).optional(),
  }),
  responses: { 200: z.array(PrincipalMatch) },
  errors: ['InvalidModel', 'TenantNotFound'],
})
