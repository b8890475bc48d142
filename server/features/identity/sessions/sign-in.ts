/** Passwords and second steps: sign-in, unlock, and proof of identity in an open session, with their failures (decisions 10 and 13). */
import { randomBytes } from 'node:crypto'
import { Fault, fault } from '../../../../shared/kernel/errors.ts'
import { nameKey } from '../../../../shared/kernel/names.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { accountSubject, type Attempt, type FailureBook, objectOf } from './failure-book.ts'
import { codeRefused, type SecondStep, type SecondStepResult } from './second-step.ts'
import { aboutSession, noSession, type SessionLifecycle, type SessionPrincipal } from './session-lifecycle.ts'
import type { Applicant, PasswordQueue } from './password-queue.ts'
import * as store from './sessions.store.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  verify(passwordHash: string, password: string): Promise<boolean>
}

/** A session that was opened or unlocked, and its new cookie. */
export interface Opened {
  readonly sessionId: number
  readonly token: string
}

export interface SignIn {
  /**
   * @throws Fault SignInRefused, SecondStepRefused, TooManyAttempts, AccountLocked, TooManyRequests; the ledger counts all but the last.
   *   SecondStepNeeded when the password is right and a code is missing; this neither counts as a failure nor clears any.
   */
  signIn(
    call: Call,
    given: { username: string; password: string; noticeId: string; code?: string | undefined },
    replaced: SessionPrincipal | null,
  ): Promise<Opened>
  /** @throws Fault as `signIn`, and Unauthorized when the session has ended. */
  unlock(call: Call, sessionId: number, password: string): Promise<Opened>
  /**
   * The person of a session proves their identity again, then `work` runs in the same transaction. It gets `needed` when the person has a
   * second step and sent no code. @throws Fault Unauthorized, SignInRefused, SecondStepRefused, TooManyAttempts.
   */
  prove<T>(
    call: Call,
    sessionId: number,
    given: { password: string; code: string | undefined },
    work: (tx: Tx, person: store.PersonRow, stepResult: Exclude<SecondStepResult, 'refused'>) => Promise<T>,
  ): Promise<T>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append' | 'tally'>
  readonly lifecycle: SessionLifecycle
  readonly passwords: Passwords
  readonly secondStep: SecondStep
  readonly queue: PasswordQueue
  readonly failures: FailureBook
  readonly tenant: string
}

