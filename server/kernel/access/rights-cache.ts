/**
 * Caches answers that depend on rights alone (rights-version.ts names the tables) until a right changes. The version is read before the
 * database, so that an answer is never older than its version.
 */
import type { Database, Tx } from '../database/database.ts'

/** Most cached answers. A station has some hundred accounts. */
const MOST_KEPT = 5_000

/**
 * Returns the cached answer of `key`, or that of `ask`.
 * @param from what `ask` reads: an open transaction; otherwise committed state
 */
export type RightsCache<T> = (key: string, ask: () => Promise<T>, from?: Tx) => Promise<T>

/** @param version of all rights; null while the cache must not be used */
export function createRightsCache<T>(version: Database['rightsVersion']): RightsCache<T> {
  const answers = new Map<string, { readonly answer: T }>()
  let answersVersion: number | string | null = null
  return async (key, ask, from) => {
    const found = version(from)
    // Awaited only where it has to be: on SQLite the reads of this turn see the state of this version.
    const now = found instanceof Promise ? await found : found
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
