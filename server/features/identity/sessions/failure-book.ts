/**
 * Counts failed sign-ins and delays the next attempt (decisions 13). No user may lock out another one (promise S18), so failures are
 * counted in four places: for one source at one account, for one open session, for all unfamiliar sources of an account together, and for
 * one source over all names for which it is unfamiliar. A source is familiar for an account after a sign-in from it.
 */
import { hash } from 'node:crypto'
import { Fault } from '../../../../shared/kernel/errors.ts'
import { nameKey } from '../../../../shared/kernel/names.ts'
import { RELEASE_ONLY } from '../../../../shared/identity/sign-in.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import { sourceNetwork } from '../../../platform/network/networks.ts'
import {
  afterFailure,
  type FailureRules,
  type LockTime,
  ownRules,
  SOURCE_RULES,
  unfamiliarRules,
  waitOf,
} from './failures.ts'
import * as store from './failures.store.ts'
import type { PersonRow } from './sessions.store.ts'

/** One attempt to sign in, unlock, or prove an identity. */
export interface Attempt {
  /** As `accountSubject` gives it; null when the account is not known. */
  readonly account: string | null
  /** The IPv4 address or the IPv6 network. */
  readonly source: string
  /** Decides where a failure is counted: an open session, a source that signed in to the account before, or one that did not. */
  readonly standing: 'session' | 'familiar' | 'unfamiliar'
  /** The subject under which its own failures are counted; null when the account is not known. */
  readonly own: string | null
}

export interface FailureBook {
  /** A sign-in by name or passkey. @param principalId null when no account has the name */
  attempt(call: Call, account: string | null, principalId: number | null): Promise<Attempt>
  /** Unlocking an open session, or proof of identity within it. */
  atSession(call: Call, account: string, sessionId: number): Attempt
  /**
   * @throws Fault TooManyAttempts with the seconds until the next attempt is accepted; AccountLocked when all unfamiliar sources are locked
   *   out; AccountLockedUntilReleased when an administrator has to end that. A refused attempt does not count as a failure.
   */
  requireTurn(call: Call, attempt: Attempt): Promise<void>
  /**
   * The same for an attempt that has succeeded, in the transaction that accepts it. The queue keeps the attempts of one process apart;
   * another node may have counted failures of this account since. @throws as `requireTurn`
   */
  requireStillTurn(tx: Tx, call: Call, attempt: Attempt): Promise<void>
  /** Counts one more failure. A lock gets a ledger entry. */
  count(tx: Tx, call: Call, attempt: Attempt, person: PersonRow | null): Promise<void>
  /** Clears the attempt's own count. A source that signed in is familiar from now on. */
  succeeded(tx: Tx, call: Call, attempt: Attempt, principalId: number): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append' | 'tally'>
  readonly clock: Clock
  readonly lock: LockTime
}

/** How many sources of a person stay familiar, and how long after the last sign-in. */
const MOST_FAMILIAR = 16
const FAMILIAR_MILLIS = 90 * 86_400_000
/** Lock-outs are counted together until there was none for this long. */
const LOCK_OUTS_MILLIS = 24 * 3_600_000
/** Limit of locks for names without an account, which stay until released like the locks of accounts. */
const MAX_LOCKS_WITHOUT_ACCOUNT = 10_000

/** A hash of the typed name: people type passwords there by mistake, and unknown names lock like known ones. */
export const accountSubject = (tenant: string, key: string): string =>
  `account ${hash('sha256', JSON.stringify([nameKey(tenant), key]), 'hex')}`
const sourceSubject = (source: string): string => `source ${source}`

