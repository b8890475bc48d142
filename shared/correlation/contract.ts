import { z } from 'zod'
import { Count, Cursor, IdParam, isText, page, TenantParams as Tenant, text } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** What the correlation engine did and why (decisions 8), and what it asks of people. */

const CasePath = Tenant.extend({ caseId: IdParam })
const PairPath = CasePath.extend({ evidenceId: IdParam })

const seconds = (description: string) => z.number().nullable().meta({ description })

const Withdrawn = z
  .object({
    EvidenceId: z.string(),
    EvidenceName: z.string().nullable(),
    Reason: z.string().meta({ description: 'What stood against it, in English.' }),
    WithdrawnUtc: z.string(),
    Suspends: z.boolean().meta({ description: 'Nobody has looked at it yet: the recording is not destroyed before.' }),
  })
  .meta({ id: 'WithdrawnLinkModel' })

const Fact = z.union([z.number(), z.string(), z.boolean(), z.null(), z.array(z.string())])

export const CorrelationModel = z
  .object({
    CaseId: z.string(),
    EvidenceId: z.string(),
    EvidenceName: z.string().nullable(),
    State: z.enum(['Linked', 'Confirmed', 'Refused', 'Review', 'NotLinked']).meta({
      description: 'Of the automatic link. Review: the engine may not act, and asks.',
    }),
    Rule: z.enum(['officer', 'place', 'number']).nullable().meta({
      description: 'By which it belongs there, as things are now; null: by none.',
    }),
    OverlapSeconds: z.number().meta({ description: 'Of the recording and the call with two minutes on each side.' }),
    OffsetSeconds: seconds('What the camera’s clock was put right by; null: nothing is known of it.'),
    UncertaintySeconds: seconds('The offset is right to this much either way.'),
    Confidence: z.enum(['High', 'Medium', 'Low']).nullable(),
    Because: z
      .enum(['CaseClosed', 'CaseProtected', 'Confirmed', 'AssociationWaits', 'DeviceNotProved', 'NotYet'])
      .nullable()
      .meta({ description: 'What keeps the engine from acting.' }),
    Text: z.string().meta({ description: 'The whole of it, in English.' }),
    Checks: z
      .array(
        z.object({
          Code: z.string(),
          Holds: z.boolean(),
          Text: z.string(),
          Facts: z.record(z.string(), Fact).meta({
            description: 'What it was judged by. Times are milliseconds since 1970 by true time, lengths milliseconds.',
          }),
        }),
      )
      .meta({ description: 'What was looked at: why it belongs there, or why not.' }),
    Withdrawn: Withdrawn.nullable().meta({
      description: 'The last time that the engine took the link away; null: never.',
    }),
  })
  .meta({ id: 'CorrelationModel' })

export const CaseCorrelationModel = z
  .object({
    CaseId: z.string(),
    WindowFromUtc: z.string().nullable().meta({ description: 'null: the case does not say when it began.' }),
    WindowToUtc: z.string().nullable(),
    WindowCut: z
      .boolean()
      .meta({ description: 'It would be longer than a day; only the first 24 hours are looked at.' }),
    Items: z.array(CorrelationModel).meta({
      description: 'Recordings that the caller can view: linked, asked about, or of its officers around that time.',
    }),
    Withdrawn: z.array(Withdrawn),
  })
  .meta({ id: 'CaseCorrelationModel' })

export const ReviewModel = z
  .object({
    ReviewId: z.string(),
    CaseId: z.string(),
    CaseTitle: z.string(),
    EvidenceId: z.string(),
    EvidenceName: z.string().nullable(),
    Act: z.enum(['Link', 'Withdraw']).meta({ description: 'What the engine would do.' }),
    Because: z.enum(['CaseClosed', 'CaseProtected', 'Confirmed', 'AssociationWaits']),
    Text: z.string(),
    CreatedUtc: z.string(),
  })
  .meta({ id: 'CorrelationReviewModel' })

/** Metres around the place of a call. */
export const RADIUS = { least: 10, most: 5000 } as const
const Radius = z.int().min(RADIUS.least).max(RADIUS.most)
export const CorrelationRulesModel = z
  .object({
    Place: z.object({ Enabled: z.boolean(), RadiusMetres: Radius }).meta({
      description: 'A recording made within so many metres of the call, in its time, whoever had the camera.',
    }),
    Number: z.object({ Enabled: z.boolean() }).meta({
      description:
        'A recording of which a file name or a mark holds the number of the call (ExternalReferenceId2, four characters or more), in its time, whoever had the camera.',
    }),
  })
  .meta({ id: 'CorrelationRulesModel' })

export const getCaseCorrelation = route({
  id: 'getCaseCorrelation',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/case/:tenantId/:caseId/correlation',
  origin: 'extension',
  summary: 'What the correlation engine linked to a case, and why not more',
  description: 'Needs View on the case; told are recordings that the caller can view.',
  permission: { kind: 'level', level: 'View', on: 'case' },
  audit: { by: 'read', action: 'correlation.read', objectType: 'case', objectParam: 'caseId' },
  params: CasePath,
  responses: { 200: CaseCorrelationModel },
  errors: ['CaseNotFound', 'CaseDeleted', 'TenantNotFound'],
})

