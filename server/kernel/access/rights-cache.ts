/**
 * Caches answers that depend on rights alone (rights-version.ts names the tables) until a right changes. The version must be read
 * before the database, so that an answer is never newer than its version.
 */

/** Most cached answers. A station has some hundred accounts. */
const MOST_KEPT = 5_000

/** Returns the cached answer of `key`, or that of `ask`. */
export type RightsCache<T> = (key: string, ask: () => Promise<T>) => Promise<T>

/** @param version of all rights; null while the cache must not be used */
export function createRightsCache<T>(version: () => number | null): RightsCache<T> {
  const answers = new Map<string, { readonly answer: T }>()
  let answersVersion: number | null = null
  return async (key, ask) => {
    const now = version()
    if (now === null) return ask()
    if (now !== answersVersion) {
      answers.clear()
      answersVersion = now
    }
    const known = answers.get(key)
    if (known !== undefined) return known.answer
    const answer = await ask()
    // Another call may have found a changed right meanwhile.
    if (answersVersion === now && answers.size < MOST_KEPT) answers.set(key, { answer })
    return answer
  }
}
