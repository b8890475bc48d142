import { z } from 'zod'
import { AccessPolicyModel, HistoryModel } from '../cases/contract.ts'
import { Count, IdMember, IdParam, line, TenantNameParams as Tenant, UtcTime } from '../kernel/fields.ts'
import { changeable, CreateEvidenceModel, EvidenceRecord } from './contract.ts'
import { route } from '../kernel/route.ts'

/** Changing an evidence, and its history: interfaces.md 4.3, decisions 4 and 6. */

const both = (path: string) => ({
  path: `/documentstore/api/v1/tenant/:tenantName${path}`,
  aliases: [`/api/v1/tenant/:tenantName${path}`] as const,
})
const EvidencePath = Tenant.extend({ evidenceId: IdParam })

/** What a name must be where it is another one than before. */
export const EvidenceName = CreateEvidenceModel.shape.Name

const MOST_POLICIES = 1_000

/** One of the evidence's own, as its record gives them; the other members of 2.4 are ignored. */
const OwnPolicy = z.object({
  Permissions: AccessPolicyModel.shape.Permissions,
  PrincipalId: IdMember,
  KId: z.string().max(1024).nullish(),
  PrincipalType: z.string().max(256).nullish(),
  ExpirationDateUtc: UtcTime.nullish(),
})
export type GivenEvidencePolicy = z.output<typeof OwnPolicy> & {
  /** Its place among all that were sent, for problems. */
  readonly place: number
}

function isInherited(entry: unknown): boolean {
  const source: unknown =
    typeof entry === 'object' && entry !== null && 'PermissionSource' in entry ? entry.PermissionSource : null
  if (source === null || source === undefined) return false
  return !(typeof source === 'object' && 'Reason' in source && source.Reason === 'Direct')
}

/** The evidence's own of those that were sent; what it has from elsewhere may be anything, since it is not looked at (decisions 6). */
const AccessPolicies = z
  .array(z.unknown())
  .transform((entries, context): GivenEvidencePolicy[] => {
    const own = entries.flatMap((entry, place) => {
      if (isInherited(entry)) return []
      const parsed = OwnPolicy.safeParse(entry)
      if (parsed.success) return [{ ...parsed.data, place }]
      for (const { path, message } of parsed.error.issues)
        context.addIssue({ code: 'custom', path: [place, ...path], message })
      return []
    })
    if (own.length > MOST_POLICIES)
      context.addIssue({ code: 'custom', message: `must not hold more than ${MOST_POLICIES} policies of its own` })
    return own
  })
  .meta({
    override: {
      type: 'array',
      items: {
        type: 'object',
        required: ['Permissions', 'PrincipalId'],
        properties: {
          Permissions: { type: 'string', enum: ['View', 'Download', 'Edit', 'Manage', 'Read', 'Write'] },
          PrincipalId: {
            anyOf: [
              { type: 'string', pattern: '^[0-9]{1,19}$' },
              { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
            ],
          },
          KId: { type: ['string', 'null'] },
          PrincipalType: { type: ['string', 'null'] },
          ExpirationDateUtc: {
            type: ['string', 'null'],
            format: 'date-time',
            description: 'null: never; absent: as it was. Manage never expires.',
          },
          PermissionSource: {
            type: ['object', 'null'],
            properties: { Reason: { type: 'string' } },
            description: 'Absent, or with the Reason `Direct`; an entry with another one is ignored.',
          },
        },
      },
    },
  })

/** What can be emptied by name, since null leaves a member as it was. */
export const CLEARABLE = [
  'Description',
  'CategoryId',
  'StartTimeUtc',
  'EndTimeUtc',
  'LocationText',
  'LocationWKT',
] as const
export type Clearable = (typeof CLEARABLE)[number]

/** Why a member is another one, in one line. */
export const LONGEST_REASON = 1000
export const ChangeReason = line(LONGEST_REASON)

/** The record of 2.4 with changes. Every member that stands here may be absent or null: it is then as it was. */
export const PatchEvidenceModel = z
  .object({
    ...changeable,
    // A file's name may be one that nobody could type; sent back as it is, it is no change and not judged.
    Name: z.string().max(65_536).nullish(),
    AccessPolicies: AccessPolicies.nullish(),
    ConcurrencyId: z.string().max(256).nullish(),
    Clear: z.array(z.enum(CLEARABLE)).max(CLEARABLE.length).nullish().meta({
      description:
        'Members to empty. One that is sent with a value too takes the value. StartTimeUtc goes back to what the device or the file says, or to none.',
    }),
    Reason: ChangeReason.nullish().meta({ description: 'Why, for the ledger. It is no member of the record.' }),
  })
  .meta({ id: 'PatchEvidenceModel' })

export const patchEvidence = route({
  id: 'patchEvidence',
  interface: 'document',
  method: 'PATCH',
  ...both('/evidence/:evidenceId'),
  origin: 'specification',
  summary: 'Change an evidence: send its record with the changes',
  description: `Writable are Name, ${Object.keys(changeable).join(', ')}. The CustomFields that are sent replace the stored ones; a changed custom value must fit the type that the template gives its field. null is unchanged, every other member is ignored. A ConcurrencyId that is sent must be the current one; without it the last writer wins. AccessPolicies are compared with the policies of the evidence itself: to change them needs Manage, without which the call is 403, and the current ConcurrencyId, without which it is 400. What the evidence has through cases, departments and policies is ignored there. A record that changes nothing makes no version. Clear empties members by name. The entry in the ledger has the Reason, and of a changed time what it was and what it is.`,
  permission: { kind: 'level', level: 'Edit', on: 'evidence' },
  audit: { by: 'own', actions: ['evidence.changed', 'evidence.read'] },
  params: EvidencePath,
  body: PatchEvidenceModel,
  responses: { 200: EvidenceRecord },
  errors: [
    'InvalidModel',
    'InvalidDateTimeRange',
    'EvidenceNotFound',
    'EvidenceNotUpToDate',
    'Forbidden',
    'TenantNotFound',
    'ReadOnly',
  ],
})

export const getEvidenceHistory = route({
  id: 'getEvidenceHistory',
  interface: 'document',
  method: 'GET',
  ...both('/evidence/:evidenceId/history'),
  origin: 'extension',
  summary: 'The versions of an evidence, newest first',
  description:
    'startingConcurrencyId names the first to return; go on with the ParentReferenceId of the last. Needs Manage and AccessAuditTrail; an administrator with AccessAuditTrail alone gets the entries without Changes.',
  permission: { kind: 'member', guests: false },
  audit: { by: 'read', action: 'evidence.history', objectType: 'evidence', objectParam: 'evidenceId' },
  params: EvidencePath,
  query: z.object({ startingConcurrencyId: z.string().optional(), count: Count(100) }),
  offers: ['application/json', 'text/json', 'text/plain', 'application/json-patch+json'],
  responses: { 200: HistoryModel },
  errors: [
    'InvalidModel',
    'InvalidConcurrencyId',
    'EvidenceNotFound',
    'EvidenceDeleted',
    'Forbidden',
    'TenantNotFound',
  ],
})
