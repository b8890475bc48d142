import { Fault } from '../../../shared/contract/errors.ts'

export interface Turnstile {
  /** Runs `work` when all before it are through. @throws Fault TooManyRequests when too many of one source, or of all, wait. */
  pass<T>(source: string, work: () => Promise<T>): Promise<T>
}

const MOST_OF_ONE = 16
const MOST_IN_ALL = 128

/**
 * Passwords are verified one after another: a hundred guesses sent at once would otherwise all be looked at before the first of them
 * counts, and each takes 64 MiB while it is.
 */
export function createTurnstile(): Turnstile {
  const waiting = new Map<string, number>()
  let all = 0
  let last: Promise<unknown> = Promise.resolve()
  return {
    pass: async (source, work) => {
      const mine = waiting.get(source) ?? 0
      if (mine >= MOST_OF_ONE || all >= MOST_IN_ALL)
        throw new Fault('TooManyRequests', 'Too many sign-ins at once. Try again in a moment.', { retryAfter: 2 })
      waiting.set(source, mine + 1)
      all += 1
      const turn = last.then(work)
      last = turn.catch(() => {})
      try {
        return await turn
      } finally {
        all -= 1
        const left = (waiting.get(source) ?? 1) - 1
        if (left === 0) waiting.delete(source)
        else waiting.set(source, left)
      }
    },
  }
}
