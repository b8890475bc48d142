import { z } from 'zod'
import { route } from '../kernel/route.ts'
import { LONGEST_CODE } from './sign-in.ts'

/** People at this station: who is signed in at a page, and how they come in, step away and leave (decisions 10). */

export const SessionUserModel = z
  .object({
    PrincipalId: z.string(),
    KId: z.string(),
    Username: z.string(),
    FirstName: z.string(),
    LastName: z.string(),
    Badge: z.string(),
    Administrator: z.boolean(),
    Guest: z.boolean(),
    PasswordDue: z
      .boolean()
      .meta({ description: 'Somebody else chose the password: until it is changed nothing else is answered.' }),
    Policies: z.array(z.string()).meta({ description: 'Security policies, one’s own and those of one’s groups.' }),
  })
  .meta({ id: 'SessionUser' })

export const NoticeModel = z
  .object({
    Id: z.string().meta({ description: 'First 12 hexadecimal digits of the SHA-256 of the text.' }),
    Title: z.string().nullable(),
    Paragraphs: z.array(z.string()),
  })
  .meta({ id: 'Notice' })

export const SessionModel = z
  .object({
    State: z.enum(['setup', 'none', 'open', 'locked']).meta({
      description: '`setup` while there is no administrator; `none` when nobody is signed in here.',
    }),
    TenantId: z.string(),
    Station: z.object({
      Name: z.string(),
      Version: z.string(),
      Vendor: z.string(),
      TimeZone: z.string().meta({ description: 'IANA name of the zone in which the window shows every time.' }),
      RecycleBinDays: z.int().meta({
        description: 'Days in the recycle bin before evidence that a person deleted enters the disposition queue.',
      }),
      SeveralNodes: z.boolean().meta({ description: 'Whether several nodes may share the database.' }),
    }),
    Notice: NoticeModel.nullable().meta({
      description: 'What is acknowledged at sign-in; null: the text that the UI brings, whose id is `default`.',
    }),
    IdleSeconds: z.int(),
    User: SessionUserModel.nullable(),
    SignedInUtc: z.string().nullable(),
    LocksUtc: z.string().nullable().meta({ description: 'When it locks unless its person does something.' }),
  })
  .meta({ id: 'Session' })

export const SetUpDoneModel = SessionModel.extend({
  StationKey: z.object({ Key: z.string(), Fingerprint: z.string() }).meta({
    description:
      'The public key by which the station signs, as `restore --signed-by` takes it, and its SHA-256 in hexadecimal digits. To be kept on paper.',
  }),
}).meta({ id: 'SetUpDone' })

const Username = z.string().min(1).max(256)
// Wider than what may be chosen: a wrong password is answered as one, not as a bad request.
const Password = z.string().min(1).max(1024)
export const NoticeId = z
  .string()
  .max(64)
  .meta({ description: 'Of the notice that was read; `default` where Notice is null.' })

export const SignInModel = z
  .object({
    Username,
    Password,
    NoticeId,
    Code: z.string().min(1).max(LONGEST_CODE).optional().meta({
      description: 'The second step, where `SecondStepNeeded` asks for it: of the authenticator, or a recovery code.',
    }),
  })
  .meta({ id: 'SignIn' })
export const UnlockModel = z.object({ Password }).meta({ id: 'Unlock' })
export const SetUpModel = z
  .object({
    Token: z.string().min(1).max(256).meta({ description: 'From the link that the station prints when it starts.' }),
    Username,
    Password,
    FirstName: z.string().max(256).optional(),
    LastName: z.string().max(256).optional(),
    NoticeId,
  })
  .meta({ id: 'SetUp' })

const COOKIE =
  'The session travels in a cookie (HttpOnly, SameSite=Strict, Secure over TLS). With it, everything but GET and HEAD must carry the Origin of the station.'
const person = { kind: 'member', guests: true } as const
const anyone = { kind: 'anyone' } as const

