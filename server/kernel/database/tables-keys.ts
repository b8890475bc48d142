/** Keys of a headquarters, and proofs that are used once. Times are milliseconds since 1970. */

export interface WrappedKeysTable {
  name: string
  /** Counts the changes of the row. */
  version: number
  /** The id of the wrapping key. */
  wrapped_by: string
  wrapped: string
  changed_at: number
}

export interface UsedChallengesTable {
  challenge_hash: string
  expires_at: number
}

export interface KeyTables {
  wrapped_keys: WrappedKeysTable
  used_challenges: UsedChallengesTable
}
