import { z } from 'zod'
import { PrincipalOutputModel } from './categories.contract.ts'
import { IdMember, IdParam, TenantParams as Tenant } from '../kernel/fields.ts'
import { EVIDENCE_STATUSES, EVIDENCE_TYPES } from '../evidence/list.contract.ts'
import { route } from '../kernel/route.ts'
import { RecordedClock } from '../evidence/recorded-clock.contract.ts'

/** Which evidence belongs to which case: interfaces.md 2.3, 4 and decisions 2 to 4. */

export const LINK_KINDS = ['Manual', 'Automatic'] as const

/** An evidence inside a case. */
export const EvidenceModel = z
  .object({
    EvidenceId: z.string(),
    Name: z.string().nullable(),
    Thumbnail: z.string().nullable(),
    StartTimeUtc: z.string().nullable().meta({ description: 'The corrected time.' }),
    EndTimeUtc: z.string().nullable(),
    Clock: RecordedClock,
    State: z.string(),
    LifecycleState: z.string(),
    Status: z.enum(EVIDENCE_STATUSES).nullable().meta({ description: 'As the list of evidence has it.' }),
    Type: z
      .enum([...EVIDENCE_TYPES, 'none'])
      .nullable()
      .meta({ description: 'By content, as the list of evidence has it.' }),
    LinkKind: z.enum(LINK_KINDS),
    Confirmed: z.boolean(),
    DisplayName: z.string().meta({
      description:
        'Under which it is shown. An answer to a change has the stored name; reading the case has the other.',
    }),
    Camera: z.string().nullable().meta({
      description: 'What recorded it, as people call it. Only reading the case says it; null where nothing is known.',
    }),
    MayConfirm: z.boolean().meta({
      description: 'Whether who asks can confirm this link now: it waits, and they hold Manage on the evidence.',
    }),
  })
  .meta({ id: 'EvidenceModel' })

/** So much evidence may be added to a case or taken out of it in one call (decisions 2). */
export const MOST_AT_ONCE = 500

export const LinkEvidencesRequestModel = z
  .object({
    // Counted here and not by the service: what is too long never comes to the event loop (promise S17).
    Evidences: z
      .array(
        z.object({
          EvidenceId: IdMember,
          Name: z.string().max(4096).nullish(),
          Action: z.string().max(64).nullish().meta({ description: '`Add` (default) or `Remove`' }),
        }),
      )
      .superRefine(({ length }, context) => {
        if (length > MOST_AT_ONCE)
          context.addIssue({
            code: 'custom',
            message: `names ${length}; at most ${MOST_AT_ONCE} may be added or removed at once`,
            params: { code: 'TooManyAddedOrRemovedEvidencesAtOnce' },
          })
      }),
    ConcurrencyId: z.string().max(256).nullish(),
  })
  .meta({ id: 'LinkEvidencesRequestModel' })

export const EvidenceRelationsModel = z
  .object({
    EvidenceId: z.string(),
    ConcurrencyId: z.string().meta({ description: 'That of the evidence.' }),
    Relations: z.array(
      z
        .object({
          CaseId: z.string(),
          Title: z.string(),
          Kind: z.enum(LINK_KINDS),
          Confirmed: z.boolean(),
          Rule: z.string().nullable(),
          LinkedOn: z.string(),
          LinkedBy: PrincipalOutputModel,
        })
        .meta({ id: 'EvidenceRelationModel' }),
    ),
    HiddenCount: z.int().nullable().meta({
      description: 'Cases that the caller cannot view; null without Manage on the evidence and AccessAuditTrail.',
    }),
  })
  .meta({ id: 'EvidenceRelationsModel' })

const CasePath = Tenant.extend({ caseId: IdParam })
const EvidencePath = Tenant.extend({ evidenceId: IdParam })

export const linkEvidences = route({
  id: 'linkEvidencesToCase',
  interface: 'case',
  method: 'POST',
  path: '/api/v1/case/:tenantId/:caseId/link-evidences',
  origin: 'specification',
  summary: 'Link evidence to a case, or take it out',
  description:
    'All or nothing, at most 500. Needs Edit on the case and, of what is added, on the evidence. What is linked already and added again stays as it is. Only links that somebody made are removed here.',
  permission: { kind: 'level', level: 'Edit', on: 'case' },
  audit: { by: 'own', actions: ['case.linked', 'evidence.linked', 'evidence.unlinked'] },
  params: CasePath,
  body: LinkEvidencesRequestModel,
  responses: { 204: null },
  errors: [
    'InvalidModel',
    'TooManyAddedOrRemovedEvidencesAtOnce',
    'CaseNotFound',
    'CaseDeleted',
    'CaseNotUpToDate',
    'CaseClosed',
    'InvalidLinkAction',
    'EvidenceNotFound',
    'EvidenceDeleted',
    'PrincipalCannotManageEvidence',
    'TenantNotFound',
    'ReadOnly',
  ],
})

export const getEvidenceRelations = route({
  id: 'getEvidenceRelationsByEvidenceId',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/evidence/:tenantId/:evidenceId',
  origin: 'specification',
  summary: 'The cases that an evidence belongs to',
  description:
    'Only cases that the caller can view today; with concurrencyId as they were linked in that version of the evidence.',
  // Judged by the service: an evidence that is not there is another answer here than elsewhere.
  permission: { kind: 'member', guests: true },
  audit: { by: 'read', action: 'evidence.relations', objectType: 'evidence', objectParam: 'evidenceId' },
  params: EvidencePath,
  query: z.object({ concurrencyId: z.string().optional() }),
  offers: ['application/json'],
  responses: { 200: EvidenceRelationsModel },
  errors: ['EvidenceRelationsNotFound', 'EvidenceDeleted', 'InvalidConcurrencyId', 'TenantNotFound'],
})

export const confirmLink = route({
  id: 'confirmEvidenceLink',
  interface: 'case',
  method: 'POST',
  path: '/api/v1/case/:tenantId/:caseId/evidence/:evidenceId/confirm',
  origin: 'extension',
  summary: 'Confirm an automatic link',
  description: 'From then on it counts like one that somebody made. Needs Manage on the evidence.',
  permission: { kind: 'member', guests: true },
  audit: { by: 'own', actions: ['evidence.confirmed', 'case.linked'] },
  params: CasePath.extend({ evidenceId: IdParam }),
  responses: { 200: EvidenceRelationsModel },
  errors: [
    'CaseNotFound',
    'CaseDeleted',
    'CaseClosed',
    'EvidenceNotFound',
    'EvidenceDeleted',
    'InvalidLinkAction',
    'PrincipalCannotManageEvidence',
    'TenantNotFound',
    'ReadOnly',
  ],
})