export const getSession = route({
  id: 'getSession',
  interface: 'user',
  method: 'GET',
  path: '/connect/session',
  origin: 'extension',
  summary: 'Who is signed in at this page',
  description: 'Looking does not keep a session open.',
  permission: anyone,
  audit: {
    by: 'none',
    reason: 'Tells a page only who signed in at that page, and what the sign-in page shows everybody.',
  },
  responses: { 200: SessionModel },
  errors: [],
  uncounted: true,
  whileLocked: true,
  whilePasswordDue: true,
})

export const signIn = route({
  id: 'signIn',
  interface: 'user',
  method: 'POST',
  path: '/connect/session',
  origin: 'extension',
  summary: 'Sign in',
  description: `${COOKIE} A name that is not there, a disabled account and a wrong password are answered alike. Of somebody with a second step the same call is made again, with Code.`,
  permission: anyone,
  audit: {
    by: 'own',
    actions: [
      'session.opened',
      'session.refused',
      'session.secondStepAsked',
      'session.closed',
      'secondStep.recoveryUsed',
      'user.locked',
    ],
  },
  body: SignInModel,
  responses: { 200: SessionModel },
  errors: [
    'InvalidModel',
    'SignInRefused',
    'SecondStepNeeded',
    'SecondStepRefused',
    'TooManyAttempts',
    'AccountLocked',
    'AccountLockedUntilReleased',
  ],
  whileLocked: true,
  whilePasswordDue: true,
  whileReadOnly: true,
})

export const lockSession = route({
  id: 'lockSession',
  interface: 'user',
  method: 'POST',
  path: '/connect/session/lock',
  origin: 'extension',
  summary: 'Lock the screen',
  permission: person,
  audit: { by: 'own', actions: ['session.locked'] },
  responses: { 200: SessionModel },
  errors: [],
  whileLocked: true,
  whilePasswordDue: true,
  whileReadOnly: true,
})

export const unlockSession = route({
  id: 'unlockSession',
  interface: 'user',
  method: 'POST',
  path: '/connect/session/unlock',
  origin: 'extension',
  summary: 'Unlock with the password of whoever is signed in',
  permission: person,
  audit: { by: 'own', actions: ['session.unlocked', 'session.refused', 'user.locked'] },
  body: UnlockModel,
  responses: { 200: SessionModel },
  errors: ['InvalidModel', 'SignInRefused', 'TooManyAttempts'],
  whileLocked: true,
  whilePasswordDue: true,
  whileReadOnly: true,
})

export const sessionActivity = route({
  id: 'sessionActivity',
  interface: 'user',
  method: 'POST',
  path: '/connect/session/activity',
  origin: 'extension',
  summary: 'Somebody is at work here',
  description:
    'Beside signing in and unlocking the only call that puts off the idle lock. A locked session stays locked.',
  permission: person,
  audit: {
    by: 'none',
    reason: 'Moves the idle clock of the session that asks; what is done in it has its own entries.',
  },
  responses: { 200: SessionModel },
  errors: [],
  whileLocked: true,
  whilePasswordDue: true,
  whileReadOnly: true,
})

export const signOut = route({
  id: 'signOut',
  interface: 'user',
  method: 'DELETE',
  path: '/connect/session',
  origin: 'extension',
  summary: 'Sign out',
  description: 'Also when locked. Where nobody is signed in it only takes the cookie away.',
  permission: anyone,
  audit: { by: 'own', actions: ['session.closed'] },
  responses: { 204: null },
  errors: [],
  whileLocked: true,
  whilePasswordDue: true,
  whileReadOnly: true,
})

export const setUp = route({
  id: 'setUp',
  interface: 'user',
  method: 'POST',
  path: '/connect/setup',
  origin: 'extension',
  summary: 'Make the first administrator and sign in',
  description:
    'From this machine only, once, with the token of the set-up link, which holds for 30 minutes from the start of the station.',
  permission: anyone,
  audit: { by: 'own', actions: ['user.created', 'session.opened', 'setup.refused'] },
  body: SetUpModel,
  responses: { 201: SetUpDoneModel },
  errors: ['InvalidModel', 'SetupLinkInvalid', 'AlreadySetUp', 'Forbidden'],
  whileLocked: true,
  whilePasswordDue: true,
})
