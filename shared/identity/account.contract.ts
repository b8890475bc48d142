import { z } from 'zod'
import { IdParam, TenantParams } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { LONGEST_CODE } from './sign-in.ts'
import { administrator, USER_SERVICE } from './users.contract.ts'

/** How one signs in oneself: the second step and what helps when the phone is gone (decisions 10). */

export const AccountModel = z
  .object({
    SecondStep: z.boolean(),
    SecondStepSinceUtc: z.string().nullable(),
    RecoveryCodesLeft: z.int(),
  })
  .meta({ id: 'Account' })

export const Password = z.string().min(1).max(1024)
export const Code = z.string().min(1).max(LONGEST_CODE).meta({
  description: 'Of the authenticator: six digits. Where one is asked for in place of a lost phone: a recovery code.',
})

export const BeginSecondStepModel = z.object({ Password }).meta({ id: 'BeginSecondStep' })
export const BegunSecondStepModel = z
  .object({
    Secret: z.string().meta({ description: 'To type into an authenticator, in base32.' }),
    Uri: z.string().meta({ description: 'The same as an `otpauth:` address.' }),
  })
  .meta({ id: 'BegunSecondStep', description: 'Shown this once.' })
export const ConfirmSecondStepModel = z.object({ Code }).meta({ id: 'ConfirmSecondStep' })
export const ProofModel = z.object({ Password, Code }).meta({ id: 'SignInProof' })
export const RecoveryCodesModel = z
  .object({ RecoveryCodes: z.array(z.string()) })
  .meta({ id: 'RecoveryCodes', description: 'Ten, each good once. Shown this once.' })

/** Guests too: how one signs in is one’s own. */
export const SessionPerson = { kind: 'member', guests: true } as const
const AT_A_PAGE = 'At a page of the station only; tokens are refused.'
const base = { interface: 'user', origin: 'extension', description: AT_A_PAGE, permission: SessionPerson } as const
/** What a proof of who is at the page may be refused with. */
export const PROVEN = [
  'InvalidModel',
  'Unauthorized',
  'Forbidden',
  'SignInRefused',
  'TooManyAttempts',
  'ReadOnly',
] as const
export const REFUSED = ['session.refused', 'user.locked'] as const

export const getAccount = route({
  ...base,
  id: 'getAccount',
  method: 'GET',
  path: '/connect/account',
  summary: 'How one signs in oneself',
  audit: { by: 'none', reason: 'tells a person about their own account, and no secret of it' },
  responses: { 200: AccountModel },
  errors: ['Forbidden'],
})

export const beginSecondStep = route({
  ...base,
  id: 'beginSecondStep',
  method: 'POST',
  path: '/connect/account/second-step',
  summary: 'Begin a second step: a fresh key for an authenticator (RFC 6238)',
  audit: { by: 'own', actions: ['secondStep.begun', ...REFUSED] },
  body: BeginSecondStepModel,
  responses: { 200: BegunSecondStepModel },
  errors: [...PROVEN, 'SecondStepOn'],
})

export const confirmSecondStep = route({
  ...base,
  id: 'confirmSecondStep',
  method: 'POST',
  path: '/connect/account/second-step/confirm',
  summary: 'Turn the second step on with a first code',
  description: `Within 15 minutes. One’s other sessions end. ${AT_A_PAGE}`,
  audit: { by: 'own', actions: ['secondStep.enabled', 'session.ended'] },
  body: ConfirmSecondStepModel,
  responses: { 200: RecoveryCodesModel },
  errors: [
    'InvalidModel',
    'Unauthorized',
    'Forbidden',
    'SecondStepOn',
    'SecondStepOff',
    'SecondStepRefused',
    'ReadOnly',
  ],
})

export const renewRecoveryCodes = route({
  ...base,
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/connect/account/recovery-codes',
  summary: 'New recovery codes in place of the others',
  audit: { by: 'own', actions: ['secondStep.codesRenewed', 'secondStep.recoveryUsed', ...REFUSED] },
  body: ProofModel,
  responses: { 200: RecoveryCodesModel },
  errors: [...PROVEN, 'SecondStepOff', 'SecondStepRefused'],
})

export const removeSecondStep = route({
  ...base,
  id: 'removeSecondStep',
  method: 'POST',
  path: '/connect/account/second-step/remove',
  summary: 'Turn the second step off',
  description: `One’s other sessions end. ${AT_A_PAGE}`,
  audit: { by: 'own', actions: ['secondStep.disabled', 'session.ended', 'secondStep.recoveryUsed', ...REFUSED] },
  body: ProofModel,
  responses: { 204: null },
  errors: [...PROVEN, 'SecondStepOff', 'SecondStepRefused'],
})

export const resetSecondStep = route({
  id: 'resetSecondStep',
  interface: 'user',
  method: 'DELETE',
  path: `${USER_SERVICE}/users/:userId/second-step`,
  origin: 'extension',
  summary: 'Take away the second step of a user who lost phone and recovery codes',
  permission: administrator,
  audit: { by: 'own', actions: ['secondStep.reset'] },
  params: TenantParams.extend({ userId: IdParam }),
  responses: { 204: null },
  errors: ['UserNotFound', 'TenantNotFound', 'SecondStepOff', 'ReadOnly'],
})
