/**
 * Answers that follow from rights alone (sqlite/rights-version.ts names the tables), kept until a right changes. What is asked of the
 * database must be asked after the version, so that an answer is never newer than it says.
 */

/** Answers kept; a station has some hundred accounts. */
const MOST_KEPT = 5_000

/** Gives the answer to `key` that is kept, or the one of `ask`. */
export type RightsCache<T> = (key: string, ask: () => Promise<T>) => Promise<T>

/** @param version of all rights; null: nothing may be kept or given at the moment */
export function createRightsCache<T>(version: () => number | null): RightsCache<T> {
  const kept = new Map<string, { readonly answer: T }>()
  let keptAt: number | null = null
  return async (key, ask) => {
    const now = version()
    if (now === null) return ask()
    if (now !== keptAt) {
      kept.clear()
      keptAt = now
    }
    const known = kept.get(key)
    if (known !== undefined) return known.answer
    const answer = await ask()
    // Somebody else may have found meanwhile that a right has changed.
    if (keptAt === now && kept.size < MOST_KEPT) kept.set(key, { answer })
    return answer
  }
}
