/** Sign-in with a passkey (decisions 10; WebAuthn Level 3, 7.2): both steps in one. Failures count like those of passwords. */
import type { z } from 'zod'
import { type Fault, fault } from '../../../../shared/kernel/errors.ts'
import type { PasskeyResponse } from '../../../../shared/identity/passkeys.contract.ts'
import { passkeysAt } from '../../../../shared/identity/passkeys.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { accountSubject, type FailureBook, objectOf } from './failure-book.ts'
import type { PasskeyChallenges } from './passkey-challenges.ts'
import {
  type PasskeySite,
  challengeIn,
  type Checked,
  verifyPasskeyUse,
  hasNewerCounter,
  requestOptions,
} from './passkey-checks.ts'
import * as passkeys from './passkeys.store.ts'
import type { PasswordQueue } from './password-queue.ts'
import type { SessionLifecycle, SessionPrincipal } from './session-lifecycle.ts'
import * as store from './sessions.store.ts'
import { applicantOf, type Opened } from './sign-in.ts'

export interface PasskeySignIn {
  /** @returns PublicKeyCredentialRequestOptionsJSON. @throws Fault PasskeysUnavailable. */
  begin(call: Call, origin: string): ReturnType<typeof requestOptions>
  /** @throws Fault PasskeysUnavailable, PasskeyRefused, TooManyAttempts, AccountLocked, TooManyRequests. */
  signIn(
    call: Call,
    given: { readonly origin: string; readonly noticeId: string; readonly response: z.output<typeof PasskeyResponse> },
    replaced: SessionPrincipal | null,
  ): Promise<Opened>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'tally'>
  readonly clock: Clock
  readonly lifecycle: SessionLifecycle
  readonly queue: PasswordQueue
  readonly failures: FailureBook
  readonly challenges: PasskeyChallenges
  readonly tenant: string
}

/** @throws Fault PasskeysUnavailable, with the reason, when the address cannot have passkeys. */
export function passkeysHere(origin: string): PasskeySite {
  const at = passkeysAt(origin)
  if ('rpId' in at) return { origin, rpId: at.rpId }
  throw fault(
    'PasskeysUnavailable',
    at.none === 'address'
      ? 'Passkeys belong to a name: there are none at an address of numbers.'
      : 'Passkeys need an encrypted connection: there are none over plain HTTP.',
  )
}

/** The same sentence for every reason. */
export const passkeyRefused = (): Fault => fault('PasskeyRefused', 'This passkey does not open this station.')

export function createPasskeySignIn(deps: Deps): PasskeySignIn {
  const { db, ledger, clock, lifecycle, queue, failures, challenges } = deps

  return {
    begin: ({ source }, origin) =>
      requestOptions(passkeysHere(origin), challenges.make({ act: 'signIn', origin, holder: source })),
    signIn: async (call, { origin, noticeId, response }, replaced) => {
      const at = passkeysHere(origin)
      const found = await passkeys.passkeyByCredential(db.read, response.id)
      const person = found === null ? null : await store.personById(db.read, found.principal_id)
      const account = person === null ? null : accountSubject(deps.tenant, person.name_key)
      const attempt = await failures.attempt(call, account, person?.principal_id ?? null)
      return queue.run(applicantOf(call, attempt), async () => {
        await failures.requireTurn(call, attempt)
        const refuse = async (reason: string): Promise<Fault> => {
          await db.transaction((tx) => failures.count(tx, call, attempt, person))
          ledger.tally(call, { action: 'session.refused', object: objectOf(person), outcome: 'denied', reason })
          return passkeyRefused()
        }
        // The challenge is used up first, so that no response is checked twice.
        const challenge = challengeIn(response.response.clientDataJSON)
        const purpose = { act: 'signIn', origin, holder: call.source } as const
        if (challenge === null || (await challenges.take(challenge, purpose)) === null)
          throw await refuse('passkeyChallenge')
        if (found === null || person === null) throw await refuse('passkeyUnknown')
        const checked: Checked = await verifyPasskeyUse(at, response, { challenge, passkey: found })
        if ('refused' in checked) throw await refuse(checked.refused)
        const opened = await db.transaction(async (tx): Promise<Opened | string> => {
          const fresh = await store.personById(tx, found.principal_id)
          const still = await passkeys.passkeyByCredential(tx, found.credential_id)
          // The account was disabled, or the passkey removed, during verification.
          if (fresh === null || fresh.enabled !== 1 || still?.passkey_id !== found.passkey_id) return 'disabled'
          await failures.requireStillTurn(tx, call, attempt)
          if (!hasNewerCounter(checked, still)) return 'passkeyCounter'
          await passkeys.usePasskey(tx, found.passkey_id, { ...checked, used_at: clock.now() })
          await failures.succeeded(tx, call, attempt, fresh.principal_id)
          return lifecycle.open(tx, call, { person: fresh, noticeId, replaced, passkey: String(found.passkey_id) })
        })
        if (typeof opened === 'string') throw await refuse(opened)
        return opened
      })
    },
  }
}
