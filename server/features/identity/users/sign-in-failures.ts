import type { Tx } from '../../../kernel/database/database.ts'

/** Counts and locks of failed sign-ins, for administrators; sessions/failure-book.ts supplies them. */
export interface SignInFailures {
  /** The subject under which failed sign-ins of a name are counted. */
  readonly accountSubject: (tenant: string, nameKey: string) => string
  /** Deletes every count and lock of an account. @returns what they were; null when there were none. */
  readonly release: (tx: Tx, account: string) => Promise<{ failures: number; locked_until: number | null } | null>
  /** End of the longest lock of each account, in milliseconds since 1970. */
  readonly locksOf: (from: Tx, accounts: readonly string[]) => Promise<Map<string, number>>
  /** Makes all addresses unfamiliar for the account. */
  readonly forgetSources: (tx: Tx, principalId: number) => Promise<void>
}
