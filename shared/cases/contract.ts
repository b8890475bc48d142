import { z } from 'zod'
import type { GrantedLevel } from '../kernel/permissions.ts'
import { EvidenceModel } from './case-links.contract.ts'
import { inputsOf, namesIn, outputsOf } from './fields.ts'
import { PrincipalOutputModel } from './categories.contract.ts'
import {
  Count,
  CustomFields,
  IdMember,
  IdParam,
  line,
  LocationWkt,
  PrincipalIdMember,
  TenantParams as Tenant,
  text,
  Texts,
  UtcTime,
} from '../kernel/fields.ts'
import type { Action } from '../kernel/ledger-actions.ts'
import { route } from '../kernel/route.ts'

/** Cases: interfaces.md 2.1–2.3, 4 and decisions 3 and 4. */

const CasePath = Tenant.extend({ caseId: IdParam })
const absent = <T extends z.ZodType>(schema: T) => schema.nullish()
const nullable = <T extends z.ZodType>(schema: T) => schema.nullable()

const OTHER_WORDS: Readonly<Record<string, GrantedLevel>> = { Read: 'View', Write: 'Edit' }

/** What may be granted; `Read` and `Write` are accepted as `View` and `Edit` (decisions 3). */
const Permissions = z
  .enum(['View', 'Download', 'Edit', 'Manage', 'Read', 'Write'])
  .transform((word): GrantedLevel => OTHER_WORDS[word] ?? (word as GrantedLevel))

export const AccessPolicyModel = z
  .strictObject({
    Permissions,
    PrincipalId: PrincipalIdMember,
    KId: z.string().min(1).max(1024),
    PrincipalType: z.string().min(1).max(256),
    Username: absent(z.string().max(512)),
  })
  .meta({ id: 'AccessPolicyModel' })

const AccessPolicyExpiration = z
  .object({
    PrincipalId: PrincipalIdMember,
    KId: z.string().min(1).max(1024),
    ExpirationDateUtc: nullable(UtcTime).meta({ description: 'null clears it' }),
  })
  .meta({ id: 'AccessPolicyExpirationModel' })

const PersonnelRelation = z
  .object({
    PrincipalId: PrincipalIdMember,
    KId: absent(z.string().max(1024)),
    Name: absent(z.string().max(512)),
    Username: absent(z.string().max(512)),
    Role: absent(line(64, 1)),
  })
  .meta({ id: 'PersonnelRelationModel_input' })

const Location = z
  .object({
    Latitude: absent(z.number().min(-90).max(90)),
    Longitude: absent(z.number().min(-180).max(180)),
    Address: absent(text(4096)),
    Notes: absent(text(4096)),
  })
  .refine(
    ({ Latitude, Longitude }) => ((Latitude ?? null) === null) === ((Longitude ?? null) === null),
    'must name both Latitude and Longitude, or neither',
  )
  .meta({ id: 'LocationModel' })

const members = {
  ...inputsOf(namesIn('about', 'category', 'department', 'times', 'references', 'incident')),
  LocationWKT: absent(LocationWkt),
  ...inputsOf(namesIn('place')),
  Location: absent(Location),
  ...inputsOf(namesIn('tags')),
  AccessPolicies: absent(z.array(AccessPolicyModel).max(1000)),
  AccessPolicyExpirations: absent(z.array(AccessPolicyExpiration).max(1000)),
  PersonnelRelations: absent(z.array(PersonnelRelation).max(1000)).meta({
    description: 'Only people can be personnel: neither groups nor services.',
  }),
  CustomFields: absent(CustomFields),
  EvidenceIds: absent(z.array(IdMember).max(100_000)).meta({
    description: 'Links that somebody made, as they shall be; automatic ones stay. At most 500 may come or go at once.',
  }),
}

const { Title } = inputsOf(namesIn('title'))

export const CreateCaseModel = z.object({ Title, ...members }).meta({ id: 'CreateCaseModel' })
export const UpdateCaseModel = z
  .object({ Title, ...members, ConcurrencyId: z.string().min(1).max(256) })
  .meta({ id: 'UpdateCaseModel' })
export const PatchCaseModel = z
  .object({
    Title: absent(Title),
    ...members,
    State: absent(z.enum(['Open', 'Closed'])),
    ConcurrencyId: absent(z.string().max(256)),
  })
  .meta({ id: 'PatchCaseModel_legacy' })

const AccessPolicyOutput = z
  .object({
    Permissions: nullable(z.string()),
    PrincipalId: nullable(z.string()),
    KId: nullable(z.string()),
    PrincipalType: nullable(z.string()),
    Username: nullable(z.string()),
    ExpirationDateUtc: nullable(z.string()),
  })
  .meta({ id: 'ExpirableAccessPolicyOutputModel' })

