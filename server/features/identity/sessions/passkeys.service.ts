/** The caller's passkeys: added, listed, removed (decisions 10; WebAuthn Level 3, 7.1). */
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { type Fault, fault } from '../../../../shared/kernel/errors.ts'
import type { NewPasskeyResponse, PasskeyModel, PasskeysModel } from '../../../../shared/identity/passkeys.contract.ts'
import { MOST_PASSKEYS, passkeysAt } from '../../../../shared/identity/passkeys.ts'
import type { Principal } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import { atPage } from './at-page.ts'
import { objectOf } from './failure-book.ts'
import type { PasskeyChallenges } from './passkey-challenges.ts'
import { challengeIn, verifyNewPasskey, creationOptions } from './passkey-checks.ts'
import { passkeyRefused, passkeysHere } from './passkey-sign-in.ts'
import * as store from './passkeys.store.ts'
import type { SessionLifecycle } from './session-lifecycle.ts'
import { type PersonRow, personById } from './sessions.store.ts'
import type { SignIn } from './sign-in.ts'

type Passkey = z.input<typeof PasskeyModel>

/** The password, and the code for people with a second step. */
export interface PasskeyProof {
  readonly Password: string
  readonly Code?: string | undefined
}

/** @param origin the configured one that the request's Host matched. All but `reset` throw Fault Forbidden for a token. */
export interface PasskeysService {
  list(principal: Principal | null, origin: string): Promise<z.input<typeof PasskeysModel>>
  /**
   * @returns PublicKeyCredentialCreationOptionsJSON.
   * @throws Fault PasskeysUnavailable, TooManyPasskeys, SignInRefused, SecondStepNeeded, SecondStepRefused, TooManyAttempts.
   */
  begin(call: Call, principal: Principal | null, origin: string, proof: PasskeyProof): Promise<Record<string, unknown>>
  /** @throws Fault PasskeysUnavailable, PasskeyRefused, TooManyPasskeys. */
  register(
    call: Call,
    principal: Principal | null,
    origin: string,
    given: { readonly Name: string; readonly Response: z.output<typeof NewPasskeyResponse> },
  ): Promise<Passkey>
  /** @throws Fault PasskeyNotFound, and as `begin` of the proof. */
  remove(call: Call, principal: Principal | null, passkeyId: string, proof: PasskeyProof): Promise<void>
  /** Removes all passkeys of a person who lost a device. @throws Fault UserNotFound, PasskeyNotFound when there is none. */
  reset(call: Call, tenant: string, userId: string): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append' | 'tally'>
  readonly clock: Clock
  readonly lifecycle: SessionLifecycle
  readonly passwordSignIn: Pick<SignIn, 'prove'>
  readonly challenges: PasskeyChallenges
  /** Name of the station, as the authenticator shows it. */
  readonly station: string
}

