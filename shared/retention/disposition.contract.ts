import { z } from 'zod'
import { CONTROL_ACTS } from '../identity/account-control.ts'
import { WHY_NOT } from './approval.ts'
import { HOLD_CODES, MOST_RETENTION_DAYS, RULE_KINDS } from './retention.ts'
import { Count, Cursor, IdMember, IdParam, isText, page, TenantNameParams as Tenant, text } from '../kernel/fields.ts'
import { PrincipalModel } from '../evidence/records.contract.ts'
import { route } from '../kernel/route.ts'

/** Disposition (decisions 4 and 6), an extension: what is due, who approved it, what was destroyed. */

const BASE = '/api/v1/tenant/:tenantName/disposition'
const CertificatePath = Tenant.extend({ certificateId: IdParam })

const approve = { kind: 'policy', policy: 'ApproveDisposition' } as const

export const ITEM_STAGES = ['Waiting', 'CoolingOff', 'RecycleBin'] as const
export const WhyNot = z.enum(WHY_NOT).nullable().meta({
  description:
    'Why the caller cannot approve it; null where they can. `MadeByRequester`, `MadeByApprover`: one person is, or controls, both accounts. `ControlledFromCommandLine`: the account was created or reset there, and its owner has not taken it over. `NewInPolicy`: in ApproveDisposition for less time than the cooling-off lasts. `ClockJumped`: the clock of the station was changed less than a day ago.',
})

/** Where the account of an approver comes from, shown to the second one (decisions 6). */
export const ApproverProvenance = z
  .object({
    By: PrincipalModel,
    CreatedUtc: z.string(),
    CreatedBy: z.string().meta({
      description:
        'The name of whoever created the account; `cli:` and a name: at the command line. Empty: nobody but its owner.',
    }),
    InPolicySinceUtc: z
      .string()
      .nullable()
      .meta({ description: 'In ApproveDisposition, directly or through a group.' }),
    Acts: z
      .array(z.object({ Act: z.enum(CONTROL_ACTS), By: z.string(), TimeUtc: z.string() }))
      .meta({ description: 'By which others control the account still. Empty: it is its owner’s alone.' }),
    OwnPassword: z.boolean().meta({ description: 'The owner set a password since the last of these acts.' }),
    OwnSecondFactor: z.boolean(),
    ControlEndsUtc: z.string().nullable().meta({ description: 'Null: not before the owner has set what is missing.' }),
    ControlEndedUtc: z.string().nullable().meta({ description: 'When the account last became its owner’s alone.' }),
  })
  .meta({ id: 'ApproverProvenance' })

export const Approvers = z.array(ApproverProvenance).meta({
  description: 'Those who approved, then the caller while it waits for an approval: where their accounts come from.',
})

export const RuleModel = z
  .object({
    Kind: z.enum(RULE_KINDS).meta({
      description:
        'Deleted: a person moved it to the recycle bin. Sample: sample data that was removed, of certificates alone.',
    }),
    Id: z.string().nullable(),
    Name: z.string(),
    Days: z.int(),
  })
  .meta({ id: 'DispositionRule' })

const Amount = { Files: z.int().meta({ description: 'Files that came from outside.' }), Bytes: z.int() }

export const DispositionItem = z
  .object({
    ItemId: z.string(),
    Case: z.object({ CaseId: z.string(), Ordinal: z.string(), Title: z.string() }).nullable(),
    Rule: RuleModel,
    Stage: z.enum(ITEM_STAGES),
    Evidence: z.int(),
    ...Amount,
    DueUtc: z.string(),
    QueuedUtc: z.string(),
    UntilUtc: z.string().nullable().meta({ description: 'When cooling-off or the recycle bin is over.' }),
    RequestedBy: PrincipalModel,
    Approvals: z.array(z.object({ By: PrincipalModel, Reason: z.string(), TimeUtc: z.string() })),
    Held: z.enum(HOLD_CODES).nullable().meta({ description: 'What keeps all of it; null when something may go.' }),
    WhyNot,
    Approvers,
  })
  .meta({ id: 'DispositionItem' })