const PersonnelRelationOutput = z
  .object({
    PrincipalId: nullable(z.string()),
    KId: nullable(z.string()),
    Name: nullable(z.string()),
    Username: nullable(z.string()),
    Role: nullable(z.string()),
  })
  .meta({ id: 'PersonnelRelationModel' })

const LocationOutput = z
  .object({
    Latitude: nullable(z.number()),
    Longitude: nullable(z.number()),
    Address: nullable(z.string()),
    Notes: nullable(z.string()),
  })
  .meta({ id: 'LocationOutputModel' })

export const CaseModel = z
  .object({
    AccessPolicies: z.array(AccessPolicyOutput),
    PersonnelRelations: z.array(PersonnelRelationOutput),
    CaseId: z.string(),
    Ordinal: z.string(),
    ...outputsOf(namesIn('department', 'about', 'references', 'incident', 'title')),
    State: z.enum(['Open', 'Closed']),
    ...outputsOf(namesIn('category', 'times')),
    CreatedUtcTime: z.string(),
    LastModifiedUtcTime: z.string(),
    LastModifiedBy: PrincipalOutputModel,
    LocationWKT: nullable(z.string()),
    ...outputsOf(namesIn('place')),
    Location: nullable(LocationOutput),
    Creator: PrincipalOutputModel,
    Evidences: z.array(EvidenceModel),
    EvidenceIds: z.array(z.string()).meta({ deprecated: true }),
    ...outputsOf(namesIn('tags')),
    AccessorPermissions: z.array(z.string()),
    LifecycleState: z.enum(['Normal', 'Protected', 'Deleted']),
    ConcurrencyId: z.string(),
    CustomFields: Texts,
    ClosedOn: nullable(z.string()),
    ProtectedUntil: nullable(z.string()),
    ScheduledDeletionUtc: nullable(z.string()),
    SourceType: z.enum(['Manual', 'Cad']),
    CategoryName: nullable(z.string()).meta({
      description: 'As the category is called now; guests read it here alone.',
    }),
    DepartmentName: nullable(z.string()).meta({ description: 'As the department is called now.' }),
    Following: z.boolean(),
  })
  .meta({ id: 'CaseModel' })

const PatchOperation = z
  .object({ op: z.enum(['add', 'remove', 'replace']), path: z.string(), value: z.unknown().optional() })
  .meta({ id: 'JsonPatchOperation' })

export const HistoryModel = z
  .object({
    Name: z.string(),
    Entries: z.array(
      z
        .object({
          Author: z
            .object({
              PrincipalId: nullable(z.string()),
              KId: nullable(z.string()),
              Name: nullable(z.string()),
              Username: nullable(z.string()),
            })
            .meta({ id: 'AuthorModel' }),
          ConcurrencyId: z.string(),
          ParentReferenceId: z.string(),
          DateUtc: z.string(),
          Action: z.string(),
          Changes: nullable(z.array(PatchOperation)).meta({
            description: 'RFC 6902 from the parent version; null for an administrator without Manage.',
          }),
        })
        .meta({ id: 'HistoryEntryModel' }),
    ),
  })
  .meta({ id: 'HistoryModel' })

const VersionQuery = z.object({ concurrencyId: z.string().optional() })
const level = (name: GrantedLevel) => ({ kind: 'level', level: name, on: 'case' }) as const
/** What a body may be refused for. */
const BODY = [
  'InvalidModel',
  'InvalidDateTimeRange',
  'CategoryNotFound',
  'CannotAssignCaseToDisabledCategory',
  'DepartmentNotFound',
  'CannotAssignToDisabledDepartment',
  'TooManyAddedOrRemovedEvidencesAtOnce',
  'InvalidLinkAction',
  'EvidenceNotFound',
  'EvidenceDeleted',
  'PrincipalCannotManageEvidence',
  'UnableToLoadUser',
  'TenantNotFound',
  'ReadOnly',
] as const
const CHANGE = [
  ...BODY,
  'CaseNotFound',
  'CaseNotUpToDate',
  'CaseDeleted',
  'CannotUpdateClosedCase',
  'CannotRemoveLastAccessPolicyWithFullPermissions',
  'DepartmentChangeCausesLossOfLastAccessPolicyWithFullPermissions',
  'TenantGuestCannotUpdateAssignedPersonnel',
] as const

