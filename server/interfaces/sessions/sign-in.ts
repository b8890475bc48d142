/** Passwords and second steps at the door: sign-in and unlock, and what failures cost (decisions 10). */
import { randomBytes } from 'node:crypto'
import { Fault, fault } from '../../../shared/contract/errors.ts'
import { nameKey } from '../../../shared/domain/names.ts'
import type { Call } from '../../custody/call.ts'
import type { Ledger } from '../../custody/ledger.ts'
import type { Database, Tx } from '../../db/database.ts'
import { codeRefused, type SecondStep, type Stepped } from './second-step.ts'
import { accountSubject, type FailureBook, objectOf } from './failure-book.ts'
import { aboutSession, noSession, type SessionLifecycle, type SessionPrincipal } from './session-lifecycle.ts'
import * as store from './sessions.repository.ts'
import type { Turnstile } from './turnstile.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  verify(passwordHash: string, password: string): Promise<boolean>
}

/** A session that was opened or opened again, and its new cookie. */
export interface Opened {
  readonly sessionId: number
  readonly token: string
}

export interface SignIn {
  /**
   * @throws Fault SignInRefused, SecondStepRefused, TooManyAttempts, TooManyRequests; all of them counted in the ledger but the last.
   *   SecondStepNeeded when the password is right and a code has to come with it; that is no failure, and forgives none.
   */
  signIn(
    call: Call,
    given: { username: string; password: string; noticeId: string; code?: string | undefined },
    replaced: SessionPrincipal | null,
  ): Promise<Opened>
  /** @throws Fault as `signIn`, and Unauthorized when the session has ended. */
  unlock(call: Call, sessionId: number, password: string): Promise<Opened>
  /**
   * Whoever is at a page proves once more who they are, then `work` runs in the same transaction. It is told of a second step that
   * nothing was brought for (`needed`). @throws Fault Unauthorized, SignInRefused, SecondStepRefused, TooManyAttempts.
   */
  prove<T>(
    call: Call,
    sessionId: number,
    given: { password: string; code: string | undefined },
    work: (tx: Tx, person: store.PersonRow, stepped: Exclude<Stepped, 'refused'>) => Promise<T>,
  ): Promise<T>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append' | 'tally'>
  readonly lifecycle: SessionLifecycle
  readonly passwords: Passwords
  readonly secondStep: SecondStep
  readonly door: Turnstile
  readonly failures: FailureBook
  readonly tenant: string
}

export function createSignIn(deps: Deps): SignIn {
  const { db, ledger, lifecycle, passwords, secondStep, door, failures } = deps
  let decoy: Promise<string> | null = null

  /** Takes as long for an account without a password, or for none at all. */
  const verified = async (person: store.PersonRow | null, password: string): Promise<boolean> => {
    decoy ??= passwords.hash(randomBytes(24).toString('base64'))
    const stranger = await decoy
    const fits = await passwords.verify(person?.password_hash ?? stranger, password)
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

  /** The password of a session's person. @throws Fault Unauthorized, SignInRefused, TooManyAttempts. */
  const proven = async (call: Call, sessionId: number, password: string) => {
    const row = await lifecycle.look(sessionId, call.correlationId)
    if (row === null) throw noSession()
    const account = accountSubject(deps.tenant, row.name_key)
    await failures.requireTurn(call, account)
    if (await verified(row, password)) return { row, account }
    await db.transaction(async (tx) => {
      await failures.count(tx, call, account, row)
      const denied = { outcome: 'denied', reason: 'password' } as const
      await ledger.append(tx, call, { action: 'session.refused', ...aboutSession(row), ...denied })
    })
    throw refused()
  }
  /** A code that is not right costs as much as a password that is not. */
  const refusedStep = async (tx: Tx, call: Call, account: string, person: store.PersonRow): Promise<'refused'> => {
    await failures.count(tx, call, account, person)
    return 'refused'
  }

  return {
    signIn: (call, { username, password, noticeId, code }, replaced) =>
      door.pass(call.source, async () => {
        const key = nameKey(username)
        const account = accountSubject(deps.tenant, key)
        await failures.requireTurn(call, account)
        const person = await store.personByName(db.read, deps.tenant, key)
        if (!(await verified(person, password)) || person === null) {
          await db.transaction((tx) => failures.count(tx, call, account, person))
          throw refuse(call, person)
        }
        const opened = await db.transaction(async (tx) => {
          const fresh = await store.personById(tx, person.principal_id)
          // Disabled, or given another password, while this one was verified.
          if (fresh === null || fresh.enabled !== 1 || fresh.password_hash !== person.password_hash) return null
          const stepped = await secondStep.check(tx, call, fresh, code)
          if (stepped === 'refused') return refusedStep(tx, call, account, fresh)
          if (stepped === 'needed') {
            await ledger.append(tx, call, { action: 'session.secondStepAsked', object: objectOf(fresh) })
            return stepped
          }
          await store.forgetFailuresOf(tx, account)
          const by = stepped === 'off' ? undefined : stepped
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
      }),
    unlock: (call, sessionId, password) =>
      door.pass(call.source, async () => {
        const { account } = await proven(call, sessionId, password)
        let token = ''
        await lifecycle.change(call, sessionId, async (tx, now) => {
          await store.forgetFailuresOf(tx, account)
          token = await lifecycle.unlock(tx, call, now)
        })
        return { sessionId, token }
      }),
    prove: (call, sessionId, { password, code }, work) =>
      door.pass(call.source, async () => {
        const { account, row } = await proven(call, sessionId, password)
        const done = await db.transaction(async (tx) => {
          const fresh = await store.sessionById(tx, sessionId)
          if (fresh === null || fresh.enabled !== 1 || fresh.password_hash !== row.password_hash) throw noSession()
          const stepped = await secondStep.check(tx, call, fresh, code)
          if (stepped !== 'refused') return { good: await work(tx, fresh, stepped) }
          const denied = { outcome: 'denied', reason: 'secondStep' } as const
          await ledger.append(tx, call, { action: 'session.refused', ...aboutSession(fresh), ...denied })
          return refusedStep(tx, call, account, fresh)
        })
        if (done === 'refused') throw codeRefused()
        return done.good
      }),
  }
}

/** One sentence for every reason: nobody learns which names there are. */
const refused = (): Fault => new Fault('SignInRefused', 'The name or the password is not right.')
