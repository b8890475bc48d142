/** The moment between what a request was checked by and its transaction, in which somebody else changes just that. */
import type { Database } from '../../server/kernel/database/database.ts'

export interface Meanwhile {
  /** The same database, for the service that is looked at. */
  readonly db: Database
  /** Done once and to its end, right before the next transaction of the service begins. */
  meanwhile(work: () => Promise<unknown>): void
  /** How many transactions of the service have begun. */
  transactions(): number
}

export function withMeanwhile(real: Database): Meanwhile {
  let next: (() => Promise<unknown>) | null = null
  let begun = 0
  const transaction: Database['transaction'] = async (work) => {
    const change = next
    // Before it is done: what it does may begin transactions, too.
    next = null
    await change?.()
    begun += 1
    return real.transaction(work)
  }
  return {
    db: { ...real, transaction },
    meanwhile: (work) => {
      next = work
    },
    transactions: () => begun,
  }
}
