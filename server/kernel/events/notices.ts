/** Notices to people, as a feature makes them. `server/features/notifications` keeps and shows them. */
import type { NoticeKind } from '../../../shared/notifications/rules.ts'
import type { Tx } from '../database/database.ts'
import type { Action } from '../ledger/actions.ts'
import type { Call } from '../ledger/call.ts'

export interface Notice {
  readonly tenant: string
  readonly kind: NoticeKind
  /** For people, shown to nobody who cannot view what it is about. */
  readonly message?: string
  readonly object: { readonly type: string; readonly id: string }
  /** What happened, where the kind does not say it. */
  readonly act?: Action
}

/** In the transaction of what they tell of: they commit with it or not at all. */
export interface Notices {
  /** One for each person among these, and for each member of a group among them; none for whoever did it. */
  tell(tx: Tx, call: Call, principalIds: readonly number[], notice: Notice): Promise<void>
}
