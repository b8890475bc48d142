/** Events: entries of the ledger, handed to the features that act on them in the transaction of the change (house rule 6). */
import type { Action } from '../ledger/actions.ts'
import type { Call } from '../ledger/call.ts'
import type { LedgerEntry } from '../ledger/format.ts'
import type { Tx } from '../database/database.ts'

/** What it throws undoes the change. It may run in a unit of work, so it awaits nothing but its `tx` (decisions 17). */
export type EventHandler<A extends Action> = (tx: Tx, call: Call, event: LedgerEntry<A>) => Promise<void>

export type EventHandlers = { readonly [A in Action]?: EventHandler<A> }

interface Subscriber {
  readonly on?: EventHandlers
}

/** Tells one after the other. @param subscribers read anew for each event */
export const publishTo =
  (subscribers: readonly Subscriber[]) =>
  async (tx: Tx, call: Call, event: LedgerEntry): Promise<void> => {
    for (const { on = {} } of subscribers)
      await (on[event.action] as EventHandler<Action> | undefined)?.(tx, call, event)
  }