export const Hold = z
  .object({
    Code: z.enum([...HOLD_CODES, 'NotDue', 'NeverDue', 'OtherRule']),
    CaseId: z.string().nullable(),
    Ordinal: z.string().nullable(),
    TimeUtc: z
      .string()
      .nullable()
      .meta({ description: 'When it ends; of LinkWithdrawn since when; of NotDue from when.' }),
  })
  .meta({ id: 'DispositionHold' })

export const DispositionPreview = z
  .object({
    TimeUtc: z.string(),
    PreviewId: z.string().meta({ description: 'Names exactly what goes and what stays; an approval has to bring it.' }),
    Goes: z.object({ Evidence: z.int(), ...Amount, EarliestUtc: z.string() }),
    Stays: z.object({
      Evidence: z.int(),
      ...Amount,
      Items: z
        .array(z.object({ EvidenceId: z.string(), Name: z.string(), ...Amount, Holds: z.array(Hold) }))
        .meta({ description: 'At most 200.' }),
    }),
    WhyNot,
  })
  .meta({ id: 'DispositionPreview' })

const Items = z
  .array(IdMember)
  .min(1, 'must name an item')
  .max(100, 'must not name more than 100 items')
  .refine((ids) => new Set(ids).size === ids.length, 'must name no item twice')
export const LONGEST_REASON = 2000
export const isReason = (value: string): boolean => value.trim() !== '' && isText(value, LONGEST_REASON)
export const Reason = text(LONGEST_REASON).refine((value) => value.trim() !== '', 'must say why')

