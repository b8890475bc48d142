import { z } from 'zod'
import { CalendarDate, IdMember, IdParam, line, TenantParams as Tenant, text, UtcTime } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { ITEM_KINDS } from '../packages/kinds.ts'
import {
  ACKNOWLEDGED_BY,
  DISCLOSURE_MEDIA,
  DUE_REASONS,
  LONGEST_REASON,
  MOST_DISCLOSED,
  MOST_WITHHELD,
  PROPOSAL_STATES,
  RECIPIENT_ROLES,
  REQUEST_STATES,
  RESTRICTIONS,
  SCHEDULES,
  WHY_NOT_SECOND,
  WITHHELD_BASES,
} from './kinds.ts'

/** What was given to whom, what was withheld, and what may not leave (docs/decisions/0035). Extensions. */

const DISCLOSURES = '/api/v1/tenant/:tenantId/disclosures'
const CasePath = Tenant.extend({ caseId: IdParam })
const RecordPath = CasePath.extend({ no: IdParam })
const EvidencePath = Tenant.extend({ evidenceId: IdParam })

const filled = (most: number) => text(most).refine((value) => value.trim() !== '', 'must not be empty')
const filledLine = (most: number) => line(most).refine((value) => value.trim() !== '', 'must not be empty')
const Reason = filled(LONGEST_REASON)

export const RecipientModel = z
  .object({ Name: filledLine(256), Role: z.enum(RECIPIENT_ROLES), Organisation: line(256).default('') })
  .meta({ id: 'DisclosureRecipient' })

const RequestModel = z
  .object({ Number: line(128).default(''), Date: CalendarDate.nullish(), Due: CalendarDate.nullish() })
  .meta({ id: 'DisclosureRequest' })

const WithheldLine = z
  .object({
    EvidenceId: IdMember,
    ResourceId: IdMember.nullish().meta({ description: 'One of its files; null: all of it.' }),
    Description: filled(LONGEST_REASON).meta({ description: 'Enough for a prosecutor to decide without looking.' }),
    Ground: filled(LONGEST_REASON),
    Basis: z.enum(WITHHELD_BASES),
    Reasons: text(4000).default('').meta({ description: 'Why it is sensitive: needed for MG6D.' }),
  })
  .refine(({ Basis, Reasons }) => Basis !== 'MG6D' || Reasons.trim() !== '', {
    path: ['Reasons'],
    message: 'must not be empty for MG6D',
  })
  .meta({ id: 'NewWithheldLine' })

const disclosed = {
  Recipient: RecipientModel.nullish().meta({ description: 'Left out for a supplement: the recipient of that one.' }),
  Supplements: IdMember.nullish().meta({
    description: 'Number of an earlier disclosure of the case to the recipient.',
  }),
  Authority: filled(LONGEST_REASON).meta({ description: 'By what it is given: a statute, an order, a request.' }),
  Request: RequestModel.nullish(),
  Answers: IdMember.nullish().meta({ description: 'Number of a recorded request of the case that this one answers.' }),
  PackageId: IdMember.nullish().meta({ description: 'A package that was made. null: handed over without one.' }),
  EvidenceIds: z
    .array(IdMember)
    .max(MOST_DISCLOSED, `must not name more than ${MOST_DISCLOSED}`)
    .default([])
    .meta({ description: 'Without a package: evidence whose originals were handed over.' }),
  Withheld: z.array(WithheldLine).max(MOST_WITHHELD, `must not name more than ${MOST_WITHHELD}`).default([]),
  Medium: z.enum(DISCLOSURE_MEDIA),
  MediumSerial: line(128).default(''),
  GivenTimeUtc: UtcTime.nullish().meta({ description: 'Left out: now.' }),
}

export const CreateDisclosureModel = z.object(disclosed).meta({ id: 'CreateDisclosureModel' })
export const SupersedeDisclosureModel = z.object({ ...disclosed, Reason }).meta({ id: 'SupersedeDisclosureModel' })