export function createPasskeys(deps: Deps): PasskeysService {
  const { db, ledger, clock, lifecycle, passwordSignIn, challenges, station } = deps
  /** Requires password and second step again: a passkey replaces both from then on. */
  const prove = <T>(
    call: Call,
    sessionId: number,
    { Password: password, Code: code }: PasskeyProof,
    work: (tx: Tx, person: PersonRow) => Promise<T>,
  ): Promise<T> =>
    passwordSignIn.prove(call, sessionId, { password, code }, async (tx, person, stepResult) => {
      if (stepResult === 'needed') throw fault('SecondStepNeeded', 'The code of the authenticator is needed too.')
      return work(tx, person)
    })

  return {
    list: async (principal, origin) => {
      const at = passkeysAt(origin)
      const rows = await store.passkeysOf(db.read, Number(atPage(principal).id))
      return { None: 'none' in at ? at.none : null, Passkeys: rows.map((row) => modelOf(row, at)) }
    },
    begin: async (call, principal, origin, proof) => {
      const at = passkeysHere(origin)
      const { sessionId } = atPage(principal)
      return prove(call, sessionId, proof, async (tx, person) => {
        const known = await store.passkeysOf(tx, person.principal_id)
        requireRoom(known.length)
        await ledger.append(tx, call, { action: 'passkey.begun', object: objectOf(person) })
        const handle = known[0]?.user_handle ?? randomBytes(32).toString('base64url')
        const challenge = challenges.make({ act: 'register', origin, holder: holderOf(sessionId) }, handle)
        const displayName = `${person.first_name} ${person.last_name}`.trim() || person.name
        return creationOptions(at, { challenge, station, known, user: { handle, name: person.name, displayName } })
      })
    },
    register: async (call, principal, origin, { Name, Response }) => {
      const at = passkeysHere(origin)
      const page = atPage(principal)
      const refuse = (reason: string): Fault => {
        const object = { type: 'user', id: page.id, name: page.name }
        ledger.tally(call, { action: 'passkey.refused', object, outcome: 'denied', reason })
        return passkeyRefused()
      }
      const challenge = challengeIn(Response.response.clientDataJSON)
      const purpose = { act: 'register', origin, holder: holderOf(page.sessionId) } as const
      const handle = challenge === null ? null : await challenges.take(challenge, purpose)
      if (challenge === null || handle === null) throw refuse('passkeyChallenge')
      const made = await verifyNewPasskey(at, Response, challenge)
      if (made === null) throw refuse('passkeyInvalid')
      let added: Passkey | null = null
      await lifecycle.change(call, page.sessionId, async (tx, { principal_id: id, name }) => {
        const existing = await store.passkeysOf(tx, id)
        requireRoom(existing.length)
        if ((await store.passkeyByCredential(tx, made.credential_id)) !== null) return
        const row = {
          ...made,
          principal_id: id,
          rp_id: at.rpId,
          user_handle: handle,
          name: Name.trim(),
          created_at: clock.now(),
        }
        const passkeyId = await store.insertPasskey(tx, row)
        const detail = { passkey: String(passkeyId), name: row.name, station: at.rpId, synced: made.synced === 1 }
        await ledger.append(tx, call, {
          action: 'passkey.added',
          object: { type: 'user', id: String(id), name },
          detail,
        })
        // With the first passkey the way to sign in changes, so sessions that were opened before it end.
        if (existing.length === 0)
          await lifecycle.endOthers(tx, call, { principalId: id, sessionId: page.sessionId }, 'passkey')
        added = modelOf({ ...row, passkey_id: passkeyId, used_at: null }, at)
      })
      // The credential has an owner on this station already: a second owner would sign in as the first.
      if (added === null) throw refuse('passkeyKnown')
      return added
    },
    remove: async (call, principal, passkeyId, proof) =>
      prove(call, atPage(principal).sessionId, proof, async (tx, person) => {
        const [removed] = await store.removePasskeys(tx, person.principal_id, Number(passkeyId))
        if (removed === undefined) throw fault('PasskeyNotFound', `You have no passkey ${passkeyId}.`)
        const detail = { passkey: String(removed.passkey_id), name: removed.name }
        await ledger.append(tx, call, { action: 'passkey.removed', object: objectOf(person), detail })
      }),
    reset: (call, tenant, userId) =>
      db.transaction(async (tx) => {
        const id = Number(userId)
        const person = Number.isSafeInteger(id) ? await personById(tx, id) : null
        if (person === null || person.tenant_id !== tenant) throw fault('UserNotFound', `There is no user ${userId}.`)
        const removed = await store.removePasskeys(tx, id)
        if (removed.length === 0) throw fault('PasskeyNotFound', 'This user has no passkey.')
        const detail = { passkeys: removed.map((row) => String(row.passkey_id)) }
        await ledger.append(tx, call, { action: 'passkey.reset', object: objectOf(person), detail })
      }),
  }
}

const holderOf = (sessionId: number): string => `session ${sessionId}`

/** @throws Fault TooManyPasskeys */
function requireRoom(existing: number): void {
  if (existing >= MOST_PASSKEYS)
    throw fault('TooManyPasskeys', `There are ${MOST_PASSKEYS} passkeys already. Take one away first.`)
}

const modelOf = (row: store.PasskeyRow, at: ReturnType<typeof passkeysAt>): Passkey => ({
  PasskeyId: String(row.passkey_id),
  Name: row.name,
  Synced: row.synced === 1,
  CreatedUtc: isoMillis(row.created_at),
  LastUsedUtc: row.used_at === null ? null : isoMillis(row.used_at),
  Here: 'rpId' in at && at.rpId === row.rp_id,
})