export function createSignIn(deps: Deps): SignIn {
  const { db, ledger, lifecycle, passwords, secondStep, queue, failures } = deps
  let decoy: Promise<string> | null = null

  /** Takes equally long for an account without a password and for an unknown name. */
  const verified = async (person: store.PersonRow | null, password: string): Promise<boolean> => {
    decoy ??= passwords.hash(randomBytes(24).toString('base64'))
    const decoyHash = await decoy
    const fits = await passwords.verify(person?.password_hash ?? decoyHash, password)
    return fits && person !== null && person.password_hash !== null && person.enabled === 1
  }
  const refuse = (call: Call, person: store.PersonRow | null): Fault => {
    ledger.tally(call, {
      action: 'session.refused',
      object: objectOf(person),
      outcome: 'denied',
      reason: person === null ? 'unknown' : person.enabled === 1 ? 'password' : 'disabled',
    })
    return refused()
  }

  /** The person of a session, and an attempt that is counted for the session. @throws Fault Unauthorized. */
  const atSession = async (call: Call, sessionId: number) => {
    const row = await lifecycle.findById(sessionId, call.correlationId)
    if (row === null) throw noSession()
    return { row, attempt: failures.atSession(call, accountSubject(deps.tenant, row.name_key), sessionId) }
  }
  /** @throws Fault SignInRefused, TooManyAttempts. */
  const requirePassword = async (
    call: Call,
    { row, attempt }: Awaited<ReturnType<typeof atSession>>,
    password: string,
  ): Promise<void> => {
    await failures.requireTurn(call, attempt)
    if (await verified(row, password)) return
    await db.transaction(async (tx) => {
      await failures.count(tx, call, attempt, row)
      const denied = { outcome: 'denied', reason: 'password' } as const
      await ledger.append(tx, call, { action: 'session.refused', ...aboutSession(row), ...denied })
    })
    throw refused()
  }
  /** A wrong code counts like a wrong password. */
  const refusedStep = async (tx: Tx, call: Call, attempt: Attempt, person: store.PersonRow): Promise<'refused'> => {
    await failures.count(tx, call, attempt, person)
    return 'refused'
  }

  return {
    signIn: async (call, { username, password, noticeId, code }, replaced) => {
      const key = nameKey(username)
      const attempt = await failures.attempt(
        call,
        accountSubject(deps.tenant, key),
        (await store.personByName(db.read, deps.tenant, key))?.principal_id ?? null,
      )
      return queue.run(applicantOf(call, attempt), async () => {
        await failures.requireTurn(call, attempt)
        const person = await store.personByName(db.read, deps.tenant, key)
        if (!(await verified(person, password)) || person === null) {
          await db.transaction((tx) => failures.count(tx, call, attempt, person))
          throw refuse(call, person)
        }
        const opened = await db.transaction(async (tx) => {
          const fresh = await store.personById(tx, person.principal_id)
          // The account was disabled, or its password changed, during verification.
          if (fresh === null || fresh.enabled !== 1 || fresh.password_hash !== person.password_hash) return null
          await failures.requireStillTurn(tx, call, attempt)
          const stepResult = await secondStep.check(tx, call, fresh, code)
          if (stepResult === 'refused') return refusedStep(tx, call, attempt, fresh)
          if (stepResult === 'needed') {
            await ledger.append(tx, call, { action: 'session.secondStepAsked', object: objectOf(fresh) })
            return stepResult
          }
          await failures.succeeded(tx, call, attempt, fresh.principal_id)
          const by = stepResult === 'off' ? undefined : stepResult
          return lifecycle.open(tx, call, { person: fresh, noticeId, replaced, secondStep: by })
        })
        if (opened === null) throw refuse(call, { ...person, enabled: 0 })
        if (opened === 'needed')
          throw fault('SecondStepNeeded', 'Now the code of the authenticator, or a recovery code.')
        if (opened === 'refused') {
          const denied = { outcome: 'denied', reason: 'secondStep' } as const
          ledger.tally(call, { action: 'session.refused', object: objectOf(person), ...denied })
          throw codeRefused()
        }
        return opened
      })
    },
    unlock: async (call, sessionId, password) => {
      const { attempt } = await atSession(call, sessionId)
      return queue.run(applicantOf(call, attempt), async () => {
        await requirePassword(call, await atSession(call, sessionId), password)
        let token = ''
        await lifecycle.change(call, sessionId, async (tx, now) => {
          await failures.requireStillTurn(tx, call, attempt)
          await failures.succeeded(tx, call, attempt, now.principal_id)
          token = await lifecycle.unlock(tx, call, now)
        })
        return { sessionId, token }
      })
    },
    prove: async (call, sessionId, { password, code }, work) => {
      const { attempt } = await atSession(call, sessionId)
      return queue.run(applicantOf(call, attempt), async () => {
        const at = await atSession(call, sessionId)
        await requirePassword(call, at, password)
        const done = await db.transaction(async (tx) => {
          const fresh = await store.sessionById(tx, sessionId)
          if (fresh === null || fresh.enabled !== 1 || fresh.password_hash !== at.row.password_hash) throw noSession()
          await failures.requireStillTurn(tx, call, attempt)
          const stepResult = await secondStep.check(tx, call, fresh, code)
          if (stepResult !== 'refused') return { good: await work(tx, fresh, stepResult) }
          const denied = { outcome: 'denied', reason: 'secondStep' } as const
          await ledger.append(tx, call, { action: 'session.refused', ...aboutSession(fresh), ...denied })
          return refusedStep(tx, call, attempt, fresh)
        })
        if (done === 'refused') throw codeRefused()
        return done.good
      })
    },
  }
}

/** Attempts that are counted together run one after another. Unfamiliar sources share the count of their account. */
export const applicantOf = (call: Call, { account, own, source, standing }: Attempt): Applicant => ({
  key: (standing === 'unfamiliar' ? account : own) ?? `source ${source}`,
  source,
  reserved: standing !== 'unfamiliar' || call.arrival === 'local',
})

/** The same sentence for every reason, so that it does not reveal which names exist. */
const refused = (): Fault => new Fault('SignInRefused', 'The name or the password is not right.')