export const ProposeDisclosureModel = z
  .object({
    ...disclosed,
    Supersedes: IdMember.nullish().meta({ description: 'Number of a disclosure that it is to replace.' }),
    Reason: text(LONGEST_REASON).default('').meta({ description: 'Why that one was wrong.' }),
  })
  .refine(({ GivenTimeUtc }) => GivenTimeUtc == null, {
    path: ['GivenTimeUtc'],
    message: 'is stated when it is given, after it was approved',
  })
  .refine(({ Supersedes, Reason }) => (Supersedes == null) === (Reason.trim() === ''), {
    path: ['Reason'],
    message: 'must say why an earlier record is replaced, and be empty where none is',
  })
  .meta({ id: 'ProposeDisclosureModel' })

export const RecordRequestModel = z
  .object({
    Recipient: RecipientModel,
    Authority: text(LONGEST_REASON).default('').meta({ description: 'By what it is asked for: a statute, an order.' }),
    Number: line(128).default(''),
    Date: CalendarDate.nullish().meta({ description: 'When it was asked for.' }),
    Due: CalendarDate.nullish().meta({ description: 'By when.' }),
    What: filled(LONGEST_REASON).meta({ description: 'What is asked for.' }),
  })
  .meta({ id: 'RecordDisclosureRequestModel' })

export const AcknowledgeModel = z
  .object({
    By: filledLine(256),
    TimeUtc: UtcTime.nullish().meta({ description: 'When the recipient had it. Left out: now.' }),
    How: z.enum(ACKNOWLEDGED_BY),
    EvidenceId: IdMember.nullish().meta({ description: 'The scan or the signed file, as an evidence of the case.' }),
    Witnesses: z.array(filledLine(256)).max(2).default([]).meta({ description: 'Of one in person: two names.' }),
  })
  .refine(({ How, EvidenceId }) => (How === 'in-person') === (EvidenceId == null), {
    path: ['EvidenceId'],
    message: 'must name the scan or the signed file, and nothing of what was acknowledged in person',
  })
  .refine(({ How, Witnesses }) => Witnesses.length === (How === 'in-person' ? 2 : 0), {
    path: ['Witnesses'],
    message: 'must be two names for one in person, and none for others',
  })
  .meta({ id: 'AcknowledgeDisclosureModel' })

const Time = z.string()
const Person = z.object({ PrincipalId: z.string(), Username: z.string() })

const record = {
  No: z.int().meta({ description: 'Of the case, from 1, without a gap.' }),
  CaseId: z.string(),
  Chain: z.int().meta({ description: 'Number of the first disclosure of the case to this recipient.' }),
  Supersedes: z.int().nullable(),
  SupersededBy: z.int().nullable(),
  Reason: z.string().meta({ description: 'Why it replaces another one.' }),
  Recipient: z.object({ Name: z.string(), Role: z.enum(RECIPIENT_ROLES), Organisation: z.string() }),
  Authority: z.string(),
  Request: z.object({ Number: z.string(), Date: z.string().nullable(), Due: z.string().nullable() }),
  Package: z
    .object({ PackageId: z.string(), Sha256: z.string().meta({ description: 'Of its signed list.' }), Bytes: z.int() })
    .nullable(),
  Medium: z.enum(DISCLOSURE_MEDIA),
  MediumSerial: z.string(),
  GivenTimeUtc: Time,
  GivenBy: Person,
  Acknowledged: z
    .object({
      By: z.string(),
      TimeUtc: Time,
      How: z.enum(ACKNOWLEDGED_BY),
      EvidenceId: z.string().nullable(),
      Witnesses: z.array(z.string()),
      RecordedBy: Person,
    })
    .nullable(),
  ItemCount: z.int(),
  WithheldCount: z.int(),
  Approved: z
    .object({ ProposalNo: z.int(), By: Person, TimeUtc: Time })
    .nullable()
    .meta({ description: 'The second person who approved it before it was given. null: nobody had to.' }),
}

/** What is withheld, and why. */
const withheldLine = {
  EvidenceId: z.string(),
  ResourceId: z.string().nullable(),
  Description: z.string(),
  Ground: z.string(),
  Basis: z.enum(WITHHELD_BASES),
  Reasons: z.string(),
}

