import { availableParallelism } from 'node:os'
import type { z } from 'zod'
import { Fault, fault } from '../../../../shared/kernel/errors.ts'
import type { SessionModel } from '../../../../shared/identity/sessions.contract.ts'
import type { Principal } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import { BUNDLED_NOTICE, noticeOf } from './notice.ts'
import {
  createSessionLifecycle,
  type Lifetimes,
  noSession,
  principalOf,
  type SessionPrincipal,
} from './session-lifecycle.ts'
import * as store from './sessions.store.ts'
import { type AccountService, createAccount } from './account.service.ts'
import { createFailureBook } from './failure-book.ts'
import { createOwnAccess, type OwnAccess } from './own-access.service.ts'
import { createPasskeyChallenges } from './passkey-challenges.ts'
import { createPasskeySignIn, type PasskeySignIn } from './passkey-sign-in.ts'
import { createPasskeys, type PasskeysService } from './passkeys.service.ts'
import { createSealer } from '../../../platform/secrets/seal.ts'
import { createSecondStep } from './second-step.ts'
import type { LockTime } from './failures.ts'
import { createPasswordQueue } from './password-queue.ts'
import { createSetupLink } from './setup-link.ts'
import { createSignIn, type Opened, type Passwords } from './sign-in.ts'
import { createGuestCodes, type GuestCodes } from './guest-codes.ts'

export type { SessionPrincipal } from './session-lifecycle.ts'

/** What sessions need of accounts; users.service.ts supplies it. */
export interface Accounts {
  hasAdministrator(): Promise<boolean>
  isAdministrator(principalId: string): Promise<boolean>
  policiesOf(principalId: string): Promise<string[]>
  /** Why a password cannot be used, one sentence each. */
  passwordProblems(password: string, names: readonly string[]): string[]
  setupFirstAdministrator(
    call: Call,
    given: { username: string; password: string; firstName?: string | undefined; lastName?: string | undefined },
  ): Promise<{ principalId: string }>
}

export interface SessionSettings extends Lifetimes {
  readonly tenant: string
  readonly station: {
    readonly Name: string
    readonly Version: string
    readonly Vendor: string
    readonly TimeZone: string
    readonly RecycleBinDays: number
    readonly SeveralNodes: boolean
  }
  readonly notice: string | undefined
  readonly signInLock: LockTime
}

type Model = z.input<typeof SessionModel>

/** The session as the page sees it, and its new cookie. */
export interface SignedIn {
  readonly token: string
  readonly session: Model
}

/** Sessions of people (decisions 10). `principal` is the result of `find` for the request. */
export interface SessionsService {
  /** The person of a session cookie. Reading it locks an idle session and ends an expired one. */
  find(token: string, correlationId: string): Promise<SessionPrincipal | null>
  /** Like `find`, by the session's id, for long-running answers. */
  stands(principal: SessionPrincipal, correlationId: string): Promise<SessionPrincipal | null>
  describe(principal: Principal | null, correlationId: string): Promise<Model>
  /** @throws Fault InvalidModel (another notice than the one shown), SignInRefused, SecondStepNeeded, SecondStepRefused, TooManyAttempts. */
  signIn(
    call: Call,
    given: { Username: string; Password: string; NoticeId: string; Code?: string | undefined },
    principal: Principal | null,
  ): Promise<SignedIn>
  /** @throws Fault PasskeysUnavailable. */
  beginPasskey(call: Call, origin: string): ReturnType<PasskeySignIn['begin']>
  /** @throws Fault InvalidModel (another notice than the one shown), PasskeysUnavailable, PasskeyRefused, TooManyAttempts. */
  signInWithPasskey(
    call: Call,
    given: Omit<Parameters<PasskeySignIn['signIn']>[1], 'noticeId'> & { readonly NoticeId: string },
    principal: Principal | null,
  ): Promise<SignedIn>
  /** @throws Fault Unauthorized where there is no session. */
  lock(call: Call, principal: Principal | null): Promise<Model>
  /** @throws Fault Unauthorized, SignInRefused, TooManyAttempts. */
  unlock(call: Call, principal: Principal | null, password: string): Promise<SignedIn>
  activity(call: Call, principal: Principal | null): Promise<Model>
  /** Does nothing where there is no session. */
  signOut(call: Call, principal: Principal | null): Promise<void>
  /** The first administrator. @throws Fault AlreadySetUp, SetupLinkInvalid, Forbidden (another machine), InvalidModel. */
  setUp(call: Call, given: SetUp, principal: Principal | null): Promise<SignedIn>
  /** A new token for the set-up link; null when there is an administrator. */
  setupToken(): Promise<string | null>
  readonly account: AccountService
  readonly passkeys: PasskeysService
  readonly ownAccess: OwnAccess
  readonly guestCodes: GuestCodes
}

