import { z } from 'zod'
import { LEVELS, SECURITY_POLICIES } from '../kernel/permissions.ts'
import { PrincipalOutputModel } from '../cases/categories.contract.ts'
import { Count, Cursor, IdMember, IdParam, line, Name, page, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** People at this station, as Account Administrators keep them: decisions 1, 3 and 10. */

export const USER_SERVICE = '/userservice/api/v1/tenant/:tenantId'
export const administrator = { kind: 'administrator' } as const
const UserPath = Tenant.extend({ userId: IdParam })

/** Where nothing at all is an answer too. */
const NameOrNone = z.union([z.literal(''), Name])
const Email = z.union([
  z.literal(''),
  line(320, 3).regex(/^[^\s@]+@[^\s@]+$/, 'must be an address such as a@b.example'),
])
// Wider than what may be chosen: what is wrong with a password is told by the rules of decisions 10.
const Password = z.string().min(1).max(1024)
const ChangePassword = z.boolean().nullish().meta({
  description:
    'Whether they choose another one at their next sign-in, before anything else; yes when it is not sent. No: they typed it themselves.',
})

/** Only of the policies that carry one (decisions 3). */
export const PolicyLevel = z.enum(LEVELS.filter((level) => level !== 'None') as [string, ...string[]])
export const PolicyName = z.enum(SECURITY_POLICIES)
export const GivenPolicy = z
  .object({
    Policy: PolicyName,
    Level: PolicyLevel.nullish().meta({ description: '`View` where the policy carries one and none is sent.' }),
  })
  .meta({ id: 'GivenPolicy' })

export const HeldPolicy = z
  .object({
    Policy: PolicyName,
    Level: PolicyLevel.nullable(),
    Through: PrincipalOutputModel.nullable().meta({ description: 'The group that gives it; null: held directly.' }),
  })
  .meta({ id: 'HeldPolicy' })

const user = {
  PrincipalId: z.string(),
  KId: z.string(),
  Username: z.string(),
  FirstName: z.string(),
  LastName: z.string(),
  Badge: z.string(),
  Email: z.string(),
  Guest: z.boolean(),
  Enabled: z.boolean(),
  Administrator: z.boolean(),
  LockedUntilUtc: z.string().nullable().meta({
    description:
      'While failed sign-ins lock the account: the end of the last lock, for one address or for all unfamiliar ones. 9999-12-31T23:59:59.000Z: until an administrator releases it.',
  }),
  LastSignInUtc: z.string().nullable(),
  CreatedUtcTime: z.string(),
}
export const UserListItem = z.object(user).meta({ id: 'UserListItem' })
export const UserModel = z
  .object({
    ...user,
    Groups: z.array(PrincipalOutputModel),
    Policies: z.array(HeldPolicy),
    SecondStep: z.boolean(),
    Passkeys: z.int().meta({ description: 'How many there are.' }),
    PasswordSet: z.boolean().meta({
      description:
        'No: the account was contained, and an administrator gives a password before anybody signs in with it.',
    }),
    PasswordDue: z.boolean().meta({ description: 'They choose another password at their next sign-in.' }),
  })
  .meta({ id: 'UserModel' })

export const CreateUserModel = z
  .object({
    Username: Name,
    Password,
    ChangePassword,
    FirstName: NameOrNone.nullish(),
    LastName: NameOrNone.nullish(),
    Badge: NameOrNone.nullish(),
    Email: Email.nullish(),
    Guest: z.boolean().nullish(),
    GroupIds: z.array(IdMember).max(100).nullish(),
    Policies: z.array(GivenPolicy).max(SECURITY_POLICIES.length).nullish(),
  })
  .meta({ id: 'CreateUserModel' })

export const ChangeUserModel = z
  .object({
    Username: Name.nullish(),
    FirstName: NameOrNone.nullish(),
    LastName: NameOrNone.nullish(),
    Badge: NameOrNone.nullish(),
    Email: Email.nullish(),
  })
  .meta({ id: 'ChangeUserModel' })

export const ResetPasswordModel = z.object({ Password, ChangePassword }).meta({ id: 'ResetPasswordModel' })

export const LONGEST_CONTAIN_REASON = 1000
export const ContainUserModel = z
  .object({ Reason: line(LONGEST_CONTAIN_REASON).min(1, 'must not be empty') })
  .meta({ id: 'ContainUserModel' })

export const ContainedUserModel = z
  .object({
    User: UserModel,
    Ended: z.object({
      Disabled: z.boolean().meta({ description: 'No: the account was disabled before.' }),
      Sessions: z.int(),
      Programs: z.int().meta({ description: 'Programs that worked in the name of the account.' }),
      Passkeys: z.int(),
      SecondStep: z.boolean().meta({ description: 'With its recovery codes.' }),
      Password: z.boolean(),
      Uploads: z.int().meta({ description: 'Files that the account had begun to upload and not completed.' }),
      CasesHandedOver: z.int().meta({ description: 'Cases that went to Account Administrators.' }),
    }),
  })
  .meta({ id: 'ContainedUser' })

export const UserSessionModel = z
  .object({
    SessionId: z.string(),
    State: z.enum(['open', 'locked']),
    SignedInUtc: z.string(),
    ActiveUtc: z.string().meta({ description: 'When somebody was last at work there.' }),
    Source: z.string().meta({ description: 'The address it was opened from.' }),
  })
  .meta({ id: 'UserSession' })

const flag = z.enum(['true', 'false']).optional()
export const PageQuery = z.object({
  text: z.string().max(256).optional(),
  enabled: flag,
  cursor: Cursor,
  count: Count(100),
})

export const listUsers = route({
  id: 'listUsers',
  interface: 'user',
  method: 'GET',
  path: `${USER_SERVICE}/users`,
  origin: 'decision',
  summary: 'List users by name, disabled ones too',
  description:
    'Each word of `text` is found in user names, first and last names and badges, without regard to case and accents, and in e-mail addresses.',
  permission: administrator,
  audit: { by: 'read', action: 'list.read', objectType: 'user' },
  params: Tenant,
  query: PageQuery.extend({ guest: flag, group: IdParam.optional() }),
  responses: { 200: page(UserListItem).meta({ id: 'UserPage' }) },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const createUser = route({
  id: 'createUser',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/users`,
  origin: 'decision',
  summary: 'Create a user',
  description:
    'A guest can be in CreateCases only, and never an administrator. Whether somebody is a guest is settled here and does not change.',
  permission: administrator,
  audit: { by: 'own', actions: ['user.created'] },
  params: Tenant,
  body: CreateUserModel,
  responses: { 201: UserModel },
  errors: ['InvalidModel', 'NameTaken', 'TenantNotFound', 'ReadOnly'],
  idempotent: true,
  secrets: ['Password'],
})

export const getUser = route({
  id: 'getUser',
  interface: 'user',
  method: 'GET',
  path: `${USER_SERVICE}/users/:userId`,
  origin: 'decision',
  summary: 'Read a user, with their groups and every policy they hold',
  permission: administrator,
  audit: { by: 'read', action: 'user.read', objectType: 'user', objectParam: 'userId' },
  params: UserPath,
  responses: { 200: UserModel },
  errors: ['UserNotFound', 'TenantNotFound'],
})

export const changeUser = route({
  id: 'changeUser',
  interface: 'user',
  method: 'PATCH',
  path: `${USER_SERVICE}/users/:userId`,
  origin: 'decision',
  summary: 'Change the names, the badge or the address of a user',
  description:
    'Null and absent mean unchanged; an empty text is none. The KId holds the user name and changes with it; what was written down before keeps the old one.',
  permission: administrator,
  audit: { by: 'own', actions: ['user.changed', 'user.read'] },
  params: UserPath,
  body: ChangeUserModel,
  responses: { 200: UserModel },
  errors: ['InvalidModel', 'UserNotFound', 'NameTaken', 'TenantNotFound', 'ReadOnly'],
})

export const disableUser = route({
  id: 'disableUser',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/users/:userId/disable`,
  origin: 'decision',
  summary: 'Disable a user',
  description:
    'Their sessions end and their tokens stop. Cases that nobody else manages go to Account Administrators, each with an entry and a notice. Refused for the last enabled administrator alone.',
  permission: administrator,
  audit: {
    by: 'own',
    actions: ['user.disabled', 'session.ended', 'authorization.ended', 'case.handedOver', 'user.read'],
  },
  params: UserPath,
  responses: { 200: UserModel },
  errors: ['UserNotFound', 'LastAdministrator', 'TenantNotFound', 'ReadOnly'],
})

export const containUser = route({
  id: 'containUser',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/users/:userId/contain`,
  origin: 'extension',
  summary: 'Contain an account that somebody else may use',
  description:
    'In one act: the account is disabled, its sessions and programs end, its password, second step, recovery codes and passkeys are removed, and every upload address that it was given stops working. Open event streams, downloads and uploads end within five seconds. Nothing of this comes back when the account is enabled again: an administrator gives a new password first. Evidence, cases, groups and policies stay. Cases that nobody else manages go to Account Administrators. Refused for the last enabled administrator alone.',
  permission: administrator,
  audit: {
    by: 'own',
    actions: [
      'user.contained',
      'user.disabled',
      'session.ended',
      'authorization.ended',
      'passkey.reset',
      'secondStep.reset',
      'case.handedOver',
    ],
  },
  params: UserPath,
  body: ContainUserModel,
  responses: { 200: ContainedUserModel },
  errors: ['InvalidModel', 'UserNotFound', 'LastAdministrator', 'TenantNotFound', 'ReadOnly'],
})

export const enableUser = route({
  id: 'enableUser',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/users/:userId/enable`,
  origin: 'decision',
  summary: 'Enable a user again',
  permission: administrator,
  audit: { by: 'own', actions: ['user.enabled', 'user.read'] },
  params: UserPath,
  responses: { 200: UserModel },
  errors: ['UserNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const unlockUser = route({
  id: 'unlockUser',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/users/:userId/unlock`,
  origin: 'decision',
  summary: 'Free an account that failed sign-ins locked',
  permission: administrator,
  audit: { by: 'own', actions: ['user.unlocked'] },
  params: UserPath,
  responses: { 200: UserModel },
  errors: ['UserNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const resetPassword = route({
  id: 'resetUserPassword',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/users/:userId/password`,
  origin: 'decision',
  summary: 'Give a user a new password',
  description:
    'They choose another one at their next sign-in. Their sessions end and a locked account is freed; a disabled one stays so.',
  permission: administrator,
  audit: { by: 'own', actions: ['user.passwordReset', 'session.ended', 'authorization.ended'] },
  params: UserPath,
  body: ResetPasswordModel,
  responses: { 200: UserModel },
  errors: ['InvalidModel', 'UserNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const listUserSessions = route({
  id: 'listUserSessions',
  interface: 'user',
  method: 'GET',
  path: `${USER_SERVICE}/users/:userId/sessions`,
  origin: 'decision',
  summary: 'Where a user is signed in, latest first',
  permission: administrator,
  audit: { by: 'read', action: 'session.listed', objectType: 'user', objectParam: 'userId' },
  params: UserPath,
  responses: { 200: z.array(UserSessionModel) },
  errors: ['UserNotFound', 'TenantNotFound'],
})

export const endUserSessions = route({
  id: 'endUserSessions',
  interface: 'user',
  method: 'DELETE',
  path: `${USER_SERVICE}/users/:userId/sessions`,
  origin: 'decision',
  summary: 'Sign a user out everywhere',
  permission: administrator,
  audit: { by: 'own', actions: ['session.ended', 'session.listed'] },
  params: UserPath,
  responses: { 204: null },
  errors: ['UserNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const endUserSession = route({
  id: 'endUserSession',
  interface: 'user',
  method: 'DELETE',
  path: `${USER_SERVICE}/users/:userId/sessions/:sessionId`,
  origin: 'decision',
  summary: 'Sign a user out in one place',
  permission: administrator,
  audit: { by: 'own', actions: ['session.ended'] },
  params: UserPath.extend({ sessionId: IdParam }),
  responses: { 204: null },
  errors: ['UserNotFound', 'SessionNotFound', 'TenantNotFound', 'ReadOnly'],
})
