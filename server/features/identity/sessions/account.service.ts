/** The second step of sign-in: set up and removed by its owner, reset by an administrator (decisions 10). */
import type { z } from 'zod'
import type { AccountModel } from '../../../../shared/identity/account.contract.ts'
import { type Fault, fault } from '../../../../shared/kernel/errors.ts'
import type { Principal } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import { atPage } from './at-page.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import { codeRefused, seedOf } from './second-step.ts'
import * as store from './second-step.store.ts'
import type { SessionLifecycle } from './session-lifecycle.ts'
import { type PersonRow, personById } from './sessions.store.ts'
import type { SignIn } from './sign-in.ts'
import { enrolmentOf, newRecoveryCodes, newSeed, recoveryHash, stepOf } from './totp.ts'

export interface AccountService {
  /** Like all of these except `reset`: @throws Fault Forbidden for a token. */
  read(principal: Principal | null): Promise<z.input<typeof AccountModel>>
  /** Gives a new seed, which is shown only this once. @throws Fault SecondStepOn, SignInRefused, TooManyAttempts. */
  begin(call: Call, principal: Principal | null, password: string): Promise<{ Secret: string; Uri: string }>
  /** Turns it on and ends the person’s other sessions. @returns the recovery codes, shown only this once. @throws Fault SecondStepOff (nothing begun), SecondStepRefused. */
  confirm(call: Call, principal: Principal | null, code: string): Promise<string[]>
  /** Replaces the recovery codes. @returns ten new ones. @throws Fault SecondStepOff, SignInRefused, SecondStepRefused, TooManyAttempts. */
  renewCodes(call: Call, principal: Principal | null, given: Proof): Promise<string[]>
  /** Turns it off and ends the person’s other sessions. @throws Fault as `renewCodes`. */
  remove(call: Call, principal: Principal | null, given: Proof): Promise<void>
  /** Removes the second step of a person who lost phone and codes. @throws Fault UserNotFound, SecondStepOff. */
  reset(call: Call, tenant: string, userId: string): Promise<void>
}

/** Password and code again: an open screen is not enough to change how a person signs in. */
export interface Proof {
  readonly Password: string
  readonly Code: string
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly sealer: Sealer
  readonly lifecycle: SessionLifecycle
  readonly passwordSignIn: Pick<SignIn, 'prove'>
  /** Name of the station, as the authenticator shows it. */
  readonly station: string
}

/** Milliseconds in which a set-up must be confirmed. */
const BEGUN_LIFE = 15 * 60_000

export function createAccount(deps: Deps): AccountService {
  const { db, ledger, clock, sealer, lifecycle, passwordSignIn, station } = deps
  const entry = (tx: Tx, call: Call, action: Action, person: PersonRow) =>
    ledger.append(tx, call, { action, object: { type: 'user', id: String(person.principal_id), name: person.name } })
  const freshCodes = async (tx: Tx, person: PersonRow): Promise<string[]> => {
    const codes = newRecoveryCodes()
    const { principal_id: id } = person
    await store.replaceRecoveryCodes(
      tx,
      id,
      codes.map((code) => recoveryHash(code, id) as string),
    )
    return codes
  }

  return {
    read: async (principal) => {
      const id = Number(atPage(principal).id)
      const row = await store.secondStepOf(db.read, id)
      if (row === null || row.confirmed_at === null)
        return { SecondStep: false, SecondStepSinceUtc: null, RecoveryCodesLeft: 0 }
      const RecoveryCodesLeft = await store.recoveryCodesLeft(db.read, id)
      return { SecondStep: true, SecondStepSinceUtc: isoMillis(row.confirmed_at), RecoveryCodesLeft }
    },
    begin: (call, principal, password) =>
      passwordSignIn.prove(
        call,
        atPage(principal).sessionId,
        { password, code: undefined },
        async (tx, person, stepResult) => {
          if (stepResult !== 'off') throw secondStepOn()
          const { principal_id: principalId, name } = person
          const seed = newSeed()
          const sealed = sealer.seal(seed, seedOf(principalId))
          await store.beginSecondStep(tx, { principalId, sealed, now: clock.now() })
          await entry(tx, call, 'secondStep.begun', person)
          const { secret: Secret, uri: Uri } = enrolmentOf(seed, { name, station })
          return { Secret, Uri }
        },
      ),
    confirm: async (call, principal, code) => {
      let codes: string[] = []
      await lifecycle.change(call, atPage(principal).sessionId, async (tx, person) => {
        const id = person.principal_id
        const row = await store.secondStepOf(tx, id)
        if (row?.confirmed_at != null) throw secondStepOn()
        const seed = row === null ? null : sealer.open(row.sealed, seedOf(id))
        if (row === null || seed === null || Math.abs(clock.now() - row.created_at) >= BEGUN_LIFE)
          throw secondStepOff('Begin again: the key was shown too long ago.')
        const step = stepOf(code, seed, clock.now())
        if (step === null) throw codeRefused()
        await store.changeSecondStep(tx, id, { confirmed_at: clock.now(), last_step: step })
        codes = await freshCodes(tx, person)
        await entry(tx, call, 'secondStep.enabled', person)
        // The others were opened without a second step.
        await lifecycle.endOthers(tx, call, { principalId: id, sessionId: person.session_id }, 'secondStep')
      })
      return codes
    },
    renewCodes: (call, principal, { Password: password, Code: code }) =>
      passwordSignIn.prove(call, atPage(principal).sessionId, { password, code }, async (tx, person, stepResult) => {
        if (stepResult === 'off') throw secondStepOff('There is no second step to make codes for.')
        const codes = await freshCodes(tx, person)
        await entry(tx, call, 'secondStep.codesRenewed', person)
        return codes
      }),
    remove: async (call, principal, { Password: password, Code: code }) => {
      const { sessionId } = atPage(principal)
      await passwordSignIn.prove(call, sessionId, { password, code }, async (tx, person, stepResult) => {
        if (stepResult === 'off') throw secondStepOff('There is no second step to turn off.')
        await store.removeSecondStep(tx, person.principal_id)
        await entry(tx, call, 'secondStep.disabled', person)
        await lifecycle.endOthers(tx, call, { principalId: person.principal_id, sessionId }, 'secondStep')
      })
    },
    reset: (call, tenant, userId) =>
      db.transaction(async (tx) => {
        const id = Number(userId)
        const person = Number.isSafeInteger(id) ? await personById(tx, id) : null
        if (person === null || person.tenant_id !== tenant) throw fault('UserNotFound', `There is no user ${userId}.`)
        const row = await store.secondStepOf(tx, id)
        if (row === null || row.confirmed_at === null) throw secondStepOff('This user has no second step.')
        await store.removeSecondStep(tx, id)
        await entry(tx, call, 'secondStep.reset', person)
      }),
  }
}

type Action =
  | 'secondStep.begun'
  | 'secondStep.enabled'
  | 'secondStep.codesRenewed'
  | 'secondStep.disabled'
  | 'secondStep.reset'

const secondStepOn = (): Fault => fault('SecondStepOn', 'There is a second step already. Turn it off first.')
const secondStepOff = (message: string): Fault => fault('SecondStepOff', message)
