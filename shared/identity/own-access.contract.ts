import { z } from 'zod'
import { Code, Password, PROVEN, REFUSED, SessionPerson } from './account.contract.ts'
import { IdParam } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { UserSessionModel } from './users.contract.ts'

/** Where one is signed in oneself, the programs one let in, and one’s own password (decisions 9 and 10). */

export const OwnSessionModel = UserSessionModel.extend({
  Here: z.boolean().meta({ description: 'The session that asks.' }),
}).meta({ id: 'OwnSession' })

export const AllowedProgramModel = z
  .object({
    AuthorizationId: z.string(),
    Client: z.object({ Id: z.string(), Name: z.string() }),
    GivenUtc: z.string(),
    LastUsedUtc: z.string().meta({ description: 'When it last got a token.' }),
  })
  .meta({ id: 'AllowedProgram' })

export const ChangePasswordModel = z
  .object({ Password, NewPassword: Password, Code: Code.optional() })
  .meta({ id: 'ChangePassword', description: 'Whoever has a second step sends its code too.' })

const AT_A_PAGE = 'At a page of the station only; tokens are refused.'
const mine = { interface: 'user', origin: 'extension', permission: SessionPerson } as const

export const changePassword = route({
  ...mine,
  id: 'changePassword',
  method: 'POST',
  path: '/connect/account/password',
  summary: 'Choose another password',
  description: `One’s other sessions end, and so do the programs that one let in. ${AT_A_PAGE}`,
  audit: {
    by: 'own',
    actions: ['user.passwordChanged', 'session.ended', 'authorization.ended', 'secondStep.recoveryUsed', ...REFUSED],
  },
  body: ChangePasswordModel,
  responses: { 204: null },
  errors: [...PROVEN, 'SecondStepNeeded', 'SecondStepRefused'],
  whilePasswordDue: true,
})

export const listOwnSessions = route({
  ...mine,
  id: 'listOwnSessions',
  method: 'GET',
  path: '/connect/account/sessions',
  summary: 'Where one is signed in, latest first',
  description: AT_A_PAGE,
  audit: { by: 'none', reason: 'tells a person about their own sessions' },
  responses: { 200: z.array(OwnSessionModel) },
  errors: ['Forbidden'],
})

export const endOtherSessions = route({
  ...mine,
  id: 'endOtherSessions',
  method: 'DELETE',
  path: '/connect/account/sessions',
  summary: 'Sign oneself out everywhere else',
  description: AT_A_PAGE,
  audit: { by: 'own', actions: ['session.ended', 'session.listed'] },
  responses: { 204: null },
  errors: ['Unauthorized', 'Forbidden', 'ReadOnly'],
})

export const endOwnSession = route({
  ...mine,
  id: 'endOwnSession',
  method: 'DELETE',
  path: '/connect/account/sessions/:sessionId',
  summary: 'Sign oneself out in one place',
  description: AT_A_PAGE,
  audit: { by: 'own', actions: ['session.ended'] },
  params: z.object({ sessionId: IdParam }),
  responses: { 204: null },
  errors: ['Unauthorized', 'Forbidden', 'SessionNotFound', 'ReadOnly'],
})

export const listAllowedPrograms = route({
  ...mine,
  id: 'listAllowedPrograms',
  method: 'GET',
  path: '/connect/authorizations',
  summary: 'The programs that work in one’s name, last used first',
  description: AT_A_PAGE,
  audit: { by: 'none', reason: 'tells a person what they themselves let in' },
  responses: { 200: z.array(AllowedProgramModel) },
  errors: ['Forbidden'],
})

export const endAllowedProgram = route({
  ...mine,
  id: 'endAllowedProgram',
  method: 'DELETE',
  path: '/connect/authorizations/:authorizationId',
  summary: 'Let a program work in one’s name no more',
  description: `Its tokens stop. ${AT_A_PAGE}`,
  audit: { by: 'own', actions: ['authorization.ended'] },
  params: z.object({ authorizationId: IdParam }),
  responses: { 204: null },
  errors: ['Unauthorized', 'Forbidden', 'AuthorizationNotFound', 'ReadOnly'],
})