const proposal = {
  No: z.int().meta({ description: 'Of the case, from 1, without a gap.' }),
  CaseId: z.string(),
  State: z.enum(PROPOSAL_STATES),
  Recipient: record.Recipient,
  Supersedes: z.int().nullable(),
  Reason: z.string(),
  Authority: z.string(),
  PackageId: z.string().nullable(),
  Medium: z.enum(DISCLOSURE_MEDIA),
  ItemCount: z.int(),
  WithheldCount: z.int(),
  ProposedTimeUtc: Time,
  ProposedBy: Person,
  Decision: z
    .object({ By: Person, TimeUtc: Time, Reason: z.string() })
    .nullable()
    .meta({ description: 'Who approved, refused or withdrew it.' }),
  DisclosureNo: z.int().nullable().meta({ description: 'The record of what was given.' }),
  WhyNot: z
    .enum(WHY_NOT_SECOND)
    .nullable()
    .meta({ description: 'While it waits: why the caller cannot approve it. null: they can, or it waits no more.' }),
}

export const ProposalModel = z.object(proposal).meta({ id: 'DisclosureProposal' })

const RecordedRequest = z
  .object({
    No: z.int(),
    CaseId: z.string(),
    State: z.enum(REQUEST_STATES),
    Recipient: record.Recipient,
    Authority: z.string(),
    Number: z.string(),
    Date: z.string().nullable(),
    Due: z.string().nullable(),
    What: z.string(),
    RecordedTimeUtc: Time,
    RecordedBy: Person,
    Closed: z.object({ TimeUtc: Time, By: Person, Reason: z.string() }).nullable(),
    DisclosureNo: z.int().nullable().meta({ description: 'The disclosure that answered it.' }),
  })
  .meta({ id: 'DisclosureRequestRecord' })

export const DisclosureModel = z
  .object({
    ...record,
    Items: z.array(
      z.object({
        Number: z.int(),
        EvidenceId: z.string(),
        ResourceId: z.string(),
        Kind: z.enum(ITEM_KINDS),
        Name: z.string(),
        Sha256: z.string(),
        LengthInBytes: z.int(),
        Version: z.string(),
      }),
    ),
    Withheld: z.array(
      z.object({
        Number: z.int().meta({ description: 'On the schedule of its basis.' }),
        ...withheldLine,
        Restricted: z.boolean().meta({ description: 'It rests on a restriction of the evidence.' }),
        DecidedBy: Person,
        Ended: z
          .object({ TimeUtc: Time, By: Person, Reason: z.string() })
          .nullable()
          .meta({ description: 'Somebody recorded that its ground no longer applies.' }),
      }),
    ),
  })
  .meta({ id: 'Disclosure' })

const DueModel = z
  .object({
    CaseId: z.string(),
    Ordinal: z.string(),
    Title: z.string(),
    Chain: z.int(),
    Recipient: record.Recipient,
    LastNo: z.int().meta({ description: 'The newest disclosure to the recipient.' }),
    RequestDue: z.string().nullable(),
    Changes: z.array(
      z.object({ Reason: z.enum(DUE_REASONS), EvidenceId: z.string(), ResourceId: z.string().nullable() }),
    ),
  })
  .meta({ id: 'SupplementaryDue' })

const UnacknowledgedModel = z
  .object({
    CaseId: z.string(),
    Ordinal: z.string(),
    Title: z.string(),
    No: z.int(),
    Recipient: record.Recipient,
    GivenTimeUtc: Time,
    RequestDue: z.string().nullable(),
  })
  .meta({ id: 'UnacknowledgedDisclosure' })

const RestrictionModel = z
  .object({
    Kind: z.enum(RESTRICTIONS),
    Reason: z.string(),
    SetTimeUtc: Time,
    SetBy: Person,
    Lifted: z.object({ TimeUtc: Time, By: Person, Reason: z.string() }).nullable(),
  })
  .meta({ id: 'EvidenceRestriction' })

const CASE = ['CaseNotFound', 'CaseDeleted', 'TenantNotFound'] as const
const EVIDENCE = ['EvidenceNotFound', 'EvidenceDeleted', 'TenantNotFound'] as const
const ofCase = {
  interface: 'operations',
  origin: 'extension',
  permission: { kind: 'level', level: 'Edit', on: 'case' },
} as const
const ofEvidence = {
  interface: 'operations',
  origin: 'extension',
  permission: { kind: 'level', level: 'Edit', on: 'evidence' },
  params: EvidencePath,
} as const
const REFUSED = [
  'InvalidModel',
  ...CASE,
  'EvidenceNotFound',
  'EvidenceDeleted',
  'EvidenceRelationsNotFound',
  'PackageNotFound',
  'DisclosureNotFound',
  'EvidenceRestricted',
  'NothingToDisclose',
  'DisclosureRequestNotFound',
  'DisclosureRequestClosed',
  'ReadOnly',
] as const

