/** Ends the account control of creators and resetters once the owners have taken their accounts over (decisions 6). */
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import { controlEndsAt, controlStates, type SettlingTime } from '../../../../shared/identity/account-control.ts'
import * as rows from './account-control.store.ts'

export interface AccountControl {
  /** Records the current value of the setting. Call it once at start, before anything is decided by it. */
  recordSetting(call: Call): Promise<void>
  /** A task, run only while the clock is trusted. @returns for how many accounts the control ended */
  endControl(call: Call): Promise<number>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly settleDays: number
}

const HOUR = 3_600_000

export function createAccountControl({ db, ledger, clock, settleDays }: Deps): AccountControl {
  let recorded = false
  let nextAt = clock.monotonic()

  const record = async (tx: Tx, call: Call): Promise<void> => {
    const times = await rows.settlingTimes(tx)
    const before = times.at(-1)?.days ?? null
    if (before === settleDays) return
    await rows.keepSettlingTimes(tx, [...times, { days: settleDays, since: clock.now() }])
    await ledger.append(tx, call, {
      action: 'account.settlingTimeChanged',
      object: { type: 'station', id: '', name: '' },
      detail: { before, after: settleDays },
    })
  }
  const endOne = (call: Call, id: number): Promise<boolean> =>
    db.transaction(async (tx) => {
      // Checked again: the account may have been reset since it was found to be due.
      const state = await dueState(tx, id, clock.now())
      if (state === null) return false
      await ledger.append(tx, call, {
        action: 'account.controlEnded',
        object: { type: 'user', id: String(id), name: await rows.accountName(tx, id) },
        detail: {
          acts: state.acts.map(({ act, by, at }) => ({ act, by, timeUtc: isoMillis(at) })),
          days: settleDays,
        },
      })
      return true
    })

  return {
    recordSetting: async (call) => {
      if (recorded) return
      await db.transaction((tx) => record(tx, call))
      recorded = true
    },
    endControl: async (call) => {
      if (clock.monotonic() < nextAt) return 0
      nextAt = clock.monotonic() + HOUR
      let ended = 0
      for (const id of await dueAccounts(db.read, clock.now())) if (await endOne(call, id)) ended++
      return ended
    },
  }
}

const isDue = (
  state: Parameters<typeof controlEndsAt>[0] | undefined,
  times: readonly SettlingTime[],
  now: number,
): boolean => {
  const at = state === undefined ? null : controlEndsAt(state, times)
  return (at ?? Number.POSITIVE_INFINITY) <= now
}

async function dueAccounts(from: Tx, now: number): Promise<number[]> {
  const ids = await rows.userIds(from)
  const states = controlStates(await rows.accountEvents(from, ids.map(String)))
  const times = await rows.settlingTimes(from)
  return ids.filter((id) => isDue(states.get(String(id)), times, now))
}

async function dueState(tx: Tx, id: number, now: number) {
  const state = controlStates(await rows.accountEvents(tx, [String(id)])).get(String(id))
  return state !== undefined && isDue(state, await rows.settlingTimes(tx), now) ? state : null
}