export function createFailureBook({ db, ledger, clock, lock }: Deps): FailureBook {
  const own = ownRules(lock)
  const unfamiliar = unfamiliarRules(lock)
  const counted = Math.max(own.windowMillis, own.lockMillis, SOURCE_RULES.windowMillis)
  const waitFor = async (from: Tx, subject: string, by: FailureRules): Promise<number> =>
    waitOf(await store.failuresOf(from, subject), by, clock.now())
  const add = async (tx: Tx, subject: string, by: FailureRules): Promise<store.FailuresRow> => {
    const row = afterFailure(await store.failuresOf(tx, subject), by, clock.now())
    await store.keepFailures(tx, subject, row)
    return row
  }
  /** @returns how many failures locked the account for all unfamiliar sources, or null where they did not. */
  const addUnfamiliar = async (tx: Tx, account: string, source: string): Promise<number | null> => {
    const now = clock.now()
    await store.addUnfamiliarFailure(tx, account, source, now)
    const failures = await store.unfamiliarFailures(tx, account, now - unfamiliar.windowMillis)
    if (failures < unfamiliar.locksAt) return null
    await store.forgetUnfamiliarFailures(tx, account)
    return failures
  }
  /** Milliseconds for which the account is locked for all unfamiliar sources. */
  const lockedFor = async (from: Tx, { account, standing }: Attempt): Promise<number> => {
    if (account === null || standing !== 'unfamiliar') return 0
    const until = (await store.accountLockOf(from, account))?.locked_until ?? null
    return until === null ? 0 : Math.max(0, until - clock.now())
  }
  const refuseEarly = (call: Call, { locked, wait }: { locked: number; wait: number }): void => {
    if (locked === 0 && wait === 0) return
    ledger.tally(call, {
      action: 'session.refused',
      object: objectOf(null),
      outcome: 'denied',
      reason: 'TooManyAttempts',
    })
    throw locked > 0 ? accountLocked(locked) : tooManyAttempts(wait)
  }
  const ownWait = async (from: Tx, { own: subject }: Attempt): Promise<number> =>
    subject === null ? 0 : waitFor(from, subject, own)
  const keepLock = async (tx: Tx, account: string, person: PersonRow | null, until: number | null): Promise<number> => {
    const before = await store.accountLockOf(tx, account)
    const now = clock.now()
    const recent = before !== null && now - before.last_at < LOCK_OUTS_MILLIS
    const lockOuts = (recent ? before.lock_outs : 0) + 1
    await store.keepAccountLock(tx, account, {
      principal_id: person?.principal_id ?? null,
      locked_until: until ?? before?.locked_until ?? null,
      lock_outs: lockOuts,
      last_at: now,
    })
    if (person === null && until !== null) await store.limitLocksWithoutAccount(tx, MAX_LOCKS_WITHOUT_ACCOUNT)
    return lockOuts
  }

  return {
    attempt: async (call, account, principalId) => {
      const source = sourceNetwork(call.source)
      const since = clock.now() - FAMILIAR_MILLIS
      // Queried for unknown names too: the response time must not reveal which names exist.
      const known = await store.isFamiliarSource(db.read, { principalId: principalId ?? -1, source, since })
      const proxied = call.arrival === 'proxied'
      return {
        account,
        source,
        // All clients behind a proxy share its address.
        standing: known && !proxied ? 'familiar' : 'unfamiliar',
        own: account === null ? null : `${account} from ${proxied ? 'proxied ' : ''}${source}`,
      }
    },
    atSession: (call, account, sessionId) => ({
      account,
      source: sourceNetwork(call.source),
      standing: 'session',
      own: `${account} session ${sessionId}`,
    }),
    requireTurn: async (call, attempt) => {
      const locked = await lockedFor(db.read, attempt)
      const ofSource =
        attempt.standing === 'unfamiliar' ? await waitFor(db.read, sourceSubject(attempt.source), SOURCE_RULES) : 0
      refuseEarly(call, { locked, wait: Math.max(await ownWait(db.read, attempt), ofSource) })
    },
    requireStillTurn: async (tx, call, attempt) => {
      // Not the delay of the source: a whole shift may share one, and failures of others must not undo a right password.
      refuseEarly(call, { locked: await lockedFor(tx, attempt), wait: await ownWait(tx, attempt) })
    },
    count: async (tx, call, attempt, person) => {
      const now = clock.now()
      await store.forgetOldFailures(tx, {
        now,
        counted,
        unfamiliar: unfamiliar.windowMillis,
        lockOuts: LOCK_OUTS_MILLIS,
      })
      if (attempt.standing !== 'session') await add(tx, sourceSubject(attempt.source), SOURCE_RULES)
      if (attempt.own === null || attempt.account === null) return
      const mine = await add(tx, attempt.own, own)
      const joint = attempt.standing === 'unfamiliar' ? await addUnfamiliar(tx, attempt.account, attempt.source) : null
      const until = joint === null ? mine.locked_until : unfamiliar.lockedUntil(now)
      if (until === null) return
      const lockOuts = await keepLock(tx, attempt.account, person, joint === null ? null : until)
      if (person === null) return
      await ledger.append(tx, call, {
        action: 'user.locked',
        object: objectOf(person),
        reason: joint === null ? attempt.standing : 'allUnfamiliar',
        detail: {
          failures: joint ?? mine.failures,
          until: until === RELEASE_ONLY ? null : isoMillis(until),
          ...(lockOuts > 1 ? { lockOuts } : {}),
        },
      })
    },
    succeeded: async (tx, call, attempt, principalId) => {
      if (attempt.own !== null) await store.forgetFailuresOf(tx, attempt.own)
      if (attempt.standing === 'session') return
      if (attempt.account !== null) await store.forgetUnfamiliarFailures(tx, attempt.account, attempt.source)
      if (call.arrival === 'proxied') return
      const now = clock.now()
      const since = now - FAMILIAR_MILLIS
      const { source } = attempt
      await store.keepFamiliarSource(tx, { principalId, source, now, since, most: MOST_FAMILIAR })
    },
  }
}

const tooManyAttempts = (wait: number): Fault =>
  new Fault('TooManyAttempts', 'Too many tries from this address. Wait a little, then try again.', {
    retryAfter: Math.ceil(wait / 1000),
  })

/** The same answer for names without an account. */
function accountLocked(millis: number): Fault {
  if (millis > RELEASE_ONLY / 2)
    return new Fault(
      'AccountLockedUntilReleased',
      'Too many tries for this account. An administrator has to release it.',
      {
        retryAfter: 3600,
      },
    )
  const message = 'Too many tries for this account. It is locked for addresses that it was not used from before.'
  return new Fault('AccountLocked', message, { retryAfter: Math.ceil(millis / 1000) })
}

export const objectOf = (person: PersonRow | null) =>
  person === null
    ? { type: 'user', id: '', name: '' }
    : { type: 'user', id: String(person.principal_id), name: person.name }