export const listDisclosures = route({
  ...ofCase,
  id: 'listDisclosures',
  method: 'GET',
  path: `${DISCLOSURES}/case/:caseId`,
  summary: 'The disclosures of a case, and to whom a supplement is due',
  description: 'Needs Edit: the records name what was withheld, also from those who may view the case.',
  audit: { by: 'read', action: 'disclosure.listed', objectType: 'case', objectParam: 'caseId' },
  params: CasePath,
  responses: {
    200: z
      .object({
        Items: z.array(z.object(record).meta({ id: 'DisclosureSummary' })),
        Due: z.array(DueModel),
        Restricted: z
          .array(z.object({ EvidenceId: z.string(), Kinds: z.array(z.enum(RESTRICTIONS)) }))
          .meta({ description: 'Evidence of the case that goes into no disclosure now.' }),
        Proposals: z.array(ProposalModel),
        Requests: z.array(RecordedRequest),
        ApprovalFor: z
          .array(z.enum(RECIPIENT_ROLES))
          .meta({ description: 'Recipients to whom nothing is given before a second person approved it.' }),
      })
      .meta({ id: 'Disclosures' }),
  },
  errors: [...CASE],
})

export const createDisclosure = route({
  ...ofCase,
  id: 'createDisclosure',
  method: 'POST',
  path: `${DISCLOSURES}/case/:caseId`,
  summary: 'Record what is given to somebody, and what is withheld',
  description:
    'Needs Edit on the case, Download on what is given and View on what is named as withheld. Refused for recipients for whom a second person approves first. Restricted evidence of the case is recorded as withheld by itself; named as given it is refused.',
  audit: { by: 'own', actions: ['disclosure.given', 'resource.disclosed'] },
  params: CasePath,
  body: CreateDisclosureModel,
  responses: { 201: DisclosureModel },
  idempotent: true,
  errors: [...REFUSED, 'DisclosureNeedsApproval'],
})

export const getDisclosure = route({
  ...ofCase,
  id: 'getDisclosure',
  method: 'GET',
  path: `${DISCLOSURES}/case/:caseId/record/:no`,
  summary: 'One disclosure with all that was given and withheld',
  audit: { by: 'read', action: 'disclosure.read', objectType: 'case', objectParam: 'caseId' },
  params: RecordPath,
  responses: { 200: DisclosureModel },
  errors: [...CASE, 'DisclosureNotFound'],
})

export const supersedeDisclosure = route({
  ...ofCase,
  id: 'supersedeDisclosure',
  method: 'POST',
  path: `${DISCLOSURES}/case/:caseId/record/:no/supersede`,
  summary: 'Replace a record that is wrong by another one, which names it',
  description: 'The earlier record stays as it is, and its numbers stay taken. It can be replaced once.',
  audit: { by: 'own', actions: ['disclosure.superseded', 'resource.disclosed'] },
  params: RecordPath,
  body: SupersedeDisclosureModel,
  responses: { 201: DisclosureModel },
  idempotent: true,
  errors: [...REFUSED, 'DisclosureSuperseded', 'DisclosureNeedsApproval'],
})

const ProposalPath = CasePath.extend({ no: IdParam })
const OF_PROPOSAL = [
  'DisclosureSuperseded',
  'DisclosureProposalNotFound',
  'DisclosureProposalClosed',
  'DisclosureProposalOutdated',
] as const

export const proposeDisclosure = route({
  ...ofCase,
  id: 'proposeDisclosure',
  method: 'POST',
  path: `${DISCLOSURES}/case/:caseId/proposal`,
  summary: 'Ask a second person to approve a disclosure before anything is given',
  description: 'Needs what the disclosure needs. People with Manage on the case are told.',
  audit: { by: 'own', actions: ['disclosure.proposed'] },
  params: CasePath,
  body: ProposeDisclosureModel,
  responses: { 201: ProposalModel },
  idempotent: true,
  errors: [...REFUSED, 'DisclosureSuperseded'],
})

