import { z } from 'zod'
import { Password, PROVEN, REFUSED, SessionPerson } from './account.contract.ts'
import { IdParam, isLine, line, TenantParams } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { NoticeId, SessionModel } from './sessions.contract.ts'
import { LONGEST_CODE } from './sign-in.ts'
import { administrator, USER_SERVICE } from './users.contract.ts'

/** Passkeys (WebAuthn Level 3; decisions 10): made and taken away at one's account, and signed in with. */

const BASE64URL = /^[A-Za-z0-9_-]*$/
/** As browsers write bytes into JSON (WebAuthn 5.1.8). */
const Bytes = (most: number) =>
  z
    .string()
    .max(most, `must not be longer than ${most} characters`)
    .regex(BASE64URL, 'must be base64url without padding')
// WebAuthn 4: a credential id has at most 1023 bytes, a user handle 64.
const CredentialId = Bytes(1364).min(1)
const ClientData = Bytes(8192).min(1)
const credential = {
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(32).nullish(),
}

export const NewPasskeyResponse = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: ClientData,
      attestationObject: Bytes(65_536).min(1),
      transports: z
        .array(z.string().regex(/^[a-z-]{1,32}$/))
        .max(16)
        .nullish(),
    }),
  })
  .meta({ id: 'NewPasskeyResponse', description: 'A RegistrationResponseJSON; further members are not looked at.' })

export const PasskeyResponse = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: ClientData,
      authenticatorData: Bytes(8192).min(1),
      signature: Bytes(4096).min(1),
      userHandle: Bytes(86).nullish(),
    }),
  })
  .meta({ id: 'PasskeyResponse', description: 'An AuthenticationResponseJSON; further members are not looked at.' })

const Options = z.record(z.string(), z.unknown())

export const PasskeyModel = z
  .object({
    PasskeyId: z.string(),
    Name: z.string(),
    Synced: z.boolean().meta({ description: 'Its maker copies it between the devices of its owner.' }),
    CreatedUtc: z.string(),
    LastUsedUtc: z.string().nullable(),
    Here: z.boolean().meta({ description: 'It was made for the name by which the station is asked now.' }),
  })
  .meta({ id: 'Passkey' })

export const PasskeysModel = z
  .object({
    None: z.enum(['address', 'plain']).nullable().meta({
      description:
        'Why none can be made or used at this address: it is made of numbers, or it is not encrypted. null: they can.',
    }),
    Passkeys: z.array(PasskeyModel),
  })
  .meta({ id: 'Passkeys' })

export const PasskeyProofModel = z
  .object({
    Password,
    Code: z.string().min(1).max(LONGEST_CODE).optional().meta({ description: 'Of whoever has a second step.' }),
  })
  .meta({ id: 'PasskeyProof' })
export const LONGEST_PASSKEY_NAME = 64
export const PasskeyName = line(LONGEST_PASSKEY_NAME, 1)
export const isPasskeyName = (name: string): boolean => isLine(name, LONGEST_PASSKEY_NAME, 1)
export const RegisterPasskeyModel = z
  .object({ Name: PasskeyName, Response: NewPasskeyResponse })
  .meta({ id: 'RegisterPasskey' })
export const PasskeySignInModel = z.object({ NoticeId, Response: PasskeyResponse }).meta({ id: 'PasskeySignIn' })

const AT_A_PAGE = 'At a page of the station only; tokens are refused.'
const mine = { interface: 'user', origin: 'extension', permission: SessionPerson } as const
const WITH_CODE = ['SecondStepNeeded', 'SecondStepRefused'] as const
const Below = TenantParams.extend({ userId: IdParam })

export const listPasskeys = route({
  ...mine,
  id: 'listPasskeys',
  method: 'GET',
  path: '/connect/account/passkeys',
  summary: 'One’s own passkeys, and whether there can be any at this address',
  description: AT_A_PAGE,
  audit: { by: 'none', reason: 'tells a person about their own account, and no secret of it' },
  responses: { 200: PasskeysModel },
  errors: ['Forbidden'],
})

