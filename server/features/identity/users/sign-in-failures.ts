import type { Tx } from '../../../kernel/database/database.ts'

/** What failed sign-ins leave behind, as far as administrators see and end it; sessions/failure-book.ts has it. */
export interface SignInFailures {
  /** Under which failed sign-ins of a name are counted. */
  readonly accountSubject: (tenant: string, nameKey: string) => string
  /** Ends every count and lock of an account. @returns what they were; null: there was nothing. */
  readonly release: (tx: Tx, account: string) => Promise<{ failures: number; locked_until: number | null } | null>
  /** Until when any lock of these accounts holds, in milliseconds since 1970. */
  readonly locksOf: (from: Tx, accounts: readonly string[]) => Promise<Map<string, number>>
  /** No address is familiar any more. */
  readonly forgetSources: (tx: Tx, principalId: number) => Promise<void>
}
