import { z } from 'zod'
import { Count, IdParam, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { administrator, USER_SERVICE } from './users.contract.ts'

/** What the ledger says of people (decisions 3 and 12). */

const entry = {
  Seq: z.int(),
  TimeUtc: z.string(),
  Actor: z.object({ Kind: z.string(), Id: z.string(), Name: z.string() }),
  Source: z.string(),
  Action: z.string(),
  Meaning: z.string().meta({ description: 'The action in words.' }),
  Object: z.object({
    Type: z.string(),
    Id: z.string(),
    Name: z.string().meta({ description: 'Empty for what has a history of its own, such as cases and evidence.' }),
  }),
  Outcome: z.enum(['ok', 'denied', 'failed']),
  Reason: z.string().nullable(),
  CorrelationId: z.string(),
  Detail: z.record(z.string(), z.unknown()).nullable().meta({ description: 'null where Object.Name is withheld.' }),
}

export const UserHistoryEntry = z.object(entry).meta({ id: 'UserHistoryEntry' })
const Before = IdParam.optional().meta({ description: 'Cursor of the page before.' })

export const getUserHistory = route({
  id: 'getUserHistory',
  interface: 'user',
  method: 'GET',
  path: `${USER_SERVICE}/users/:userId/history`,
  origin: 'decision',
  summary: 'What happened with a user and what they did, newest first',
  description:
    'Needs AccessAuditTrail too. What a case or an evidence is called, and what was changed there, is told by its own history to those who may read it.',
  permission: administrator,
  audit: { by: 'read', action: 'ledger.read', objectType: 'user', objectParam: 'userId' },
  params: Tenant.extend({ userId: IdParam }),
  query: z.object({ before: Before, count: Count(100) }),
  responses: {
    200: z.object({ Entries: z.array(UserHistoryEntry), Cursor: z.string().nullable() }).meta({ id: 'UserHistory' }),
  },
  errors: ['InvalidModel', 'UserNotFound', 'TenantNotFound'],
})

export const SUSPICIOUS_KINDS = ['SignIn', 'Locked', 'Denied', 'Token', 'Upload'] as const
export type SuspiciousKind = (typeof SUSPICIOUS_KINDS)[number]

export const SuspiciousEntry = z
  .object({
    ...entry,
    Kind: z.enum(SUSPICIOUS_KINDS),
    Times: z
      .int()
      .meta({ description: 'What nobody in particular sent is counted: one entry for a source and minute.' }),
  })
  .meta({ id: 'SuspiciousEntry' })

/** What the list is filtered by, a page of it and the whole alike. */
export const suspiciousFilter = {
  days: z
    .string()
    .regex(/^\d{1,4}$/, 'must be an integer between 1 and 366')
    .default('7')
    .transform(Number)
    .pipe(z.number().int().min(1).max(366))
    .meta({ override: { type: 'integer', minimum: 1, maximum: 366, default: 7 } }),
  kind: z.enum(SUSPICIOUS_KINDS).optional(),
}

export const getSuspiciousActivity = route({
  id: 'getSuspiciousActivity',
  interface: 'user',
  method: 'GET',
  path: `${USER_SERVICE}/suspiciousActivity`,
  origin: 'decision',
  summary: 'Failed sign-ins, locked accounts, refused calls, tokens and uploads of the last days, newest first',
  permission: { kind: 'policy', policy: 'AccessAuditTrail' },
  audit: { by: 'read', action: 'ledger.read', objectType: 'tenant' },
  params: Tenant,
  query: z.object({
    ...suspiciousFilter,
    before: Before,
    count: Count(100),
  }),
  responses: {
    200: z
      .object({
        Entries: z.array(SuspiciousEntry),
        Counts: z
          .object(
            Object.fromEntries(SUSPICIOUS_KINDS.map((kind) => [kind, z.int()])) as Record<SuspiciousKind, z.ZodInt>,
          )
          .meta({ description: 'Of all these days, each time counted.' }),
        Cursor: z.string().nullable(),
      })
      .meta({ id: 'SuspiciousActivity' }),
  },
  errors: ['InvalidModel', 'TenantNotFound'],
})