export const explainCorrelation = route({
  id: 'explainCorrelation',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/case/:tenantId/:caseId/evidence/:evidenceId/correlation',
  origin: 'extension',
  summary: 'Why a recording is in a case, or why it is not',
  description: 'Judged anew. Needs View on both.',
  permission: { kind: 'level', level: 'View', on: 'case' },
  audit: { by: 'read', action: 'correlation.read', objectType: 'case', objectParam: 'caseId' },
  params: PairPath,
  responses: { 200: CorrelationModel },
  errors: ['CaseNotFound', 'CaseDeleted', 'EvidenceNotFound', 'EvidenceDeleted', 'TenantNotFound'],
})

/** Of refusing a link and of settling a review. */
export const LONGEST_REASON = 1000
const Reason = text(LONGEST_REASON).min(1, 'must not be empty')
export const isReason = (reason: string): boolean => reason !== '' && isText(reason, LONGEST_REASON)

export const RefuseLinkModel = z.object({ Reason }).meta({ id: 'RefuseLinkModel' })

export const refuseLink = route({
  id: 'refuseEvidenceLink',
  interface: 'case',
  method: 'POST',
  path: '/api/v1/case/:tenantId/:caseId/evidence/:evidenceId/refuse',
  origin: 'extension',
  summary: 'Refuse an automatic link',
  description: 'It is taken away, confirmed or not, and never comes back. Needs Manage on the evidence.',
  permission: { kind: 'member', guests: true },
  audit: { by: 'own', actions: ['link.refused', 'evidence.unlinked', 'case.linked'] },
  params: PairPath,
  body: RefuseLinkModel,
  responses: { 204: null },
  errors: [
    'InvalidModel',
    'CaseNotFound',
    'CaseDeleted',
    'CaseClosed',
    'EvidenceNotFound',
    'EvidenceDeleted',
    'InvalidLinkAction',
    'TenantNotFound',
    'ReadOnly',
  ],
})

const CORRELATION = '/api/v1/correlation/:tenantId'

export const listReviews = route({
  id: 'listCorrelationReviews',
  interface: 'case',
  method: 'GET',
  path: `${CORRELATION}/review`,
  origin: 'extension',
  summary: 'What the correlation engine asks, oldest first',
  description: 'Of cases that the caller can view, and recordings on which they have Manage.',
  permission: { kind: 'member', guests: false },
  audit: { by: 'read', action: 'list.read', objectType: 'review' },
  params: Tenant,
  query: z.object({ cursor: Cursor, count: Count(100) }),
  responses: { 200: page(ReviewModel).meta({ id: 'CorrelationReviewPage' }) },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const SettleReviewModel = z.object({ Reason }).meta({ id: 'SettleReviewModel' })

export const settleReview = route({
  id: 'settleCorrelationReview',
  interface: 'case',
  method: 'POST',
  path: `${CORRELATION}/review/:reviewId/settle`,
  origin: 'extension',
  summary: 'Say that a question of the correlation engine was looked at',
  description: 'It is not asked again. Needs View on the case and Manage on the recording.',
  permission: { kind: 'member', guests: false },
  audit: { by: 'own', actions: ['review.settled'] },
  params: Tenant.extend({ reviewId: IdParam }),
  body: SettleReviewModel,
  responses: { 204: null },
  errors: ['InvalidModel', 'ReviewNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const acceptReview = route({
  id: 'acceptCorrelationReview',
  interface: 'case',
  method: 'POST',
  path: `${CORRELATION}/review/:reviewId/accept`,
  origin: 'extension',
  summary: 'Do what the correlation engine may not do by itself',
  description:
    'The recording is linked as by hand, or the automatic link is refused. Needs Edit on the case and Manage on the recording; a closed case is opened first.',
  permission: { kind: 'member', guests: false },
  audit: {
    by: 'own',
    actions: ['review.settled', 'case.linked', 'evidence.linked', 'evidence.unlinked', 'link.refused'],
  },
  params: Tenant.extend({ reviewId: IdParam }),
  body: SettleReviewModel,
  responses: { 204: null },
  errors: [
    'InvalidModel',
    'ReviewNotFound',
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

export const getRules = route({
  id: 'getCorrelationRules',
  interface: 'case',
  method: 'GET',
  path: `${CORRELATION}/rules`,
  origin: 'extension',
  summary: 'Which further rules the correlation engine follows',
  permission: { kind: 'policy', policy: 'ManageConfiguration' },
  audit: { by: 'read', action: 'list.read', objectType: 'correlation' },
  params: Tenant,
  responses: { 200: CorrelationRulesModel },
  errors: ['TenantNotFound'],
})

export const putRules = route({
  id: 'putCorrelationRules',
  interface: 'case',
  method: 'PUT',
  path: `${CORRELATION}/rules`,
  origin: 'extension',
  summary: 'Turn further rules of the correlation engine on or off',
  description: 'Both are off on a new station. Every case is looked at again.',
  permission: { kind: 'policy', policy: 'ManageConfiguration' },
  audit: { by: 'own', actions: ['correlation.rulesChanged'] },
  params: Tenant,
  body: CorrelationRulesModel,
  responses: { 200: CorrelationRulesModel },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
})
