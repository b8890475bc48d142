import { z } from 'zod'
import { NAME_LENGTH, unusableName } from '../kernel/names.ts'
import { AccessPolicyModel, HistoryModel } from './contract.ts'
import { PrincipalOutputModel } from './categories.contract.ts'
import { Count, TenantParams as Tenant, text } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** Departments, one of them the default, of the case service: interfaces.md 2.2, 2.3, 4 and decisions 2 to 4. */

const DEPARTMENT_ID = 48

/** What is no id of a department is told by the service: it names none. */
const DepartmentPath = Tenant.extend({ departmentId: z.string().min(1).max(DEPARTMENT_ID) })

/** What goes out of an AccessPolicyModel: without its limits. */
export const AccessPolicyOutputModel = z
  .object({
    Permissions: z.string().nullable(),
    PrincipalId: z.string().nullable(),
    KId: z.string().nullable(),
    PrincipalType: z.string().nullable(),
    Username: z.string().nullable(),
  })
  .meta({ id: 'AccessPolicyOutputModel' })

export const DepartmentModel = z
  .object({
    DepartmentId: z.string(),
    Name: z.string(),
    Description: z.string().nullable(),
    Enabled: z.boolean(),
    IsDefault: z.boolean(),
    AccessPolicies: z
      .array(AccessPolicyOutputModel)
      .nullable()
      .meta({ description: 'null: not shown, for it needs ManageConfiguration.' }),
    ConcurrencyId: z.string(),
    CreatedUtcTime: z.string(),
    LastModifiedUtcTime: z.string(),
    LastModifiedBy: PrincipalOutputModel,
  })
  .meta({ id: 'DepartmentModel' })

export const DefaultDepartmentModel = z
  .object({
    DepartmentId: z.string().nullable(),
    Name: z.string().nullable(),
    ConcurrencyId: z.string().nullable(),
  })
  .meta({ id: 'DefaultDepartmentModel', description: 'All null where there is none any more.' })

/** More UTF-16 units than composition can bring down to a name's length: such a text is not taken apart to be counted. */
const MOST_UNITS = 8 * NAME_LENGTH

/** One that cannot be used has a code of its own (decisions 2). */
const Name = z
  .string()
  .superRefine((name, context) => {
    const why = name.length > MOST_UNITS ? `is longer than ${NAME_LENGTH} characters` : unusableName(name)
    if (why !== null)
      context.addIssue({ code: 'custom', message: `The name ${why}.`, params: { code: 'DepartmentNameInvalid' } })
  })
  .meta({ override: { type: 'string', minLength: 1, maxLength: NAME_LENGTH } })

const given = {
  Name,
  AccessPolicies: z.array(AccessPolicyModel).max(1000).meta({ description: 'At least one with Manage.' }),
  Description: text(65_536).nullish(),
  Enabled: z.boolean().nullish(),
}

export const CreateDepartmentModel = z.object(given).meta({ id: 'CreateDepartmentModel' })
export const UpdateDepartmentModel = z
  .object({ ...given, ConcurrencyId: z.string().min(1) })
  .meta({ id: 'UpdateDepartmentModel' })
export const AssignDefaultDepartmentModel = z
  .strictObject({
    ConcurrencyId: z.string().min(1).meta({
      description: 'That of the department which is assigned; where none is, that of the default as it stands.',
    }),
    DepartmentId: z.string().max(DEPARTMENT_ID).nullish().meta({ description: 'null: none from then on.' }),
  })
  .meta({ id: 'AssignDefaultDepartmentModel' })

export const DepartmentHistoryModel = z.object(HistoryModel.shape).meta({ id: 'DepartmentHistoryModel' })

const member = { kind: 'member', guests: false } as const
const configuration = { kind: 'policy', policy: 'ManageConfiguration' } as const
/** What a department may be refused for, made or replaced. */
const BODY = [
  'InvalidModel',
  'DepartmentNameInvalid',
  'DepartmentAlreadyExists',
  'DepartmentWithoutManagePermission',
  'UnableToLoadUser',
  'TenantNotFound',
  'ReadOnly',
] as const

export const createDepartment = route({
  id: 'createDepartment',
  interface: 'case',
  method: 'POST',
  path: '/api/v1/department/:tenantId',
  origin: 'specification',
  summary: 'Create a department',
  description: 'Enabled unless told otherwise. Its AccessPolicies are a template for cases that are made in it.',
  permission: configuration,
  audit: { by: 'own', actions: ['department.created'] },
  params: Tenant,
  body: CreateDepartmentModel,
  responses: { 201: DepartmentModel },
  errors: BODY,
  idempotent: true,
})