export const getProposal = route({
  ...ofCase,
  id: 'getDisclosureProposal',
  method: 'GET',
  path: `${DISCLOSURES}/case/:caseId/proposal/:no`,
  summary: 'What would be given and withheld by what was proposed, as it is now',
  audit: { by: 'read', action: 'disclosure.read', objectType: 'case', objectParam: 'caseId' },
  params: ProposalPath,
  responses: {
    200: z
      .object({
        ...proposal,
        Items: z.array(
          z.object({
            EvidenceId: z.string(),
            ResourceId: z.string(),
            Kind: z.enum(ITEM_KINDS),
            Name: z.string(),
            Sha256: z.string(),
            LengthInBytes: z.int(),
          }),
        ),
        Withheld: z.array(z.object({ ...withheldLine, Restricted: z.boolean() })),
        Outdated: z
          .string()
          .nullable()
          .meta({ description: 'Why it cannot be given as it was proposed any more. null: it can.' }),
        Asked: z
          .object({
            Request: z
              .object({ Number: z.string(), Date: z.string().nullable(), Due: z.string().nullable() })
              .nullable(),
            Answers: z.string().nullable(),
            EvidenceIds: z.array(z.string()),
            Withheld: z.array(z.object(withheldLine)),
            MediumSerial: z.string(),
          })
          .nullable()
          .meta({
            description: 'As it was typed, for whoever proposed it, to propose it again. null: for everybody else.',
          }),
      })
      .meta({ id: 'DisclosureProposalInFull' }),
  },
  errors: [...CASE, 'DisclosureProposalNotFound'],
})

export const decideProposal = route({
  ...ofCase,
  id: 'decideDisclosureProposal',
  method: 'POST',
  path: `${DISCLOSURES}/case/:caseId/proposal/:no/decide`,
  permission: { kind: 'level', level: 'Manage', on: 'case' },
  summary: 'Approve or refuse what somebody else proposed to disclose',
  description:
    'A person with Manage on the case, with Download on all items and View on what is withheld, who did not propose it, and whose account nobody controls who controls that of the proposer. A refusal has a reason.',
  audit: { by: 'own', actions: ['disclosure.approved', 'disclosure.refused'] },
  params: ProposalPath,
  body: z
    .object({ Decision: z.enum(['Approve', 'Refuse']), Reason: text(LONGEST_REASON).default('') })
    .refine(({ Decision, Reason }) => Decision === 'Approve' || Reason.trim() !== '', {
      path: ['Reason'],
      message: 'must say why it is refused',
    })
    .meta({ id: 'DecideDisclosureProposalModel' }),
  responses: { 200: ProposalModel },
  errors: [...REFUSED, ...OF_PROPOSAL, 'Forbidden'],
})

export const withdrawProposal = route({
  ...ofCase,
  id: 'withdrawDisclosureProposal',
  method: 'POST',
  path: `${DISCLOSURES}/case/:caseId/proposal/:no/withdraw`,
  summary: 'Withdraw what was proposed and is not given yet',
  description: 'By whoever proposed it, or a person with Manage on the case.',
  audit: { by: 'own', actions: ['disclosure.withdrawn'] },
  params: ProposalPath,
  responses: { 200: ProposalModel },
  errors: [...CASE, 'DisclosureProposalNotFound', 'DisclosureProposalClosed', 'Forbidden', 'ReadOnly'],
})

export const giveProposed = route({
  ...ofCase,
  id: 'giveApprovedDisclosure',
  method: 'POST',
  path: `${DISCLOSURES}/case/:caseId/proposal/:no/give`,
  summary: 'Record that what was approved is given',
  description:
    'Once, and only while the files and what is withheld are what was approved. Evidence that came into the case since is new to the recipient.',
  audit: { by: 'own', actions: ['disclosure.given', 'disclosure.superseded', 'resource.disclosed'] },
  params: ProposalPath,
  body: z
    .object({
      MediumSerial: line(128).nullish().meta({ description: 'Left out: as it was proposed.' }),
      GivenTimeUtc: UtcTime.nullish().meta({ description: 'Left out: now.' }),
    })
    .meta({ id: 'GiveApprovedDisclosureModel' }),
  responses: { 201: DisclosureModel },
  idempotent: true,
  errors: [...REFUSED, ...OF_PROPOSAL],
})

