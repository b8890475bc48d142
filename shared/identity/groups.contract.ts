import { z } from 'zod'
import { PrincipalOutputModel } from '../cases/categories.contract.ts'
import { IdMember, IdParam, Name, page, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { administrator, PageQuery, PolicyLevel, PolicyName, USER_SERVICE } from './users.contract.ts'

/** Groups hold users and services, not groups: decisions 3. */

const GroupPath = Tenant.extend({ groupId: IdParam })

/** Of one group; each change is written into the ledger with all of them, before and after. */
export const MOST_MEMBERS = 5_000

export const GroupListItem = z
  .object({
    PrincipalId: z.string(),
    KId: z.string(),
    Name: z.string(),
    BuiltIn: z.boolean().meta({ description: 'Account Administrators: can be neither renamed nor deleted.' }),
    MemberCount: z.int(),
    CreatedUtcTime: z.string(),
  })
  .meta({ id: 'GroupListItem' })

export const GroupMember = PrincipalOutputModel.extend({ Enabled: z.boolean(), Guest: z.boolean() }).meta({
  id: 'GroupMember',
})

export const GroupModel = z
  .object({
    ...GroupListItem.shape,
    Members: z.array(GroupMember),
    Policies: z.array(z.object({ Policy: PolicyName, Level: PolicyLevel.nullable() })),
    ConcurrencyId: z.string().meta({ description: 'Of its members.' }),
  })
  .meta({ id: 'GroupModel' })

const PrincipalIds = z.array(IdMember).max(MOST_MEMBERS, `must not hold more than ${MOST_MEMBERS} members`)
export const CreateGroupModel = z
  .object({ Name, PrincipalIds: PrincipalIds.nullish() })
  .meta({ id: 'CreateGroupModel' })
export const RenameGroupModel = z.object({ Name }).meta({ id: 'RenameGroupModel' })
export const AddMembersModel = z.object({ PrincipalIds: PrincipalIds.min(1) }).meta({ id: 'AddMembersModel' })
export const ReplaceMembersModel = z
  .object({
    PrincipalIds,
    ConcurrencyId: z.string().max(256).nullish().meta({ description: 'Where it is sent it must be the current one.' }),
  })
  .meta({ id: 'ReplaceMembersModel' })

const membersErrors = [
  'InvalidModel',
  'GroupNotFound',
  'LastAdministrator',
  'CannotRemoveLastAccessPolicyWithFullPermissions',
  'TenantNotFound',
  'ReadOnly',
] as const

export const listGroups = route({
  id: 'listGroups',
  interface: 'user',
  method: 'GET',
  path: `${USER_SERVICE}/groups`,
  origin: 'decision',
  summary: 'List groups by name',
  permission: administrator,
  audit: { by: 'read', action: 'list.read', objectType: 'group' },
  params: Tenant,
  query: PageQuery.omit({ enabled: true }),
  responses: { 200: page(GroupListItem).meta({ id: 'GroupPage' }) },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const createGroup = route({
  id: 'createGroup',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/groups`,
  origin: 'decision',
  summary: 'Create a group',
  permission: administrator,
  audit: { by: 'own', actions: ['group.created'] },
  params: Tenant,
  body: CreateGroupModel,
  responses: { 201: GroupModel },
  errors: ['InvalidModel', 'NameTaken', 'TenantNotFound', 'ReadOnly'],
  idempotent: true,
})

export const getGroup = route({
  id: 'getGroup',
  interface: 'user',
  method: 'GET',
  path: `${USER_SERVICE}/groups/:groupId`,
  origin: 'decision',
  summary: 'Read a group with its members',
  permission: administrator,
  audit: { by: 'read', action: 'user.read', objectType: 'group', objectParam: 'groupId' },
  params: GroupPath,
  responses: { 200: GroupModel },
  errors: ['GroupNotFound', 'TenantNotFound'],
})

export const renameGroup = route({
  id: 'renameGroup',
  interface: 'user',
  method: 'PATCH',
  path: `${USER_SERVICE}/groups/:groupId`,
  origin: 'decision',
  summary: 'Rename a group',
  permission: administrator,
  audit: { by: 'own', actions: ['group.renamed', 'user.read'] },
  params: GroupPath,
  body: RenameGroupModel,
  responses: { 200: GroupModel },
  errors: ['InvalidModel', 'GroupNotFound', 'NameTaken', 'BuiltInGroup', 'TenantNotFound', 'ReadOnly'],
})

export const deleteGroup = route({
  id: 'deleteGroup',
  interface: 'user',
  method: 'DELETE',
  path: `${USER_SERVICE}/groups/:groupId`,
  origin: 'decision',
  summary: 'Delete a group',
  description:
    'What it gave is given no more; what was written down about it stays readable. Its name is free again. Refused where a case that is not deleted would be left with nobody who can manage it.',
  permission: administrator,
  audit: { by: 'own', actions: ['group.deleted'] },
  params: GroupPath,
  responses: { 204: null },
  errors: [
    'GroupNotFound',
    'BuiltInGroup',
    'CannotRemoveLastAccessPolicyWithFullPermissions',
    'TenantNotFound',
    'ReadOnly',
  ],
})

export const addMembers = route({
  id: 'addGroupMembers',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/groups/:groupId/members`,
  origin: 'decision',
  summary: 'Add users and services to a group',
  description: 'Those who are in it already stay. Guests cannot be in Account Administrators.',
  permission: administrator,
  audit: { by: 'own', actions: ['group.membersChanged', 'user.read'] },
  params: GroupPath,
  body: AddMembersModel,
  responses: { 200: GroupModel },
  errors: ['InvalidModel', 'GroupNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const replaceMembers = route({
  id: 'replaceGroupMembers',
  interface: 'user',
  method: 'PUT',
  path: `${USER_SERVICE}/groups/:groupId/members`,
  origin: 'decision',
  summary: 'Replace the members of a group',
  description:
    'Refused where Account Administrators would lose their last enabled user, and where a case that is not deleted would be left with nobody who can manage it.',
  permission: administrator,
  audit: { by: 'own', actions: ['group.membersChanged', 'user.read'] },
  params: GroupPath,
  body: ReplaceMembersModel,
  responses: { 200: GroupModel },
  errors: [...membersErrors, 'ConcurrentWritingError'],
})

export const removeMember = route({
  id: 'removeGroupMember',
  interface: 'user',
  method: 'DELETE',
  path: `${USER_SERVICE}/groups/:groupId/members/:principalId`,
  origin: 'decision',
  summary: 'Take a user or a service out of a group',
  description: 'Refused as replacing is. One who is not in it is 404.',
  permission: administrator,
  audit: { by: 'own', actions: ['group.membersChanged'] },
  params: GroupPath.extend({ principalId: IdParam }),
  responses: { 200: GroupModel },
  errors: [...membersErrors, 'NotFound'],
})
