/** Codes of links for somebody without an account (decisions 37): they take turns with passwords, and wrong ones delay their source likewise. */
import type { Tx } from '../../../kernel/database/database.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { FailureBook } from './failure-book.ts'
import type { PasswordQueue } from './password-queue.ts'
import type { Passwords } from './sign-in.ts'

/** One attempt whose turn it is. */
export interface CodeAttempt {
  verify(codeHash: string, code: string): Promise<boolean>
  /** Counts a failure of the source. */
  failed(tx: Tx): Promise<void>
}

export interface GuestCodes {
  hash(code: string): Promise<string>
  /** @param key attempts with the same one run one after the other @throws Fault TooManyAttempts, TooManyRequests */
  inTurn<T>(call: Call, key: string, work: (attempt: CodeAttempt) => Promise<T>): Promise<T>
}

interface Deps {
  readonly passwords: Passwords
  readonly queue: PasswordQueue
  readonly failures: Pick<FailureBook, 'attempt' | 'requireTurn' | 'count'>
}

export const createGuestCodes = ({ passwords, queue, failures }: Deps): GuestCodes => ({
  hash: passwords.hash,
  inTurn: async (call, key, work) => {
    const attempt = await failures.attempt(call, null, null)
    return queue.run({ key, source: attempt.source, reserved: call.arrival === 'local' }, async () => {
      await failures.requireTurn(call, attempt)
      return work({ verify: passwords.verify, failed: (tx) => failures.count(tx, call, attempt, null) })
    })
  },
})