export const recordRequest = route({
  ...ofCase,
  id: 'recordDisclosureRequest',
  method: 'POST',
  path: `${DISCLOSURES}/case/:caseId/request`,
  summary: 'Record that somebody asked to be given something, before anything is given',
  description: 'It stands among what is due until a disclosure answers it, or somebody closes it with a reason.',
  audit: { by: 'own', actions: ['disclosure.asked'] },
  params: CasePath,
  body: RecordRequestModel,
  responses: { 201: RecordedRequest },
  idempotent: true,
  errors: ['InvalidModel', ...CASE, 'ReadOnly'],
})

export const closeRequest = route({
  ...ofCase,
  id: 'closeDisclosureRequest',
  method: 'POST',
  path: `${DISCLOSURES}/case/:caseId/request/:no/close`,
  summary: 'Close a request without an answer',
  audit: { by: 'own', actions: ['disclosure.askedClosed'] },
  params: ProposalPath,
  body: z.object({ Reason }).meta({ id: 'CloseDisclosureRequestModel' }),
  responses: { 200: RecordedRequest },
  errors: ['InvalidModel', ...CASE, 'DisclosureRequestNotFound', 'DisclosureRequestClosed', 'ReadOnly'],
})

export const acknowledgeDisclosure = route({
  ...ofCase,
  id: 'acknowledgeDisclosure',
  method: 'POST',
  path: `${DISCLOSURES}/case/:caseId/record/:no/acknowledge`,
  summary: 'Record that the recipient acknowledged what they got',
  description:
    'By the scan of a signature or a signed file, which is an evidence of the case, or in person with two names. Once.',
  audit: { by: 'own', actions: ['disclosure.acknowledged'] },
  params: RecordPath,
  body: AcknowledgeModel,
  responses: { 200: DisclosureModel },
  errors: [
    'InvalidModel',
    ...CASE,
    'DisclosureNotFound',
    'DisclosureSuperseded',
    'DisclosureAcknowledged',
    'EvidenceRelationsNotFound',
    'ReadOnly',
  ],
})

export const endGround = route({
  ...ofCase,
  id: 'endDisclosureGround',
  method: 'POST',
  path: `${DISCLOSURES}/case/:caseId/record/:no/end-ground`,
  summary: 'Record that the ground on which something was withheld no longer applies',
  description:
    'Of a line of a record that stands. It is due to the recipient then. A ground that is a restriction is ended by lifting the restriction.',
  audit: { by: 'own', actions: ['disclosure.groundEnded'] },
  params: RecordPath,
  body: z
    .object({ EvidenceId: IdMember, ResourceId: IdMember.nullish(), Reason })
    .meta({ id: 'EndDisclosureGroundModel' }),
  responses: { 200: DisclosureModel },
  errors: ['InvalidModel', ...CASE, 'DisclosureNotFound', 'DisclosureSuperseded', 'DisclosureGroundEnded', 'ReadOnly'],
})

export const printRecordSheet = route({
  ...ofCase,
  id: 'printDisclosureRecordSheet',
  method: 'GET',
  path: `${DISCLOSURES}/case/:caseId/record-sheet`,
  summary: 'Everything that was decided and done about disclosure of a case, in the order of the ledger',
  description: 'For the station and the prosecutor: it names what was withheld. Each line names its entry.',
  audit: { by: 'own', actions: ['disclosure.printed'] },
  params: CasePath,
  query: z.object({ format: z.enum(['csv', 'pdf']).default('pdf'), language: z.enum(['en', 'fr']).default('en') }),
  offers: ['application/pdf', 'text/csv'],
  responses: { 200: 'bytes' },
  errors: ['InvalidModel', ...CASE],
})

const Language = z.enum(['en', 'fr']).default('en')
const printed = { by: 'own', actions: ['disclosure.printed'] } as const

export const printDisclosureReceipt = route({
  ...ofCase,
  id: 'printDisclosureReceipt',
  method: 'GET',
  path: `${DISCLOSURES}/case/:caseId/record/:no/receipt`,
  summary: 'The receipt that the recipient signs',
  description:
    'With the terms of the station: a file `disclosure-receipt.en.txt` in `papers` of the data folder goes before the built-in one.',
  audit: printed,
  params: RecordPath,
  query: z.object({ language: Language }),
  offers: ['application/pdf'],
  responses: { 200: 'bytes' },
  errors: ['InvalidModel', ...CASE, 'DisclosureNotFound', 'PaperTemplateUnusable'],
})