export const beginPasskey = route({
  ...mine,
  id: 'beginPasskey',
  method: 'POST',
  path: '/connect/account/passkeys/begin',
  summary: 'Begin a passkey: what the browser needs to make one',
  description: `Holds for five minutes, in this session, once. ${AT_A_PAGE}`,
  audit: { by: 'own', actions: ['passkey.begun', 'secondStep.recoveryUsed', ...REFUSED] },
  body: PasskeyProofModel,
  responses: {
    200: z
      .object({ Options: Options.meta({ description: 'PublicKeyCredentialCreationOptionsJSON.' }) })
      .meta({ id: 'BegunPasskey' }),
  },
  errors: [...PROVEN, ...WITH_CODE, 'PasskeysUnavailable', 'TooManyPasskeys'],
})

export const registerPasskey = route({
  ...mine,
  id: 'registerPasskey',
  method: 'POST',
  path: '/connect/account/passkeys',
  summary: 'Keep the passkey that the browser made',
  description: `With user verification, for the name of this station; what an authenticator says about its maker is neither asked for nor looked up. With the first passkey one’s other sessions end. ${AT_A_PAGE}`,
  audit: { by: 'own', actions: ['passkey.added', 'passkey.refused', 'session.ended'] },
  body: RegisterPasskeyModel,
  responses: { 201: PasskeyModel },
  errors: [
    'InvalidModel',
    'Unauthorized',
    'Forbidden',
    'PasskeyRefused',
    'PasskeysUnavailable',
    'TooManyPasskeys',
    'ReadOnly',
  ],
})

export const removePasskey = route({
  ...mine,
  id: 'removePasskey',
  method: 'POST',
  path: '/connect/account/passkeys/:passkeyId/remove',
  summary: 'Take a passkey of one’s own away',
  description: AT_A_PAGE,
  audit: { by: 'own', actions: ['passkey.removed', 'secondStep.recoveryUsed', ...REFUSED] },
  params: z.object({ passkeyId: IdParam }),
  body: PasskeyProofModel,
  responses: { 204: null },
  errors: [...PROVEN, ...WITH_CODE, 'PasskeyNotFound'],
})

export const beginPasskeySignIn = route({
  id: 'beginPasskeySignIn',
  interface: 'user',
  method: 'POST',
  path: '/connect/session/passkey/begin',
  origin: 'extension',
  summary: 'What the browser needs to sign in with a passkey',
  description: 'Names nobody: the authenticator knows whose it is. Holds for five minutes, once.',
  permission: { kind: 'anyone' },
  audit: { by: 'none', reason: 'gives out a random number that is kept in memory; the sign-in has its own entries' },
  responses: {
    200: z
      .object({ Options: Options.meta({ description: 'PublicKeyCredentialRequestOptionsJSON.' }) })
      .meta({ id: 'BegunPasskeySignIn' }),
  },
  errors: ['PasskeysUnavailable'],
  whileLocked: true,
  whileReadOnly: true,
  whilePasswordDue: true,
})

export const signInWithPasskey = route({
  id: 'signInWithPasskey',
  interface: 'user',
  method: 'POST',
  path: '/connect/session/passkey',
  origin: 'extension',
  summary: 'Sign in with a passkey',
  description:
    'With user verification, and so both steps in one. A passkey that is not known, one of a disabled account and an answer that does not verify are answered alike. The counts of failed sign-ins hold for passkeys too.',
  permission: { kind: 'anyone' },
  audit: { by: 'own', actions: ['session.opened', 'session.closed', ...REFUSED] },
  body: PasskeySignInModel,
  responses: { 200: SessionModel },
  errors: [
    'InvalidModel',
    'PasskeyRefused',
    'PasskeysUnavailable',
    'TooManyAttempts',
    'AccountLocked',
    'AccountLockedUntilReleased',
  ],
  whileLocked: true,
  whileReadOnly: true,
  whilePasswordDue: true,
})

export const resetPasskeys = route({
  id: 'resetPasskeys',
  interface: 'user',
  method: 'DELETE',
  path: `${USER_SERVICE}/users/:userId/passkeys`,
  origin: 'extension',
  summary: 'Take away every passkey of a user, whose device was lost for example',
  permission: administrator,
  audit: { by: 'own', actions: ['passkey.reset'] },
  params: Below,
  responses: { 204: null },
  errors: ['UserNotFound', 'TenantNotFound', 'PasskeyNotFound', 'ReadOnly'],
})