export interface SetUp {
  readonly Token: string
  readonly Username: string
  readonly Password: string
  readonly FirstName?: string | undefined
  readonly LastName?: string | undefined
  readonly NoticeId: string
}

export interface SessionsDeps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append' | 'tally'>
  readonly clock: Clock
  readonly accounts: Accounts
  readonly passwords: Passwords
  readonly settings: SessionSettings
  /** 32 bytes, the same on every node: encrypts secrets for the database, and makes challenges. */
  readonly secretsKey: Uint8Array
}

export function createSessions(deps: SessionsDeps): SessionsService {
  const { db, ledger, clock, accounts, passwords, settings, secretsKey } = deps
  const sealer = createSealer(secretsKey)
  const lifecycle = createSessionLifecycle({ db, ledger, clock, lifetimes: settings })
  const { tenant, signInLock: lock } = settings
  const secondStep = createSecondStep({ ledger, clock, sealer })
  const station = settings.station.Name
  // Passwords and passkeys share one queue and one count of failures.
  const queue = createPasswordQueue(availableParallelism())
  const failures = createFailureBook({ db, ledger, clock, lock })
  const shared = { db, ledger, clock, lifecycle, tenant, failures }
  const passwordSignIn = createSignIn({ ...shared, passwords, secondStep, queue })
  const challenges = createPasskeyChallenges({ db, clock, secretsKey })
  const passkeySignIn = createPasskeySignIn({ ...shared, challenges, queue })
  const account = createAccount({ db, ledger, clock, sealer, lifecycle, passwordSignIn, station })
  const passkeys = createPasskeys({ ...shared, passwordSignIn, challenges, station })
  const problemsOf = accounts.passwordProblems
  const ownAccess = createOwnAccess({ ...shared, lifetimes: settings, passwordSignIn, passwords, problemsOf })
  const link = createSetupLink(clock)
  const notice = noticeOf(settings.notice)
  const noticeId = notice?.Id ?? BUNDLED_NOTICE

  const model = describer(deps, notice)
  const describe = async (sessionId: number | null, correlationId: string): Promise<Model> =>
    model(sessionId === null ? null : await lifecycle.findById(sessionId, correlationId))
  const signedIn = async (call: Call, { sessionId, token }: Opened): Promise<SignedIn> => ({
    token,
    session: await describe(sessionId, call.correlationId),
  })
  const requireNotice = (given: string): void => {
    if (given === noticeId) return
    const Message = 'Read the notice that is shown at sign-in; it may have changed meanwhile.'
    throw fault('InvalidModel', Message, [{ Path: 'NoticeId', Message }])
  }
  const refuseSetup = (call: Call, code: 'AlreadySetUp' | 'SetupLinkInvalid', message: string): Fault => {
    const object = { type: 'tenant', id: tenant, name: tenant }
    ledger.tally(call, { action: 'setup.refused', object, outcome: 'denied', reason: code })
    return fault(code, message)
  }

  return {
    account,
    passkeys,
    ownAccess,
    guestCodes: createGuestCodes({ passwords, queue, failures }),
    find: lifecycle.find,
    stands: async ({ sessionId }, correlationId) => {
      const row = await lifecycle.findById(sessionId, correlationId)
      return row === null ? null : principalOf(row)
    },
    describe: (principal, correlationId) => describe(isSession(principal) ? principal.sessionId : null, correlationId),
    signIn: async (call, { Username, Password, NoticeId, Code }, principal) => {
      requireNotice(NoticeId)
      const given = { username: Username, password: Password, noticeId, code: Code }
      return signedIn(call, await passwordSignIn.signIn(call, given, isSession(principal) ? principal : null))
    },
    beginPasskey: passkeySignIn.begin,
    signInWithPasskey: async (call, { NoticeId, ...given }, principal) => {
      requireNotice(NoticeId)
      const replaced = isSession(principal) ? principal : null
      return signedIn(call, await passkeySignIn.signIn(call, { ...given, noticeId: NoticeId }, replaced))
    },
    lock: async (call, principal) => {
      const { sessionId } = requireSession(principal)
      await lifecycle.lock(call, sessionId)
      return describe(sessionId, call.correlationId)
    },
    unlock: async (call, principal, password) =>
      signedIn(call, await passwordSignIn.unlock(call, requireSession(principal).sessionId, password)),
    activity: async (call, principal) => {
      const { sessionId } = requireSession(principal)
      await lifecycle.activity(call, sessionId)
      return describe(sessionId, call.correlationId)
    },
    signOut: async (call, principal) => {
      if (isSession(principal)) await lifecycle.close(call, principal.sessionId)
    },
    setUp: async (call, given, principal) => {
      if (call.arrival !== 'local')
        throw new Fault('Forbidden', 'Set the station up on the machine it runs on.', { reason: 'NotLoopback' })
      if (await accounts.hasAdministrator())
        throw refuseSetup(call, 'AlreadySetUp', 'There is an administrator already. Sign in instead.')
      if (!link.fits(given.Token))
        throw refuseSetup(
          call,
          'SetupLinkInvalid',
          'This link is used or too old. Start the station again for another.',
        )
      requireNotice(given.NoticeId)
      const { Username: username, Password: password, FirstName: firstName, LastName: lastName } = given
      const made = await withPascalPaths(
        accounts.setupFirstAdministrator(call, { username, password, firstName, lastName }),
      )
      link.spend()
      const opened = await db.transaction(async (tx) => {
        const person = await store.personById(tx, Number(made.principalId))
        if (person === null) throw new Error('the first administrator is gone')
        return lifecycle.open(tx, call, { person, noticeId, replaced: isSession(principal) ? principal : null })
      })
      return signedIn(call, opened)
    },
    setupToken: async () => ((await accounts.hasAdministrator()) ? null : link.make()),
  }
}