export const printSchedule = route({
  ...ofCase,
  id: 'printSchedule',
  method: 'GET',
  path: `${DISCLOSURES}/case/:caseId/record/:no/schedule`,
  summary: 'A schedule of one disclosure as CSV or PDF',
  description:
    '`list`: what was given. MG6C, MG6D: what was withheld. MG6E: the report of the disclosure officer, PDF only. MG6D and MG6E are refused for a recipient who may not have them.',
  audit: printed,
  params: RecordPath,
  query: z.object({
    schedule: z.enum(SCHEDULES).default('list'),
    format: z.enum(['csv', 'pdf']).default('pdf'),
    language: Language,
  }),
  offers: ['application/pdf', 'text/csv'],
  responses: { 200: 'bytes' },
  errors: ['InvalidModel', ...CASE, 'DisclosureNotFound', 'ScheduleSensitive', 'PaperTemplateUnusable'],
})

export const listSupplementsDue = route({
  id: 'listSupplementsDue',
  interface: 'operations',
  origin: 'extension',
  method: 'GET',
  path: `${DISCLOSURES}/due`,
  summary: 'Recipients to whom a supplement is due, with what changed since, and disclosures that nobody acknowledged',
  description:
    'Of the cases on which the caller has Edit, by the day by which it was asked for. What was not acknowledged: the oldest first.',
  permission: { kind: 'member', guests: false },
  audit: { by: 'read', action: 'list.read', objectType: 'disclosure' },
  params: Tenant,
  responses: {
    200: z
      .object({
        Items: z.array(DueModel),
        Unacknowledged: z.array(UnacknowledgedModel),
        Proposals: z
          .array(ProposalModel.extend({ Ordinal: z.string(), Title: z.string() }).meta({ id: 'ProposalOfStation' }))
          .meta({ description: 'What waits for a second person, or was approved and is not given yet.' }),
        Requests: z
          .array(RecordedRequest.extend({ Ordinal: z.string(), Title: z.string() }).meta({ id: 'RequestOfStation' }))
          .meta({ description: 'Open ones, by the day by which they are due.' }),
      })
      .meta({ id: 'SupplementsDue' }),
  },
  errors: ['TenantNotFound'],
})

export const listRestrictions = route({
  ...ofEvidence,
  id: 'listRestrictions',
  method: 'GET',
  path: `${DISCLOSURES}/evidence/:evidenceId/restriction`,
  summary: 'What keeps an evidence from leaving the station, and what did',
  audit: { by: 'read', action: 'restriction.read', objectType: 'evidence', objectParam: 'evidenceId' },
  responses: { 200: z.object({ Items: z.array(RestrictionModel) }).meta({ id: 'EvidenceRestrictions' }) },
  errors: [...EVIDENCE],
})

export const setRestriction = route({
  ...ofEvidence,
  id: 'setRestriction',
  method: 'POST',
  path: `${DISCLOSURES}/evidence/:evidenceId/restriction`,
  summary: 'Keep an evidence from leaving the station',
  description: 'Restricted evidence goes into no package and no disclosure. `sealed` needs Manage.',
  audit: { by: 'own', actions: ['restriction.set'] },
  body: z.object({ Kind: z.enum(RESTRICTIONS), Reason }).meta({ id: 'SetRestrictionModel' }),
  responses: { 201: RestrictionModel },
  idempotent: true,
  errors: ['InvalidModel', ...EVIDENCE, 'Forbidden', 'AlreadyRestricted', 'ReadOnly'],
})

export const liftRestriction = route({
  ...ofEvidence,
  id: 'liftRestriction',
  method: 'POST',
  path: `${DISCLOSURES}/evidence/:evidenceId/restriction/lift`,
  summary: 'Lift a restriction of an evidence',
  description: '`sealed` needs Manage. What was withheld on this ground is due to its recipients.',
  audit: { by: 'own', actions: ['restriction.lifted'] },
  body: z.object({ Kind: z.enum(RESTRICTIONS), Reason }).meta({ id: 'LiftRestrictionModel' }),
  responses: { 200: RestrictionModel },
  errors: ['InvalidModel', ...EVIDENCE, 'Forbidden', 'NotRestricted', 'ReadOnly'],
})
