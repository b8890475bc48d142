import { z } from 'zod'
import { HOLD_CODES } from './retention.ts'
import { Count, Cursor, IdMember, page, TenantNameParams as Tenant } from '../kernel/fields.ts'
import { Approvers, Reason, WhyNot } from './disposition.contract.ts'
import { PrincipalModel } from '../evidence/records.contract.ts'
import { route } from '../kernel/route.ts'

/** Quarantine and how it is emptied: by disposition alone (decisions 6). Extensions. */

const BASE = '/api/v1/tenant/:tenantName/disposition/quarantine'
const approve = { kind: 'policy', policy: 'ApproveDisposition' } as const

export const QUARANTINE_STAGES = ['Kept', 'Waiting', 'CoolingOff'] as const

export const Quarantined = z
  .object({
    QuarantineId: z.string(),
    Reason: z.string().meta({ description: 'Why it was put aside.' }),
    Sha256: z.string().nullable(),
    LengthInBytes: z.int().nullable(),
    EvidenceId: z.string().nullable().meta({ description: 'What it was meant for; null: it belongs to nothing.' }),
    ResourceId: z.string().nullable(),
    SetAsideUtc: z.string(),
    Stage: z.enum(QUARANTINE_STAGES).meta({ description: 'Waiting: for a second approval.' }),
    Approvals: z.array(z.object({ By: PrincipalModel, Reason: z.string(), TimeUtc: z.string() })),
    UntilUtc: z.string().nullable().meta({ description: 'When cooling-off is over.' }),
    Held: z.enum(HOLD_CODES).nullable().meta({ description: 'What keeps its evidence, and with it these bytes.' }),
    WhyNot,
    Approvers,
  })
  .meta({ id: 'Quarantined' })

const Items = z
  .array(IdMember)
  .min(1, 'must name something')
  .max(100, 'must not name more than 100')
  .refine((ids) => new Set(ids).size === ids.length, 'must name nothing twice')

export const listQuarantine = route({
  id: 'listQuarantine',
  interface: 'document',
  method: 'GET',
  path: BASE,
  origin: 'extension',
  summary: 'List what lies in quarantine, newest first',
  permission: approve,
  audit: { by: 'read', action: 'list.read', objectType: 'quarantine' },
  params: Tenant,
  query: z.object({ cursor: Cursor, count: Count(100) }),
  responses: { 200: page(Quarantined).meta({ id: 'QuarantinePage' }) },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const approveQuarantine = route({
  id: 'approveQuarantine',
  interface: 'document',
  method: 'POST',
  path: `${BASE}/approve`,
  origin: 'extension',
  summary: 'Approve the destruction of quarantined bytes, as first or second person',
  description:
    'All or none. Who may is as with evidence: two people, with no one person controlling both accounts. The second approval begins the cooling-off, which ends no sooner than the time of the recycle bin after the bytes were put aside; nothing is destroyed by a call. What keeps an evidence (a protection, an open case, a withdrawn link …) keeps what was put aside of it.',
  permission: approve,
  audit: { by: 'own', actions: ['quarantine.approved'] },
  params: Tenant,
  body: z.object({ Items, Reason }),
  responses: { 200: z.array(Quarantined) },
  errors: [
    'InvalidModel',
    'Forbidden',
    'QuarantineNotFound',
    'DispositionNotWaiting',
    'NothingToDestroy',
    'TenantNotFound',
    'ReadOnly',
  ],
})

export const keepQuarantined = route({
  id: 'keepQuarantined',
  interface: 'document',
  method: 'POST',
  path: `${BASE}/keep`,
  origin: 'extension',
  summary: 'Keep quarantined bytes after all',
  description: 'Ends what was approved of them, at any time before their destruction, by any one member.',
  permission: approve,
  audit: { by: 'own', actions: ['quarantine.kept'] },
  params: Tenant,
  body: z.object({ Items, Reason }),
  responses: { 200: z.array(Quarantined) },
  errors: ['InvalidModel', 'QuarantineNotFound', 'DispositionNotWaiting', 'TenantNotFound', 'ReadOnly'],
})