export const createCase = route({
  id: 'createCase',
  interface: 'case',
  method: 'POST',
  path: '/api/v1/case/:tenantId',
  origin: 'specification',
  summary: 'Create a case',
  description:
    'The creator gets Manage, and those the department names what it gives them; without DepartmentId the default department counts, where there is one.',
  permission: { kind: 'policy', policy: 'CreateCases' },
  audit: { by: 'own', actions: ['case.created'] },
  params: Tenant,
  body: CreateCaseModel,
  responses: { 201: CaseModel },
  errors: [...BODY, 'CannotCreateCaseWithNoManageAccess'],
  idempotent: true,
})

export const getCase = route({
  id: 'getCaseById',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/case/:tenantId/:caseId',
  origin: 'specification',
  summary: 'Read a case, or a version of it',
  permission: level('View'),
  audit: { by: 'read', action: 'case.read', objectType: 'case', objectParam: 'caseId' },
  params: CasePath,
  query: VersionQuery,
  responses: { 200: CaseModel },
  errors: ['CaseNotFound', 'CaseDeleted', 'InvalidConcurrencyId', 'TenantNotFound'],
})

export const updateCase = route({
  id: 'updateCase',
  interface: 'case',
  method: 'PUT',
  path: '/api/v1/case/:tenantId/:caseId',
  origin: 'specification',
  summary: 'Replace what describes a case',
  description:
    'Absent AccessPolicies, PersonnelRelations, DepartmentId and EvidenceIds mean unchanged; a change of the first two needs Manage.',
  permission: level('Edit'),
  audit: { by: 'own', actions: ['case.changed'] },
  params: CasePath,
  body: UpdateCaseModel,
  responses: { 200: CaseModel },
  errors: CHANGE,
})

export const patchCase = route({
  id: 'patchCase',
  interface: 'case',
  method: 'PATCH',
  path: '/api/v1/case/:tenantId/:caseId',
  origin: 'specification',
  summary: 'Change the members that are sent; null is ignored',
  description: 'State closes and reopens and needs Manage; a closed case takes State alone.',
  permission: level('Edit'),
  audit: { by: 'own', actions: ['case.changed', 'case.closed', 'case.reopened'] },
  params: CasePath,
  body: PatchCaseModel,
  vendorModel: { name: 'SaaS.CaseService.PatchCaseModel', v: '1' },
  responses: { 200: CaseModel },
  errors: [...CHANGE, 'CaseNotInNormalState'],
})

export const getCaseHistory = route({
  id: 'getCaseHistory',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/case/:tenantId/:caseId/history',
  origin: 'specification',
  summary: 'The versions of a case, newest first',
  description:
    'startingConcurrencyId names the first to return; go on with the ParentReferenceId of the last. Needs Manage and AccessAuditTrail.',
  permission: { kind: 'member', guests: false },
  audit: { by: 'read', action: 'case.history', objectType: 'case', objectParam: 'caseId' },
  params: CasePath,
  query: z.object({ startingConcurrencyId: z.string().optional(), count: Count(100) }),
  offers: ['application/json', 'text/json', 'text/plain', 'application/json-patch+json'],
  responses: { 200: HistoryModel },
  errors: ['InvalidModel', 'InvalidConcurrencyId', 'CaseNotFound', 'CaseDeleted', 'TenantNotFound'],
})

const move = (name: 'close' | 'reopen', summary: string, action: Action) =>
  ({
    interface: 'case',
    method: 'POST',
    path: `/api/v1/case/:tenantId/:caseId/${name}`,
    origin: 'extension',
    summary,
    permission: level('Manage'),
    audit: { by: 'own', actions: [action] },
    params: CasePath,
    responses: { 200: CaseModel },
    errors: ['CaseNotFound', 'CaseDeleted', 'CaseNotInNormalState', 'TenantNotFound', 'ReadOnly'],
  }) as const
export const closeCase = route({ id: 'closeCase', ...move('close', 'Close a case', 'case.closed') })
export const reopenCase = route({ id: 'reopenCase', ...move('reopen', 'Open a closed case again', 'case.reopened') })

const follow = (summary: string, action: Action) =>
  ({
    interface: 'case',
    path: '/api/v1/case/:tenantId/:caseId/follow',
    origin: 'extension',
    summary,
    permission: level('View'),
    audit: { by: 'own', actions: [action] },
    params: CasePath,
    responses: { 200: CaseModel },
    errors: ['CaseNotFound', 'CaseDeleted', 'TenantNotFound', 'ReadOnly'],
  }) as const
export const followCase = route({ id: 'followCase', method: 'POST', ...follow('Follow a case', 'case.followed') })
export const unfollowCase = route({
  id: 'unfollowCase',
  method: 'DELETE',
  ...follow('Follow a case no more', 'case.unfollowed'),
})
