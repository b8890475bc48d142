/** The caller's own password and sessions (decisions 10). */
import type { z } from 'zod'
import { Fault, fault } from '../../../../shared/kernel/errors.ts'
import type { OwnSessionModel } from '../../../../shared/identity/own-access.contract.ts'
import type { Principal } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import { endPrograms } from '../allowed-programs.ts'
import { atPage } from './at-page.ts'
import { sourceNetwork } from '../../../platform/network/networks.ts'
import { objectOf } from './failure-book.ts'
import { forgetFamiliarSources } from './failures.store.ts'
import { type Lifetimes, noSession, type SessionLifecycle } from './session-lifecycle.ts'
import * as store from './sessions.store.ts'
import type { Passwords, SignIn } from './sign-in.ts'

/** All of these throw Fault Forbidden for a token, and Unauthorized when the session has ended. */
export interface OwnAccess {
  /** @throws Fault InvalidModel, SignInRefused, SecondStepNeeded, SecondStepRefused, TooManyAttempts. */
  changePassword(
    call: Call,
    principal: Principal | null,
    given: { readonly Password: string; readonly NewPassword: string; readonly Code?: string | undefined },
  ): Promise<void>
  sessions(principal: Principal | null): Promise<z.input<typeof OwnSessionModel>[]>
  /** Ends the given session, or all except the caller's current one. @throws Fault SessionNotFound. */
  endSessions(call: Call, principal: Principal | null, session?: string): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly lifecycle: SessionLifecycle
  readonly lifetimes: Lifetimes
  readonly passwordSignIn: Pick<SignIn, 'prove'>
  readonly passwords: Passwords
  /** Why a password cannot be used, one sentence each; users/passwords.ts has it. */
  readonly problemsOf: (password: string, names: readonly string[]) => string[]
}

export function createOwnAccess(deps: Deps): OwnAccess {
  const { db, ledger, clock, lifecycle, lifetimes, passwordSignIn, passwords, problemsOf } = deps

  return {
    changePassword: async (call, principal, { Password, NewPassword, Code }) => {
      const { sessionId } = atPage(principal)
      const row = await lifecycle.findById(sessionId, call.correlationId)
      if (row === null) throw noSession()
      const problems = problemsOf(NewPassword, [row.name, row.first_name, row.last_name, row.badge])
      if (NewPassword === Password) problems.push('It is the password that there is already.')
      if (problems.length > 0)
        throw fault(
          'InvalidModel',
          problems.join(' '),
          problems.map((Message) => ({ Path: 'NewPassword', Message })),
        )
      // Hashed before the transaction: only SQL may be awaited in it.
      const passwordHash = await passwords.hash(NewPassword)
      await passwordSignIn.prove(call, sessionId, { password: Password, code: Code }, async (tx, person, stepped) => {
        if (stepped === 'needed') throw fault('SecondStepNeeded', 'The code of the authenticator is needed too.')
        const { principal_id: id } = person
        await endPrograms(deps, tx, call, person, 'password')
        await store.setOwnPassword(tx, id, passwordHash)
        // A person who knew the old password may have signed in from other addresses.
        await forgetFamiliarSources(tx, id, sourceNetwork(call.source))
        const object = objectOf(person)
        await ledger.append(tx, call, {
          action: 'user.passwordChanged',
          object,
          detail: { due: row.password_due === 1 },
        })
        await lifecycle.endOthers(tx, call, { principalId: id, sessionId }, 'password')
      })
    },
    sessions: async (principal) => {
      const page = atPage(principal)
      const now = clock.now()
      const rows = await store.sessionsOf(db.read, Number(page.id))
      return rows
        .filter((row) => now - row.created_at < lifetimes.sessionSeconds * 1000)
        .map((row) => ({
          SessionId: String(row.session_id),
          // An idle session is locked only when it is next read, so the idle time is checked here too.
          State: row.locked_at !== null || now - row.active_at >= lifetimes.idleSeconds * 1000 ? 'locked' : 'open',
          SignedInUtc: isoMillis(row.created_at),
          ActiveUtc: isoMillis(row.active_at),
          Source: row.source,
          Here: row.session_id === page.sessionId,
        }))
    },
    endSessions: async (call, principal, session) => {
      const page = atPage(principal)
      await lifecycle.change(call, page.sessionId, async (tx, person) => {
        const all = await store.sessionsOf(tx, person.principal_id)
        const ending = all.filter((row) =>
          session === undefined ? row.session_id !== page.sessionId : String(row.session_id) === session,
        )
        if (ending.length === 0 && session !== undefined)
          throw new Fault('SessionNotFound', `You have no session ${session}.`)
        await lifecycle.end(tx, call, ending, 'person')
        if (ending.length === 0)
          await ledger.append(tx, call, { action: 'session.listed', object: objectOf(person), detail: { returned: 0 } })
      })
    },
  }
}