export const listDepartments = route({
  id: 'listDepartments',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/department/:tenantId',
  origin: 'specification',
  summary: 'List all departments by name, disabled ones too',
  description: 'AccessPolicies are null without ManageConfiguration.',
  permission: member,
  audit: { by: 'read', action: 'list.read', objectType: 'department' },
  params: Tenant,
  responses: { 200: z.array(DepartmentModel) },
  errors: ['TenantNotFound'],
})

export const getDepartment = route({
  id: 'getDepartmentById',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/department/:tenantId/:departmentId',
  origin: 'specification',
  summary: 'Read a department',
  description: 'AccessPolicies are null without ManageConfiguration.',
  permission: member,
  audit: { by: 'read', action: 'department.read', objectType: 'department', objectParam: 'departmentId' },
  params: DepartmentPath,
  responses: { 200: DepartmentModel },
  errors: ['DepartmentNotFound', 'TenantNotFound'],
})

export const updateDepartment = route({
  id: 'updateDepartment',
  interface: 'case',
  method: 'PUT',
  path: '/api/v1/department/:tenantId/:departmentId',
  origin: 'specification',
  summary: 'Replace a department',
  description:
    'An absent Description is none from then on; an absent Enabled stays as it is. ConcurrencyId is that of the version that was read. Cases that were made in it stay as they are.',
  permission: configuration,
  audit: { by: 'own', actions: ['department.changed'] },
  params: DepartmentPath,
  body: UpdateDepartmentModel,
  responses: { 200: DepartmentModel },
  errors: [...BODY, 'DepartmentNotFound', 'ConcurrentWritingError', 'CannotDisableADefaultDepartment'],
})

export const getDepartmentHistory = route({
  id: 'getDepartmentHistory',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/department/:tenantId/:departmentId/history',
  origin: 'specification',
  summary: 'The versions of a department, newest first',
  description:
    'startingConcurrencyId names the first to return; go on with the ParentReferenceId of the last. Needs ManageConfiguration and AccessAuditTrail.',
  permission: member,
  audit: { by: 'read', action: 'department.history', objectType: 'department', objectParam: 'departmentId' },
  params: DepartmentPath,
  query: z.object({ startingConcurrencyId: z.string().optional(), count: Count(100) }),
  offers: ['application/json', 'text/json', 'text/plain', 'application/json-patch+json'],
  responses: { 200: DepartmentHistoryModel },
  errors: ['InvalidModel', 'InvalidConcurrencyId', 'DepartmentNotFound', 'TenantNotFound'],
})

export const isDepartmentNameAvailable = route({
  id: 'isDepartmentNameAvailable',
  interface: 'case',
  method: 'POST',
  path: '/api/v1/department/:tenantId/availability',
  origin: 'specification',
  summary: 'Whether no department has this name',
  description: 'The body is the name as a JSON string. One that no department could have is DepartmentNameInvalid.',
  permission: member,
  audit: { by: 'read', action: 'department.nameChecked', objectType: 'department' },
  params: Tenant,
  body: Name,
  responses: { 200: z.boolean() },
  errors: ['InvalidModel', 'DepartmentNameInvalid', 'TenantNotFound'],
})

export const getDefaultDepartment = route({
  id: 'getDefaultDepartment',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/department/default/:tenantId',
  origin: 'specification',
  summary: 'Which department is the default',
  permission: member,
  audit: { by: 'read', action: 'department.read', objectType: 'department' },
  params: Tenant,
  responses: { 200: DefaultDepartmentModel },
  errors: ['DefaultDepartmentNotAssigned', 'TenantNotFound'],
})

export const assignDefaultDepartment = route({
  id: 'assignDefaultDepartment',
  interface: 'case',
  method: 'PUT',
  path: '/api/v1/department/default/:tenantId/assign',
  origin: 'specification',
  summary: 'Make a department the default, or none',
  description:
    'A null or absent DepartmentId takes the default away, and the answer is all null. Both departments, the one that gets it and the one that loses it, get a new version.',
  permission: configuration,
  audit: { by: 'own', actions: ['department.defaultAssigned', 'department.defaultRemoved'] },
  params: Tenant,
  body: AssignDefaultDepartmentModel,
  responses: { 200: DefaultDepartmentModel },
  errors: [
    'InvalidModel',
    'DefaultDepartmentNotFound',
    'DefaultDepartmentNotAssigned',
    'CannotAssignToDisabledDepartment',
    'ConcurrentWritingError',
    'TenantNotFound',
    'ReadOnly',
  ],
})