export const listDisposition = route({
  id: 'listDisposition',
  interface: 'document',
  method: 'GET',
  path: BASE,
  origin: 'extension',
  summary: 'List what is due and where it is, newest first',
  permission: approve,
  audit: { by: 'read', action: 'list.read', objectType: 'disposition' },
  params: Tenant,
  query: z.object({ stage: z.enum(['Due', 'RecycleBin']).default('Due'), cursor: Cursor, count: Count(100) }),
  responses: { 200: page(DispositionItem).meta({ id: 'DispositionPage' }) },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const previewDisposition = route({
  id: 'previewDisposition',
  interface: 'document',
  method: 'POST',
  path: `${BASE}/preview`,
  origin: 'extension',
  summary: 'Show what an approval would destroy, what would stay, and why',
  permission: approve,
  audit: { by: 'read', action: 'disposition.previewed', objectType: 'disposition' },
  params: Tenant,
  body: z.object({ Items }),
  responses: { 200: DispositionPreview },
  errors: ['InvalidModel', 'DispositionItemNotFound', 'TenantNotFound'],
})

export const approveDisposition = route({
  id: 'approveDisposition',
  interface: 'document',
  method: 'POST',
  path: `${BASE}/approve`,
  origin: 'extension',
  summary: 'Approve a destruction, as first or second person',
  description:
    'All items or none. Only people approve: the requester and the two approvers are three accounts, and no one person is or controls two of them. Whoever created an account, reset its password, or took away its second step or passkeys controls it, until its owner has set a password and a second factor of their own and the settling time has passed; `Approvers` shows this. An approver has been in the policy for as long as the cooling-off lasts. What is held leaves the items. The second approval begins the cooling-off; nothing is destroyed by a call.',
  permission: approve,
  audit: { by: 'own', actions: ['disposition.approved', 'disposition.returned'] },
  params: Tenant,
  body: z.object({ Items, Reason, PreviewId: z.string().min(1).max(64) }),
  responses: { 200: z.array(DispositionItem) },
  errors: [
    'InvalidModel',
    'Forbidden',
    'DispositionItemNotFound',
    'DispositionNotWaiting',
    'PreviewOutdated',
    'NothingToDestroy',
    'TenantNotFound',
    'ReadOnly',
  ],
})

export const keepInstead = route({
  id: 'keepInstead',
  interface: 'document',
  method: 'POST',
  path: `${BASE}/keep`,
  origin: 'extension',
  summary: 'Take items out of the queue, to be kept for a time',
  description: 'At any stage before destruction, by any one member. When the time is over the rule is asked again.',
  permission: approve,
  audit: { by: 'own', actions: ['disposition.kept'] },
  params: Tenant,
  body: z.object({ Items, Reason, Days: z.int().min(1).max(MOST_RETENTION_DAYS).default(365) }),
  responses: { 200: z.object({ Kept: z.int(), UntilUtc: z.string() }).meta({ id: 'DispositionKept' }) },
  errors: ['InvalidModel', 'DispositionItemNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const settleLinks = route({
  id: 'settleWithdrawnLinks',
  interface: 'document',
  method: 'POST',
  path: `${BASE}/evidence/:evidenceId/settle-links`,
  origin: 'extension',
  summary: 'Say that the withdrawn links of an evidence were looked at',
  description: 'They suspend its disposition no more.',
  permission: approve,
  audit: { by: 'own', actions: ['link.settled'] },
  params: Tenant.extend({ evidenceId: IdParam }),
  body: z.object({ Reason }),
  responses: { 200: z.object({ Settled: z.int() }).meta({ id: 'SettledLinks' }) },
  errors: ['InvalidModel', 'EvidenceNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const Certificate = z
  .object({
    CertificateId: z.string(),
    EvidenceId: z.string(),
    Name: z.string(),
    Rule: RuleModel,
    Cases: z.array(z.object({ CaseId: z.string(), Ordinal: z.string() })),
    Files: z.int().meta({ description: 'With everything that was made of them.' }),
    Bytes: z.int(),
    DestroyedUtc: z.string(),
    Sha256: z.string().meta({ description: 'Of certificate.json.' }),
    Approvals: z.array(z.object({ By: PrincipalModel, Reason: z.string(), TimeUtc: z.string() })),
    Snapshots: z
      .object({
        Scheduled: z.int().meta({ description: 'Places in which snapshots of backups are made on a schedule.' }),
        UntilUtc: z
          .string()
          .nullable()
          .meta({ description: 'By when the last of those is gone that may hold the bytes; null: there are none.' }),
        Elsewhere: z.int().meta({ description: 'Further places with snapshots that nothing clears by itself.' }),
      })
      .nullable()
      .meta({ description: 'As known when it was destroyed; null where an older certificate does not say.' }),
  })
  .meta({ id: 'Certificate' })

export const listCertificates = route({
  id: 'listCertificates',
  interface: 'document',
  method: 'GET',
  path: `${BASE}/certificate`,
  origin: 'extension',
  summary: 'List certificates of destruction, newest first',
  permission: approve,
  audit: { by: 'read', action: 'list.read', objectType: 'certificate' },
  params: Tenant,
  query: z.object({ cursor: Cursor, count: Count(100) }),
  responses: { 200: page(Certificate).meta({ id: 'CertificatePage' }) },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const CERTIFICATE_PARTS = ['certificate.json', 'certificate.sig', 'key.pem'] as const

export const getCertificatePart = route({
  id: 'getCertificatePart',
  interface: 'document',
  method: 'GET',
  path: `${BASE}/certificate/:certificateId/:part`,
  origin: 'extension',
  summary: 'Download a certificate, its signature, or the key that made it',
  description:
    'certificate.json is canonical JSON (RFC 8785), certificate.sig its Ed25519 signature, key.pem the public key: `openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in certificate.json -sigfile certificate.sig`.',
  permission: approve,
  audit: { by: 'own', actions: ['certificate.read'] },
  params: CertificatePath.extend({ part: z.enum(CERTIFICATE_PARTS) }),
  responses: { 200: 'bytes' },
  errors: ['InvalidModel', 'CertificateNotFound', 'TenantNotFound'],
})
