/** The book of failed sign-ins: by account and by source, whatever it was that somebody tried to come in with (decisions 10). */
import { hash } from 'node:crypto'
import { Fault } from '../../../shared/contract/errors.ts'
import { nameKey } from '../../../shared/domain/names.ts'
import type { Call } from '../../custody/call.ts'
import type { Ledger } from '../../custody/ledger.ts'
import type { Database, Tx } from '../../db/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { accountRules, afterFailure, type FailureRules, SOURCE_RULES, waitOf } from './failures.ts'
import * as store from './sessions.repository.ts'

/** `account` as `accountSubject` gives it; null where nobody knows whose it would be. */
export interface FailureBook {
  /** @throws Fault TooManyAttempts with the seconds until a try is looked at again. A try that is not looked at is no failure. */
  requireTurn(call: Call, account: string | null): Promise<void>
  /** One more; the fifth of an account locks it, with its entry. */
  count(tx: Tx, call: Call, account: string | null, person: store.PersonRow | null): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append' | 'tally'>
  readonly clock: Clock
  readonly lockSeconds: number
}

/** By a hash of the name as it was typed: people type their passwords there, and names that do not exist lock like those that do. */
export const accountSubject = (tenant: string, key: string): string =>
  `account ${hash('sha256', JSON.stringify([nameKey(tenant), key]), 'hex')}`
const sourceSubject = (source: string): string => `source ${source}`

export function createFailureBook({ db, ledger, clock, lockSeconds }: Deps): FailureBook {
  const rules = accountRules(lockSeconds * 1000)
  const longest = Math.max(rules.windowMillis, rules.lockMillis, SOURCE_RULES.windowMillis)
  const waitFor = async (subject: string, by: FailureRules): Promise<number> =>
    waitOf(await store.failuresOf(db.read, subject), by, clock.now())
  const add = async (tx: Tx, subject: string, by: FailureRules): Promise<store.FailuresRow> => {
    const row = afterFailure(await store.failuresOf(tx, subject), by, clock.now())
    await store.keepFailures(tx, subject, row)
    return row
  }
  return {
    requireTurn: async (call, account) => {
      const own = account === null ? 0 : await waitFor(account, rules)
      const wait = Math.max(own, await waitFor(sourceSubject(call.source), SOURCE_RULES))
      if (wait === 0) return
      ledger.tally(call, {
        action: 'session.refused',
        object: objectOf(null),
        outcome: 'denied',
        reason: 'TooManyAttempts',
      })
      throw new Fault('TooManyAttempts', 'Too many tries. Wait a little, then try again.', {
        retryAfter: Math.ceil(wait / 1000),
      })
    },
    count: async (tx, call, account, person) => {
      await store.forgetFailuresBefore(tx, clock.now() - longest, clock.now())
      await add(tx, sourceSubject(call.source), SOURCE_RULES)
      if (account === null) return
      const { failures, locked_until } = await add(tx, account, rules)
      if (locked_until === null || person === null) return
      const detail = { failures, until: isoMillis(locked_until) }
      await ledger.append(tx, call, { action: 'user.locked', object: objectOf(person), detail })
    },
  }
}

export const objectOf = (person: store.PersonRow | null) =>
  person === null
    ? { type: 'user', id: '', name: '' }
    : { type: 'user', id: String(person.principal_id), name: person.name }
