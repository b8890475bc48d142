/** What is asked of the table of actions (shared/kernel/ledger-actions.ts). */
import { type Action, type CustodyKind, LEDGER_ACTIONS } from '../../../shared/kernel/ledger-actions.ts'

export type { Action, CustodyKind }

export const ACTIONS = Object.keys(LEDGER_ACTIONS) as readonly Action[]
export const ACTIONS_VIEWED: readonly Action[] = ACTIONS.filter((action) => LEDGER_ACTIONS[action].kind === 'view')

export const isAction = (name: string): name is Action => Object.hasOwn(LEDGER_ACTIONS, name)

export const meaningOf = (action: Action): string => LEDGER_ACTIONS[action].meaning

/** Did it change something, or was something looked at? What the ledger does not know cannot be called a mere look. */
export const kindOf = (action: string): CustodyKind => (isAction(action) ? LEDGER_ACTIONS[action].kind : 'change')
