/**
 * What entries of the ledger tell the features that act on them, beside action and object: members that their `detail` has to have. An
 * action that is not here tells no more than that it happened.
 */
export interface EventDetails {
  /** A file became whole. With both members it is of a camera whose own list has another hash for it. */
  'resource.completed': { readonly dockSessionId?: string; readonly differsFrom?: string }
  'resource.differs': { readonly dockSessionId: string; readonly differsFrom: string }
  /** `until` null: only an administrator ends the lock. `lockOuts`: from the second one on. */
  'user.locked': { readonly until: string | null; readonly lockOuts?: number }
}