function describer({ accounts, settings }: SessionsDeps, notice: ReturnType<typeof noticeOf>) {
  const shown = {
    TenantId: settings.tenant,
    Station: settings.station,
    Notice: notice,
    IdleSeconds: settings.idleSeconds,
  }
  return async (row: store.SessionRow | null): Promise<Model> => {
    if (row === null) {
      const State = (await accounts.hasAdministrator()) ? 'none' : 'setup'
      return { ...shown, State, User: null, SignedInUtc: null, LocksUtc: null }
    }
    const PrincipalId = String(row.principal_id)
    return {
      ...shown,
      State: row.locked_at === null ? 'open' : 'locked',
      User: {
        PrincipalId,
        KId: row.k_id,
        Username: row.name,
        FirstName: row.first_name,
        LastName: row.last_name,
        Badge: row.badge,
        Administrator: await accounts.isAdministrator(PrincipalId),
        Guest: row.guest === 1,
        PasswordDue: row.password_due === 1,
        Policies: await accounts.policiesOf(PrincipalId),
      },
      SignedInUtc: isoMillis(row.created_at),
      LocksUtc: row.locked_at === null ? isoMillis(row.active_at + settings.idleSeconds * 1000) : null,
    }
  }
}

const isSession = (principal: Principal | null): principal is SessionPrincipal =>
  principal !== null && 'sessionId' in principal

function requireSession(principal: Principal | null): SessionPrincipal {
  if (!isSession(principal)) throw noSession()
  return principal
}

/** Gives the paths of problems the member names of this interface. */
async function withPascalPaths<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'InvalidModel') throw error
    const details = error.details.map(({ Path, Message }) => ({
      Path: `${Path.slice(0, 1).toUpperCase()}${Path.slice(1)}`,
      Message,
    }))
    throw new Fault('InvalidModel', error.message, { details, cause: error })
  }
}
