/**
 * Who may approve a destruction (decisions 6): two people, neither the requester nor an account that the requester made. Held beyond
 * that, since otherwise one person could be both: the two are different and neither made the account of the other; what an account made
 * counts as made by whoever made that account; and programs approve nothing, since whoever renews their keys is them.
 */
export interface Approver {
  readonly kind: string
  readonly id: string
  /** Ids of the accounts that made it, directly or through each other. */
  readonly makers: ReadonlySet<string>
}

export type WhyNot =
  | 'NotAPerson'
  | 'Requested'
  | 'MadeByRequester'
  | 'ApprovedAlready'
  | 'MadeByApprover'
  | 'NotWaiting'

export interface Approved {
  readonly waiting: boolean
  /** PrincipalId; `0` the station itself. */
  readonly requesterId: string
  readonly approvals: readonly Approver[]
}

/** Null: they may. */
export function whyNotApprove({ waiting, requesterId, approvals }: Approved, caller: Approver): WhyNot | null {
  if (!waiting) return 'NotWaiting'
  if (caller.kind !== 'user') return 'NotAPerson'
  if (caller.id === requesterId) return 'Requested'
  if (caller.makers.has(requesterId)) return 'MadeByRequester'
  for (const other of approvals) {
    if (other.id === caller.id) return 'ApprovedAlready'
    if (caller.makers.has(other.id) || other.makers.has(caller.id)) return 'MadeByApprover'
  }
  return null
}
