/** Queries of the table of actions (shared/kernel/ledger-actions.ts). */
import { type Action, type CustodyKind, LEDGER_ACTIONS } from '../../../shared/kernel/ledger-actions.ts'

export type { Action, CustodyKind }

export const ACTIONS = Object.keys(LEDGER_ACTIONS) as readonly Action[]
export const ACTIONS_VIEWED: readonly Action[] = ACTIONS.filter((action) => LEDGER_ACTIONS[action].kind === 'view')

export const isAction = (name: string): name is Action => Object.hasOwn(LEDGER_ACTIONS, name)

export const meaningOf = (action: Action): string => LEDGER_ACTIONS[action].meaning

/** Whether an action is a change or a view. Unknown actions count as changes. */
export const kindOf = (action: string): CustodyKind => (isAction(action) ? LEDGER_ACTIONS[action].kind : 'change')
